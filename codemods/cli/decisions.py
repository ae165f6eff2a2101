"""What was turned down in a review that is not finished, so that nothing is asked twice."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile

_VERSION = 1


class Decisions:
    """The fingerprints of the findings that are left as they are, kept in a file of the person's.

    Args:
        folder: the folder that the review runs in.
    """

    def __init__(self, folder: str) -> None:
        digest = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:16]
        self.path = os.path.join(_state_folder(), f"review-{digest}.json")
        self._rejected = _load(self.path)

    def __len__(self) -> int:
        return len(self._rejected)

    def __contains__(self, fingerprint: str) -> bool:
        return fingerprint in self._rejected

    def reject(self, fingerprint: str) -> None:
        """Remember that a finding is left as it is.

        Raises:
            OSError: if that cannot be written down; it is remembered in this run all the same.
        """
        self._rejected.add(fingerprint)
        folder = os.path.dirname(self.path)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=folder)
        with open(descriptor, "w", encoding="utf-8") as stream:
            json.dump({"version": _VERSION, "rejected": sorted(self._rejected)}, stream)
        os.replace(temporary, self.path)

    def forget(self) -> None:
        """Begin anew the next time, and now."""
        self._rejected.clear()
        with contextlib.suppress(OSError):
            os.unlink(self.path)


def _load(path: str) -> set[str]:
    """What a file remembers: nothing if there is none, or it is from another version or broken."""
    try:
        with open(path, encoding="utf-8") as stream:
            content = json.load(stream)
    except (OSError, ValueError, RecursionError):
        return set()
    rejected = content.get("rejected") if isinstance(content, dict) and content.get("version") == _VERSION else None
    return set(map(str, rejected)) if isinstance(rejected, list) else set()


def _state_folder() -> str:
    """Where programs keep what they need to go on (XDG base directories; on Windows the local application data)."""
    home = os.path.join(os.path.expanduser("~"), ".local", "state")
    base = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_STATE_HOME")
    return os.path.join(base or home, "picklefix")

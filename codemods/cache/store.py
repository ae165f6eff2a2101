"""The folder of the cache: documents by name, each replaced as a whole."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from typing import Any

_LABELS = {
    ".gitignore": "*\n",
    "CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n# Holds what picklefix would find out again.\n",
}
"""See https://bford.info/cachedir for the tag, which tells backups to leave the folder out."""


class Store:
    """The documents of one version of picklefix under one version of Python.

    Args:
        folder: the folder of the cache; it need not exist.
        version: names the two versions.
        program: what else the documents have to come from.
    """

    def __init__(self, folder: str, version: str, program: str) -> None:
        self.folder = folder
        self._inner = os.path.join(folder, version)
        self._program = program

    def load(self, name: str) -> dict[str, Any]:
        """A document; an empty one if there is none that can be used."""
        path = os.path.join(self._inner, f"{name}.json")
        try:
            if not os.path.isfile(path):  # A pipe of that name would never answer.
                return {}
            with open(path, "rb") as stream:
                document = json.loads(stream.read())
        except (OSError, ValueError, RecursionError):
            return {}
        is_usable = isinstance(document, dict) and document.get("program") == self._program
        return document if is_usable else {}

    def save(self, name: str, document: dict[str, Any]) -> None:
        """Replace a document.

        Raises:
            OSError: if that cannot be done; the old one is still there.
        """
        os.makedirs(self._inner, exist_ok=True)
        for label, text in _LABELS.items():
            if not os.path.lexists(os.path.join(self.folder, label)):
                _replace(os.path.join(self.folder, label), text.encode())
        data = json.dumps({"program": self._program, **document}, separators=(",", ":"))
        _replace(os.path.join(self._inner, f"{name}.json"), data.encode())


def _replace(path: str, data: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), suffix=".tmp")
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise

"""What files hold, as content hashes, without reading those whose status has not changed."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

STEP = 2_000_000_000
"""Nanoseconds within which two changes of a file may leave the same time: FAT counts in steps of two seconds."""


class Status(NamedTuple):
    """What tells that a file was changed, without reading it; times in nanoseconds."""

    size: int
    modified: int
    changed: int
    inode: int


class _Known(NamedTuple):
    """What a file holds.

    Args:
        status: its status right before it was read.
        digest: the hash of its content.
        is_fresh: whether it was written so recently that a further change may not show in its status.
    """

    status: Status
    digest: str
    is_fresh: bool


class FileTable:
    """The content hashes of files.

    Args:
        known: what :meth:`document` gave in an earlier run; anything else in it is passed over.
    """

    def __init__(self, known: Mapping[str, Any]) -> None:
        self._before = known
        self._known: dict[str, _Known | None] = {}
        self._start = time.time_ns()
        self.has_news = False
        """Whether the next run would be spared reading something if the table were kept."""

    def digest(self, path: str) -> str | None:
        """The content hash of a file; None if it cannot be read, or is no regular file."""
        if path not in self._known:
            self._known[path] = self._looked_up(path)
        known = self._known[path]
        return None if known is None else known.digest

    def digest_of_all(self, paths: Iterable[str]) -> str:
        """One hash of the names of some files and what they hold."""
        text = "\0".join(f"{path}\0{self.digest(path)}" for path in paths)
        return content_hash(text.encode("utf-8", "surrogateescape"))

    def is_unchanged(self, path: str) -> bool:
        """Whether a file still holds what it held when it was asked for first."""
        known = self._known.get(path)
        if known is None or status_of(path) != known.status:
            return False
        return not known.is_fresh or _read_hash(path) == known.digest

    def document(self) -> dict[str, list[int | str]]:
        """The table in a form that JSON can hold."""
        new = {
            path: [*known.status, known.digest]
            for path, known in self._known.items()
            if known is not None and not known.is_fresh
        }
        old = {path: row for path, row in self._before.items() if path not in self._known and os.path.lexists(path)}
        return {**old, **new}

    def _looked_up(self, path: str) -> _Known | None:
        status = status_of(path)
        if status is None:
            return None
        row = self._before.get(path)
        if isinstance(row, list) and len(row) == 5 and tuple(row[:4]) == status and isinstance(row[4], str):
            return _Known(status, row[4], is_fresh=False)
        digest = _read_hash(path)
        if digest is None:
            return None
        is_fresh = max(status.modified, status.changed) > self._start - STEP
        self.has_news = self.has_news or not is_fresh
        return _Known(status, digest, is_fresh)


def content_hash(data: bytes) -> str:
    """The hash of some content."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def status_of(path: str) -> Status | None:
    """The status of a regular file; None for anything else, symbolic links included."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Status(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _read_hash(path: str) -> str | None:
    try:
        with open(path, "rb") as stream:
            return content_hash(stream.read())
    except OSError:
        return None

"""Replacing a file on disk: all of it or nothing, whatever happens meanwhile."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import tempfile
import threading
from collections.abc import Iterator
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class WriteError(Exception):
    """A file was not replaced; the message is one line that names the cause and the cure."""


def replace(path: str, before: bytes, after: bytes) -> None:
    """Give a file new content in one step.

    The file keeps its mode, and a symbolic link stays one: the file that it leads to is replaced. SIGINT and SIGTERM
    take effect once the file is either old or new and nothing else is left in its folder.

    Args:
        path: the file.
        before: what it must still hold.
        after: what it holds afterwards.

    Raises:
        WriteError: if the file has changed, is gone, or cannot be written; it is then as it was.
    """
    with signals_held():
        try:
            _replace(os.path.realpath(path, strict=True), before, after)
        except FileNotFoundError as error:
            raise WriteError("was deleted meanwhile; nothing was written") from error
        except OSError as error:
            raise WriteError(f"cannot be written: {error.strerror}; it is unchanged") from error


def _replace(path: str, before: bytes, after: bytes) -> None:
    with open(path, "rb") as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise WriteError("is not a regular file; nothing was written")
        if stream.read() != before:
            raise WriteError("was changed meanwhile; nothing was written, run again")
    if not os.access(path, os.W_OK) or not status.st_mode & 0o222:
        # Renaming would get round the protection of a read-only file.
        raise WriteError("is read-only; make it writable (chmod u+w) and run again")
    folder, name = os.path.split(path)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{name[:40]}.", suffix=".picklefix", dir=folder)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(after)
            stream.flush()
            os.fsync(descriptor)
        _copy_ownership(temporary, status)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _copy_ownership(path: str, status: os.stat_result) -> None:
    if hasattr(os, "chown"):
        # Only root may give a file to somebody else; for all others it stays theirs.
        with contextlib.suppress(PermissionError):
            os.chown(path, status.st_uid, status.st_gid)
    os.chmod(path, stat.S_IMODE(status.st_mode))


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Let signals that end the program wait: an exception between two steps would leave the temporary file behind."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Handlers run in the main thread alone.
        return
    received: list[int] = []

    def remember(number: int, frame: FrameType | None) -> None:
        received.append(number)

    previous = {}
    try:
        for number in _SIGNALS:
            previous[number] = signal.signal(number, remember)
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler or signal.SIG_DFL)
        if received:
            signal.raise_signal(received[0])

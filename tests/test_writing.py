"""Replacing a file: all or nothing, whatever happens meanwhile."""

from __future__ import annotations

import errno
import os
import signal
import stat
import threading
from pathlib import Path

import pytest

from codemods import writing
from codemods.writing import WriteError, replace


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    return path


def entries(path: Path) -> list[str]:
    return sorted(os.listdir(path.parent))


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600, 0o640, 0o4755])
def test_content_is_replaced_and_the_mode_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    replace(str(file), b"old", b"new")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert entries(file) == ["a.py"]


def test_a_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    link = tmp_path / "sub" / "link.py"
    link.symlink_to("../a.py")
    replace(str(link), b"old", b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert entries(link) == ["link.py"]


def test_a_file_that_changed_meanwhile_is_kept(file: Path) -> None:
    with pytest.raises(WriteError, match="was changed meanwhile"):
        replace(str(file), b"older", b"new")
    assert file.read_bytes() == b"old"


def test_a_file_that_is_gone_stays_gone(file: Path) -> None:
    file.unlink()
    with pytest.raises(WriteError, match="was deleted meanwhile"):
        replace(str(file), b"old", b"new")
    assert entries(file) == []


def test_a_read_only_file_is_kept(file: Path) -> None:
    file.chmod(0o444)
    with pytest.raises(WriteError, match="is read-only"):
        replace(str(file), b"old", b"new")
    assert file.read_bytes() == b"old"
    assert entries(file) == ["a.py"]


def test_something_else_than_a_file_is_kept(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="cannot be written: Is a directory"):
        replace(str(tmp_path), b"", b"new")
    with pytest.raises(WriteError, match="is not a regular file"):
        replace(os.devnull, b"", b"new")


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    file: Path, monkeypatch: pytest.MonkeyPatch, step: str, code: int
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(writing.os, step, fail)
    with pytest.raises(WriteError, match=f"cannot be written: {os.strerror(code)}; it is unchanged"):
        replace(str(file), b"old", b"new")
    assert file.read_bytes() == b"old"
    assert entries(file) == ["a.py"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_signal_waits_until_the_file_is_whole(
    file: Path, monkeypatch: pytest.MonkeyPatch, step: str, number: signal.Signals
) -> None:
    received = []
    real = getattr(os, step)

    def interrupted(*arguments: object) -> None:
        signal.raise_signal(number)
        assert received == []
        real(*arguments)

    previous = signal.signal(number, lambda number, frame: received.append(entries(file)))
    try:
        monkeypatch.setattr(writing.os, step, interrupted)
        replace(str(file), b"old", b"new")
        assert signal.getsignal(number) is not previous
    finally:
        signal.signal(number, previous)
    assert received == [["a.py"]]
    assert file.read_bytes() == b"new"


def test_a_keyboard_interrupt_comes_after_the_write(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def interrupted(descriptor: int) -> None:
        signal.raise_signal(signal.SIGINT)
        real(descriptor)

    monkeypatch.setattr(writing.os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        replace(str(file), b"old", b"new")
    assert file.read_bytes() == b"new"
    assert entries(file) == ["a.py"]


def test_other_threads_may_write(file: Path) -> None:
    thread = threading.Thread(target=replace, args=(str(file), b"old", b"new"))
    thread.start()
    thread.join()
    assert file.read_bytes() == b"new"


def test_a_long_name_fits(tmp_path: Path) -> None:
    path = tmp_path / ("ü" * 120 + ".py")
    path.write_bytes(b"old")
    replace(str(path), b"old", b"new")
    assert path.read_bytes() == b"new"

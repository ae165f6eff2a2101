"""A project folder to run the command in, and ways to run it."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from codemods.cli.main import main

FIXABLE = b"double = lambda x: 2 * x\n"
FIXED = b"def double(x):\n    return 2 * x\n"
DECLINED = b"def make():\n    def inner():\n        return later\n    if make:\n        later = 1\n    return inner\n"
CLEAN = b"def double(x):\n    return 2 * x\n"
BROKEN = b"def double(x:\n"


class Outcome(NamedTuple):
    """What a run gave."""

    status: int
    stdout: bytes
    stderr: str


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one, and an environment without the person's own settings."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "XDG_CONFIG_HOME", "GIT_DIR", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def invoke(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Outcome]]:
    """Run the command in this process."""

    def run(*arguments: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "argv", ["picklefix", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as ending:
            main()
        captured = capfdbinary.readouterr()
        assert isinstance(ending.value.code, int)
        return Outcome(ending.value.code, captured.out, captured.err.decode("utf-8", "surrogateescape"))

    previous = signal.getsignal(signal.SIGTERM)
    yield run
    signal.signal(signal.SIGTERM, previous)


def command(*arguments: str) -> list[str]:
    """The command line that runs the command in a process of its own."""
    return [sys.executable, "-m", "codemods", *arguments]


def environment(**changes: str) -> dict[str, str]:
    """The environment for such a process."""
    root = Path(__file__).resolve().parents[2]
    path = os.pathsep.join([str(root), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, **changes}


def git(*arguments: str, cwd: Path | str = ".") -> bytes:
    """The output of a git command that must succeed."""
    identity = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    process = subprocess.run(["git", *identity, *arguments], cwd=cwd, capture_output=True, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout

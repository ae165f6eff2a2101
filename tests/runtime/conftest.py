"""A project folder, and the command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import environment


class Project:
    """A folder with modules of a program.

    Args:
        folder: where.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, text: str) -> Path:
        """Write a module."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
        return path

    def run(self, *arguments: str, stdin: bytes = b"", **changes: str) -> subprocess.CompletedProcess[bytes]:
        """Run ``picklefix`` in the folder."""
        return self.python("-m", "codemods", *arguments, stdin=stdin, **changes)

    def python(self, *arguments: str, stdin: bytes = b"", **changes: str) -> subprocess.CompletedProcess[bytes]:
        """Run Python in the folder."""
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**environment(), **changes},
            input=stdin,
            capture_output=True,
            timeout=120,
            check=False,
        )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project."""
    folder = tmp_path / "project"
    folder.mkdir()
    return Project(folder)


@pytest.fixture
def start_method() -> Callable[[str], None]:
    """A function that skips the test where a start method is missing."""

    def need(name: str) -> None:
        if name != "spawn" and not hasattr(os, "fork"):
            pytest.skip(f"no {name} here")

    return need

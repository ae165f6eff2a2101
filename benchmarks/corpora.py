"""What is measured on: the standard library, django and transformers."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from pathlib import Path

RELEASES = {"django": "django==5.2.*", "transformers": "transformers==5.*"}
_LEFT_OUT = frozenset({"test", "tests", "idle_test", "site-packages", "lib2to3", "__pycache__", "config"})


def corpus(name: str, folder: Path) -> Path:
    """The folder that holds the files of a corpus, fetched with pip where it is missing.

    Args:
        name: ``stdlib``, or a key of ``RELEASES``.
        folder: where corpora are kept.
    """
    target = folder / name
    if not target.exists():
        target.mkdir(parents=True)
        if name == "stdlib":
            _copy_standard_library(target)
        else:
            _download(RELEASES[name], target)
    return target


def python_files(folder: Path) -> list[str]:
    """The files of a corpus, relative to its folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.py"))


def _download(requirement: str, target: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*command, "--dest", str(target), requirement], check=True)
    for wheel in target.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(target, [name for name in archive.namelist() if name.endswith(".py")])
        wheel.unlink()


def _copy_standard_library(target: Path) -> None:
    """Copy the standard library of this interpreter without its tests, some of which are not meant to parse."""
    source = Path(sysconfig.get_path("stdlib"))
    for path in _sources(source):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())


def _sources(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in _LEFT_OUT and not path.name.startswith("config-"):
            yield from _sources(path)
        elif path.suffix == ".py":
            yield path

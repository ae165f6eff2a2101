"""The other files of a project, read when an analysis asks for one of them."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemods.source import Source, SourceError

if TYPE_CHECKING:  # Needed only where a file is asked for.
    from codemods.analysis.model import Model

_MARKS = (".git", ".hg", "pyproject.toml", "setup.cfg", "setup.py")
_LARGEST_FILE = 2_000_000
_MOST_FILES = 20_000
_BASES = re.compile(rb"^[ \t]*class[ \t]+\w+[ \t]*\(([^)]*)\)", re.MULTILINE)
_WORD = re.compile(rb"\w+")
_LEFT_OUT = frozenset({"__pycache__", "build", "dist", "node_modules", "site-packages", "venv"})


@dataclass(frozen=True)
class ProjectFiles:
    """Finds the files that other files of a project import, and those that derive from their classes.

    Args:
        root: the folder of the project, as an absolute path; nothing outside of it is read.
    """

    root: str

    def module(self, importer: str, name: str) -> Model | None:
        """The file that a dotted name means; None if it is not of the project, or cannot be read.

        Args:
            importer: the path of the file that imports it.
            name: the name, with leading dots if it is relative.
        """
        folder = os.path.dirname(os.path.realpath(importer))
        parts = name.lstrip(".").split(".")
        dots = len(name) - len(name.lstrip("."))
        for start in [_above(folder, dots - 1)] if dots else self.search_path(folder):
            path = os.path.join(start, *filter(None, parts))
            for candidate in (os.path.join(path, "__init__.py"), f"{path}.py"):
                if self._is_inside(os.path.realpath(candidate)) and (found := _read(candidate, self)) is not None:
                    return found
        return None

    def may_define(self, importer: str, name: str) -> bool:
        """Whether an imported name may be one of the project's own; none of its files are read.

        Args:
            importer: the path of the file that imports it.
            name: the name, with leading dots if it is relative.
        """
        return name.startswith(".") or _is_beside(self, os.path.dirname(importer), name.partition(".")[0])

    def heirs(self, path: str, name: str) -> tuple[Model, ...] | None:
        """The other files in which a class of that name is a base; None if there are too many files to tell."""
        found = _files_by_base(self.root)
        if found is None:
            return None
        own = os.path.realpath(path)
        models = (_read(other, self) for other in found.get(name, ()) if other != own)
        return tuple(model for model in models if model is not None)

    def search_path(self, folder: str) -> Iterator[str]:
        """The folders that absolute imports of a file in a folder may start from."""
        while os.path.isfile(os.path.join(folder, "__init__.py")) and self._is_inside(folder):
            folder = os.path.dirname(folder)
        while self._is_inside(folder):
            yield folder
            folder = os.path.dirname(folder)
        yield os.path.join(self.root, "src")

    def _is_inside(self, path: str) -> bool:
        return path == self.root or path.startswith(os.path.join(self.root, ""))


@functools.lru_cache(maxsize=4096)
def _is_beside(project: ProjectFiles, folder: str, package: str) -> bool:
    """Whether there is a package or module of that name which files in a folder may import."""
    starts = [os.path.join(start, package) for start in project.search_path(os.path.realpath(folder))]
    return any(os.path.isdir(start) or os.path.isfile(f"{start}.py") for start in starts)


@functools.lru_cache(maxsize=1024)
def project_of(folder: str) -> ProjectFiles:
    """The project that a folder belongs to: up to the nearest mark of one, or else its outermost package.

    Args:
        folder: an absolute path.
    """
    above = folder
    while not any(os.path.exists(os.path.join(above, mark)) for mark in _MARKS):
        parent = os.path.dirname(above)
        if parent == above:
            return ProjectFiles(_outside_of_packages(folder))
        above = parent
    return ProjectFiles(above)


def _outside_of_packages(folder: str) -> str:
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


def _above(folder: str, levels: int) -> str:
    for _ in range(levels):
        folder = os.path.dirname(folder)
    return folder


def _read(path: str, project: ProjectFiles) -> Model | None:
    """A file and its analyses; None if it is not there, or not Python."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return _parsed(path, project, stat.st_mtime_ns, stat.st_size) if stat.st_size <= _LARGEST_FILE else None


@functools.lru_cache(maxsize=256)
def _parsed(path: str, project: ProjectFiles, modified: int, size: int) -> Model | None:
    """The same as the file was at a time."""
    from codemods.analysis.model import Model

    try:
        with open(path, "rb") as stream:
            data = stream.read()
        return Model(Source.decode(path, data), neighbours=project)
    except (OSError, SourceError, SyntaxError, ValueError, RecursionError):
        return None


@functools.lru_cache(maxsize=4)
def _files_by_base(root: str) -> dict[str, list[str]] | None:
    """The files of a project by the names of the bases in them; None if it has too many files."""
    found: dict[str, list[str]] = {}
    count = 0
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT and not name.startswith("."))
        for name in sorted(files):
            if name.endswith(".py"):
                count += 1
                if count > _MOST_FILES:
                    return None
                path = os.path.realpath(os.path.join(folder, name))
                for base in _bases(path):
                    found.setdefault(base, []).append(path)
    return found


def _bases(path: str) -> set[str]:
    try:
        if os.path.getsize(path) > _LARGEST_FILE:
            return set()
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError:
        return set()
    words = (word for match in _BASES.finditer(data) for word in _WORD.findall(match.group(1)))
    return {word.decode("utf-8", "replace") for word in words}

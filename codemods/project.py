"""Where a project begins and which files belong to it, from the path of one of them."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from codemods.settings import DEFAULT_EXCLUDES

if TYPE_CHECKING:  # Needed only where a project is opened.
    from codemods.analysis.project.project import Project

_REPOSITORY = (".git", ".hg")
_MARKERS = ("pyproject.toml", "setup.cfg", "setup.py")
LIBRARIES = frozenset({"site-packages", "dist-packages"})
"""Folders that hold installed packages."""
_LEFT_OUT = frozenset(glob.pattern for glob in DEFAULT_EXCLUDES)
_ENVIRONMENT = "pyvenv.cfg"
_KEPT = 4
MOST_FILES = 20_000
"""A folder with more Python files than this is no project, but a disk."""


class Place(NamedTuple):
    """Where the files of a project are.

    Args:
        root: the folder, as a real path.
        package: the one package in it that counts, where the folder holds unrelated ones; empty for everything.
        shown_from: the folder that paths are shown relative to; empty for absolute paths.
        run: tells one run from another: what the files hold may have changed in between.
    """

    root: str
    package: str
    shown_from: str
    run: str


def place_of(path: str, run: str) -> Place:
    """Where the project is that a file belongs to.

    It begins at the folder of the repository, else at the nearest folder with a ``pyproject.toml``, ``setup.cfg`` or
    ``setup.py``. Without any, a package is a project with the scripts beside it, and a script one with the packages
    beside it.

    Args:
        path: the file as it was named to the run.
        run: tells one run from another.
    """
    here = os.getcwd()
    folder = os.path.dirname(os.path.realpath(path) if os.path.islink(path) else path)
    return _place_of(os.path.join(here, folder), "" if os.path.isabs(path) else here, run)


@functools.lru_cache(4096)
def _place_of(folder: str, here: str, run: str) -> Place:
    """The same for the files of a folder, however it was named."""
    shown_from = os.path.realpath(here) if here else ""
    folder = os.path.realpath(folder)
    root = _above(folder, _REPOSITORY, run) or _above(folder, _MARKERS, run)
    if root is not None and not LIBRARIES & set(os.path.relpath(folder, root).split(os.sep)):
        return Place(root, "", shown_from, run)
    package = ""
    while os.path.exists(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder:
        folder, package = os.path.split(folder)
    return Place(folder, package or os.curdir, shown_from, run)


@functools.lru_cache(_KEPT)
def open_project(place: Place) -> Project:
    """The files of a project; nothing in them is read before it is needed."""
    from codemods.analysis.project.project import Project

    paths = project_files(place)
    return Project(place.root, paths or (), _read, shown_in(place), is_complete=paths is not None)


def project_files(place: Place) -> tuple[str, ...] | None:
    """The files of a project as they are now, as real paths in a fixed order; None if they are too many."""
    paths = tuple(itertools.islice(_files(place), MOST_FILES + 1))
    return paths if len(paths) <= MOST_FILES else None


def root_of(path: str) -> str:
    """The folder in which a run on a path keeps what it remembers: where its project begins, else the current one."""
    folder = os.path.realpath(path if os.path.isdir(path) else os.path.dirname(path))
    return _above(folder, _REPOSITORY, "") or _above(folder, _MARKERS, "") or os.getcwd()


def may_define(place: Place, folder: str, name: str) -> bool:
    """Whether an imported name may be of a project, told without finding its files.

    Packages count that are found from where files usually run: from a folder above the importer, or ``src``.

    Args:
        place: where the project is.
        folder: the folder of the file that imports it, as a real path.
        name: the name, with leading dots if it is relative.
    """
    return name.startswith(".") or name.partition(".")[0] in names_beside(place, folder)


@functools.lru_cache(1024)
def names_beside(place: Place, folder: str) -> frozenset[str]:
    """The names of all packages and modules of a project that files in a folder may import without dots.

    Args:
        place: where the project is.
        folder: the folder of the files, as a real path.
    """
    return frozenset().union(*(_names_in(start, place.run) for start in _search_path(place.root, folder)))


@functools.lru_cache(1024)
def _names_in(folder: str, run: str) -> frozenset[str]:
    names = {entry.name for entry in _entries(folder) if entry.is_dir()}
    return frozenset(names | {entry.name[:-3] for entry in _entries(folder) if _may_be_imported(entry)})


def _may_be_imported(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(".py") and entry.is_file()


def _search_path(root: str, folder: str) -> Iterator[str]:
    """The folders that absolute imports of a file in a folder may start from."""
    inside = os.path.join(root, "")
    while os.path.join(folder, "").startswith(inside):
        if not _is_package(folder):
            yield folder
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return
    yield os.path.join(root, "src")


def shown_in(place: Place) -> functools.partial[str]:
    """How the files of a project are named to the person."""
    return functools.partial(os.path.relpath, start=place.shown_from) if place.shown_from else functools.partial(str)


def _read(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def _files(place: Place) -> Iterator[str]:
    if not place.package:
        yield from _walk(place.root)
        return
    with_packages = place.package == os.curdir
    for entry in _entries(place.root):
        if entry.is_dir(follow_symlinks=False):
            if entry.name == place.package or (with_packages and _is_package(entry.path)):
                yield from _walk(entry.path)
        elif _is_module(entry):
            yield entry.path


def _walk(folder: str) -> Iterator[str]:
    pending = [folder]
    while pending:
        current = pending.pop()
        entries = _entries(current)
        if current != folder and any(entry.name == _ENVIRONMENT for entry in entries):
            continue
        for entry in entries:
            if _is_module(entry):
                yield entry.path
            elif entry.name not in _LEFT_OUT and entry.is_dir(follow_symlinks=False):
                pending.append(entry.path)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_module(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(".py") and entry.is_file(follow_symlinks=False)


def _is_package(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, "__init__.py"))


@functools.lru_cache(4096)
def _above(folder: str, names: tuple[str, ...], run: str) -> str | None:
    """The nearest folder, from this one upwards, that holds one of some names."""
    if any(os.path.exists(os.path.join(folder, name)) for name in names):
        return folder
    parent = os.path.dirname(folder)
    return None if parent == folder else _above(parent, names, run)

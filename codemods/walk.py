"""The Python files below a folder, and whether a named one is left out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

from codemods import git
from codemods.config import Configuration
from codemods.ignores import Ignores, excludes
from codemods.settings import Glob, Settings

_SUFFIXES = (".py", ".pyi")


class File(NamedTuple):
    """A file that was found.

    Args:
        shown: the path as it is named to the person.
        real: the same without symbolic links.
    """

    shown: str
    real: str


class _Entry(NamedTuple):
    """Something still to be looked at.

    Args:
        shown: the path as it is named to the person.
        real: the same without symbolic links.
        is_folder: whether it is a folder.
        ignores: the patterns of git that hold for it.
    """

    shown: str
    real: str
    is_folder: bool
    ignores: Ignores


def walk(start: str, configuration: Configuration, unreadable: Callable[[str, OSError], None]) -> Iterator[File]:
    """The Python files below a folder in the order of their names, without those that are excluded or ignored.

    The folder itself is walked even if patterns leave it out: it was named. Symbolic links are not followed: what they
    lead to is done where it lies, once, or is not part of the folder.

    Args:
        start: the folder as it was named.
        configuration: the settings for each folder.
        unreadable: is told each folder that cannot be listed, and why.

    Raises:
        ConfigError: if the settings of a folder cannot be used.
    """
    real = os.path.realpath(start)
    ignores = _ignores_above(real)
    if ignores.match(real, is_folder=True):
        ignores = Ignores()
    current = configuration.for_folder(real)
    overruled = {glob for glob in _globs(current) if excludes((glob,)).match(real, is_folder=True)}
    patterns = excludes(tuple(glob for glob in _globs(current) if glob not in overruled))
    shown = "" if start == os.curdir else start.removeprefix(os.curdir + os.sep)
    pending = [_Entry(shown, real, is_folder=True, ignores=ignores)]
    while pending:
        entry = pending.pop()
        if not entry.is_folder:
            yield File(entry.shown, entry.real)
            continue
        try:
            listed = _listed(entry.real)
        except OSError as error:
            unreadable(entry.shown or os.curdir, error)
            continue
        settings = configuration.for_folder(entry.real, listed)
        if settings is not current:
            current = settings
            patterns = excludes(tuple(glob for glob in _globs(settings) if glob not in overruled))
        ignores = entry.ignores.below(entry.real) if ".gitignore" in listed else entry.ignores
        for child in reversed(_children(entry, listed, ignores)):
            ignored = settings.respect_gitignore and ignores.match(child.real, child.is_folder)
            if not ignored and not patterns.match(child.real, child.is_folder):
                pending.append(child)


def left_out(path: str, configuration: Configuration) -> bool:
    """Whether a file that was named would be left out if it were met in a folder (``force-exclude``).

    Raises:
        ConfigError: if the settings of its folder cannot be used.
    """
    folder, name = os.path.split(os.path.abspath(path))
    folder = os.path.realpath(folder)
    settings = configuration.for_folder(folder)
    patterns = excludes(settings.exclude + settings.extend_exclude)
    top = _top(folder, settings)
    ignores = _ignores_above(top).below(top)
    real = os.path.join(folder, name)
    for current in _down(top, real):
        is_folder = current != real
        if patterns.match(current, is_folder) or (settings.respect_gitignore and ignores.match(current, is_folder)):
            return True
        ignores = ignores.below(current)
    return False


def _listed(folder: str) -> dict[str, os.DirEntry[str]]:
    """What is in a folder, by name."""
    with os.scandir(folder) as children:
        return {child.name: child for child in children}


def _children(entry: _Entry, listed: dict[str, os.DirEntry[str]], ignores: Ignores) -> list[_Entry]:
    """The folders and Python files right in a folder, by name."""
    return [
        _Entry(os.path.join(entry.shown, name), listed[name].path, is_folder, ignores)
        for name in sorted(listed)
        # A name proves nothing: `x.py` may be a folder, or a pipe that never answers.
        if (is_folder := listed[name].is_dir(follow_symlinks=False))
        or (name.endswith(_SUFFIXES) and listed[name].is_file(follow_symlinks=False))
    ]


def _globs(settings: Settings) -> tuple[Glob, ...]:
    return settings.exclude + settings.extend_exclude


def _ignores_above(folder: str) -> Ignores:
    """The patterns of git that come from outside a folder."""
    repository = git.root(folder)
    if repository is None:
        return Ignores()
    ignores = Ignores.of_repository(repository)
    for parent in (repository, *_down(repository, os.path.dirname(folder))) if folder != repository else ():
        ignores = ignores.below(parent)
    return ignores


def _top(folder: str, settings: Settings) -> str:
    """The folder below which patterns are matched: a project may itself lie in one that is called ``build``."""
    candidates = (git.root(folder), settings.origin and os.path.dirname(settings.origin), os.getcwd())
    return next(
        (top for top in candidates if top and os.path.join(folder, "").startswith(os.path.join(top, ""))), folder
    )


def _down(top: str, path: str) -> Iterator[str]:
    """The paths from right below a folder down to a path in it."""
    current = top
    for step in os.path.relpath(path, top).split(os.sep):
        if step != os.curdir:
            current = os.path.join(current, step)
            yield current

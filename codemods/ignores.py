"""Which paths are left out: patterns of the settings, and the files in which git keeps its own."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from pathspec import GitIgnoreSpec

from codemods import git
from codemods.settings import Glob

_PLAIN = re.compile(r"[\w.-]+")


class _Level(NamedTuple):
    """Patterns that count from one folder."""

    folder: str
    patterns: GitIgnoreSpec

    def decision(self, path: str, is_folder: bool) -> bool | None:
        """Whether the patterns ignore a path; None if none of them matches."""
        return self.patterns.check_file(_relative(path, self.folder) + "/" * is_folder).include


class Excludes:
    """The ``exclude`` patterns that hold in a folder.

    Args:
        globs: the patterns; a plain name is compared without a regular expression, as most are.
    """

    def __init__(self, globs: Iterable[Glob]) -> None:
        self._names: set[str] = set()
        lines: dict[str, list[str]] = {}
        for folder, pattern in globs:
            if _PLAIN.fullmatch(pattern):
                self._names.add(pattern)
            else:
                lines.setdefault(folder, []).append(pattern)
        self._levels = [_Level(folder, _compiled(patterns)) for folder, patterns in lines.items()]

    def match(self, path: str, is_folder: bool) -> bool:
        """Whether an absolute path is left out, given that none of the folders above is."""
        return os.path.basename(path) in self._names or any(level.decision(path, is_folder) for level in self._levels)


@functools.lru_cache(maxsize=64)
def excludes(globs: tuple[Glob, ...]) -> Excludes:
    """The patterns compiled, once for all the folders that share them."""
    return Excludes(globs)


class Ignores:
    """The patterns of git that hold in a folder.

    Args:
        levels: those of the user, of the repository and of each folder down to this one; a later one wins.
    """

    def __init__(self, levels: tuple[_Level, ...] = ()) -> None:
        self._levels = levels

    @classmethod
    def of_repository(cls, repository: str) -> Ignores:
        """The patterns that are kept outside the work tree."""
        levels = (_level(repository, path) for path in git.exclude_files(repository))
        return cls(tuple(level for level in levels if level is not None))

    def below(self, folder: str) -> Ignores:
        """The patterns that hold for the entries of a folder, those of its own .gitignore included."""
        level = _level(folder, os.path.join(folder, ".gitignore"))
        return self if level is None else Ignores((*self._levels, level))

    def match(self, path: str, is_folder: bool) -> bool:
        """Whether git ignores an absolute path, given that it ignores none of the folders above."""
        decisions = (level.decision(path, is_folder) for level in reversed(self._levels))
        return next((decision for decision in decisions if decision is not None), False)


def _level(folder: str, path: str) -> _Level | None:
    if not os.path.isfile(path):
        return None
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as stream:
            lines = stream.read().splitlines()
    except OSError:
        return None
    return _Level(folder, _compiled(lines))


def _compiled(lines: list[str]) -> GitIgnoreSpec:
    """The patterns of a file; git overlooks a line that is no pattern, so do we."""
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line))


def _is_pattern(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _relative(path: str, folder: str) -> str:
    prefix = folder if folder.endswith(os.sep) else folder + os.sep
    relative = path[len(prefix) :] if path.startswith(prefix) else os.path.relpath(path, folder or None)
    return relative.replace(os.sep, "/")

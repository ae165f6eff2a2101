"""Which files of a project derive classes from a class: by the words of their class statements."""

from __future__ import annotations

import functools
import re

from codemods.analysis.project.library import Library

_BASES = re.compile(
    rb"^[ \t]*class[ \t]+\w+[ \t]*(?:\[[^(\n]*\][ \t]*)?\(((?:[^()]|\([^()]*\))*)\)",
    re.MULTILINE,
)
_ALIAS = re.compile(rb"\b(\w+)[ \t]+as[ \t]+(\w+)")
_WORD = re.compile(rb"\w+")


class Bases:
    """Finds the files in which the name of a class is a base.

    Args:
        library: the files of the project.
    """

    def __init__(self, library: Library) -> None:
        self.library = library

    def of(self, name: str) -> tuple[str, ...]:
        """The files in which a name may be a base, also under another name, in the order of their paths."""
        return tuple(self._files.get(name.encode(), ()))

    @functools.cached_property
    def _files(self) -> dict[bytes, list[str]]:
        found: dict[bytes, list[str]] = {}
        for path, data in self.library.contents():
            for word in _bases(data):
                found.setdefault(word, []).append(path)
        return found


def _bases(data: bytes) -> set[bytes]:
    """The words of all bases in a file, and what imports call by such a word."""
    words = {word for match in _BASES.finditer(data) for word in _WORD.findall(match[1])}
    return words | {match[1] for match in _ALIAS.finditer(data) if match[2] in words} if words else words

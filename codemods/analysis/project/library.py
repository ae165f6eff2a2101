"""The other files of a project: read, parsed and searched only when something leads there."""

from __future__ import annotations

import ast
import bisect
import functools
import re
from collections.abc import Callable, Iterator

from codemods.analysis.project.imports import Bound, bound_names
from codemods.analysis.project.names import ModuleNames
from codemods.source import Source, SourceError, parse

_PARSED_AT_A_TIME = 64
_COMPOUND = (ast.If, ast.Try, ast.With, ast.For, ast.While)


class Module:
    """A parsed file of the project.

    Args:
        path: the real path.
        source: its text.
        tree: its tree.
    """

    def __init__(self, path: str, source: Source, tree: ast.Module) -> None:
        self.path = path
        self.source = source
        self.tree = tree

    @functools.cached_property
    def bound(self) -> dict[str, list[Bound]]:
        """What the top level binds, by name, blocks included; ``*`` for what ``from … import *`` does."""
        found: dict[str, list[Bound]] = {}
        for index, statement in enumerate(self.tree.body):
            for name, node, dotted in bound_names(statement):
                found.setdefault(name, []).append(Bound(index, node, dotted))
        return found

    @functools.cached_property
    def _rows(self) -> list[int]:
        """The first row of each top-level statement, its decorators included."""
        return [
            min([statement.lineno, *(decorator.lineno for decorator in getattr(statement, "decorator_list", ()))])
            for statement in self.tree.body
        ]

    def mentions(self, name: str) -> set[int]:
        """The numbers of the top-level statements whose text holds a name."""
        found: set[int] = set()
        for match in re.finditer(rf"\b{name}\b", self.source.text):
            index = bisect.bisect_right(self._rows, self.source.location(match.start()).row) - 1
            if index >= 0:
                found.add(index)
        return found


class Library:
    """The files of one project.

    Args:
        names: their names.
        read: gives the bytes of a file; raises ``OSError`` if that cannot be done.
        shown: how a path is named to the person.
    """

    def __init__(self, names: ModuleNames, read: Callable[[str], bytes], shown: Callable[[str], str]) -> None:
        self.names = names
        self.read = read
        self.shown = shown
        self.module = functools.lru_cache(_PARSED_AT_A_TIME)(self._parsed)

    def _parsed(self, path: str) -> Module | None:
        """A file of the project; None if it cannot be read or is not Python."""
        try:
            source = Source.decode(self.shown(path), self.read(path))
            return Module(path, source, parse(source))
        except (OSError, SourceError, SyntaxError, RecursionError, MemoryError):
            return None

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """The bytes of all files that can be read."""
        for path in sorted(self.names.paths):
            try:
                yield path, self.read(path)
            except OSError:
                continue

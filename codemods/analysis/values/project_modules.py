"""Which variable an import means, among the files of a graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from codemods.analysis.project.imports import STAR, all_names, imports, meanings
from codemods.analysis.project.names import ModuleNames, inside, split
from codemods.analysis.scopes import ScopeTree
from codemods.source import Source


@dataclass(frozen=True, eq=False)
class File:
    """A file of a graph, or the part of one that matters.

    Args:
        path: the real path.
        module: its tree, or the top-level statements that matter.
        scopes: the scopes of that tree.
        source: its text.
        elsewhere: the names that other statements of the file bind, with the dotted names of what they mean.
    """

    path: str
    module: ast.Module
    scopes: ScopeTree
    source: Source
    elsewhere: Mapping[str, str] = field(default_factory=dict)


class Target(NamedTuple):
    """What an imported name means: a variable of a file, or the module itself.

    Args:
        file: the number of the file.
        variable: the name of the variable, empty for the module.
    """

    file: int
    variable: str


class Modules:
    """Finds what the imports of the files of a graph mean.

    Args:
        files: the files.
        names: the names of the files of the project.
    """

    def __init__(self, files: Sequence[File], names: ModuleNames) -> None:
        self.files = files
        self.names = names
        self._by_path = {file.path: index for index, file in enumerate(files)}
        self._starred: dict[str, dict[str, str]] = {}

    def module(self, importer: File, name: str) -> int | None:
        """The number of the file that a dotted name means; None if it is not among the files of the graph."""
        path = self.names.find(importer.path, name)
        return None if path is None else self._by_path.get(path)

    def target(self, importer: File, name: str) -> Target | None:
        """What a dotted name means that a file imports; None if the graph does not hold it."""
        owner, last = split(name)
        index = self.module(importer, owner) if owner else None
        if index is not None and last in self.files[index].scopes.module.bindings:
            return Target(index, last)
        module = self.module(importer, name)
        if module is not None:
            return Target(module, "")
        return Target(index, last) if index is not None and last in self.starred(self.files[index]) else None

    def children(self, index: int) -> Iterator[tuple[str, int]]:
        """The modules of the graph directly inside a package, by their last names."""
        for other, file in enumerate(self.files):
            if self.names.package(file.path) == self.files[index].path:
                yield self.names.last_name(file.path), other

    def starred(self, importer: File) -> dict[str, str]:
        """The names that ``from module import *`` binds in a file, and the dotted names of what they mean."""
        if importer.path not in self._starred:
            self._starred[importer.path] = dict(self._imported(importer, frozenset()))
        return self._starred[importer.path]

    def _imported(self, importer: File, seen: frozenset[str]) -> Iterator[tuple[str, str]]:
        for node in imports(importer.module):
            for bound, dotted in meanings(node):
                index = self.module(importer, dotted) if bound == STAR else None
                if index is not None and self.files[index].path not in seen:
                    for name in self._exported(self.files[index], seen | {importer.path}):
                        yield name, inside(dotted, name)

    def _exported(self, file: File, seen: frozenset[str]) -> Iterator[str]:
        listed = set(all_names(file.module))
        for name in (*file.scopes.module.bindings, *(name for name, _ in self._imported(file, seen))):
            if name in listed if listed else not name.startswith("_"):
                yield name

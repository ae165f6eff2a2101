"""Which file an import means, among the files of a project."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from codemods.analysis.scopes import ScopeTree
from codemods.source import Source

_BLOCKS = (ast.Module, ast.If, ast.Try, ast.With, ast.For, ast.While, ast.ExceptHandler)


@dataclass(frozen=True, eq=False)
class File:
    """A parsed file of a project.

    Args:
        root: the directory that its imports start from, as far as it is known.
        name: the dotted name under which it is imported.
        is_package: whether it is the ``__init__`` of a package.
        module: its tree.
        scopes: its scopes.
        source: its text.
    """

    root: str
    name: str
    is_package: bool
    module: ast.Module
    scopes: ScopeTree
    source: Source


class Target(NamedTuple):
    """What an imported name means: a variable of a file, or the module itself.

    Args:
        file: the number of the file.
        variable: the name of the variable, empty for the module.
    """

    file: int
    variable: str


class Modules:
    """Finds the files that are imported.

    Args:
        files: the files of the project.
    """

    def __init__(self, files: Sequence[File]) -> None:
        self.files = files
        self._by_root = {(file.root, file.name): index for index, file in enumerate(files)}
        self._by_name: dict[str, list[int]] = {}
        for index, file in enumerate(files):
            self._by_name.setdefault(file.name, []).append(index)

    def module(self, importer: File, name: str) -> int | None:
        """The number of the file that a dotted name means: the one of the same root, or the only one of that name."""
        if (importer.root, name) in self._by_root:
            return self._by_root[importer.root, name]
        found = self._by_name.get(name, [])
        return found[0] if len(found) == 1 else None

    def target(self, importer: File, name: str) -> Target | None:
        """What a dotted name means that a file imports; None if it is not of the project."""
        name = absolute(importer, name)
        owner, _, last = name.rpartition(".")
        index = self.module(importer, owner) if owner else None
        if index is not None and last in self.files[index].scopes.module.bindings:
            return Target(index, last)
        module = self.module(importer, name)
        if module is not None:
            return Target(module, "")
        return Target(index, last) if index is not None else None

    def children(self, index: int) -> Iterator[tuple[str, int]]:
        """The modules directly inside a package, by their last names."""
        package = self.files[index]
        if package.is_package:
            for other, file in enumerate(self.files):
                owner, _, last = file.name.rpartition(".")
                if owner == package.name and file.root == package.root:
                    yield last, other

    def starred(self, importer: File) -> dict[str, str]:
        """The names that ``from module import *`` binds in a file, and the dotted names of what they mean."""
        return dict(self._starred(importer, frozenset()))

    def _starred(self, importer: File, seen: frozenset[str]) -> Iterator[tuple[str, str]]:
        for node in _starred_imports(importer.module):
            dotted = absolute(importer, "." * node.level + (node.module or ""))
            index = self.module(importer, dotted)
            if index is not None and dotted not in seen:
                for name in self._exported(self.files[index], seen | {dotted}):
                    yield name, f"{dotted}.{name}"

    def _exported(self, file: File, seen: frozenset[str]) -> Iterator[str]:
        listed = set(all_names(file.module))
        for name in (*file.scopes.module.bindings, *(name for name, _ in self._starred(file, seen))):
            if name in listed if listed else not name.startswith("_"):
                yield name


def _starred_imports(module: ast.Module) -> Iterator[ast.ImportFrom]:
    pending: list[ast.AST] = [module]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            yield node
        elif isinstance(node, _BLOCKS):
            pending.extend(ast.iter_child_nodes(node))


def absolute(importer: File, name: str) -> str:
    """A dotted name without the dots that a relative import begins with."""
    relative = name.lstrip(".")
    level = len(name) - len(relative)
    if not level:
        return name
    parts = importer.name.split(".")
    package = parts if importer.is_package else parts[:-1]
    base = package[: len(package) - (level - 1)]
    return ".".join(filter(None, [*base, relative]))


def all_names(module: ast.Module) -> Iterator[str]:
    """The names that a module lists in ``__all__``."""
    for statement in module.body:
        if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
                constants = (node for node in ast.walk(statement.value) if isinstance(node, ast.Constant))
                yield from (node.value for node in constants if isinstance(node.value, str))

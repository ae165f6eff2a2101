"""The parts of other files that a value may get to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.project.imports import STAR
from codemods.analysis.project.library import Library, Module
from codemods.analysis.project.names import own_name
from codemods.analysis.scopes import ScopeTree
from codemods.analysis.values.project_modules import File

Statements = frozenset[int]
"""The numbers of top-level statements."""


def defining(module: Module, name: str) -> Iterator[int]:
    """The statements that bind a name, and those that bind the bases of a class."""
    pending = [name]
    seen: set[str] = set()
    while pending:
        current = pending.pop()
        if current not in seen:
            seen.add(current)
            for bound in module.bound.get(current, ()):
                yield bound.statement
                if isinstance(bound.node, ast.ClassDef):
                    pending.extend(base.id for base in bound.node.bases if isinstance(base, ast.Name))


def using(module: Module, words: tuple[str, ...]) -> set[int]:
    """The statements whose text holds all of some words."""
    found = [module.mentions(word) for word in words]
    return set.intersection(*found) if found else set()


def size(module: Module, statements: set[int]) -> int:
    """How many lines some statements have."""
    return sum((module.tree.body[i].end_lineno or 0) - module.tree.body[i].lineno + 1 for i in statements)


def fragment(library: Library, path: str, statements: Statements) -> File | None:
    """A file with some of its statements and its imports; None if it cannot be read any more."""
    module = library.module(path)
    if module is None:
        return None
    body = [
        statement
        for index, statement in enumerate(module.tree.body)
        if index in statements or isinstance(statement, (ast.Import, ast.ImportFrom))
    ]
    tree = ast.Module(body=body, type_ignores=[])
    scopes = ScopeTree(tree)
    elsewhere = {
        name: own_name(path, name) for name in module.bound if name != STAR and name not in scopes.module.bindings
    }
    return File(path, tree, scopes, module.source, elsewhere)

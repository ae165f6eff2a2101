"""What the top level of a module binds, and what its imports mean."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
STAR = "*"


class Bound(NamedTuple):
    """Something that binds a name at the top level.

    Args:
        statement: the number of the top-level statement.
        node: the definition, the import, or the statement that assigns.
        dotted: for an import, the dotted name of what it means, with leading dots if it is relative.
    """

    statement: int
    node: ast.stmt
    dotted: str


def bound_names(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt, str]]:
    """The names that a statement of a module binds, blocks inside it included; what binds them, and what it means."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, _DEFINITIONS):
            yield node.name, node, ""
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((name, node, dotted) for name, dotted in meanings(node))
        elif isinstance(node, ast.stmt):
            yield from ((name, node, "") for name in _assigned(node))
            pending.extend(_inner(node))
        else:
            pending.extend(_inner(node))


def meanings(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names that an import binds, and the dotted names of what they mean; ``*`` stands for all of a module."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
        elif alias.name == STAR:
            yield STAR, "." * node.level + (node.module or "")
        else:
            dotted = ".".join(filter(None, [node.module, alias.name]))
            yield alias.asname or alias.name, "." * node.level + dotted


def imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports of a file, those inside functions included; expressions are not looked into."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        else:
            pending.extend(_inner(node))


def _inner(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        value = getattr(node, name, None)
        if isinstance(value, list):
            yield from value


def _assigned(node: ast.stmt) -> Iterator[str]:
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor)):
        targets = [node.target]
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
    pending: list[ast.expr] = targets[::-1]
    while pending:
        target = pending.pop()
        if isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, (ast.Tuple, ast.List)):
            pending.extend(target.elts)
        elif isinstance(target, ast.Starred):
            pending.append(target.value)


def all_names(module: ast.Module) -> Iterator[str]:
    """The names that a module lists in ``__all__``."""
    for statement in module.body:
        if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
                constants = (node for node in ast.walk(statement.value) if isinstance(node, ast.Constant))
                yield from (node.value for node in constants if isinstance(node.value, str))

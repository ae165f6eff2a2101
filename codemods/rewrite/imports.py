"""What is taken from modules of the standard library: which name reaches it, and where a missing import goes."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codemods.analysis.model import Model
from codemods.analysis.scopes import Scope, ScopeKind
from codemods.analysis.sweeps import shows_public_names
from codemods.edits import Edit
from codemods.rewrite.placement import anchor_offset


@dataclass(frozen=True)
class Access:
    """A way to write something of a module.

    Args:
        expression: how it is written.
        statement: the import statement that it needs and the module lacks, if any.
    """

    expression: str
    statement: str | None = None


def partial_access(model: Model, scopes: Iterable[Scope], anchor: ast.stmt) -> Access:
    """How to write ``functools.partial``: :func:`functools_access` says more."""
    return functools_access(model, "partial", scopes, anchor)


def functools_access(model: Model, attribute: str, scopes: Iterable[Scope], anchor: ast.stmt) -> Access:
    """How to write something of ``functools``: :func:`module_access` says more."""
    return module_access(model, "functools", attribute, scopes, anchor)


def module_access(model: Model, module: str, attribute: str, scopes: Iterable[Scope], anchor: ast.stmt) -> Access:
    """How to write something of a module of the standard library in some scopes.

    An import is used only if it is unconditional, stands above the code that needs it, and its name has no other
    meaning; a local variable of that name counts as one.

    Args:
        model: the file.
        module: the module, for example ``functools``.
        attribute: what is needed of it, for example ``wraps``.
        scopes: the scopes in which it is written.
        anchor: the top-level statement that they belong to.
    """
    scopes = list(scopes)
    for statement in model.module.body:
        if statement is anchor:
            break
        for name, expression in _accesses(statement, module, attribute):
            if _is_global_everywhere(name, scopes) and _is_only_bound_by(model, name, statement, module, attribute):
                return Access(expression)
    if _is_global_everywhere(module, scopes) and _may_be_bound_to(model, module):
        return Access(f"{module}.{attribute}", f"import {module}")
    alias = next(name for name in _aliases(module) if name not in model.identifiers)
    return Access(f"{alias}.{attribute}", f"import {module} as {alias}")


def _aliases(module: str) -> Iterator[str]:
    yield f"_{module}"
    yield from (f"_{module}_{number}" for number in itertools.count(2))


def _accesses(statement: ast.stmt, module: str, attribute: str) -> list[tuple[str, str]]:
    """The names that a statement binds to a module or to what is needed of it, and the expression that each makes."""
    if isinstance(statement, ast.Import):
        names = [alias.asname or alias.name for alias in statement.names if alias.name == module]
        return [(name, f"{name}.{attribute}") for name in names]
    if isinstance(statement, ast.ImportFrom) and statement.module == module and statement.level == 0:
        names = [alias.asname or alias.name for alias in statement.names if alias.name == attribute]
        return [(name, name) for name in names]
    return []


def _is_global_everywhere(name: str, scopes: Iterable[Scope]) -> bool:
    return all(scope.resolve(name).kind is ScopeKind.MODULE for scope in scopes) and not any(
        outer.kind is ScopeKind.CLASS and outer.binds(name) for scope in scopes for outer in (scope, *scope.ancestors())
    )


def _is_only_bound_by(model: Model, name: str, statement: ast.stmt, module: str, attribute: str) -> bool:
    """Whether all bindings of a global give it what an import statement gives it."""
    given = _accesses(statement, module, attribute)
    return all(
        isinstance(node, ast.stmt)
        and any(pair in given for pair in _accesses(node, module, attribute) if pair[0] == name)
        for _, node in model.scopes.module.all_bindings(name)
    )


def _may_be_bound_to(model: Model, module: str) -> bool:
    """Whether a global name is free, or only ever bound by an ``import`` of the module of that name."""
    plain = [(module, f"{module}.x")]
    bindings = [node for _, node in model.scopes.module.all_bindings(module)]
    if any(not isinstance(node, ast.stmt) or _accesses(node, module, "x") != plain for node in bindings):
        return False
    return bool(bindings) or not shows_public_names(model)


def import_edit(model: Model, text: str) -> Edit:
    """The edit that adds an import statement after the docstring and the ``__future__`` imports.

    It goes into the first block of imports, in the order of the alphabet; where there is none, it opens one.
    """
    newline = model.source.newline
    body = model.module.body
    first = next((index for index, statement in enumerate(body) if not _is_preamble(statement, index)), len(body))
    block = _import_block(model, body[first:])
    if block:
        later = (
            statement for statement in block if isinstance(statement, ast.Import) and _sorts_after(statement, text)
        )
        plain = [statement for statement in block if isinstance(statement, ast.Import)]
        before = next(later, None) or (block[0] if not plain else None)
        row = before.lineno if before is not None else (plain[-1].end_lineno or plain[-1].lineno) + 1
        start = model.source.line_start(row)
        at_end = start == len(model.source.text) and not model.source.text.endswith(("\n", "\r"))
        return Edit(start, start, newline + text if at_end else text + newline)
    if first:
        end = body[first - 1].end_lineno
        assert end is not None
        start = model.source.line_start(end + 1)
        return Edit(start, start, newline + text + newline)
    start = anchor_offset(model, body[0])
    return Edit(start, start, text + 3 * newline)


def _is_preamble(statement: ast.stmt, index: int) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return index == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _import_block(model: Model, statements: list[ast.stmt]) -> list[ast.stmt]:
    """The imports at the start, up to the first blank line, each on lines of its own."""
    block: list[ast.stmt] = []
    for statement in statements:
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            if block and statement.lineno == block[-1].end_lineno:
                block.pop()
            break
        if block and statement.lineno != (block[-1].end_lineno or 0) + 1:
            break
        block.append(statement)
    return block


def _sorts_after(statement: ast.Import, text: str) -> bool:
    return statement.names[0].name.lower() > text.split()[1].lower()

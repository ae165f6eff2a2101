"""Imports inside a function that nothing there needs any more once the functions that use them have moved."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.functions.hoists import Group
from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Scope
from codemods.edits import Edit

_Import = ast.Import | ast.ImportFrom


def removals(model: Model, group: Group) -> Iterator[Edit]:
    """The edits that take out imports which are repeated inside the functions of a group and used nowhere else.

    An import stays where it may fail on purpose, in a ``try``, or where a comment says something about it.

    Args:
        model: the file.
        group: the functions that move.
    """
    moving = {hoist.origin for hoist in group}
    left: dict[_Import, set[str]] = {}
    for name, owner, statement in _captured_imports(model, group):
        if all(not moving.isdisjoint(model.ancestors(use)) for use in owner.uses(name)):
            left.setdefault(statement, set()).add(name)
    gone: list[_Import] = []
    for statement, names in left.items():
        if _is_plain(model, statement):
            kept = [alias for alias in statement.names if _bound_by(alias) not in names]
            if kept:
                yield _replacement(model, statement, kept)
            else:
                gone.append(statement)
    for statement in gone:
        yield _removal(model, statement, gone)


def _captured_imports(model: Model, group: Group) -> Iterator[tuple[str, Scope, _Import]]:
    for hoist in group:
        for name, owner in model.scopes.of_node[hoist.origin].captures().items():
            for _, node in owner.all_bindings(name) if hoist.imports else ():
                if isinstance(node, _Import):
                    yield name, owner, node


def _bound_by(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _is_plain(model: Model, statement: _Import) -> bool:
    """Whether an import always runs when the function does, and has its lines for itself, without comments."""
    source = model.source
    first, last = source.span(statement)
    before = source.text[source.line_start(statement.lineno) : first]
    after = source.text[last : source.line_start((statement.end_lineno or statement.lineno) + 1)]
    return (
        isinstance(model.parents[statement], FUNCTIONS)
        and not before.strip()
        and not after.strip()
        and "#" not in source.text[first:last]
        and not source.line(statement.lineno - 1).lstrip().startswith("#")
    )


def _replacement(model: Model, statement: _Import, kept: list[ast.alias]) -> Edit:
    """The import of the names that are still needed."""
    alone = (
        ast.Import(kept)
        if isinstance(statement, ast.Import)
        else ast.ImportFrom(statement.module, kept, statement.level)
    )
    return Edit(*model.source.span(statement), ast.unparse(alone))


def _removal(model: Model, statement: _Import, gone: list[_Import]) -> Edit:
    """Take out the lines of an import, and the blank line after it where there is one before it or nothing at all."""
    source, row = model.source, (statement.end_lineno or statement.lineno) + 1
    function = model.parents[statement]
    assert isinstance(function, FUNCTIONS)
    above = [other for other in function.body if other.lineno < statement.lineno and other not in gone]
    last_kept = above[-1].end_lineno or 0 if above else 0
    follows_blank = not above or any(not source.line(line).strip() for line in range(last_kept + 1, statement.lineno))
    if follows_blank and row <= source.line_count and not source.line(row).strip():
        row += 1
    return Edit(source.line_start(statement.lineno), source.line_start(row), "")

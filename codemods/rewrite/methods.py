"""Where methods go in a class, and how they get there."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS
from codemods.edits import Edit
from codemods.rewrite.change import Change, Methods

_STEP = "    "


def with_methods(
    model: Model,
    node: ast.ClassDef,
    lines: Sequence[str],
    edits: Sequence[Edit] = (),
    imports: frozenset[str] = frozenset(),
) -> Change:
    """The change that adds methods to a class, below ``__init__`` if it has one.

    Args:
        model: the file.
        node: the class.
        lines: the methods, without the indentation of the class.
        edits: what else is changed.
        imports: the import statements that the methods need.
    """
    edit = methods_below(model, node, lines, _predecessor(node, lines))
    return Change((*edits, edit), imports=imports, methods=Methods(node, tuple(lines), edit))


def methods_below(model: Model, node: ast.ClassDef, new_lines: Sequence[str], statement: ast.stmt) -> Edit:
    """The edit that adds methods below a statement of a class.

    Args:
        model: the file.
        node: the class.
        new_lines: the methods, without the indentation of the class.
        statement: the statement.
    """
    source, newline = model.source, model.source.newline
    assert statement.end_lineno is not None
    start = source.line_start(statement.end_lineno + 1)
    indent, step = _indentation(model, node)
    lines = [_reindented(line, indent, step) for line in new_lines]
    text = newline + newline.join(lines) + newline
    if start == len(source.text) and not source.text.endswith(("\n", "\r")):
        text = newline + text.removesuffix(newline)
    if _is_followed_by_code(node, statement, model):
        text += newline
    return Edit(start, start, text)


def is_insertable(node: ast.ClassDef) -> bool:
    """Whether a class has lines of its own to put methods between."""
    return node.body[0].lineno > node.lineno and not any(
        first.end_lineno == second.lineno for first, second in itertools.pairwise(node.body)
    )


def _predecessor(node: ast.ClassDef, new_lines: Sequence[str] = ()) -> ast.stmt:
    """The statement of the class that new methods are put below; a lone ``__setstate__`` follows ``__getstate__``."""
    has_getter = any(line.startswith("def __getstate__") for line in new_lines)
    for wanted in ("__init__",) if has_getter or not new_lines else ("__getstate__", "__init__"):
        for statement in node.body:
            if isinstance(statement, FUNCTIONS) and statement.name == wanted:
                return statement
    first = next((index for index, statement in enumerate(node.body) if isinstance(statement, FUNCTIONS)), 0)
    return node.body[first - 1] if first else node.body[-1]


def _indentation(model: Model, node: ast.ClassDef) -> tuple[str, str]:
    """The indentation of the class's body, and one step of it."""
    inner = model.source.line(node.body[-1].lineno)[: node.body[-1].col_offset]
    outer = model.source.line(node.lineno)[: node.col_offset]
    decorated = node.body[-1]
    if isinstance(decorated, (*FUNCTIONS, ast.ClassDef)) and inner.strip():
        inner = outer + _STEP
    return inner, inner.removeprefix(outer) or _STEP


def _reindented(line: str, indent: str, step: str) -> str:
    if not line:
        return ""
    depth = (len(line) - len(line.lstrip(" "))) // len(_STEP)
    return indent + step * depth + line.lstrip(" ")


def _is_followed_by_code(node: ast.ClassDef, statement: ast.stmt, model: Model) -> bool:
    """Whether the next line belongs to another statement of the class, without a blank line between."""
    index = node.body.index(statement)
    assert statement.end_lineno is not None
    return index + 1 < len(node.body) and bool(model.source.line(statement.end_lineno + 1).strip())

"""On which lines a comment stands beside a piece of code: those of the header of its statement."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.source import Source

_CLAUSES = (ast.stmt, ast.ExceptHandler, ast.match_case)


def header_rows(source: Source, parents: Mapping[ast.AST, ast.AST], node: ast.AST) -> tuple[int, int]:
    """The first and the last line of the header of the statement that a node is or belongs to.

    The header of a compound statement begins with its decorators and ends before its body; a simple statement is its
    own header.

    Args:
        source: the file.
        parents: the node around each node.
        node: a statement or an expression.
    """
    while not isinstance(node, _CLAUSES):
        node = parents[node]
    first, end = _first_row(node), getattr(node, "end_lineno", None)
    body: list[ast.AST] = getattr(node, "body", None) or getattr(node, "cases", [])
    if not body:
        return first, end or first
    row = _first_row(body[0])
    column = getattr(body[0], "col_offset", None)
    shares_line = column is not None and source.line(row).encode()[:column].strip(b" \t\f") != b""
    return first, row if shares_line else max(first, row - 1)


def _first_row(node: ast.AST) -> int:
    if isinstance(node, ast.match_case):
        return node.pattern.lineno
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    assert isinstance(node, (ast.stmt, ast.ExceptHandler))
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])

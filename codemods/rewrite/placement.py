"""Where definitions go that leave a top-level statement."""

from __future__ import annotations

import ast

from codemods.analysis.model import Model
from codemods.source import Source
from codemods.suppression.directives import BLOCK_MARK, IGNORE_MARK


def anchor_offset(model: Model, node: ast.AST) -> int:
    """The offset of the line above which definitions go that leave a node's top-level statement.

    Comments directly above the statement belong to it, except for those at the very start of the file and for those in
    which a block of suppressions begins or ends.
    """
    statement = model.top_level_statement(node)
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    row = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    first = row
    while first > 1 and is_comment_that_moves(model.source.line(first - 1).lstrip(" \t\f")):
        first -= 1
    if first == 1:
        ignoring = (above for above in range(first, row) if IGNORE_MARK.search(model.source.line(above)))
        first = next(ignoring, row)
    return model.source.line_start(first)


def first_offset(model: Model, statement: ast.stmt) -> int:
    """The offset of a statement's first line, its decorators and the comments above it included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    row = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    while row > 1 and is_comment_that_moves(model.source.line(row - 1).lstrip(" \t\f")):
        row -= 1
    return model.source.line_start(row)


def is_comment_that_moves(line: str) -> bool:
    """Whether a line, from its first code point that is no blank, belongs to the statement below it."""
    return line.startswith("#") and not BLOCK_MARK.search(line)


def start_of_definitions(model: Model) -> int:
    """The offset of the line above the first statement that is neither the docstring nor an import."""
    for index, statement in enumerate(model.module.body):
        is_docstring = index == 0 and isinstance(statement, ast.Expr)
        if not is_docstring and not isinstance(statement, (ast.Import, ast.ImportFrom)):
            return anchor_offset(model, statement)
    return len(model.source.text)


def missing_blank_lines(source: Source, offset: int) -> int:
    """How many blank lines are missing above a line for a definition to stand there."""
    row = source.location(offset).row
    blank = 0
    while blank < 2 and row - blank > 1 and not source.line(row - blank - 1).strip():
        blank += 1
    return 0 if row - blank == 1 else 2 - blank

"""The text of a class that moves to the top level."""

from __future__ import annotations

import ast
import re

from codemods import edits
from codemods.analysis.local_classes import ClassMove
from codemods.analysis.model import Model
from codemods.edits import Edit
from codemods.rewrite.change import Change, Definition
from codemods.rewrite.closures import definition_lines
from codemods.rewrite.placement import anchor_offset

_LINE_END = re.compile(r"(\r\n|\r|\n)?$")


def move_class(model: Model, move: ClassMove) -> Change:
    """The change that moves a class to the top level.

    Args:
        model: the file.
        move: how it moves, from :class:`~codemods.analysis.local_classes.ClassPlanner`.
    """
    if move.keeps_variable:
        edit = replace_statement(model, move.node, f"{move.node.name} = {move.name}")
    else:
        edit = remove_statement(model, move.node)
    start, _ = definition_lines(model, move.node)
    return Change((edit,), (Definition(anchor_offset(model, move.node), start, _definition(model, move)),))


def _definition(model: Model, move: ClassMove) -> str:
    from codemods.rewrite import islands

    start, end = definition_lines(model, move.node)
    references = [Edit(*model.source.span(node), move.name) for node in move.references]
    moved = [Edit(edit.start - start, edit.end - start, edit.text) for edit in references]
    newline = model.source.newline
    text = islands.hoist_class(edits.apply(model.source.text[start:end], moved), move.name)
    if move.restores_name:
        text += f'{2 * newline}{move.name}.__name__ = "{move.node.name}"{newline}'
    return text


def replace_statement(model: Model, statement: ast.stmt, text: str) -> Edit:
    """The edit that puts another statement, of one line, in the place of one that stands on lines of its own."""
    start, end = definition_lines(model, statement)
    last_line_end = _LINE_END.search(model.source.text[start:end])
    assert last_line_end is not None
    indent = model.source.text[model.source.line_start(statement.lineno) :][: statement.col_offset]
    return Edit(start, end, f"{indent}{text}{last_line_end.group()}")


def remove_statement(model: Model, statement: ast.stmt) -> Edit:
    """The edit that removes a statement, with the blank lines that set it apart from the next one."""
    block = _block_of(model, statement)
    if len(block) == 1:
        return replace_statement(model, statement, "pass")
    start, end = definition_lines(model, statement)
    row = model.source.location(end).row
    while statement is not block[-1] and not model.source.line(row).strip():
        row += 1
    return Edit(start, max(end, model.source.line_start(row)) if statement is not block[-1] else end, "")


def _block_of(model: Model, statement: ast.stmt) -> list[ast.stmt]:
    for _, value in ast.iter_fields(model.parents[statement]):
        if isinstance(value, list) and statement in value:
            return value
    raise ValueError("a statement stands in a block")

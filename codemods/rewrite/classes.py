"""The text of a class that moves to the top level."""

from __future__ import annotations

import ast
import re

from codemods import edits
from codemods.analysis.classes.factories import FactoryFix, Form, has_own_lines, variable_of
from codemods.analysis.classes.local import ClassMove
from codemods.analysis.model import Model
from codemods.edits import Edit
from codemods.rewrite.change import Change, Definition
from codemods.rewrite.closures import definition_lines
from codemods.rewrite.placement import anchor_offset

_CLAUSE = re.compile(r"[ \t]*(elif|else|except|finally|case)\b")
_LINE_END = re.compile(r"(\r\n|\r|\n)?$")


def move_class(model: Model, move: ClassMove) -> Change:
    """The change that moves a class to the top level.

    Args:
        model: the file.
        move: how it moves, from :class:`~codemods.analysis.classes.local.ClassPlanner`.
    """
    if move.keeps_variable:
        edit = replace_statement(model, move.node, f"{move.node.name} = {move.name}")
    else:
        edit = remove_statement(model, move.node)
    start, _ = definition_lines(model, move.node)
    return Change((edit,), (Definition(anchor_offset(model, move.above), start, _definition(model, move)),))


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


def fix_factory(model: Model, fix: FactoryFix) -> Change:
    """The change that makes the name of a class lead to it, for a class that a call makes.

    Args:
        model: the file.
        fix: what is done, from :class:`~codemods.analysis.classes.factories.FactoryPlanner`.
    """
    newline = model.source.newline
    if fix.form is not Form.MOVED:
        return Change((_add_below(model, model.statement(fix.call), _lines_below(model, fix)),))
    start, end = model.source.span(fix.call)
    edit = remove_statement(model, model.statement(fix.call)) if fix.drops_statement else Edit(start, end, fix.name)
    comments = _comments_above(model, model.statement(fix.call)) if fix.drops_statement else ""
    lines = [f"{fix.name} = {model.source.segment(fix.call)}", *_lines_below(model, fix)]
    text = comments + newline.join([*lines, ""])
    return Change((edit,), (Definition(anchor_offset(model, fix.call), start, text),))


def _comments_above(model: Model, statement: ast.stmt) -> str:
    start, _ = definition_lines(model, statement)
    lines = model.source.text[start : model.source.line_start(statement.lineno)].splitlines(keepends=True)
    return "".join(line.lstrip(" \t") for line in lines)


def _lines_below(model: Model, fix: FactoryFix) -> list[str]:
    """The statements that follow the one that makes a class."""
    variable = fix.name if fix.form is Form.MOVED else variable_of(model, fix.call)
    lines = [f'{variable}.__qualname__ = "{fix.name}"'] if fix.sets_qualname else []
    if fix.sets_module:
        lines.append(f"{variable}.__module__ = __name__")
    return [f"{fix.name} = {variable}", *lines] if fix.form is Form.ALIASED else lines


def _add_below(model: Model, statement: ast.stmt, lines: list[str]) -> Edit:
    """The edit that adds statements after one, in the same block."""
    source = model.source
    _, end = source.span(statement)
    if not has_own_lines(model, statement):
        return Edit(end, end, "".join(f"; {line}" for line in lines))
    indent = source.text[source.line_start(statement.lineno) :][: statement.col_offset]
    assert statement.end_lineno is not None
    start = source.line_start(statement.end_lineno + 1)
    text = "".join(f"{indent}{line}{source.newline}" for line in lines)
    if not source.text[:start].endswith(("\n", "\r")):
        text = source.newline + text.removesuffix(source.newline)
    return Edit(start, start, text)


def replace_statement(model: Model, statement: ast.stmt, text: str) -> Edit:
    """The edit that puts another statement, of one line, in the place of one that stands on lines of its own.

    The blank lines that set a class apart from the edges of its block go with it.
    """
    start, end = definition_lines(model, statement)
    last_line_end = _LINE_END.search(model.source.text[start:end])
    assert last_line_end is not None
    indent = model.source.text[model.source.line_start(statement.lineno) :][: statement.col_offset]
    block = _block_of(model, statement)
    if statement is block[0]:
        start = _above_blank_lines(model, start)
    if statement is block[-1] and _CLAUSE.match(model.source.text, below := _below_blank_lines(model, end)):
        end = below
    return Edit(start, end, f"{indent}{text}{last_line_end.group()}")


def remove_statement(model: Model, statement: ast.stmt) -> Edit:
    """The edit that removes a statement, with the blank lines that set it apart from the next one."""
    block = _block_of(model, statement)
    if len(block) == 1:
        return replace_statement(model, statement, "pass")
    start, end = definition_lines(model, statement)
    return Edit(start, end if statement is block[-1] else _below_blank_lines(model, end), "")


def _above_blank_lines(model: Model, offset: int) -> int:
    row = model.source.location(offset).row
    while row > 1 and not model.source.line(row - 1).strip():
        row -= 1
    return model.source.line_start(row)


def _below_blank_lines(model: Model, offset: int) -> int:
    row = model.source.location(offset).row
    while row < model.source.line_count and not model.source.line(row).strip():
        row += 1
    return max(offset, model.source.line_start(row))


def _block_of(model: Model, statement: ast.stmt) -> list[ast.stmt]:
    for _, value in ast.iter_fields(model.parents[statement]):
        if isinstance(value, list) and statement in value:
            return value
    raise ValueError("a statement stands in a block")

"""The text of what leaves a main guard, and of what goes under one."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

from codemods.analysis.guards.exodus import Exodus, Move
from codemods.analysis.guards.main_guard import DEFINITIONS, IMPORTS, is_guarded_constant
from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS
from codemods.edits import Edit
from codemods.rewrite.change import Change, Definition
from codemods.rewrite.imports import partial_access
from codemods.rewrite.names import Namer
from codemods.rewrite.placement import anchor_offset, is_comment_that_moves


def leave_guard(model: Model, namer: Namer, exodus: Exodus) -> Change:
    """The change that moves statements from a main guard to the top level above it.

    Args:
        model: the file.
        namer: gives the new names of functions that bind values of the guard.
        exodus: the statements, from :func:`~codemods.analysis.guards.exodus.plan_exodus`.
    """
    above = anchor_offset(model, exodus.guard)
    changes: list[Edit] = []
    definitions: list[Definition] = []
    imports: set[str] = set()
    access = partial_access(model, [model.scopes.module], exodus.guard)
    for run in _runs(model, exodus):
        start, end = statement_lines(model, run[0].statement)[0], statement_lines(model, run[-1].statement)[1]
        definitions.append(Definition(above, start, _moved_text(namer, run, model.source.text[start:end])))
        if run[0].captures:
            changes.append(_partial_edit(model, namer, run[0], access.expression))
            imports |= {access.statement} if access.statement else set()
        else:
            changes.append(_removal(model, exodus, run))
    if _may_be_emptied(model, exodus):
        last = exodus.guard.body[-1]
        end = statement_lines(model, last)[1]
        changes.append(Edit(end, end, f"{_indent(model, last)}pass{model.source.newline}"))
    return Change(tuple(changes), tuple(definitions), frozenset(imports))


def _runs(model: Model, exodus: Exodus) -> Iterator[list[Move]]:
    """Statements that stay together: neighbours that are no definitions, with nothing but blank lines between them."""
    run: list[Move] = []
    for move in exodus.moves:
        if run and not _continues(model, exodus.guard, run[-1].statement, move.statement):
            yield run
            run = []
        run.append(move)
    yield run


def _continues(model: Model, guard: ast.If, first: ast.stmt, second: ast.stmt) -> bool:
    if isinstance(first, DEFINITIONS) or isinstance(second, DEFINITIONS):
        return False
    between = model.source.text[statement_lines(model, first)[1] : statement_lines(model, second)[0]]
    return guard.body.index(second) == guard.body.index(first) + 1 and not between.strip()


def _moved_text(namer: Namer, run: list[Move], text: str) -> str:
    from codemods.rewrite import islands
    from codemods.rewrite.transformers import Shape

    move = run[0]
    if isinstance(move.statement, FUNCTIONS):
        name = namer.name_for(move.statement) if move.captures else move.statement.name
        return islands.hoist_definition(text, Shape(name, tuple(move.captures), tuple(move.imports)), None)
    return islands.outdented(text)


def _partial_edit(model: Model, namer: Namer, move: Move, partial: str) -> Edit:
    function = move.statement
    assert isinstance(function, FUNCTIONS)
    start, end = statement_lines(model, function)
    line_end = model.source.newline if model.source.text[start:end].endswith(("\n", "\r")) else ""
    arguments = ", ".join([namer.name_for(function), *move.captures])
    return Edit(start, end, f"{_indent(model, function)}{function.name} = {partial}({arguments}){line_end}")


def _removal(model: Model, exodus: Exodus, run: list[Move]) -> Edit:
    """Remove statements with the blank lines that set them apart."""
    source, body = model.source, exodus.guard.body
    first, last = body.index(run[0].statement), body.index(run[-1].statement)
    start, end = statement_lines(model, body[first])[0], statement_lines(model, body[last])[1]
    if last + 1 < len(body):
        while not source.line(source.location(end).row).strip():
            end = source.line_start(source.location(end).row + 1)
    is_at_end = first and last + 1 == len(body) and not any(move.statement is body[first - 1] for move in exodus.moves)
    above = _start_of_blank_lines(model, start)
    is_at_start = not first and not source.line(source.location(above).row - 1).lstrip().startswith("#")
    return Edit(above if is_at_end or is_at_start else start, end, "")


def _start_of_blank_lines(model: Model, offset: int) -> int:
    row = model.source.location(offset).row
    while not model.source.line(row - 1).strip():
        row -= 1
    return model.source.line_start(row)


def _may_be_emptied(model: Model, exodus: Exodus) -> bool:
    """Whether nothing may be left under the guard, once all has moved that can."""
    bound = {move.statement for move in exodus.moves if move.captures}
    return all(_may_move(model, statement) and statement not in bound for statement in exodus.guard.body)


def _may_move(model: Model, statement: ast.stmt) -> bool:
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        return isinstance(target, ast.Name) and is_guarded_constant(model, target, target.id)
    return isinstance(statement, (*DEFINITIONS, *IMPORTS))


def statement_lines(model: Model, statement: ast.stmt) -> tuple[int, int]:
    """The offsets of a statement in whole lines, with the comments right above it and at the end of its block."""
    source = model.source
    row = min([statement.lineno, *(decorator.lineno for decorator in getattr(statement, "decorator_list", []))])
    indent = source.line(row)[: statement.col_offset]
    while (
        row > 1 and (above := source.line(row - 1)).startswith(indent) and is_comment_that_moves(above[len(indent) :])
    ):
        row -= 1
    assert statement.end_lineno is not None
    end = statement.end_lineno + 1
    if isinstance(statement, DEFINITIONS):
        while end <= source.line_count and _is_comment_inside(source.line(end), indent):
            end += 1
    return source.line_start(row), source.line_start(end)


def _is_comment_inside(line: str, indent: str) -> bool:
    inside = line[len(indent) :]
    return line.startswith(indent) and inside[:1] in (" ", "\t") and inside.lstrip().startswith("#")


def _indent(model: Model, statement: ast.stmt) -> str:
    return model.source.line(statement.lineno)[: statement.col_offset]


def check_indentable(model: Model, runs: list[list[ast.stmt]]) -> None:
    """Refuse statements whose lines cannot be indented as they are.

    Raises:
        Refused: if a form feed starts a line, which would undo its indentation.
    """
    for run in runs:
        start, end = statement_lines(model, run[0])[0], statement_lines(model, run[-1])[1]
        if "\f" in model.source.text[start:end]:
            raise Refused("unsupported-syntax", name="a form feed")


def put_under_guard(model: Model, runs: list[list[ast.stmt]]) -> Change:
    """The change that puts runs of top-level statements under main guards.

    Args:
        model: the file.
        runs: the statements, from :func:`~codemods.analysis.guards.process_starts.statements_to_guard`.
    """
    unit, inside = _indentation_unit(model), set(_rows_inside_strings(model.source.text))
    changes: list[Edit] = []
    for run in runs:
        start, end = statement_lines(model, run[0])[0], statement_lines(model, run[-1])[1]
        lines = [_blank_line(model, start, -1), f'if __name__ == "__main__":{model.source.newline}']
        for row in range(model.source.location(start).row, model.source.location(end - 1).row + 1):
            line = model.source.line(row)
            lines.append(line if row in inside or not line.strip() else unit + line)
        changes.append(Edit(start, end, "".join([*lines, _blank_line(model, end, 0)])))
    return Change(tuple(changes))


def _blank_line(model: Model, offset: int, direction: int) -> str:
    """A blank line, if the line at an offset, or the one above it, is not blank and belongs to something else."""
    row = model.source.location(offset).row + direction
    line = model.source.line(row) if row else ""
    return model.source.newline if line.strip() and not line.lstrip().startswith("#") else ""


def _indentation_unit(model: Model) -> str:
    """How the file indents its first block."""
    for node_type in (ast.FunctionDef, ast.ClassDef, ast.If, ast.For, ast.With):
        for node in model.nodes.get(node_type, ()):
            first = node.body[0]  # type: ignore[attr-defined]
            if node.col_offset == 0 and first.lineno > node.lineno:  # type: ignore[attr-defined]
                indent = model.source.line(first.lineno)[: first.col_offset]
                if not indent.strip():
                    return indent
    return "    "


def _rows_inside_strings(text: str) -> Iterator[int]:
    """The lines that begin inside a string: their indentation is part of it."""
    openings: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        kind = tokenize.tok_name[token.type]
        if kind == "STRING":
            yield from range(token.start[0] + 1, token.end[0] + 1)
        elif kind in ("FSTRING_START", "TSTRING_START"):
            openings.append(token.start[0])
        elif kind in ("FSTRING_END", "TSTRING_END"):
            yield from range(openings.pop() + 1, token.end[0] + 1)

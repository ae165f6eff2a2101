"""State methods in a class, and what is added to those that it has."""

from __future__ import annotations

import ast

from codemods.analysis.model import Model
from codemods.analysis.state.plan import StatePlan
from codemods.edits import Edit
from codemods.rewrite.change import Change
from codemods.rewrite.methods import with_methods
from codemods.rewrite.state_methods import drop_lines, method_lines, restore_lines


def insert_methods(model: Model, plan: StatePlan) -> Change:
    """The change that gives a class its state methods, below ``__init__`` if it has one.

    Args:
        model: the file.
        plan: what the methods do.
    """
    existing, written = plan.existing, []
    if existing.returns is not None:
        written.append(_extended_getter(model, plan, existing.returns))
    lines = restore_lines(plan, existing.restored) if existing.restored is not None else []
    if existing.updates is not None and lines:
        written.append(_below(model, existing.updates, lines))
    if lines := method_lines(plan):
        return with_methods(model, plan.node, lines, written)
    return Change(tuple(written))


def _extended_getter(model: Model, plan: StatePlan, returns: ast.Return) -> Edit:
    """The edit that puts what is missing above the ``return`` of ``__getstate__``."""
    source, newline = model.source, model.source.newline
    indent = source.line(returns.lineno)[: returns.col_offset]
    if plan.existing.state is not None:
        start = source.line_start(returns.lineno)
        lines = drop_lines(plan, plan.existing.state)
        return Edit(start, start, "".join(indent + line + newline for line in lines))
    assert returns.value is not None
    start, end = source.span(returns)
    lines = [*drop_lines(plan, "state"), "return state"]
    text = newline.join([f"state = {source.segment(returns.value)}", *(indent + line for line in lines)])
    return Edit(start, end, text)


def _below(model: Model, statement: ast.stmt, lines: list[str]) -> Edit:
    """The edit that puts lines below a statement of a method."""
    source, newline = model.source, model.source.newline
    indent = source.line(statement.lineno)[: statement.col_offset]
    assert statement.end_lineno is not None
    start = source.line_start(statement.end_lineno + 1)
    text = "".join(indent + line + newline for line in lines)
    if start == len(source.text) and not source.text.endswith(("\n", "\r")):
        text = newline + text.removesuffix(newline)
    return Edit(start, start, text)

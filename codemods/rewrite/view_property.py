"""Makes a property of an attribute that holds a view of another attribute."""

from __future__ import annotations

import ast

from codemods.analysis.model import Model
from codemods.analysis.views.stores import OwnView
from codemods.edits import Edit
from codemods.rewrite.change import Change


def can_write_property(model: Model, own: OwnView) -> bool:
    """Whether the assignment stands on lines of its own, in a class that has no other use for the name."""
    source, statement = model.source, own.statement
    start, end = source.span(statement)
    before = source.text[source.line_start(statement.lineno) : start]
    after = source.text[end : source.line_start((statement.end_lineno or statement.lineno) + 1)]
    if before.strip() or after.partition("#")[0].strip():
        return False
    names = {part.value for part in ast.walk(own.owner) if isinstance(part, ast.Constant)}
    bound = model.scopes.of_node[own.owner].bindings
    return own.attribute not in bound and own.attribute not in names and "__slots__" not in bound


def write_property(model: Model, own: OwnView) -> Change:
    """Take the assignment away and add a property below the method that it stands in."""
    source, newline = model.source, model.source.newline
    statement, function = own.statement, own.function
    first = source.line_start(statement.lineno)
    indent = source.text[first : source.span(statement)[0]]
    outer = source.text[source.line_start(function.lineno) : source.span(function)[0]]
    last = source.line_start((statement.end_lineno or statement.lineno) + 1)
    stays = f"{indent}pass{newline}" if len(function.body) == 1 else ""
    this = [*function.args.posonlyargs, *function.args.args][0].arg
    lines = ["@property", f"def {own.attribute}({this}):", f"{indent[len(outer):]}return {source.segment(own.source)}"]
    text = newline + "".join(f"{outer}{line}{newline}" for line in lines)
    end = source.line_start((function.end_lineno or function.lineno) + 1)
    lead = "" if source.text[:end].endswith(("\n", "\r")) else newline
    removed = Edit(first, last, stays)
    if last == end:
        return Change((Edit(first, last, stays + lead + text),))
    return Change((removed, Edit(end, end, lead + text)))

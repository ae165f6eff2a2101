"""Other places for what a change adds to a module, for when the usual ones are out of reach.

Every layout leaves the same objects under the same names: only where a definition or an import stands is another
choice. What a place would change is not offered there.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS
from codemods.edits import Edit
from codemods.rewrite import class_layouts
from codemods.rewrite.change import Change
from codemods.rewrite.class_layouts import NoSuchLayoutError
from codemods.rewrite.placement import anchor_offset, first_offset
from codemods.rewrite.suppressions import carried
from codemods.suppression.table import NO_SUPPRESSIONS, Suppressions

_SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Module)


class Place(enum.Enum):
    """Where definitions go, and methods that a class gets."""

    ABOVE = "above the statement of the module that they leave"
    BELOW = "below that statement"
    ABOVE_METHOD = "in the class, above the method or statement that they leave or mend"
    BELOW_METHOD = "in the class, below that method"


class Layout(NamedTuple):
    """Where a change puts what it adds.

    Args:
        place: where definitions go.
        imports_nearby: whether imports, if any, go right above the code that needs them, rather than to the top of the
            file.
    """

    place: Place = Place.ABOVE
    imports_nearby: bool = False


USUAL = Layout()
LAYOUTS = tuple(Layout(place, nearby) for place in Place for nearby in (False, True))
"""All layouts, the usual one first."""


def laid_out(
    model: Model,
    change: Change,
    layout: Layout,
    taken: Collection[str],
    beside: ast.stmt | None = None,
    suppressions: Suppressions = NO_SUPPRESSIONS,
) -> Change:
    """The change with what it adds in other places.

    Args:
        model: the file.
        change: the change as a rule wrote it.
        layout: where things go.
        taken: the names that the file uses by itself, before anything was added.
        beside: for methods that a class gets, the statement of the class that they are to stand next to.
        suppressions: what comments of the file say; definitions take along what they say about them.

    Raises:
        NoSuchLayoutError: if they cannot go there.
    """
    nodes = _changed_statements(model, change)
    if not nodes:
        raise NoSuchLayoutError
    if layout.imports_nearby and change.imports:
        change = _with_imports_nearby(model, change, nodes, taken)
        change = _above(change, anchor_offset(model, nodes[0]))
    if layout.place is Place.ABOVE:
        return change
    above = layout.place is Place.ABOVE_METHOD
    if change.methods is not None and beside is not None and layout.place is not Place.BELOW:
        return class_layouts.with_methods_at(model, change, beside, above)
    if not change.definitions:
        raise NoSuchLayoutError
    if layout.place is Place.BELOW:
        return _below(model, change, model.top_level_statement(nodes[0]), suppressions)
    if above and isinstance(model.parents[nodes[0]], ast.ClassDef):
        return class_layouts.with_functions(model, change, nodes[0], suppressions)
    return class_layouts.with_static_methods(model, change, nodes, above, suppressions)


def _changed_statements(model: Model, change: Change) -> list[ast.stmt]:
    """The innermost statements in which edits begin, in the order of the text; all of one statement of the module."""
    starts = sorted(edit.start for edit in change.edits)
    found: list[ast.stmt] = []
    for statement in model.module.body:
        first, last = anchor_offset(model, statement), model.source.span(statement)[1]
        found += [_innermost(model, statement, start) for start in starts if first <= start <= last]
        if found:
            return found
    return found


def _innermost(model: Model, statement: ast.stmt, offset: int) -> ast.stmt:
    """The innermost statement around an offset, or right below it."""
    while True:
        children = [child for block in _blocks(statement) for child in block]
        inside = [child for child in children if model.source.span(child)[1] > offset]
        if not inside or first_offset(model, inside[0]) > offset:
            return statement
        statement = inside[0]


def _blocks(statement: ast.AST) -> list[list[ast.stmt]]:
    """The blocks right inside a statement, those of its handlers and cases included, in the order of the text."""
    blocks: list[list[ast.stmt]] = []
    for _, value in ast.iter_fields(statement):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            blocks.append(value)
        elif isinstance(value, list):
            blocks += [
                block
                for item in value
                if isinstance(item, (ast.ExceptHandler, ast.match_case))
                for block in _blocks(item)
            ]
    return blocks


def _with_imports_nearby(model: Model, change: Change, nodes: Sequence[ast.stmt], taken: Collection[str]) -> Change:
    """The change with its imports above the first statement that it changes, in the block of all of them."""
    names = [text.split()[-1] for text in change.imports]
    if any(name in taken for name in names):
        raise NoSuchLayoutError  # A variable of that name would come to mean something else.
    above, first = _first_in_common_block(model, nodes)
    if next(isinstance(outer, ast.ClassDef) for outer in model.ancestors(first) if isinstance(outer, _SCOPES)):
        raise NoSuchLayoutError  # The class would get an attribute.
    row = _first_row(first)
    start, indent = model.source.line_start(row), model.source.line(row)[: first.col_offset]
    if indent.strip():
        raise NoSuchLayoutError
    # A comment above a definition that is replaced goes with it: the import stands above both.
    start = min([start, *(edit.start for edit in change.edits if model.source.text[edit.start : start].strip())])
    missing = change.imports - {ast.unparse(statement) for statement in above}
    lines = "".join(f"{indent}{text}{model.source.newline}" for text in sorted(missing))
    added = [Edit(start, start, lines)] if lines else []
    return replace(change, edits=(*added, *change.edits), imports=frozenset())


def _first_row(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _first_in_common_block(model: Model, nodes: Sequence[ast.stmt]) -> tuple[Sequence[ast.stmt], ast.stmt]:
    """The first statement that is or holds one of some statements, in the innermost block that holds them all.

    Returns:
        The statements above it in that block, and the statement.
    """
    chains = [[*reversed([node, *model.ancestors(node)])] for node in nodes]
    depth = 0
    while all(len(chain) > depth + 1 for chain in chains) and len({id(chain[depth]) for chain in chains}) == 1:
        depth += 1
    holder = chains[0][depth - 1]
    for block in _blocks(holder):
        inside = [statement for statement in block if any(statement in chain for chain in chains)]
        if inside and all(any(statement in chain for statement in block) for chain in chains):
            return block[: block.index(inside[0])], inside[0]
    raise NoSuchLayoutError  # In different branches: one import would not do for both.


def _above(change: Change, offset: int) -> Change:
    """The change with its definitions above a line."""
    return replace(change, definitions=tuple(replace(item, above=offset) for item in change.definitions))


def _below(model: Model, change: Change, statement: ast.stmt, suppressions: Suppressions) -> Change:
    """The change with its definitions below a statement of the module.

    Nothing may call what the statement defines before they are made. Right below an undecorated function nothing can.
    """
    if not isinstance(statement, FUNCTIONS) or statement.decorator_list:
        raise NoSuchLayoutError
    body = model.module.body
    index = body.index(statement)
    if index + 1 < len(body):
        above = anchor_offset(model, body[index + 1])
        if above < model.source.span(statement)[1]:
            raise NoSuchLayoutError  # The next statement is on the same line.
        return _above(change, above)
    newline, text = model.source.newline, model.source.text
    ending = "" if text.endswith(("\n", "\r")) else newline
    end = len(text)
    texts = (
        carried(model.source, suppressions, item.text, item.order, end, item.header) for item in change.definitions
    )
    added = ending + "".join(2 * newline + item for item in texts)
    return replace(change, edits=(*change.edits, Edit(end, end, added)), definitions=())

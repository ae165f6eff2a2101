"""Other places for what a change adds to a module, for when the usual ones are out of reach.

Every layout leaves the same objects under the same names: only where a definition or an import stands is another
choice. What a place would change is not offered there.
"""

from __future__ import annotations

import ast
import enum
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function
from codemods.edits import Edit
from codemods.rewrite.change import Change
from codemods.rewrite.placement import anchor_offset

_SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Module)
_SPECIAL_BASES = frozenset({"NamedTuple", "Protocol", "TypedDict"})
"""Bases that make something else of the members of a class."""


class Place(enum.Enum):
    """Where definitions go."""

    ABOVE = "above the statement of the module that they leave"
    BELOW = "below that statement"
    ABOVE_METHOD = "in the class, above the method that they leave"
    BELOW_METHOD = "in the class, below that method"


class Layout(NamedTuple):
    """Where a change puts what it adds.

    Args:
        place: where definitions go.
        imports_nearby: whether imports go right above the code that needs them, rather than to the top of the file.
    """

    place: Place = Place.ABOVE
    imports_nearby: bool = False


USUAL = Layout()
LAYOUTS = tuple(Layout(place, nearby) for place in Place for nearby in (False, True))
"""All layouts, the usual one first."""


class NoSuchLayoutError(Exception):
    """A change cannot be laid out in this way without changing what the program does."""


def laid_out(model: Model, change: Change, layout: Layout) -> Change:
    """The change with what it adds in other places.

    Args:
        model: the file.
        change: the change as a rule wrote it.
        layout: where things go.

    Raises:
        NoSuchLayoutError: if they cannot go there.
    """
    nodes = _changed_statements(model, change)
    if not nodes:
        raise NoSuchLayoutError
    if layout.imports_nearby:
        change = _with_imports_nearby(model, change, nodes)
        above = anchor_offset(model, nodes[0])
        change = replace(change, definitions=tuple(replace(item, above=above) for item in change.definitions))
    if layout.place is Place.ABOVE:
        return change
    if not change.definitions:
        raise NoSuchLayoutError
    if layout.place is Place.BELOW:
        return _below(model, change, model.top_level_statement(nodes[0]))
    return _in_class(model, change, nodes, above=layout.place is Place.ABOVE_METHOD)


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
        if not inside or _first_offset(model, inside[0]) > offset:
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


def _first_offset(model: Model, statement: ast.stmt) -> int:
    """The start of a statement's first line, its decorators and the comments above it included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    row = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    while row > 1 and model.source.line(row - 1).lstrip(" \t\f").startswith("#"):
        row -= 1
    return model.source.line_start(row)


def _with_imports_nearby(model: Model, change: Change, nodes: Sequence[ast.stmt]) -> Change:
    """The change with its imports above the first statement that it changes, in the block of all of them."""
    if not change.imports:
        raise NoSuchLayoutError
    names = [text.split()[-1] for text in change.imports]
    if any(name in model.identifiers for name in names):
        raise NoSuchLayoutError  # A variable of that name would come to mean something else.
    first = _first_in_common_block(model, nodes)
    if next(isinstance(outer, ast.ClassDef) for outer in model.ancestors(first) if isinstance(outer, _SCOPES)):
        raise NoSuchLayoutError  # The class would get an attribute.
    row = _first_row(first)
    start, indent = model.source.line_start(row), model.source.line(row)[: first.col_offset]
    if indent.strip():
        raise NoSuchLayoutError
    # A comment above a definition that is replaced goes with it: the import stands above both.
    start = min([start, *(edit.start for edit in change.edits if model.source.text[edit.start : start].strip())])
    lines = "".join(f"{indent}{text}{model.source.newline}" for text in sorted(change.imports))
    return replace(change, edits=(Edit(start, start, lines), *change.edits), imports=frozenset())


def _first_row(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _first_in_common_block(model: Model, nodes: Sequence[ast.stmt]) -> ast.stmt:
    """The first statement that is or holds one of some statements, in the innermost block that holds them all."""
    chains = [[*reversed([node, *model.ancestors(node)])] for node in nodes]
    depth = 0
    while all(len(chain) > depth + 1 for chain in chains) and len({id(chain[depth]) for chain in chains}) == 1:
        depth += 1
    holder = chains[0][depth - 1]
    for block in _blocks(holder):
        inside = [statement for statement in block if any(statement in chain for chain in chains)]
        if inside and all(any(statement in chain for statement in block) for chain in chains):
            return inside[0]
    raise NoSuchLayoutError  # In different branches: one import would not do for both.


def _below(model: Model, change: Change, statement: ast.stmt) -> Change:
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
        return replace(change, definitions=tuple(replace(item, above=above) for item in change.definitions))
    newline, text = model.source.newline, model.source.text
    ending = "" if text.endswith(("\n", "\r")) else newline
    added = ending + "".join(2 * newline + item.text for item in change.definitions)
    return replace(change, edits=(*change.edits, Edit(len(text), len(text), added)), definitions=())


def _in_class(model: Model, change: Change, nodes: Sequence[ast.stmt], above: bool) -> Change:
    """The change with its definitions in the class whose method they leave; there they are called ``Class.name``."""
    from codemods.rewrite import members  # Imported only here: it imports LibCST.

    owner, method = _class_and_method(model, nodes)
    names = members.names_of([item.text for item in change.definitions])
    if names is None or not _is_plain_class(model, owner, method):
        raise NoSuchLayoutError
    bound = model.scopes.of_node[owner].bindings
    texts = []
    for item in change.definitions:
        if members.evaluated_names(item.text) & {*bound, *names, owner.name}:
            raise NoSuchLayoutError  # In the class such a name means something else, or nothing yet.
        texts.append(members.qualified(item.text, names, owner.name))
    source, newline = model.source, model.source.newline
    indent = source.line(method.lineno)[: method.col_offset]
    written = [members.as_member(text, indent) for text in texts]
    if above:
        start = _first_offset(model, method)
        added = "".join(text + newline for text in written)
    else:
        assert method.end_lineno is not None
        start = source.line_start(method.end_lineno + 1)
        ending = "" if source.text[:start].endswith(("\n", "\r")) else newline
        added = ending + "".join(newline + text for text in written)
    edits = [replace(edit, text=members.qualified(edit.text, names, owner.name)) for edit in change.edits]
    return replace(change, edits=(*edits, Edit(start, start, added)), definitions=())


def _class_and_method(model: Model, nodes: Sequence[ast.stmt]) -> tuple[ast.ClassDef, Function]:
    """The class of the module and the one method of it in which all of some statements stand."""
    found = set()
    for node in nodes:
        scopes = [outer for outer in (node, *model.ancestors(node)) if isinstance(outer, (*FUNCTIONS, ast.ClassDef))]
        if len(scopes) < 2 or node in scopes[-2:]:
            raise NoSuchLayoutError
        method, owner = scopes[-2:]
        if not isinstance(method, FUNCTIONS) or not isinstance(owner, ast.ClassDef) or method not in owner.body:
            raise NoSuchLayoutError
        found.add((owner, method))
    if len(found) != 1:
        raise NoSuchLayoutError
    return found.pop()


def _is_plain_class(model: Model, owner: ast.ClassDef, method: Function) -> bool:
    """Whether a static method of a class is found under the class's name, by its methods and by pickle."""
    scopes = model.scopes
    bindings = list(scopes.module.all_bindings(owner.name))
    inside = list(scopes.of_node[method].descendants())
    return (
        not owner.decorator_list
        and not owner.keywords
        and not any(_SPECIAL_BASES & {*re.findall(r"\w+", ast.unparse(base))} for base in owner.bases)
        and [node for _, node in bindings] == [owner]
        and all(scope.resolve(owner.name) is scopes.module for scope in inside)
        and model.is_builtin("staticmethod", scopes.of_node[owner])
        and not model.source.line(method.lineno)[: method.col_offset].strip()
    )

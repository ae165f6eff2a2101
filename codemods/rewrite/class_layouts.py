"""Other places in a class for what a change adds: the methods that it writes, or definitions of the module."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function
from codemods.edits import Edit
from codemods.rewrite.change import Change
from codemods.rewrite.methods import methods_below
from codemods.rewrite.placement import first_offset
from codemods.rewrite.suppressions import carried
from codemods.suppression.table import Suppressions

_SPECIAL_BASES = frozenset({"NamedTuple", "Protocol", "TypedDict"})
"""Bases that make something else of the members of a class."""
_HARMLESS_DECORATORS = frozenset(
    {"dataclasses.dataclass", "functools.total_ordering", "typing.final"}
    | {"attr.s", "attr.dataclass", "attr.define", "attr.frozen", "attrs.define", "attrs.frozen"}
)
"""Decorators that leave functions of a class as they are, and the class under its name."""


class NoSuchLayoutError(Exception):
    """A change cannot be laid out in this way without changing what the program does."""


def with_methods_at(model: Model, change: Change, statement: ast.stmt, above: bool) -> Change:
    """The change with its methods beside a statement of their class; it does not matter to a class where they stand.

    Args:
        model: the file.
        change: the change, which adds methods.
        statement: the statement of the class.
        above: whether they go above it, rather than below.

    Raises:
        NoSuchLayoutError: if they cannot go there.
    """
    methods = change.methods
    assert methods is not None
    index = methods.owner.body.index(statement) - above
    if index < 0 or methods.edit not in change.edits:
        raise NoSuchLayoutError
    edit = methods_below(model, methods.owner, methods.lines, methods.owner.body[index])
    edits = [edit if item == methods.edit else item for item in change.edits]
    return replace(change, edits=tuple(edits), methods=replace(methods, edit=edit))


def with_static_methods(
    model: Model, change: Change, nodes: Sequence[ast.stmt], above: bool, suppressions: Suppressions
) -> Change:
    """The change with its definitions in the class whose method they leave; there they are called ``Class.name``.

    Args:
        model: the file.
        change: the change, which adds definitions to the module.
        nodes: the statements that it changes.
        above: whether the definitions go above the method, rather than below.
        suppressions: what comments of the file say.

    Raises:
        NoSuchLayoutError: if they cannot go there.
    """
    from codemods.rewrite import members  # Imported only here: it imports LibCST.

    owner, method = _class_and_method(model, nodes)
    inside = model.scopes.of_node[method].descendants()
    if not model.is_builtin("staticmethod", model.scopes.of_node[owner]) or any(
        scope.resolve(owner.name) is not model.scopes.module for scope in inside
    ):
        raise NoSuchLayoutError
    source, newline = model.source, model.source.newline
    assert method.end_lineno is not None
    start = first_offset(model, method) if above else source.line_start(method.end_lineno + 1)
    names, texts = _members(model, change, owner, method, start, suppressions, is_static=True)
    if above:
        added = "".join(text + newline for text in texts)
    else:
        ending = "" if source.text[:start].endswith(("\n", "\r")) else newline
        added = ending + "".join(newline + text for text in texts)
    edits = [edit._replace(text=members.qualified(edit.text, names, owner.name)) for edit in change.edits]
    return replace(change, edits=(*edits, Edit(start, start, added)), definitions=())


def with_functions(model: Model, change: Change, statement: ast.stmt, suppressions: Suppressions) -> Change:
    """The change with its definitions above a statement of a class's body, where they are called by their plain names.

    What is called there gets the function itself, which pickle then finds as ``Class.name``.

    Args:
        model: the file.
        change: the change, which adds definitions to the module in place of lambdas.
        statement: the statement that the lambdas stand in.
        suppressions: what comments of the file say.

    Raises:
        NoSuchLayoutError: if they cannot go there.
    """
    owner = model.parents[statement]
    if not isinstance(owner, ast.ClassDef) or owner not in model.module.body:
        raise NoSuchLayoutError
    spans = {(edit.start, edit.end) for edit in change.edits}
    lambdas = [node for node in ast.walk(owner) if isinstance(node, ast.Lambda)]
    moved = [node for node in lambdas if model.source.span(node) in spans]
    # An equal one gets the same definition: made twice, only the last could be found.
    looks = Counter(map(ast.dump, lambdas))
    if len(moved) != len(spans) or any(
        model.scopes.around[node] is not model.scopes.of_node[owner] or looks[ast.dump(node)] > 1 for node in moved
    ):
        raise NoSuchLayoutError
    start = first_offset(model, statement)
    _, texts = _members(model, change, owner, statement, start, suppressions, is_static=False)
    newline = model.source.newline
    is_close = statement is not owner.body[0] and model.source.line(model.source.location(start).row - 1).strip()
    added = Edit(start, start, (newline if is_close else "") + "".join(text + newline for text in texts))
    return replace(change, edits=(*change.edits, added), definitions=())


def _members(
    model: Model,
    change: Change,
    owner: ast.ClassDef,
    statement: ast.stmt,
    start: int,
    suppressions: Suppressions,
    is_static: bool,
) -> tuple[list[str], list[str]]:
    """The names of a change's definitions, and their texts as members of a class that go next to a statement of it."""
    from codemods.rewrite import members  # Imported only here: it imports LibCST.

    names = members.names_of([item.text for item in change.definitions])
    if names is None or not _is_plain_class(model, owner, statement):
        raise NoSuchLayoutError
    bound = model.scopes.of_node[owner].bindings
    if any(members.evaluated_names(item.text) & {*bound, *names, owner.name} for item in change.definitions):
        raise NoSuchLayoutError  # In the class such a name means something else, or nothing yet.
    indent = model.source.line(statement.lineno)[: statement.col_offset]
    written = []
    for item in change.definitions:
        text = members.as_member(members.qualified(item.text, names, owner.name), indent, is_static=is_static)
        written.append(carried(model.source, suppressions, text, item.order, start, item.header, indent))
    return names, written


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


def _is_plain_class(model: Model, owner: ast.ClassDef, statement: ast.stmt) -> bool:
    """Whether what a class gets next to one of its statements is found under the class's name."""
    bindings = list(model.scopes.module.all_bindings(owner.name))
    return (
        all(model.dotted_name(_called(item)) in _HARMLESS_DECORATORS for item in owner.decorator_list)
        and not _is_watched(model, owner, set())
        and not any(_SPECIAL_BASES & {*re.findall(r"\w+", ast.unparse(base))} for base in owner.bases)
        and [node for _, node in bindings] == [owner]
        and not model.source.line(statement.lineno)[: statement.col_offset].strip()
    )


def _is_watched(model: Model, owner: ast.ClassDef, seen: set[ast.AST]) -> bool:
    """Whether a metaclass, or a base as far as the project defines it, may look at all that a class holds."""
    seen.add(owner)
    if owner.keywords or any(isinstance(item, FUNCTIONS) and item.name == "__init_subclass__" for item in owner.body):
        return True
    for base in owner.bases:
        definition = model.definition(base)
        home = model.home(definition) if definition is not None else model
        nodes = definition.nodes if definition is not None else _bound_to(model, base)
        if any(isinstance(node, ast.ClassDef) and node not in seen and _is_watched(home, node, seen) for node in nodes):
            return True
    return False


def _bound_to(model: Model, base: ast.expr) -> list[ast.AST]:
    name = base.id if isinstance(base, ast.Name) else ""
    return [node for _, node in model.scopes.module.all_bindings(name)]


def _called(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator

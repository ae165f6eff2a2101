"""Other places in a class for what a change adds: the methods that it writes, or definitions of the module."""

from __future__ import annotations

import ast
import re
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
_HARMLESS_DECORATORS = frozenset({"dataclasses.dataclass", "functools.total_ordering", "typing.final"})
"""Decorators that leave static methods as they are, and the class under its name."""


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
    names = members.names_of([item.text for item in change.definitions])
    if names is None or not _is_plain_class(model, owner, method):
        raise NoSuchLayoutError
    bound = model.scopes.of_node[owner].bindings
    if any(members.evaluated_names(item.text) & {*bound, *names, owner.name} for item in change.definitions):
        raise NoSuchLayoutError  # In the class such a name means something else, or nothing yet.
    source, newline = model.source, model.source.newline
    indent = source.line(method.lineno)[: method.col_offset]
    assert method.end_lineno is not None
    start = first_offset(model, method) if above else source.line_start(method.end_lineno + 1)
    written = []
    for item in change.definitions:
        text = members.as_member(members.qualified(item.text, names, owner.name), indent)
        written.append(carried(source, suppressions, text, item.order, start, item.header, indent))
    if above:
        added = "".join(text + newline for text in written)
    else:
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
        all(model.dotted_name(_called(item)) in _HARMLESS_DECORATORS for item in owner.decorator_list)
        and not owner.keywords
        and not any(_SPECIAL_BASES & {*re.findall(r"\w+", ast.unparse(base))} for base in owner.bases)
        and [node for _, node in bindings] == [owner]
        and all(scope.resolve(owner.name) is scopes.module for scope in inside)
        and model.is_builtin("staticmethod", scopes.of_node[owner])
        and not model.source.line(method.lineno)[: method.col_offset].strip()
    )


def _called(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator

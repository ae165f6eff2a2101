"""Views that are bound to a local variable before they are stored, and views of an object's own attribute."""

from __future__ import annotations

import ast
from typing import NamedTuple

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function, ScopeKind
from codemods.analysis.views.calls import ViewCall

_CONSUMERS = frozenset(
    ("all", "any", "bool", "dict", "enumerate", "frozenset", "isinstance", "iter", "len", "list", "max", "min", "print")
    + ("repr", "set", "sorted", "str", "sum", "tuple", "zip")
)
_CONTAINERS = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.keyword)


def store_places(model: Model, view: ViewCall) -> tuple[ast.Name, ...] | None:
    """The reads of a local variable, bound to a view and to nothing else, at which the view is stored.

    Returns:
        None where the view is bound otherwise, or where some read is neither a store nor a use on the spot.
    """
    statement = model.parents[view.node]
    if not (isinstance(statement, ast.Assign) and len(statement.targets) == 1):
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Name):
        return None
    owner = model.scopes.around[target].resolve(target.id)
    if owner.kind is not ScopeKind.FUNCTION or len(list(owner.all_bindings(target.id))) != 1:
        return None
    stores: list[ast.Name] = []
    for load in owner.uses(target.id):
        if model.scopes.around[load].function is not owner:
            return None
        if _is_stored(model, load):
            stores.append(load)
        elif not _is_used_on_the_spot(model, load):
            return None
    return tuple(stores)


def _is_stored(model: Model, load: ast.expr) -> bool:
    parent = model.parents[load]
    if isinstance(parent, (ast.Assign, ast.AnnAssign)):
        targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
        return parent.value is load and all(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets)
    if isinstance(parent, _CONTAINERS) and isinstance(parent, ast.expr):
        return True
    return isinstance(parent, (ast.Return, ast.Yield))


def _is_used_on_the_spot(model: Model, load: ast.expr) -> bool:
    parent = model.parents[load]
    if isinstance(parent, ast.Call):
        return parent.func is not load and model.dotted_name(parent.func) in _CONSUMERS
    return isinstance(
        parent,
        (ast.Compare, ast.For, ast.AsyncFor, ast.comprehension, ast.BinOp, ast.If, ast.While, ast.Starred, ast.UnaryOp)
        + (ast.FormattedValue, ast.Assert),
    )


class OwnView(NamedTuple):
    """A view of one attribute of an object that is stored in another one: ``self.names = self.table.keys()``.

    Args:
        statement: the assignment.
        function: the method around it.
        owner: the class.
        attribute: the name of the attribute that holds the view.
        table: the name of the attribute that holds the dict.
        source: the expression that makes the view.
    """

    statement: ast.Assign
    function: Function
    owner: ast.ClassDef
    attribute: str
    table: str
    source: ast.Call


def own_view(model: Model, view: ViewCall) -> OwnView | None:
    """What is known of a view that an object keeps of its own attribute; None for any other view."""
    statement = model.parents[view.node]
    if not (isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.value is view.node):
        return None
    target, receiver = statement.targets[0], view.receiver
    function = model.parents[statement]
    if not isinstance(function, FUNCTIONS) or not isinstance(owner := model.parents[function], ast.ClassDef):
        return None
    parameters = [*function.args.posonlyargs, *function.args.args]
    if not parameters or function.decorator_list or not isinstance(target, ast.Attribute):
        return None
    this = parameters[0].arg
    if not (
        _is_attribute_of(target, this) and isinstance(receiver, ast.Attribute) and _is_attribute_of(receiver, this)
    ):
        return None
    if _count_stores(model, target.attr) != 1 or _count_stores(model, receiver.attr) > 1:
        return None
    return OwnView(statement, function, owner, target.attr, receiver.attr, view.node)


def _is_attribute_of(node: ast.Attribute, name: str) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == name and not node.attr.endswith("__")


def _count_stores(model: Model, attribute: str) -> int:
    nodes = model.nodes.get(ast.Attribute, ())
    stores = [
        node
        for node in nodes
        if isinstance(node, ast.Attribute) and node.attr == attribute and not isinstance(node.ctx, ast.Load)
    ]
    return len(stores)

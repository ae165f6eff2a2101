"""Which expressions make views of dicts, and of which dict."""

from __future__ import annotations

import ast
from typing import NamedTuple

from codemods.analysis.model import Model, is_method
from codemods.analysis.scopes import FUNCTIONS

VIEW_METHODS = frozenset({"keys", "values", "items"})


class ViewCall(NamedTuple):
    """A call that makes a view, if its receiver is a dict.

    Args:
        node: the call.
        receiver: the expression that gives the dict.
        method: ``keys``, ``values`` or ``items``.
        surely: whether only a dict can be the receiver: ``dict.keys(table)``.
    """

    node: ast.Call
    receiver: ast.expr
    method: str
    surely: bool = False


def view_call(model: Model, node: ast.Call) -> ViewCall | None:
    """What a call says, if it may make a view."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in VIEW_METHODS and not node.keywords:
        if not node.args:
            return ViewCall(node, function.value, function.attr)
        if len(node.args) == 1 and _is_dict_class(model, function.value) and not isinstance(node.args[0], ast.Starred):
            return ViewCall(node, node.args[0], function.attr, surely=True)
    return _through_method_caller(model, node)


def _is_dict_class(model: Model, node: ast.expr) -> bool:
    return model.dotted_name(node) in ("dict", "collections.OrderedDict")


def _through_method_caller(model: Model, node: ast.Call) -> ViewCall | None:
    """``operator.methodcaller("keys")(table)``."""
    maker = node.func
    if not isinstance(maker, ast.Call) or len(node.args) != 1 or node.keywords or len(maker.args) != 1:
        return None
    name, receiver = maker.args[0], node.args[0]
    if not isinstance(name, ast.Constant) or name.value not in VIEW_METHODS or isinstance(receiver, ast.Starred):
        return None
    if model.dotted_name(maker.func) != "operator.methodcaller":
        return None
    return ViewCall(node, receiver, str(name.value))


def is_mapping_protocol(model: Model, view: ViewCall) -> bool:
    """Whether a view is what a mapping's own ``keys``, ``values`` or ``items`` returns."""
    statement = model.parents[view.node]
    while isinstance(statement, (ast.IfExp, ast.BoolOp)):
        statement = model.parents[statement]
    function = next((node for node in model.ancestors(view.node) if isinstance(node, (*FUNCTIONS, ast.Lambda))), None)
    if isinstance(function, ast.Lambda) or function is None:
        return False
    returns = isinstance(statement, (ast.Return, ast.YieldFrom))
    return returns and function.name in VIEW_METHODS and is_method(model.scopes.of_node[function])

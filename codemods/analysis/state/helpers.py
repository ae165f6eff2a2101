"""Functions that make a resource and can be called again."""

from __future__ import annotations

import ast

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function
from codemods.analysis.state.attributes import is_named, self_name
from codemods.analysis.state.family import Family
from codemods.analysis.state.initialisers import PURE_CALLS
from codemods.analysis.state.resources import Resources
from codemods.analysis.syntax import own_nodes


def can_be_called_again(model: Model, family: Family, helper: Function) -> bool:
    """Whether a function only makes an object, and sets it up, from its arguments and from what never changes.

    Args:
        model: the file of the function.
        family: the class that calls it.
        helper: a function of the module, or a method of the class.
    """
    resources = Resources(model)
    instance = self_name(helper) if helper in family.head.methods.values() else None
    if instance is not None and any(helper.name in heir.bound for heir in family.heirs if heir is not family.head):
        return False
    for node in own_nodes(helper):
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.Delete, ast.AugAssign, ast.Yield, ast.YieldFrom, ast.Await)):
            return False
        if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda, ast.For, ast.While, ast.If, ast.With, ast.Try)):
            return False
        if (
            isinstance(node, (ast.Attribute, ast.Subscript))
            and not isinstance(node.ctx, ast.Load)
            and not _is_local(model, helper, node.value)
        ):
            return False
        if isinstance(node, ast.Call) and not _is_harmless(model, resources, helper, node):
            return False
        if instance is not None and isinstance(node, ast.Name) and node.id == instance:
            parent = model.parents[node]
            if not isinstance(parent, ast.Attribute) or not family.is_stable(parent.attr):
                return False
    return True


def _is_harmless(model: Model, resources: Resources, helper: Function, call: ast.Call) -> bool:
    if resources.constructor(call.func) is not None or model.dotted_name(call.func) in PURE_CALLS:
        return True
    return isinstance(call.func, ast.Attribute) and _is_local(model, helper, call.func.value)


def _is_local(model: Model, helper: Function, node: ast.expr) -> bool:
    """Whether an expression is a variable of the function that holds what it makes."""
    return any(
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(node, ast.Name)
        and is_named(statement.targets[0], node.id)
        and isinstance(statement.value, ast.Call)
        for statement in helper.body
    )

"""Which expressions mean the same at the top of the module as where they stand."""

from __future__ import annotations

import ast
import pathlib
import sys

from codemods.analysis.model import Model
from codemods.analysis.module_object import may_set_any_global
from codemods.analysis.scopes import Scope, ScopeKind

_STEADY_MODULES = sys.stdlib_module_names - {"sys"}
_STEADY_PACKAGES = frozenset({"jax", "numpy", "pandas", "scipy", "tensorflow", "torch"})


def is_movable(model: Model, node: ast.expr, anchor: ast.stmt, annotation: bool = False) -> bool:
    """Whether an expression may be evaluated once, just before a top-level statement, instead of where it stands.

    Args:
        model: the file.
        node: a default or an annotation.
        anchor: the top-level statement that the expression would stand above.
        annotation: whether the value is only looked at, so that new objects at each evaluation make no difference.
    """
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        scope = model.scopes.around[node]
        is_fixed = annotation or model.is_builtin(node.id, scope) or not may_set_any_global(model)
        return is_fixed and _is_settled(model, node.id, scope, anchor)
    if isinstance(node, ast.Attribute):
        return _is_attribute_of_steady_module(model, node, anchor)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant) or _is_number(node)
    if isinstance(node, ast.Tuple):
        return all(is_movable(model, element, anchor, annotation) for element in node.elts)
    if isinstance(node, ast.BinOp):
        parts = (node.left, node.right)
        if annotation and isinstance(node.op, ast.BitOr):
            return all(is_movable(model, part, anchor, annotation) for part in parts)
        return all(_is_number(part) for part in parts) and not may_raise(node)
    if annotation and isinstance(node, ast.Subscript):
        return is_movable(model, node.value, anchor, True) and is_movable(model, node.slice, anchor, True)
    if annotation and isinstance(node, ast.List):
        return all(is_movable(model, element, anchor, True) for element in node.elts)
    return False


def may_raise(node: ast.BinOp) -> bool:
    """Whether an operation on numbers may fail, which it then has to do where it stands, not at import."""
    if isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        return False
    right = node.right
    is_positive = isinstance(right, ast.Constant) and isinstance(right.value, int) and 0 < right.value <= 100
    return not (is_positive and isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)))


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, (ast.UAdd, ast.USub)) and _is_number(node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and abs(node.value) <= 10_000


def _is_settled(model: Model, name: str, scope: Scope, anchor: ast.stmt) -> bool:
    """Whether a name is a builtin, or a global that has its one and only value when the anchor is reached."""
    if model.is_builtin(name, scope):
        return True
    owner = scope.resolve(name)
    if owner.kind is not ScopeKind.MODULE or any(inner is not owner for inner, _ in owner.all_bindings(name)):
        return False
    flow = model.control_flow(owner)
    return flow.is_definitely_bound(name, anchor) and not flow.may_be_rebound_after(name, anchor)


def _is_attribute_of_steady_module(model: Model, node: ast.Attribute, anchor: ast.stmt) -> bool:
    """``np.nan`` with ``import numpy as np``: it has been there since the import, and nobody sets it.

    Modules of the project may be half imported yet, those of others may load what they are asked for, and
    ``settings.LIMIT`` and ``sys.stdout`` change.
    """
    root: ast.expr = node
    while isinstance(root, ast.Attribute):
        root = root.value
    name = model.dotted_name(node)
    if name is None or not isinstance(root, ast.Name):
        return False
    package = name.partition(".")[0]
    own_packages = {part.partition(".")[0] for part in pathlib.PurePath(model.source.path).parts}
    imported = {
        module
        for _, binding in model.scopes.module.all_bindings(root.id)
        if isinstance(binding, (ast.Import, ast.ImportFrom))
        for module in _imported_modules(binding)
    }
    is_there = package in _STEADY_PACKAGES or (package in _STEADY_MODULES and name.rpartition(".")[0] in imported)
    return is_there and package not in own_packages and _is_settled(model, root.id, model.scopes.around[root], anchor)


def _imported_modules(statement: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    return [f"{statement.module}.{alias.name}" for alias in statement.names]

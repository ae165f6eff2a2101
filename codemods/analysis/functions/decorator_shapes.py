"""Small questions about the form of decorators and of the functions that they are made of."""

from __future__ import annotations

import ast

from codemods.analysis.scopes import FUNCTIONS, Function, Scope, ScopeKind
from codemods.analysis.syntax import own_nodes


def returned_values(function: Function) -> list[ast.expr]:
    """What a function returns: the values of its ``return`` statements, each branch of a conditional expression."""
    pending = [node.value for node in own_nodes(function) if isinstance(node, ast.Return) and node.value is not None]
    values: list[ast.expr] = []
    while pending:
        value = pending.pop(0)
        if isinstance(value, ast.IfExp):
            pending[:0] = [value.body, value.orelse]
        else:
            values.append(value)
    return values


def is_importable(scope: Scope) -> bool:
    """Whether what a scope binds can be found by a dotted name."""
    return scope.kind is ScopeKind.MODULE or (
        scope.kind is ScopeKind.CLASS and scope.parent is not None and is_importable(scope.parent)
    )


def is_only_argument(call: ast.Call, name: str) -> bool:
    return (
        isinstance(call.func, (ast.Name, ast.Call))
        and len(call.args) == 1
        and not call.keywords
        and isinstance(call.args[0], ast.Name)
        and call.args[0].id == name
    )


def is_partial_of(value: ast.expr, name: str) -> bool:
    """Whether an expression is the decorator itself with its options set, for a function that is still to come."""
    if isinstance(value, ast.Lambda):
        value = value.body
        return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == name
    return (
        isinstance(value, ast.Call)
        and last_name(value) == "partial"
        and bool(value.args)
        and isinstance(value.args[0], ast.Name)
        and value.args[0].id == name
    )


def are_functions(bindings: list[ast.AST]) -> bool:
    return bool(bindings) and all(isinstance(node, FUNCTIONS) for node in bindings)


def last_name(node: ast.expr) -> str:
    """The last part of the name of a decorator or of what is called."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""

"""Whether a function keeps what it is called with: in a registry, in an attribute, in a variable from outside."""

from __future__ import annotations

import ast

from codemods.analysis.model import Model
from codemods.analysis.scopes import Function
from codemods.analysis.syntax import own_nodes

KEEPING_METHODS = frozenset(
    {"add", "append", "appendleft", "extend", "insert", "push", "register", "setdefault", "update"}
)
_PICKLING_METHODS = frozenset({"__getnewargs__", "__getstate__", "__reduce__", "__reduce_ex__"})


def keeps_argument(model: Model, function: Function, parameter: str) -> bool:
    """Whether a function's own code puts a parameter into an object that was there before the call."""
    for node in own_nodes(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in KEEPING_METHODS:
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
            if _is_foreign(model, function, node.func.value) and any(_holds(value, parameter) for value in values):
                return True
        if isinstance(node, ast.Assign) and _holds(node.value, parameter):
            targets = [target for target in node.targets if isinstance(target, (ast.Subscript, ast.Attribute))]
            if any(_is_foreign(model, function, target.value) for target in targets):
                return True
    return False


def keeps_constructor_argument(node: ast.ClassDef) -> bool:
    """Whether a class stores the first argument of its constructor in an attribute, and pickles as usual."""
    methods = {method.name: method for method in node.body if isinstance(method, ast.FunctionDef)}
    if "__init__" not in methods or methods.keys() & _PICKLING_METHODS:
        return False
    parameters = [*methods["__init__"].args.posonlyargs, *methods["__init__"].args.args]
    return len(parameters) > 1 and any(
        isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Attribute)
        and _holds(statement.value, parameters[1].arg)
        for statement in methods["__init__"].body
    )


def _is_foreign(model: Model, function: Function, node: ast.expr) -> bool:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Name) and not model.scopes.of_node[function].binds(node.id)


def _holds(value: ast.expr, parameter: str) -> bool:
    """Whether a value is the parameter, or a tuple, list or dict that has it in it."""
    if isinstance(value, ast.Name):
        return value.id == parameter
    if isinstance(value, (ast.Tuple, ast.List)):
        return any(_holds(element, parameter) for element in value.elts)
    return isinstance(value, ast.Dict) and any(_holds(element, parameter) for element in value.values)

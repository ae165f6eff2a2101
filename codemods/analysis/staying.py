"""Origins that surely stay where they are made, told from syntax alone.

Most lambdas, views and generators are used up on the spot, and most nested functions are only called. Whoever knows
that need not ask where values go, which takes longer than parsing does. False means that it is not as simple as that.
"""

from __future__ import annotations

import ast

from codemods.analysis.syntax import FUNCTIONS
from codemods.analysis.tree import Tree

_CONSUMERS = frozenset(
    {"all", "any", "dict", "frozenset", "len", "list", "max", "min", "next", "print", "set", "sorted", "sum", "tuple"}
)
"""Builtins that use up an iterable, or call a function, before they return."""
_CHOOSING = frozenset({"max", "min"})
"""Builtins that give back one of their arguments, if there are several."""
_LAZY = frozenset({"enumerate", "filter", "iter", "map", "reversed", "zip"})
"""Builtins whose result is an iterator that holds their arguments."""
_CONSUMING_METHODS = frozenset({"extend", "join"})
_SHOW_VARIABLES = frozenset({"locals", "vars", "exec", "eval"})
_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
_SCOPES = (*_DEFINITIONS, ast.Lambda, ast.GeneratorExp)
"""What runs at another time than the code around it."""


def stays(tree: Tree, origin: ast.AST) -> bool:
    """Whether an origin surely gets nowhere from where it is made.

    Args:
        tree: the file.
        origin: a lambda, a nested function, or an expression that makes a view or a generator.
    """
    if isinstance(origin, FUNCTIONS):
        return _is_only_called(tree, origin)
    if isinstance(origin, ast.Lambda):
        return _is_only_used(tree, origin)
    return isinstance(origin, (ast.Call, ast.GeneratorExp)) and _is_used_up(tree, origin)


def is_nested(tree: Tree, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is defined in the body of another one, without a class between them."""
    return isinstance(_owner(tree, function), FUNCTIONS)


def _owner(tree: Tree, function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST | None:
    return next((node for node in tree.ancestors(function) if isinstance(node, _DEFINITIONS)), None)


def _is_only_called(tree: Tree, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a nested function is only used, under its name, by itself and the function that it is defined in."""
    owner = _owner(tree, function)
    if not isinstance(owner, FUNCTIONS) or function.decorator_list or tree.names.keys() & _SHOW_VARIABLES:
        return False
    if any(function.name in names.names for names in tree.nodes.get(ast.Global, ()) if isinstance(names, ast.Global)):
        return False
    for name in tree.names.get(function.name, ()):
        around = list(tree.ancestors(name))
        if owner in around:
            scope = next(node for node in around if isinstance(node, _SCOPES))
            if not (scope is owner or scope is function) or not _is_only_used(tree, name):
                return False
    return True


def _is_only_used(tree: Tree, node: ast.Lambda | ast.Name) -> bool:
    """Whether a function is called at once, or handed to a builtin that calls it and forgets it."""
    parent = tree.parents[node]
    if isinstance(parent, ast.keyword):
        call = tree.parents[parent]
        return parent.arg == "key" and isinstance(call, ast.Call) and _is_builtin(tree, call, _CONSUMERS)
    if not isinstance(parent, ast.Call):
        return False
    return parent.func is node or (_is_builtin(tree, parent, _LAZY) and _is_used_up(tree, parent))


def _is_used_up(tree: Tree, node: ast.expr) -> bool:
    """Whether what an expression makes is iterated over, compared or dropped at once."""
    parent = tree.parents[node]
    if isinstance(parent, (ast.Compare, ast.Expr, ast.YieldFrom)):
        return True
    if isinstance(parent, (ast.For, ast.AsyncFor)):
        return parent.iter is node
    if isinstance(parent, ast.comprehension):
        outer = tree.parents[parent]
        return not isinstance(outer, ast.GeneratorExp) or outer.generators[0] is not parent or _is_used_up(tree, outer)
    if isinstance(parent, ast.Starred):
        return not isinstance(tree.parents[parent], ast.Subscript)
    if not isinstance(parent, ast.Call) or parent.func is node:
        return False
    if isinstance(parent.func, ast.Attribute):
        return parent.func.attr in _CONSUMING_METHODS
    if len(parent.args) > 1 and _is_builtin(tree, parent, _CHOOSING):
        return False
    return _is_builtin(tree, parent, _CONSUMERS) or (_is_builtin(tree, parent, _LAZY) and _is_used_up(tree, parent))


def _is_builtin(tree: Tree, call: ast.Call, names: frozenset[str]) -> bool:
    function = call.func
    return isinstance(function, ast.Name) and function.id in names and not tree.rebinds(function.id)

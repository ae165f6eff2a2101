"""Code that walks over all globals of a module, where what a rewrite adds would show."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.model import Model
from codemods.analysis.module_object import sweeping_uses

_PLAIN_TYPES = frozenset(
    {"bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"}
)
_PLAIN_BASES = _PLAIN_TYPES | {"object", "abc.ABC"}
_INSTANCE_HOOKS = frozenset({"__instancecheck__", "__subclasshook__", "register"})
"""What lets a class take something for an instance that is not derived from it."""
_HANDING_ON = frozenset({"dict", "dir", "iter", "list", "set", "sorted", "tuple", "vars"})
_TABLE_ATTRIBUTES = frozenset({"__dict__", "copy", "items", "keys", "values"})
_HARMLESS = frozenset(
    {"callable", "endswith", "hasattr", "isinstance", "islower", "issubclass", "isupper", "len", "startswith", "type"}
)
"""Calls in a condition that keep nothing of what they see."""
_NAMESPACES = ("globals", "vars", "locals", "dir")
_READS_OF_GLOBALS = frozenset({"get", "setdefault", "pop", "update", "__getitem__", "__setitem__", "__contains__"})


def shows_public_names(model: Model) -> bool:
    """Whether a global that is added shows, unless its name is private.

    The module may walk over its globals, or another file may import all of them.
    """
    return any(True for _ in _sweeps(model)) or (
        model.project is not None
        and not model.scopes.module.binds("__all__")
        and model.project.importers.hands_all_on(model.path)
    )


def shows_private_names(model: Model) -> bool:
    """Whether the module walks over its own globals in a way in which private functions and classes would show."""
    return any(not _is_filtered(model, node) for node in _sweeps(model))


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _sweeps(model: Model) -> Iterator[ast.AST]:
    """Where the module's globals are handed to something that walks over them."""
    calls = (model.parents[name] for namespace in _NAMESPACES for name in model.names.get(namespace, ()))
    yield from (call for call in calls if isinstance(call, ast.Call) and _is_sweep(model, call))
    yield from sweeping_uses(model)


def _is_filtered(model: Model, sweep: ast.AST) -> bool:
    variables, conditions = _filter_of(model, sweep)
    for test in conditions:
        if _skips_private_names(test, variables) or _wants_a_type(model, test, variables):
            return True
        if any(isinstance(node, ast.Call) and _called(node) not in _HARMLESS for node in ast.walk(test)):
            return False  # It sees what the later conditions keep out.
    return False


def _is_sweep(model: Model, node: ast.Call) -> bool:
    """Whether a call hands out the module's globals to something that walks over them."""
    if not isinstance(node.func, ast.Name):
        return False
    scope = model.scopes.around[node]
    is_namespace = node.func.id == "globals" or (
        node.func.id in _NAMESPACES and not node.args and scope.function is model.scopes.module
    )
    if not is_namespace or not model.may_be_builtin(node.func.id, scope):
        return False
    return not _is_single_read(model, node)


def _is_single_read(model: Model, node: ast.Call) -> bool:
    parent = model.parents[node]
    if isinstance(parent, ast.Subscript):
        return parent.value is node
    if isinstance(parent, ast.Attribute):
        return parent.attr in _READS_OF_GLOBALS
    if isinstance(parent, ast.Compare):
        return node in parent.comparators and isinstance(
            parent.ops[parent.comparators.index(node)], (ast.In, ast.NotIn)
        )
    return isinstance(parent, ast.Call) and _is_executed(parent)


def _is_executed(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in ("exec", "eval")


def _skips_private_names(test: ast.expr, variables: frozenset[str]) -> bool:
    """Whether a condition is not met by names that begin with one underscore: all that a rewrite adds."""
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    call = test.operand if isinstance(test, ast.UnaryOp) else test
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and len(call.args) == 1):
        return False
    prefix = call.args[0]
    if call.func.attr != "startswith" or not (isinstance(prefix, ast.Constant) and isinstance(prefix.value, str)):
        return False
    if not (isinstance(call.func.value, ast.Name) and call.func.value.id in variables):
        return False
    return prefix.value == "_" if negated else bool(prefix.value) and not prefix.value.startswith("_")


def _wants_a_type(model: Model, test: ast.expr, variables: frozenset[str]) -> bool:
    """Whether a condition is not met by functions and classes: ``isinstance(value, C)`` with a plain class ``C``."""
    if not (isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance"):
        return False
    scope = model.scopes.around[test]
    if len(test.args) != 2 or not model.is_builtin("isinstance", scope):
        return False
    value, wanted = test.args
    if not (isinstance(value, ast.Name) and value.id in variables and isinstance(wanted, ast.Name)):
        return False
    bindings = [binding for _, binding in scope.resolve(wanted.id).all_bindings(wanted.id)]
    if not bindings:
        return wanted.id in _PLAIN_TYPES and model.is_builtin(wanted.id, scope)
    if len(bindings) != 1 or not isinstance(bindings[0], ast.ClassDef) or bindings[0].keywords:
        return False
    bases = {model.dotted_name(base) for base in bindings[0].bases}
    return bases <= _PLAIN_BASES and _INSTANCE_HOOKS.isdisjoint(model.identifiers)


def _filter_of(model: Model, sweep: ast.AST) -> tuple[frozenset[str], list[ast.expr]]:
    """The variables of the loop that walks over something, and the conditions that its elements have to meet."""
    node, parent = sweep, model.parents[sweep]
    while _hands_all_on(parent, node):
        node, parent = parent, model.parents[parent]
    if isinstance(parent, ast.comprehension) and parent.iter is node:
        conditions = parent.ifs
    elif isinstance(parent, ast.For) and parent.iter is node:
        first = parent.body[0]
        is_all = len(parent.body) == 1 and isinstance(first, ast.If) and not first.orelse
        conditions = [first.test] if is_all and isinstance(first, ast.If) else []
    else:
        return frozenset(), []
    names = frozenset(inner.id for inner in ast.walk(parent.target) if isinstance(inner, ast.Name))
    return names, [part for condition in conditions for part in _parts(condition)]


def _hands_all_on(node: ast.AST, inner: ast.AST) -> bool:
    """Whether an expression gives the elements of the one inside it, and does nothing else with them."""
    if isinstance(node, ast.Call):
        return node.func is inner or (isinstance(node.func, ast.Name) and node.func.id in _HANDING_ON)
    return isinstance(node, ast.Attribute) and node.attr in _TABLE_ATTRIBUTES


def _parts(condition: ast.expr) -> list[ast.expr]:
    is_and = isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And)
    return condition.values if is_and and isinstance(condition, ast.BoolOp) else [condition]

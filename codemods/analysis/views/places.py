"""The places in which a list would do something else than a view."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from codemods.analysis.model import Model
from codemods.analysis.reasons import refusal
from codemods.analysis.values.graph import Use
from codemods.finding import Refusal

SHOWN_BY = frozenset({"str", "repr", "ascii", "format", "print", "pprint.pprint", "pprint.pformat", "reprlib.repr"})
"""Functions that make text of their arguments."""
_SET_OPERATORS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
_SHARED = frozenset(
    {"__class_getitem__", "__contains__", "__dir__", "__doc__", "__iter__", "__len__", "__reversed__", "__setattr__"}
)
_LOGGING = frozenset({"critical", "debug", "error", "exception", "fatal", "format", "info", "log", "warn", "warning"})
_TYPE_TESTS = frozenset({"isinstance", "issubclass", "type"})
# Types of which a list and a view are instances alike, or neither.
_COMMON_TYPES = frozenset(
    {"str", "bytes", "bytearray", "int", "float", "complex", "bool", "dict", "set", "frozenset", "type", "object"}
    | {"Iterable", "Sized", "Collection", "Container", "Callable", "Mapping", "Path", "Enum"}
)
# A name stands for many attributes: what only other kinds of objects have says nothing about views.
_OF_CONTAINERS = frozenset(
    ("add", "append", "clear", "copy", "count", "extend", "format", "get", "index", "insert", "items", "join", "keys")
    + ("pop", "popitem", "remove", "reverse", "setdefault", "sort", "update", "values")
)


def against_use(use: Use) -> Refusal | None:
    """What a use of a value says against a list in its place."""
    if use.kind == "operator":
        return refusal("set-algebra", name=use.detail)
    if use.kind == "compare" and use.detail != "is":
        return refusal("view-compared", name=use.detail)
    if use.kind == "type" and not _are_common(use.detail):
        return refusal("view-type-tested", name=f"a test for {use.detail or 'its type'}")
    if use.kind == "key":
        return refusal("view-as-key")
    if use.kind == "format":
        return refusal("view-shown", name="str")
    if use.kind in ("attribute", "method") and use.detail not in _SHARED and use.detail != "*":
        return refusal("view-attribute", name=use.detail)
    return None


def against_place(model: Model, parent: ast.AST, node: ast.expr) -> Refusal | None:
    """What the place of an expression says against a list in the place of its value, which is a view."""
    check = _CHECKS.get(type(parent))
    return check(model, parent, node) if check is not None else None


def _operation(model: Model, parent: ast.BinOp, node: ast.expr) -> Refusal | None:
    if isinstance(parent.op, _SET_OPERATORS):
        return refusal("set-algebra", name=ast.unparse(parent))
    if isinstance(parent.op, ast.Mod) and parent.right is node:
        return refusal("view-shown", name="%")
    return None


def _augmented(model: Model, parent: ast.AugAssign, node: ast.expr) -> Refusal | None:
    return refusal("set-algebra", name=ast.unparse(parent)) if isinstance(parent.op, _SET_OPERATORS) else None


def _comparison(model: Model, parent: ast.Compare, node: ast.expr) -> Refusal | None:
    operands = [parent.left, *parent.comparators]
    for index, operator in enumerate(parent.ops):
        left, right = operands[index], operands[index + 1]
        if isinstance(operator, (ast.Is, ast.IsNot)) or (isinstance(operator, (ast.In, ast.NotIn)) and right is node):
            continue
        if node in (left, right) and not (node is right and isinstance(operator, (ast.In, ast.NotIn))):
            return refusal("view-compared", name=ast.unparse(parent))
    return None


def _call(model: Model, parent: ast.Call, node: ast.expr) -> Refusal | None:
    if parent.func is node:
        return None
    name = model.dotted_name(parent.func) or ""
    method = parent.func.attr if isinstance(parent.func, ast.Attribute) else ""
    if name in SHOWN_BY or method in _LOGGING:
        return refusal("view-shown", name=name or method)
    if name in _TYPE_TESTS and not (len(parent.args) == 2 and _are_common(ast.unparse(parent.args[1]))):
        return refusal("view-type-tested", name=ast.unparse(parent))
    if name in ("hash", "id") or name.startswith("numpy."):
        return refusal("view-type-tested", name=ast.unparse(parent.func))
    return None


def _formatted(model: Model, parent: ast.FormattedValue, node: ast.expr) -> Refusal | None:
    return refusal("view-shown", name="f-string")


def _attribute(model: Model, parent: ast.Attribute, node: ast.expr) -> Refusal | None:
    is_common = parent.attr in _SHARED or parent.attr in _OF_CONTAINERS
    return None if is_common else refusal("view-attribute", name=parent.attr)


def _subscript(model: Model, parent: ast.Subscript, node: ast.expr) -> Refusal | None:
    if parent.slice is node:
        return refusal("view-as-key")
    # Where that cannot be caught, nobody relies on views having no subscripts.
    is_caught = any(isinstance(ancestor, ast.Try) for ancestor in model.ancestors(parent))
    return refusal("view-attribute", name="__getitem__") if is_caught else None


def _matched(model: Model, parent: ast.Match, node: ast.expr) -> Refusal | None:
    return refusal("view-type-tested", name="match")


def _in_set(model: Model, parent: ast.Set, node: ast.expr) -> Refusal | None:
    return refusal("view-as-key")


def _in_dict(model: Model, parent: ast.Dict, node: ast.expr) -> Refusal | None:
    return refusal("view-as-key") if node in parent.keys else None


def _are_common(text: str) -> bool:
    """Whether a list and a view are instances of the same of some types, which are written as for ``isinstance``."""
    names = [name.strip().rpartition(".")[2] for name in text.strip("()").split(",") if name.strip()]
    return bool(names) and all(name in _COMMON_TYPES for name in names)


_CHECKS: dict[type[ast.AST], Callable[[Model, Any, ast.expr], Refusal | None]] = {
    ast.BinOp: _operation,
    ast.AugAssign: _augmented,
    ast.Compare: _comparison,
    ast.Call: _call,
    ast.FormattedValue: _formatted,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Match: _matched,
    ast.Set: _in_set,
    ast.Dict: _in_dict,
}

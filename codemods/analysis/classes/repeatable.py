"""Expressions of a class body that give the same at each evaluation: evaluating them once, elsewhere, is no change."""

from __future__ import annotations

import ast
import builtins

from codemods.analysis.classes.hierarchy import class_of, is_enum
from codemods.analysis.model import Model
from codemods.analysis.movable import is_movable, may_raise
from codemods.analysis.scopes import COMPREHENSIONS, Scope, ScopeKind
from codemods.analysis.syntax import defaults

PURE_CALLS = frozenset(
    {
        "bool",
        "bytes",
        "classmethod",
        "complex",
        "float",
        "frozenset",
        "int",
        "len",
        "max",
        "min",
        "property",
        "range",
        "round",
        "sorted",
        "staticmethod",
        "str",
        "sum",
        "tuple",
        "dict",
        "list",
        "set",
        "attr.Factory",
        "attr.attrib",
        "attr.field",
        "attr.ib",
        "attrs.Factory",
        "attrs.field",
        "collections.namedtuple",
        "dataclasses.field",
        "datetime.date",
        "datetime.datetime",
        "datetime.timedelta",
        "decimal.Decimal",
        "enum.auto",
        "enum.member",
        "enum.nonmember",
        "fractions.Fraction",
        "functools.cached_property",
        "functools.partialmethod",
        "operator.attrgetter",
        "operator.itemgetter",
        "operator.methodcaller",
        "pathlib.Path",
        "pathlib.PurePath",
        "re.compile",
        "typing.NamedTuple",
        "typing_extensions.NamedTuple",
    }
)
"""Calls that have no effect and whose result depends on their arguments alone."""

MUTABLE_MAKERS = frozenset({"dict", "list", "set", "sorted"})
"""Those among them that make something that may be changed later."""

_STRUCTURE = (
    ast.Tuple,
    ast.List,
    ast.Set,
    ast.Dict,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.Subscript,
    ast.Slice,
    ast.Starred,
    ast.comprehension,
    ast.keyword,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
    *COMPREHENSIONS,
)


def is_repeatable(model: Model, node: ast.expr, body: Scope, anchor: ast.stmt) -> bool:
    """Whether an expression of a class body, or an argument of the call that makes a class, gives the same each time.

    Args:
        model: the file.
        node: the expression.
        body: the scope that it is evaluated in.
        anchor: the top-level statement that it would stand above.
    """
    return is_movable(model, node, anchor) or _is_repeatable(model, node, body, anchor)


def makes_container(model: Model, node: ast.expr) -> bool:
    """Whether an expression makes a list, dict or set, or something that holds one."""
    for inner in ast.walk(node):
        if isinstance(inner, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)):
            return not _is_inside_call(model, inner, node)
        if isinstance(inner, ast.Call) and model.dotted_name(inner.func) in MUTABLE_MAKERS:
            return True
    return False


def _is_inside_call(model: Model, inner: ast.AST, outer: ast.AST) -> bool:
    """Whether a container is an argument of a call that takes over what it holds."""
    while inner is not outer:
        inner = model.parents[inner]
        if isinstance(inner, ast.Call) and model.dotted_name(inner.func) not in MUTABLE_MAKERS:
            return True
    return False


def _is_repeatable(model: Model, node: ast.AST, body: Scope, anchor: ast.stmt) -> bool:
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        return not isinstance(node.ctx, ast.Load) or _is_fixed(model, node, body, anchor)
    if isinstance(node, ast.Attribute):
        return is_movable(model, node, anchor) or _is_member(model, node, anchor)
    if isinstance(node, ast.Lambda):
        return all(is_repeatable(model, default, body, anchor) for _, default in defaults(node.args))
    if isinstance(node, ast.Call):
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        return _calls_pure(model, node, anchor) and all(is_repeatable(model, part, body, anchor) for part in arguments)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv)) and may_raise(node):
        return False
    if isinstance(node, _STRUCTURE):
        return all(_is_repeatable(model, child, body, anchor) for child in ast.iter_child_nodes(node))
    return False


def _is_member(model: Model, node: ast.Attribute, anchor: ast.stmt) -> bool:
    """Whether an attribute is a method of a builtin class, or a member of an Enum class of the module."""
    if isinstance(node.value, ast.Name) and isinstance(getattr(builtins, node.value.id, None), type):
        return model.is_builtin(node.value.id, model.scopes.around[node.value])
    definition = class_of(model, node.value)
    return definition is not None and is_enum(model, definition) and is_movable(model, node.value, anchor)


def _calls_pure(model: Model, node: ast.Call, anchor: ast.stmt) -> bool:
    return model.dotted_name(node.func) in PURE_CALLS and is_movable(model, node.func, anchor)


def _is_fixed(model: Model, node: ast.Name, body: Scope, anchor: ast.stmt) -> bool:
    """Whether a name that is part of an expression stands for something that never changes."""
    owner = model.scopes.around[node].resolve(node.id)
    if owner.kind is ScopeKind.COMPREHENSION:
        return True
    if owner is body and owner.kind is ScopeKind.CLASS:
        return model.control_flow(body).is_definitely_bound(node.id, node)
    if not is_movable(model, node, anchor):
        return False
    return all(_is_unchanging(model, binding) for _, binding in owner.all_bindings(node.id))


def _is_unchanging(model: Model, binding: ast.AST) -> bool:
    if isinstance(binding, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return True
    parent = model.parents.get(binding)
    return isinstance(parent, (ast.Assign, ast.AnnAssign)) and isinstance(parent.value, ast.Constant)

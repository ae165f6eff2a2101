"""Code that looks at the name, the documentation or the signature of what a decorator returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.functions.decorators import Decorated, Decorators, Wrapper
from codemods.analysis.inspection import is_class_expression
from codemods.analysis.model import Model, is_method
from codemods.analysis.scopes import Function, Scope, ScopeKind
from codemods.analysis.syntax import parameters

COPIED_ATTRIBUTES = frozenset(
    {
        "__annotations__",
        "__dict__",
        "__doc__",
        "__module__",
        "__name__",
        "__qualname__",
        "__type_params__",
        "__wrapped__",
    }
)
"""What ``functools.wraps`` changes."""
OBSERVERS = frozenset(
    {
        "get_annotations",
        "get_type_hints",
        "getargspec",
        "getdoc",
        "getfile",
        "getfullargspec",
        "getmembers",
        "getmodule",
        "getsource",
        "getsourcefile",
        "getsourcelines",
        "help",
        "signature",
        "unwrap",
        "vars",
    }
)
"""Functions that answer differently once a wrapper has been changed so."""


def looks_at_wrappers(model: Model, decorators: Decorators, wrapper: Wrapper) -> bool:
    """Whether the file may notice that a wrapper takes over the name and attributes of the function it wraps."""
    if any(_brings_attributes(model, decorators, item, wrapper) for item in wrapper.decorated):
        return True
    return any(not _cannot_be_wrapper(model, decorators, node) for node in _observed(model))


def changes_signature(wrapper: Wrapper) -> bool:
    """Whether a caller that goes by signatures would see parameters that the wrapper fills in itself.

    A framework may look from elsewhere; test runners do, and hand over what a test asks for.
    """
    arguments = wrapper.node.args
    takes_anything = arguments.vararg is not None or arguments.kwarg is not None
    return any(
        item.function.name.startswith("test")
        or not (takes_anything or _parameter_names(item.function.args) == _parameter_names(arguments))
        for item in wrapper.decorated
    )


def _parameter_names(arguments: ast.arguments) -> list[str]:
    return [parameter.arg for parameter in parameters(arguments)]


def _observed(model: Model) -> Iterator[ast.expr | None]:
    """The expressions whose name, documentation or signature is looked at; None where that is not plain to see."""
    for node in model.nodes.get(ast.Attribute, ()):
        assert isinstance(node, ast.Attribute)
        if node.attr in COPIED_ATTRIBUTES and isinstance(node.ctx, ast.Load):
            yield node.value
        elif node.attr in OBSERVERS:
            yield _first_argument(model, node)
    for node in model.nodes.get(ast.Name, ()):
        assert isinstance(node, ast.Name)
        if node.id in OBSERVERS and isinstance(node.ctx, ast.Load):
            yield _first_argument(model, node)
    for node in model.nodes.get(ast.Constant, ()):
        assert isinstance(node, ast.Constant)
        call = model.parents[node]
        if isinstance(node.value, str) and node.value in COPIED_ATTRIBUTES and isinstance(call, ast.Call):
            yield call.args[0] if len(call.args) > 1 and call.args[1] is node else None


def _first_argument(model: Model, function: ast.expr) -> ast.expr | None:
    call = model.parents[function]
    return call.args[0] if isinstance(call, ast.Call) and call.func is function and call.args else None


def _cannot_be_wrapper(model: Model, decorators: Decorators, node: ast.expr | None) -> bool:
    if node is not None and is_class_expression(node):
        return True
    if not isinstance(node, ast.Name):
        return False
    scope = model.scopes.around[node]
    owner = scope.resolve(node.id)
    bindings = [binding for _, binding in owner.all_bindings(node.id)]
    if len(bindings) != 1:
        return False
    binding = bindings[0]
    if isinstance(binding, (ast.ClassDef, ast.Import, ast.ImportFrom)):
        return not getattr(binding, "decorator_list", [])
    if isinstance(binding, ast.FunctionDef | ast.AsyncFunctionDef):
        return not binding.decorator_list and binding not in decorators.parts
    return _is_instance(owner, node.id) or _is_original(model, decorators, owner, node.id)


def _is_instance(owner: Scope, name: str) -> bool:
    """Whether a name is the first parameter of a method."""
    if not is_method(owner) or not isinstance(owner.node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    arguments = owner.node.args
    return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)][:1] == [name]


def _is_original(model: Model, decorators: Decorators, owner: Scope, name: str) -> bool:
    """Whether a name is the parameter of a decorator that only ever gets functions as they were defined."""
    maker = owner.node
    if not isinstance(maker, ast.FunctionDef | ast.AsyncFunctionDef) or decorators.parameter(maker) != name:
        return False
    applied = [
        (position, layer)
        for item in decorators.decorated
        for position, layer in enumerate(item.layers)
        if layer.maker is maker
    ]
    if not applied or any(position for position, _ in applied):
        return False
    return _is_only_applied(model, maker, [layer.expression for _, layer in applied])


def _is_only_applied(model: Model, maker: Function, expressions: list[ast.expr]) -> bool:
    """Whether a decorator, or the function around it that makes it, is used for decorating alone."""
    outer = model.scopes.around[maker].function
    named = outer.node if outer.kind is ScopeKind.FUNCTION else maker
    assert isinstance(named, ast.FunctionDef | ast.AsyncFunctionDef)
    names = [expression.func if isinstance(expression, ast.Call) else expression for expression in expressions]
    inside = set(ast.walk(named))
    uses = [use for use in model.scopes.around[named].uses(named.name) if use not in inside]
    return all(use in names for use in uses)


def _brings_attributes(model: Model, decorators: Decorators, item: Decorated, wrapper: Wrapper) -> bool:
    """Whether a function may have attributes or doctests when it is decorated, which its wrapper would take over."""
    if ">>> " in (ast.get_docstring(item.function) or ""):
        return True
    for layer in item.layers:
        if layer.maker is wrapper.maker:
            return False
        if layer.maker is None or any(
            isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) for node in ast.walk(layer.maker)
        ):
            return True
    return False

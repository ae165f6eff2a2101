"""What the program would notice: identity, attributes, type and binding of the function that is replaced."""

from __future__ import annotations

import ast

from codemods.analysis import inspection
from codemods.analysis.functions.captures import Origin
from codemods.analysis.functions.hoists import Form
from codemods.analysis.model import Model, is_method
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import COMPREHENSIONS, FUNCTIONS, ScopeKind
from codemods.catalog.entries import Kind
from codemods.finding import Level

PARTIAL_ATTRIBUTES = frozenset({"func", "args", "keywords"})
NAME_ATTRIBUTES = frozenset({"__name__", "__qualname__"})
FUNCTION_ONLY_ATTRIBUTES = inspection.FUNCTION_ATTRIBUTES | {
    "__annotations__",
    "__get__",
    "__module__",
    "__name__",
    "__qualname__",
    "__type_params__",
    "__wrapped__",
}
_INSTANCES = frozenset({"self", "_self", "self_", "this", "instance", "inst", "cls", "klass"})
"""What the first parameter of a method is called."""
_CHANGEABLE_ATTRIBUTES = frozenset({"__annotations__", "__kwdefaults__"})
"""Dictionaries that belong to one function, and that could be changed once they have been read."""


def must_be_fresh(model: Model, origin: Origin) -> bool:
    """Whether each evaluation has to give an object of its own."""
    if _is_evaluated_once(model, origin):
        return False
    return has_attributes(model, origin) or model.flow.compared_by_identity(origin)


def has_attributes(model: Model, origin: Origin) -> bool:
    """Whether somebody may have set attributes on a function."""
    flow = model.flow
    attributes = flow.attributes_kept(origin)
    special = {name for name in attributes if name.startswith("__") and name.endswith("__")}
    own = attributes - (special - _CHANGEABLE_ATTRIBUTES)
    return bool(own) or flow.is_changed(origin)


def check_observed(model: Model, origin: Origin, form: Form) -> None:
    """Refuse where an attribute of the function is read that what stands for it lacks, or has otherwise.

    Raises:
        Refused: naming the attribute.
    """
    attributes = model.flow.attributes_read(origin)
    observed = NAME_ATTRIBUTES if form is Form.FUNCTION else FUNCTION_ONLY_ATTRIBUTES | PARTIAL_ATTRIBUTES
    if form in (Form.OBJECT, Form.METHOD):
        observed = FUNCTION_ONLY_ATTRIBUTES | set(model.scopes.of_node[origin].captures()) - {name_of(origin)}
    if form is Form.PARTIAL or (form is Form.OBJECT and _has_docstring(origin)):
        observed = observed | {"__doc__"}
    for name in sorted(attributes & observed):
        raise Refused("name-observed", name=name)


def check_worth(model: Model, origin: Origin) -> None:
    """Refuse a partial that binds nothing, only to be a new object each time, where no pickle may ever see it."""
    if model.flow.reach(origin).level is Level.LOCAL:
        raise Refused("told-apart")


def check_form(model: Model, origin: Origin, form: Form) -> None:
    """Refuse where an API that the function is handed to does not take what would stand for it."""
    forms = model.flow.forms(origin)
    if Kind.SOURCE_ONLY in forms:
        raise Refused("source-read")
    needs_function = Kind.FUNCTION_ONLY in forms and form is not Form.FUNCTION
    if needs_function or (Kind.NO_CALLABLE_CLASS in forms and form in (Form.OBJECT, Form.METHOD)):
        raise Refused("function-needed")


def check_place(model: Model, origin: Origin, form: Form) -> None:
    """A partial or an object does not bind ``self`` where it ends up in a class, and a method shows its name."""
    if name_of(origin).startswith("__") and name_of(origin).endswith("__"):
        raise Refused("method-binding")
    if form is Form.FUNCTION:
        return
    if model.scopes.around[origin].kind is ScopeKind.CLASS:
        raise Refused("class-attribute")
    if _looks_like_a_method(origin) or model.flow.becomes_method(origin):
        raise Refused("method-binding")
    # In the next pass, with bound values in front, a decorator or the like would not be seen to be one.
    for inner in model.scopes.of_node[origin].descendants():
        if model.flow.wraps_functions(inner.node):
            raise Refused("may-wrap-method")
        if not is_method(inner) and model.flow.becomes_method(inner.node):
            raise Refused("method-binding")


def _is_evaluated_once(model: Model, origin: Origin) -> bool:
    """Whether a function is made as the module is run, outside of all loops and of the bodies of functions."""
    node: ast.AST = origin
    for outer in model.ancestors(origin):
        if isinstance(outer, (*COMPREHENSIONS, ast.For, ast.AsyncFor, ast.While)):
            return False
        if isinstance(outer, FUNCTIONS) and isinstance(node, ast.stmt):
            return False
        if isinstance(outer, ast.Lambda) and node is outer.body:
            return False
        node = outer
    return True


def _looks_like_a_method(origin: Origin) -> bool:
    positional = [*origin.args.posonlyargs, *origin.args.args]
    return bool(positional) and positional[0].arg in _INSTANCES


def _has_docstring(origin: Origin) -> bool:
    return isinstance(origin, FUNCTIONS) and ast.get_docstring(origin) is not None


def name_of(origin: Origin) -> str:
    """The name of a function, empty for a lambda."""
    return "" if isinstance(origin, ast.Lambda) else origin.name

"""The class around a method, as functions inside the method use it: written out, they can leave the class.

The compiler gives ``__class__`` and ``super()`` without arguments their meaning inside a class only. Where a name of
the module leads to the class whenever the function may run, ``super(Shop, self)`` and ``Shop`` mean the same.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codemods.analysis.guards.main_guard import guard_of
from codemods.analysis.model import Model
from codemods.analysis.module_object import may_set_any_global
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS, Scope, ScopeKind

CLASS_CELL = "__class__"
_REPLACING = frozenset({"pydantic.dataclasses.dataclass"})
"""Decorators that the catalog calls movable, and that may put another class in place of the one they are given."""

_EARLY_CALLS = frozenset({"__init_subclass__", "__set_name__"})
"""Methods that may use a class before its name is bound."""


@dataclass(frozen=True)
class Replacement:
    """A place inside a function whose text changes when the function leaves its class.

    Args:
        node: what is replaced.
        text: what stands there afterwards.
    """

    node: ast.expr
    text: str


def replacements(model: Model, scope: Scope) -> tuple[Replacement, ...]:
    """What has to change in a function for it to do without the class that it captures.

    Args:
        model: the file.
        scope: the scope that the function opens.

    Raises:
        Refused: if the class has no name of its own at the top level, or a use of it cannot be written out.
    """
    owner = scope.resolve(CLASS_CELL)
    name = _dotted_name(model, owner)
    if name is None:
        raise Refused("class-cell", name=owner.name)
    found: list[Replacement] = []
    for inner in scope.descendants():
        if inner.resolve(CLASS_CELL) is not owner:
            continue
        if CLASS_CELL in inner.bindings or CLASS_CELL in inner.nonlocal_names:
            raise Refused("class-cell", name=owner.name)
        for node in inner.references.get(CLASS_CELL, ()):
            replacement = _replacement(model, inner, node, name)
            if replacement is None:
                continue
            if inner.resolve(name.partition(".")[0]) is not model.scopes.module or model.is_shown(node):
                raise Refused("class-cell", name=owner.name)
            found.append(replacement)
    return tuple(found)


def _dotted_name(model: Model, owner: Scope) -> str | None:
    """The name that leads to a class, from the module, once the outermost class around it is complete."""
    names: list[str] = []
    scope = owner
    while scope.kind is ScopeKind.CLASS:
        assert isinstance(scope.node, ast.ClassDef) and scope.parent is not None
        if not _is_all_that_its_name_means(model, scope.node, scope.parent):
            return None
        names.append(scope.node.name)
        scope = scope.parent
        if scope.kind is ScopeKind.CLASS and not _is_idle_after(scope.node, names[-1]):
            return None
    if scope is not model.scopes.module or guard_of(model, owner.node) is not None or may_set_any_global(model):
        return None
    return ".".join(reversed(names))


def _is_all_that_its_name_means(model: Model, node: ast.ClassDef, around: Scope) -> bool:
    """Whether the name of a class leads to this class, and to nothing else at any time."""
    if _EARLY_CALLS & model.identifiers or node.name.startswith("__"):
        return False
    if len(list(around.all_bindings(node.name))) != 1 or not around.binds(node.name):
        return False
    if around.kind is ScopeKind.CLASS and _is_set_as_attribute(model, node.name):
        return False
    for keyword in node.keywords:
        metaclass = model.dotted_name(keyword.value) if keyword.arg == "metaclass" else None
        if keyword.arg is None or (keyword.arg == "metaclass" and not model.catalog.moves_safely(metaclass or "")):
            return False
    return all(_gives_back_class(model, decorator) for decorator in node.decorator_list)


def _is_set_as_attribute(model: Model, name: str) -> bool:
    attributes = (node for node in model.nodes.get(ast.Attribute, ()) if isinstance(node, ast.Attribute))
    return any(node.attr == name and not isinstance(node.ctx, ast.Load) for node in attributes)


def _gives_back_class(model: Model, decorator: ast.expr) -> bool:
    """Whether a decorator returns the very class that it is given, as far as ``super()`` can tell."""
    name = model.dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
    if name is None or name in _REPLACING or not model.catalog.moves_safely(name):
        return False
    return not isinstance(decorator, ast.Call) or all(
        keyword.arg not in (None, "slots") for keyword in decorator.keywords
    )


def _is_idle_after(around: ast.AST, name: str) -> bool:
    """Whether nothing runs between an inner class and the end of the class around it, whose name is not there yet."""
    assert isinstance(around, ast.ClassDef)
    names = [getattr(statement, "name", None) for statement in around.body]
    return name in names and not any(_may_run_code(statement) for statement in around.body[names.index(name) + 1 :])


def _may_run_code(statement: ast.stmt) -> bool:
    if isinstance(statement, FUNCTIONS):
        return bool(statement.decorator_list) or any(isinstance(node, ast.Call) for node in ast.walk(statement.args))
    return any(isinstance(node, (ast.Call, ast.ClassDef)) for node in ast.walk(statement))


def _replacement(model: Model, inner: Scope, node: ast.Name, name: str) -> Replacement | None:
    """What stands in place of a use of the class; None where the use does not need the class.

    Raises:
        Refused: if the use cannot be written out.
    """
    if node.id == CLASS_CELL:
        return Replacement(node, name)
    call = model.parents[node]
    if not (isinstance(call, ast.Call) and call.func is node) or not model.is_builtin(node.id, inner):
        raise Refused("class-cell", name=name)
    if call.args or call.keywords:
        return None
    first = _first_parameter(inner)
    if first is None or "".join(model.source.segment(call).split()) != "super()":
        raise Refused("class-cell", name=name)
    return Replacement(call, f"super({name}, {first})")


def _first_parameter(scope: Scope) -> str | None:
    """The parameter that ``super()`` takes the object from, if it always has a value."""
    if not isinstance(scope.node, (*FUNCTIONS, ast.Lambda)) or scope.kind is ScopeKind.ANNOTATION:
        return None
    arguments = scope.node.args
    first = next(iter([*arguments.posonlyargs, *arguments.args]), None)
    if first is None:
        return None
    for bound, nodes in scope.bindings.items():
        if first in nodes:
            bindings = [node for _, node in scope.all_bindings(bound)]
            is_kept = all(node is first or _is_store(node) for node in bindings)
            return first.arg if is_kept else None
    return None


def _is_store(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)

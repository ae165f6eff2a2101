"""Variables that a nested function rebinds: are they its own state, so that an object can hold them?"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis import inspection
from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import Function, Scope, ScopeKind, mangle
from codemods.analysis.syntax import children, is_generator


def needs_object(model: Model, origin: ast.AST, is_fresh: bool) -> bool:
    """Whether a function has state of its own, or hands itself out, so that only an object can stand for it.

    Args:
        model: the file.
        origin: the function.
        is_fresh: whether each evaluation has to give an object of its own, captures or not.
    """
    if not isinstance(origin, ast.FunctionDef):
        return False
    scope = model.scopes.of_node[origin]
    captures = scope.captures()
    if rebound_captures(scope):
        return True
    if captures.get(origin.name) is not model.scopes.around[origin]:
        return False
    uses = [model.parents[node] for node in _own_references(model, origin, scope)]
    if any(isinstance(use, ast.Attribute) for use in uses):
        return True
    has_values = is_fresh or len(captures) > 1
    return has_values and any(not is_call_of(use, origin.name) for use in uses)


def is_call_of(node: ast.AST, name: str) -> bool:
    """Whether a node is a call of a name, nothing more."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def rebound_captures(scope: Scope) -> list[str]:
    """The captured names that a function, or a function inside it, rebinds."""
    rebound = {name for inner in scope.descendants() for name in inner.nonlocal_names}
    return [name for name in scope.captures() if name in rebound]


def _own_references(model: Model, origin: ast.FunctionDef, scope: Scope) -> list[ast.Name]:
    owner = model.scopes.around[origin]
    return [
        node
        for inner in scope.descendants()
        if inner.resolve(origin.name) is owner
        for node in inner.references.get(origin.name, ())
    ]


def check_object(model: Model, origin: ast.FunctionDef) -> None:
    """Refuse a function with state of its own that an object with ``__call__`` cannot stand for.

    Args:
        model: the file.
        origin: the function.

    Raises:
        Refused: if its kind or the variables that it rebinds speak against it.
    """
    scope = model.scopes.of_node[origin]
    rebound = rebound_captures(scope)
    if is_generator(origin):
        raise Refused("rebinds-captured-variable", name=rebound[0] if rebound else origin.name)
    if inspection.copies_objects(model, origin):
        raise Refused("deep-copied-state", name=origin.name)
    for name in scope.captures():
        if name.startswith("__") and name.endswith("__"):
            raise Refused("unsupported-syntax", name=name)
    check_private_names(model, origin)
    owner = model.scopes.around[origin]
    if origin.name in scope.captures() and model.control_flow(owner).may_be_rebound_after_binding(origin.name, origin):
        raise Refused("rebound-after-capture", name=origin.name)
    for name in rebound:
        _check_cell(model, origin, scope, name)
    for name in scope.captures():
        check_references(model, scope, name)


def _check_cell(model: Model, origin: ast.FunctionDef, scope: Scope, name: str) -> None:
    """Refuse a variable that anything but this one function uses once it exists."""
    owner = scope.captures()[name]
    if owner is not model.scopes.around[origin] or owner.kind is not ScopeKind.FUNCTION:
        raise Refused("shared-cell", name=name)
    inside = set(scope.descendants())
    flow = model.control_flow(owner)
    for other in owner.descendants():
        if other in inside or name not in {*other.references, *other.bindings} or other.resolve(name) is not owner:
            continue
        if other.function is not owner:
            raise Refused("shared-cell", name=name)
        for node in other.references.get(name, ()):
            if flow.may_be_followed_by(origin, node):
                raise Refused("shared-cell", name=name)
    if flow.may_be_rebound_after(name, origin) or flow.may_be_followed_by(origin, origin):
        raise Refused("shared-cell", name=name)
    if not flow.is_definitely_bound(name, origin):
        raise Refused("maybe-unbound", name=name)


def check_private_names(model: Model, origin: Function) -> None:
    """Refuse a function with names that the class which it moves into would mangle, and no class around it did.

    Raises:
        Refused: naming one of them.
    """
    if model.scopes.of_node[origin].private_class is None:
        for name in _names_outside_classes(origin):
            if mangle(name, "C") != name:
                raise Refused("unsupported-syntax", name=name)


def _names_outside_classes(origin: Function) -> Iterator[str]:
    """The names in a function, apart from those that a class inside it mangles already, and from keywords of calls."""
    pending: list[ast.AST] = [origin]
    while pending:
        node = pending.pop()
        values = [getattr(node, field, None) for field in ("id", "attr", "name", "asname", "rest")]
        if not isinstance(node, ast.keyword):
            values.append(getattr(node, "arg", None))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            values.extend(node.names)
        yield from (value for value in values if isinstance(value, str))
        if isinstance(node, ast.ClassDef):
            pending += [*node.decorator_list, *node.bases, *node.keywords]
        else:
            pending += children(node)


def check_references(model: Model, scope: Scope, name: str) -> None:
    """Refuse uses of a captured variable that an attribute cannot take.

    Args:
        model: the file.
        scope: the scope that the function opens.
        name: the variable.

    Raises:
        Refused: if there is one.
    """
    owner = scope.resolve(name)
    for inner in scope.descendants():
        if inner.resolve(name) is not owner:
            if name in inner.nonlocal_names:
                raise Refused("unsupported-syntax", name=f"nonlocal {name}")
            continue
        for node in inner.bindings.get(name, ()):
            is_plain = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            if not is_plain or isinstance(model.parents[node], ast.NamedExpr):
                raise Refused("rebinds-captured-variable", name=name)
        for node in (*inner.references.get(name, ()), *inner.bindings.get(name, ())):
            if model.is_shown(node):
                raise Refused("name-shown", name=name)

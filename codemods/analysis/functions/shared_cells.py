"""Variables that several nested functions share, or that a generator or coroutine rebinds: one object can hold them.

The functions become methods of a class at the top level, and the variables attributes of its one instance, which is
made where the first of the functions was defined.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from codemods.analysis.functions.captures import (
    Import,
    Origin,
    Sibling,
    block_of,
    captured_from_guard,
    check_picklable,
    creation_point,
    judge,
)
from codemods.analysis.functions.cells import check_private_names, check_references, is_call_of
from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS, Function, Scope, ScopeKind


@dataclass
class Member:
    """A function that becomes a method.

    Args:
        function: the function.
        captures: the variables in it that become attributes.
        imports: import statements that are repeated inside it.
        calls: the names in it that mean a function which becomes a method too.
        held: other nested functions that the variables may hold, which have to become picklable too.
    """

    function: Function
    captures: list[str] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    calls: list[tuple[ast.Name, Function]] = field(default_factory=list)
    held: list[Origin] = field(default_factory=list)


def members_with(model: Model, origin: Origin) -> list[Member]:
    """The functions that have to become methods together with a function, in the order of the text.

    Args:
        model: the file.
        origin: the function.

    Raises:
        Refused: if they cannot.
    """
    functions, cells = _connected(model, origin)
    _check_places(model, functions)
    for name in cells:
        _check_cell(model, functions[0], name)
    return [_judged(model, function, functions, cells) for function in functions]


def _connected(model: Model, origin: Origin) -> tuple[list[Function], list[str]]:
    """The functions that share variables or call each other, directly or through others, and the variables."""
    owner = model.scopes.around[origin]
    found: list[ast.AST] = [origin]
    cells: list[str] = []
    for function in found:
        for name, binder in model.scopes.of_node[function].captures().items():
            called = _function_named(binder, name)
            if binder is owner and called is not None and called not in found and _leads_to(model, called, found):
                found.append(called)
            is_cell = any(inner.function is not binder for inner, _ in binder.all_bindings(name))
            if not is_cell or name in cells:
                continue
            if binder is not owner:
                raise Refused("shared-cell", name=name)
            cells.append(name)
            users = (
                creation_point(model, scope, owner) for scope in _users(owner, name) if scope.function is not owner
            )
            found.extend(user for user in dict.fromkeys(users) if user not in found)
    functions = [node for node in found if isinstance(node, FUNCTIONS)]
    if not cells or len(functions) < len(found):
        raise Refused("shared-cell", name=getattr(origin, "name", "lambda"))
    return sorted(functions, key=lambda function: function.lineno), cells


def _function_named(owner: Scope, name: str) -> Function | None:
    """The function that is all that a variable ever holds."""
    nodes = [node for _, node in owner.all_bindings(name)]
    return nodes[0] if len(nodes) == 1 and isinstance(nodes[0], FUNCTIONS) else None


def _leads_to(model: Model, function: Function, goals: Collection[ast.AST]) -> bool:
    """Whether a function refers to one of others, directly or through functions of the same scope."""
    owner = model.scopes.around[function]
    seen: set[ast.AST] = set()
    pending = [function]
    while pending:
        current = pending.pop()
        if current in goals:
            return True
        if current not in seen:
            seen.add(current)
            captures = model.scopes.of_node[current].captures()
            named = (_function_named(owner, name) for name, binder in captures.items() if binder is owner)
            pending.extend(other for other in named if other is not None)
    return False


def _users(owner: Scope, name: str) -> Iterator[Scope]:
    """The scopes that use a variable of a scope, this one included."""
    for scope in owner.descendants():
        used = name in scope.references or name in scope.bindings or name in scope.nonlocal_names
        if used and scope.resolve(name) is owner:
            yield scope


def _check_places(model: Model, functions: list[Function]) -> None:
    """Refuse functions that are not defined once, one after the other, each under a name of its own."""
    first, names = functions[0], [function.name for function in functions]
    owner, block = model.scopes.around[first], block_of(model, first)
    if owner.kind is not ScopeKind.FUNCTION or model.control_flow(owner).may_be_followed_by(first, first):
        raise Refused("shared-cell", name=first.name)
    for function in functions:
        is_beside = any(statement is function for statement in block) and owner.binds(function.name)
        if not is_beside or function.decorator_list or names.count(function.name) > 1:
            raise Refused("shared-cell", name=function.name)
        _check_name(function.name)
        check_private_names(model, function)


def _check_name(name: str) -> None:
    if name.startswith("__"):
        raise Refused("unsupported-syntax", name=name)


def _check_cell(model: Model, first: Function, name: str) -> None:
    """Refuse a variable that the function around uses when the functions that share it exist."""
    owner = model.scopes.around[first]
    flow = model.control_flow(owner)
    own = [scope for scope in _users(owner, name) if scope.function is owner]
    if any(flow.may_be_followed_by(first, node) for scope in own for node in scope.references.get(name, ())):
        raise Refused("shared-cell", name=name)
    if flow.may_be_rebound_after(name, first):
        raise Refused("shared-cell", name=name)
    if not flow.is_definitely_bound(name, first):
        raise Refused("maybe-unbound", name=name)
    check_picklable(model, name, owner.bindings.get(name, []))


def _judged(model: Model, function: Function, functions: list[Function], cells: list[str]) -> Member:
    """A function with what it captures: apart from the shared variables, as it is when the first one is defined."""
    scope, first = model.scopes.of_node[function], model.scopes.of_node[functions[0]]
    owner, names = model.scopes.around[function], [other.name for other in functions]
    member = Member(function)
    guarded = dict.fromkeys(captured_from_guard(model, scope), model.scopes.module)
    for name, binder in {**scope.captures(), **guarded}.items():
        _check_name(name)
        if name in names and binder is owner:
            _check_undeclared(scope, name)
            if not isinstance(judge(model, scope, name, binder), Sibling):
                raise Refused("rebound-after-capture", name=name)
            member.calls.extend((node, functions[names.index(name)]) for node in _calls(model, scope, name))
            continue
        if name not in cells:
            capture = judge(model, first, name, binder)
            if isinstance(capture, Import):
                _check_undeclared(scope, name)
                member.imports.append(capture.statement)
                continue
            if isinstance(capture, Sibling) and not capture.is_bound:
                raise Refused("maybe-unbound", name=name)
            member.held.extend([capture.function] if isinstance(capture, Sibling) else capture.functions)
        check_references(model, scope, name)
        member.captures.append(name)
    if not set(names).isdisjoint(member.captures):
        raise Refused("shared-cell", name=function.name)
    return member


def _check_undeclared(scope: Scope, name: str) -> None:
    """Refuse a ``nonlocal`` statement that would name a variable which is none of the functions' any more."""
    if any(name in inner.nonlocal_names for inner in scope.descendants()):
        raise Refused("rebinds-captured-variable", name=name)


def _calls(model: Model, scope: Scope, name: str) -> Iterator[ast.Name]:
    """The uses of a function that becomes a method in another one, or itself.

    Raises:
        Refused: if one is not a call: two bound methods of one object are not the same object.
    """
    owner = scope.resolve(name)
    for inner in scope.descendants():
        if inner.resolve(name) is not owner:
            continue
        for node in inner.references.get(name, ()):
            if not is_call_of(model.parents[node], node.id):
                raise Refused("function-handed-on", name=name)
            if model.is_shown(node):
                raise Refused("name-shown", name=name)
            yield node

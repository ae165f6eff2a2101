"""Instances that are pickled as a call of their class."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import Function
from codemods.analysis.state.attributes import Store, is_named, self_name
from codemods.analysis.state.classes import STATE_METHODS, Class, is_plain_base
from codemods.analysis.state.family import Family
from codemods.analysis.state.handled import keeps_state_elsewhere
from codemods.analysis.state.holders import Candidate
from codemods.analysis.state.initialisers import PURE_CALLS
from codemods.analysis.state.resources import Resources
from codemods.analysis.state.shapes import check_shape
from codemods.catalog.entries import Restore

_MADE_AGAIN = frozenset({Restore.REBUILD, Restore.BY_NAME})
_CALLS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda)


@dataclass(frozen=True)
class Reduction:
    """A ``__reduce__`` that names the class and the arguments that made the instance.

    Args:
        instance: what the method calls the instance.
        positional: the attributes that hold the positional arguments, as they are written in the class.
        keywords: the keyword-only parameters, with the attributes that hold them.
        is_annotated: whether the class's methods have annotations.
    """

    instance: str
    positional: tuple[str, ...]
    keywords: tuple[tuple[str, str], ...]
    is_annotated: bool


def reduction(family: Family, resources: Resources, candidates: Sequence[Candidate]) -> Reduction:
    """The arguments with which the class makes an instance that is the same.

    Args:
        family: the class.
        resources: recognises what may be made again.
        candidates: the attributes that hold what pickle refuses.

    Raises:
        Refused: unless the constructor does nothing but store its arguments, and what follows from them, in
            attributes that never change.
    """
    head = family.head
    constructor = head.methods.get("__init__")
    _check_class(family)
    if constructor is None or constructor.decorator_list or head.decorator is not None:
        raise Refused("constructor-insufficient", name=head.name)
    instance = self_name(constructor) or "self"
    refused = {candidate.key for candidate in candidates}
    _check_candidates(candidates)
    for statement in _effects(constructor, instance, family):
        raise Refused("constructor-insufficient", name=ast.unparse(statement).partition("\n")[0])
    for store in (store for member in family.members for store in family.attributes.of(member)):
        is_once = store.method is constructor and not store.deletes
        if not is_once or (store.attribute not in refused and not family.is_stable(store.attribute)):
            raise Refused("constructor-insufficient", name=f"self.{family.written(store.attribute)}")
        _check_value(family, resources, store)
    arguments = constructor.args
    if arguments.vararg is not None or arguments.kwarg is not None:
        raise Refused("constructor-insufficient", name=f"{head.name}.__init__")
    return Reduction(
        instance,
        tuple(_kept(family, constructor, name) for name in _names(arguments.posonlyargs + arguments.args)[1:]),
        tuple((name, _kept(family, constructor, name)) for name in _names(arguments.kwonlyargs)),
        any(method.returns is not None for method in head.methods.values()),
    )


def _check_class(family: Family) -> None:
    """Refuse classes that are more than their attributes, or that others build on in a way of their own."""
    check_shape(family.classes, family)
    is_foreign = any(isinstance(base, str) and not is_plain_base(base) for base in family.order)
    if is_foreign or keeps_state_elsewhere(family) or any(member.slots is not None for member in family.members):
        raise Refused("constructor-insufficient", name=family.head.name)
    for member in family.members:
        for name in (*STATE_METHODS, "__copy__", "__deepcopy__"):
            if name in member.bound:
                raise Refused("own-state-methods", name=name)
    for heir in family.heirs:
        if heir is not family.head and "__init__" in heir.bound:
            raise Refused("subclass-constructor", name=heir.name)
    if any(isinstance(base, Class) and "__init__" in base.bound for base in family.order[1:]):
        raise Refused("constructor-insufficient", name=family.head.name)


def _check_candidates(candidates: Sequence[Candidate]) -> None:
    """Refuse what another call of the constructor would not make again, or would do harm to."""
    for candidate in candidates:
        made = candidate.made
        if made.passed or made.inside or candidate.store.inside or made.helper is not None:
            raise Refused("constructor-insufficient", name=f"self.{candidate.key}")
        if not made.by_name and made.resource.restore not in _MADE_AGAIN:
            note = made.resource.note or "use the state style getstate"
            raise Refused("not-made-again", name=made.resource.name, what=note)


def _effects(constructor: Function, instance: str, family: Family) -> Iterator[ast.stmt]:
    """The statements of a constructor that do more than set attributes."""
    for index, statement in enumerate(constructor.body):
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if all(_is_own(target, instance) for target in targets):
                continue
        is_docstring = index == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_docstring and not isinstance(statement, ast.Pass) and not _calls_object(statement):
            yield statement


def _is_own(target: ast.expr, instance: str) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(_is_own(element, instance) for element in target.elts)
    return isinstance(target, ast.Attribute) and is_named(target.value, instance)


def _calls_object(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and ast.unparse(statement.value) == "super().__init__()"


def _check_value(family: Family, resources: Resources, store: Store) -> None:
    """Refuse values that might be other ones at another call."""
    if store.value is None or store.in_closure:
        raise Refused("constructor-insufficient", name=f"self.{family.written(store.attribute)}")
    for node in ast.walk(store.value):
        is_known = isinstance(node, ast.Call) and (
            resources.constructor(node.func) is not None or family.model.dotted_name(node.func) in PURE_CALLS
        )
        if isinstance(node, _CALLS) and not is_known:
            raise Refused("initialiser-calls", name=ast.unparse(node))


def _names(parameters: Sequence[ast.arg]) -> list[str]:
    return [parameter.arg for parameter in parameters]


def _kept(family: Family, constructor: Function, parameter: str) -> str:
    """The attribute that holds an argument as it was passed."""
    bindings = list(family.model.scopes.of_node[constructor].all_bindings(parameter))
    for store in family.attributes.of(family.head):
        is_argument = store.method is constructor and store.value is not None and is_named(store.value, parameter)
        if is_argument and len(bindings) == 1 and family.is_stable(store.attribute):
            return family.written(store.attribute)
    raise Refused("initialiser-needs-local", name=parameter)

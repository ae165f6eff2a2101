"""Exceptions that hold what pickle refuses: they are loaded by calling their class, and have no ``__getstate__``."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass

from codemods.analysis.classes.exception_arguments import is_broken, recipe_of
from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.state.attributes import self_name
from codemods.analysis.state.classes import STATE_METHODS, Class
from codemods.analysis.state.family import Family
from codemods.analysis.state.holders import Candidate
from codemods.analysis.state.presence import is_always_set
from codemods.catalog.entries import Restore

_ODD = (OSError, UnicodeError, SyntaxError, ImportError)
"""Their ``__reduce__`` does more than to name the class and ``self.args``."""
_MADE_AGAIN = frozenset({Restore.REBUILD, Restore.BY_NAME})


@dataclass(frozen=True)
class ExceptionPlan:
    """A ``__reduce__`` that leaves attributes out, which the constructor makes again.

    Args:
        left_out: the attributes.
        instance: what the method calls the exception.
        arguments: an expression for the tuple of arguments.
        is_annotated: whether the class's methods have annotations.
    """

    left_out: tuple[str, ...]
    instance: str
    arguments: str
    is_annotated: bool


def is_exception(family: Family) -> bool:
    """Whether a class derives from a builtin exception."""
    kinds = (getattr(builtins, base, None) for base in family.order if isinstance(base, str))
    return any(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds)


def exception_plan(model: Model, family: Family, candidates: Sequence[Candidate]) -> ExceptionPlan:
    """How an exception is pickled without some attributes.

    Args:
        model: the file.
        family: the class.
        candidates: the attributes, which its constructor makes.

    Raises:
        Refused: if calling the class would not make them again, or would make something else.
    """
    head = family.head
    constructor = head.methods.get("__init__")
    kinds = [getattr(builtins, base, None) for base in family.order if isinstance(base, str)]
    is_plain = all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds)
    if constructor is None or not is_plain or any(issubclass(kind, _ODD) for kind in kinds if isinstance(kind, type)):
        raise Refused("base-keeps-state", name=head.name)
    for member in family.members:
        if member.bound & {*STATE_METHODS, "__new__", "__slots__"}:
            raise Refused("own-state-methods", name=member.name)
        if member is not head and "__init__" in member.bound:
            raise Refused("subclass-constructor", name=member.name)
    for candidate in candidates:
        made = candidate.made
        is_own = candidate.store.method is constructor and not made.passed and not made.inside
        if not is_own or not is_always_set(family, candidate.key) or len(family.stores(candidate.key)) != 1:
            raise Refused("varying-attribute", name=f"self.{family.written(candidate.key)}")
        if not made.by_name and made.resource.restore not in _MADE_AGAIN:
            note = made.resource.note or "make it where it is needed"
            raise Refused("not-made-again", name=made.resource.name, what=note)
    instance = self_name(constructor) or "self"
    return ExceptionPlan(
        tuple(candidate.key for candidate in candidates),
        instance,
        _arguments(model, head, instance),
        any(method.returns is not None for method in head.methods.values()),
    )


def _arguments(model: Model, found: Class, instance: str) -> str:
    if not is_broken(model, found.node):
        return f"{instance}.args"
    values = recipe_of(model, found.node)
    if instance != "self":
        raise Refused("constructor-arguments", name=ast.unparse(found.methods["__init__"].args))
    return f"({', '.join(values)}{',' if len(values) == 1 else ''})"

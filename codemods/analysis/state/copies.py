"""Deep copies that share what cannot be copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codemods.analysis.reasons import Refused
from codemods.analysis.state.attributes import self_name
from codemods.analysis.state.classes import STATE_METHODS, Class, is_torch_module
from codemods.analysis.state.family import Family
from codemods.analysis.state.handled import keeps_state_elsewhere
from codemods.analysis.state.holders import Candidate
from codemods.analysis.state.shapes import check_shape

_COPYING = ("__deepcopy__", "__reduce__", "__reduce_ex__", *STATE_METHODS)


@dataclass(frozen=True)
class Copying:
    """A ``__deepcopy__`` that shares attributes by reference.

    Args:
        shared: the attributes, as the instance's ``__dict__`` has them.
        instance: what the method calls the instance.
        is_annotated: whether the class's methods have annotations.
    """

    shared: tuple[str, ...]
    instance: str
    is_annotated: bool


def copying(family: Family, candidates: Sequence[Candidate]) -> Copying:
    """How instances of a class are deeply copied while some attributes are shared.

    Args:
        family: the class.
        candidates: the attributes that cannot be copied.

    Raises:
        Refused: if instances are more than their ``__dict__``, or are copied in a way of their own.
    """
    head = family.head
    check_shape(family.classes, family)
    for member in family.members:
        for name in _COPYING:
            if name in member.bound:
                raise Refused("own-state-methods", name=name)
        if member.slots is not None or member.has_odd_slots:
            raise Refused("copied-by-base", name=member.name)
    foreign = [base for base in family.order if not isinstance(base, Class) and not is_torch_module(base)]
    if keeps_state_elsewhere(family, foreign):
        raise Refused("copied-by-base", name=head.name)
    for candidate in candidates:
        if candidate.made.resource.deepcopies:
            raise Refused("copied-already")
        if candidate.made.inside or candidate.store.inside or not candidate.key.isidentifier():
            written = f"self.{family.written(candidate.key)}"
            raise Refused("inside-container", name=written, what=candidate.made.resource.name)
    constructor = head.methods.get("__init__")
    return Copying(
        tuple(candidate.key for candidate in candidates),
        (self_name(constructor) if constructor else None) or "self",
        any(method.returns is not None for method in head.methods.values()),
    )

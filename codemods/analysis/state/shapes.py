"""What kind of state methods a class can have, and the kinds of classes that can have none."""

from __future__ import annotations

import builtins
import enum

from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import Function
from codemods.analysis.state.classes import STATE_METHODS, Class, Classes, hands_on, is_plain_base, own_protocol
from codemods.analysis.state.family import Family
from codemods.analysis.state.holders import Holders


class Form(enum.Enum):
    """Where the state comes from."""

    DICTIONARY = "dictionary"
    COOPERATIVE = "cooperative"
    """From the next class in the order of lookup."""
    SLOTS = "slots"


def check_shape(classes: Classes, family: Family) -> None:
    """Refuse classes whose instances are not pickled through a state that methods could change."""
    head = family.head
    if classes.order(head) is None:
        raise Refused("base-keeps-state", name=head.name)
    for heir in family.heirs:
        for base in classes.order(heir) or []:
            if isinstance(base, str) and _keeps_own_state(base):
                raise Refused("base-keeps-state", name=base.rpartition(".")[2])
            if isinstance(base, Class) and base.has_generated_slots:
                raise Refused("slots-generated")
    for member in family.members:
        if "__new__" in member.bound and not any(_gives_arguments(base) for base in family.members):
            method = member.methods.get("__new__")
            if method is None or _needs_arguments(method):
                raise Refused("constructor-called", name=member.name)
    if any("__getattribute__" in member.bound for member in family.members):
        raise Refused("attribute-access", name="__getattribute__")
    if any(base in ("dict", "list") for base in family.order):
        for name in ("__setitem__", "append", "extend"):
            if any(name in member.bound for member in family.members):
                raise Refused("base-keeps-state", name=head.name)


def form_of(holders: Holders, family: Family) -> Form:
    if any(member.slots or member.has_odd_slots for member in family.members):
        return Form.SLOTS
    for heir in family.heirs:
        order = holders.classes.order(heir) or [heir]
        after = order[order.index(family.head) + 1 :] if family.head in order else []
        for base in after:
            if not isinstance(base, str):
                if heir is not family.head or holders.unhandled(base) or base.bound & set(STATE_METHODS):
                    return Form.COOPERATIVE
            elif not is_plain_base(base):
                return Form.COOPERATIVE
    return Form.DICTIONARY


def check_others(holders: Holders, family: Family, form: Form) -> None:
    """Refuse where the methods of another class would come first, and not hand on."""
    if form is Form.SLOTS:
        _check_slots(holders, family)
    for heir in family.heirs:
        if heir is not family.head and own_protocol(heir):
            continue
        order = holders.classes.order(heir) or [heir]
        position = order.index(family.head)
        for base in order[:position]:
            if isinstance(base, str):
                if not is_plain_base(base):
                    continue
                continue
            for name in STATE_METHODS:
                if name in base.bound and not hands_on(base, name):
                    raise Refused("state-without-super", name=f"{base.name}.{name}")
            if base is not heir and own_protocol(base):
                raise Refused("state-without-super", name=base.name)


def _check_slots(holders: Holders, family: Family) -> None:
    """Refuse slots that cannot be walked over by name."""
    for member in family.members:
        if member.has_odd_slots or any(
            name.startswith("__") and not name.endswith("__") for name in member.slots or ()
        ):
            raise Refused("slots-generated")
        if member.bound & set(STATE_METHODS):
            raise Refused("own-state-methods", name="__getstate__")
        if member is not family.head and holders.unhandled(member):
            raise Refused("slots-generated")
    for heir in family.heirs:
        for base in holders.classes.order(heir) or []:
            if isinstance(base, str) and not is_plain_base(base):
                raise Refused("slots-generated")


def _keeps_own_state(base: str) -> bool:
    """Whether instances of a class of the standard library are pickled in a way of their own."""
    if is_plain_base(base):
        return False
    name = base.removeprefix("builtins.")
    known = getattr(builtins, name, None)
    if isinstance(known, type):
        return True
    return base.partition(".")[0] in ("collections", "enum") or base in ("typing.NamedTuple", "threading.Thread")


def _gives_arguments(found: Class) -> bool:
    return bool(found.bound & {"__getnewargs__", "__getnewargs_ex__"})


def _needs_arguments(method: Function) -> bool:
    """Whether ``__new__`` cannot be called with the class alone, as pickle does."""
    arguments = method.args
    positional = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    return positional > 1 or any(default is None for default in arguments.kw_defaults)

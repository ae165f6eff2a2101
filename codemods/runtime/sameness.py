"""Whether an object that came back from another process is what was sent."""

from __future__ import annotations

import types
from typing import Any

from codemods.runtime.reduction import ATOMIC, Part, Protocol, Refused, is_array, type_name

_PROTOCOL = Protocol()


def difference(first: object, second: object, name: str = "obj") -> str | None:
    """Where two objects differ, as an expression and what it is on each side; None if they do not.

    Objects are compared by their own ``==`` where their class has one, else part by part, as pickle takes them apart.

    Args:
        first: the object.
        second: what came back.
        name: what the object is called.
    """
    seen: set[tuple[int, int]] = set()
    kept: list[tuple[object, object]] = []  # So that the ids stay theirs.
    pending: list[tuple[str, object, object]] = [(name, first, second)]
    while pending:
        path, one, other = pending.pop()
        if one is other or (id(one), id(other)) in seen:
            continue
        seen.add((id(one), id(other)))
        kept.append((one, other))
        if type(one) is not type(other):
            return f"{path} was a {type_name(type(one))} and comes back as a {type_name(type(other))}"
        verdict = _by_value(one, other)
        if verdict is False:
            return f"{path} comes back with another value"
        if verdict is None:
            parts, others = _parts(one), _parts(other)
            if [part.step for part in parts] != [part.step for part in others]:
                return f"{path} comes back with other attributes or items"
            steps = [(path + part.step, part.value, back.value) for part, back in zip(parts, others, strict=True)]
            pending.extend(reversed(steps))
    return None


def _by_value(one: Any, other: Any) -> bool | None:
    """Whether two objects of one type are equal; None if their parts have to tell."""
    if isinstance(one, (types.FunctionType, type)):
        return bool(one.__module__ == other.__module__ and one.__qualname__ == other.__qualname__)
    if type(one) in ATOMIC:
        return bool(one == other or one != one)
    if isinstance(one, (set, frozenset)):
        return len(one) == len(other)  # Their elements have no order to compare them in.
    if is_array(one):
        return _equal_arrays(one, other)
    if type(one) in (list, tuple, dict) or vars(object)["__eq__"] is getattr(type(one), "__eq__", None):
        return None
    try:
        return True if one == other else None
    except Exception:  # The person's own comparison: the parts tell as well.
        return None


def _equal_arrays(one: Any, other: Any) -> bool:
    if hasattr(one, "detach"):
        return bool(one.shape == other.shape and one.dtype == other.dtype and one.detach().equal(other.detach()))
    if hasattr(one, "dtype") and (one.dtype != other.dtype or one.shape != other.shape):
        return False
    return bool(one.tobytes() == other.tobytes())


def _parts(obj: Any) -> list[Part]:
    try:
        if type(obj) in (list, tuple):
            return [Part(f"[{index}]", value) for index, value in enumerate(obj)]
        if type(obj) is dict:
            return [Part(f"[{key!r}]" if type(key) in ATOMIC else "[…]", value) for key, value in obj.items()]
        return list(_PROTOCOL.parts(obj))
    except Refused:
        return []

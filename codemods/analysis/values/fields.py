"""How an object sits inside another one: a path of fields, from the outside."""

from __future__ import annotations

Path = tuple[str, ...]
"""Fields, the outermost first. A field is the name of an attribute or one of the following."""

ITEM = "[]"
"""What iteration gives."""
VALUE = "{}"
"""The values of a mapping."""
SUBSCRIPT = "[?]"
"""What a subscript gives, where it is not known whether the object is a mapping."""
INSIDE = "()"
"""What a closure, partial or iterator holds and never hands out."""
RETURN = "!"
"""What a function returns when it is called."""
ANY = "*"
"""One field that is not known."""
REST = "**"
"""Any number of fields that are not known."""
UNSAVED = "~"
"""Begins a field that is found on an object but is not part of its pickle."""

DEPTH = 3
"""How many fields of a path are kept apart."""

_ELEMENTS = frozenset({ITEM, VALUE, SUBSCRIPT})
_HIDDEN = frozenset({INSIDE, RETURN})


def position(index: int) -> str:
    """The field of one item of a tuple."""
    return f"#{index}"


def is_compared_along(path: Path) -> bool:
    """Whether what a path leads to is compared where what it starts from is: all along it is items and attributes."""
    return not any(field in _HIDDEN or field.startswith(UNSAVED) for field in path)


def matches(held: str, taken: str) -> bool:
    """Whether what is held in one field may be what is taken from another."""
    if held == taken or held in (ANY, REST):
        return True
    if taken == ANY:
        return held not in _HIDDEN
    if held in _ELEMENTS and taken in _ELEMENTS:
        return SUBSCRIPT in (held, taken)
    if held.startswith("#") or taken.startswith("#"):
        return bool({held, taken} & {ITEM, SUBSCRIPT})
    return held == UNSAVED + taken


def grown(field: str, path: Path) -> Path:
    """A path behind one more field."""
    path = (field, *path)
    return path if len(path) <= DEPTH else (*path[:DEPTH], REST)


def is_unsaved(path: Path) -> bool:
    """Whether the pickle of an object leaves out what a path begins with. Such paths are not followed into others."""
    return path != () and path[0].startswith(UNSAVED)


def is_hidden(path: Path) -> bool:
    """Whether an object does not hand out what a path begins with, not even to a copy."""
    return path != () and path[0] in _HIDDEN

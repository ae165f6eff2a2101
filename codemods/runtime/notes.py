"""The notes that Python 3.14 adds to errors of pickle, read as the way to the object.

Their forms are those of ``Lib/pickle.py`` of 3.14.2; the innermost comes first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_NOTE = re.compile(r"when\s+serializing\s+(?P<note>.*?)(?=\s*when\s+serializing|\n|$)")
_ITEM = re.compile(r"(?P<type>[\w.<>]+) item (?P<key>.+)$")
_STATE = re.compile(r"[\w.<>]+ state$")
_ARGUMENTS = re.compile(r"[\w.<>]+ (?:reconstructor|__new__) arguments$")
_ELEMENT = re.compile(r"[\w.<>]+ element$")
_OBJECT = re.compile(r"(?P<type>[\w.<>]+) object$")
_NAME = re.compile(r"'(?P<name>[^\W\d]\w*)'$")


def notes_in(text: str) -> tuple[str, ...]:
    """The notes below an error, without the words that all of them begin with.

    Args:
        text: the text from the error to the next traceback.
    """
    return tuple(match["note"].strip() for match in _NOTE.finditer(text))


def owner(notes: Sequence[str]) -> str | None:
    """The class of the innermost object that the notes name, with its module."""
    return next((match["type"] for note in notes if (match := _OBJECT.match(note))), None)


def attribute(notes: Sequence[str]) -> str | None:
    """The attribute of an object's state in which the offender lies, the innermost if there are several."""
    for inner, outer in zip(notes, notes[1:], strict=False):
        item = _ITEM.match(inner)
        name = _NAME.match(item["key"]) if item else None
        if name and _STATE.match(outer):
            return name["name"]
    return None


def path(notes: Sequence[str], root: str = "obj") -> str:
    """The way from the pickled object to the offender, as an expression.

    Args:
        notes: the innermost first.
        root: what the pickled object is called.
    """
    way = root
    in_state = False
    for note in reversed(notes):
        item = _ITEM.match(note)
        if item:
            name = _NAME.match(item["key"])
            way += f".{name['name']}" if in_state and name else f"[{item['key']}]"
        elif _ARGUMENTS.match(note):
            way += ".__reduce__()[1]"
        elif _ELEMENT.match(note):
            way += "[…]"
        in_state = _STATE.match(note) is not None
    return way

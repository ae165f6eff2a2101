"""What a search for unpicklable parts finds: plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unpicklable:
    """A part of an object that does not pickle.

    Args:
        path: the way to it, as an expression that begins with the object's name.
        type: its type, with the module unless that is ``builtins``.
        error: what pickle says of it: the class of the exception and its message.
        owner: the class, with its module, of the last object on the way that has it in an attribute.
        attribute: that attribute, or the last key on the way.
        name: the qualified name, if it is a function or a class.
        file: where it was made, or where the class of its owner is defined; empty if neither is known.
        line: the line there, 0 if it is not known.
    """

    path: str
    type: str
    error: str
    owner: str = ""
    attribute: str = ""
    name: str = ""
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}: {self.name or self.type}"

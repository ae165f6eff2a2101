"""What error messages call things: qualified names, and the ``repr`` of functions and classes."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LOST_LOCALS = re.compile(r"(?<=\w)\.\.(?=\w|<)|(?<=\w)\.\.$")
_FUNCTION = re.compile(
    r"<(?:cyfunction|cyfunction_or_method|function|bound method|built-in function|built-in method) (?P<name>\S+)"
)
_CLASS = re.compile(r"<(?:class|enum|flag) '(?P<name>[^']+)'")
_OBJECT = re.compile(r"(?P<name>[\w.<>]+?) object\b")
_TYPE = re.compile(r"<(?P<name>[\w.]+(?:\.<locals>\.\w+)*)")
_MODULE = re.compile(r"(?:[a-z_][\w]*\.)+(?=[\w<])")


@dataclass(frozen=True)
class Named:
    """What a ``repr`` says.

    Args:
        sort: ``function``, ``class`` or ``object``.
        full: the name as it stands there, which for classes includes the module.
    """

    sort: str
    full: str

    @property
    def qualname(self) -> str:
        """The name without the module, as far as that can be told."""
        if self.sort != "class":
            return self.full
        head, dot, tail = self.full.partition(".<locals>")
        module, _, name = head.rpartition(".")
        return name + dot + tail if module else self.full

    @property
    def local_kind(self) -> str:
        """The kind of error if the thing is local to a function."""
        if self.sort == "function":
            return "local_lambda" if self.full.endswith("<lambda>") else "local_function"
        return "local_class" if self.sort == "class" else "local_object"


def full_name(name: str) -> str:
    """A qualified name with ``<locals>`` where a web page took it for markup and left two dots."""
    return _LOST_LOCALS.sub(".<locals>.", name).removesuffix(".")


def shown(text: str) -> Named:
    """What a ``repr``, or a collection's ``repr`` with one object in it, names."""
    for sort, pattern in (("class", _CLASS), ("function", _FUNCTION), ("object", _OBJECT), ("object", _TYPE)):
        match = pattern.search(text)
        if match:
            return Named(
                sort,
                full_name(match["name"].removeprefix("<").removesuffix(">") if sort == "object" else match["name"]),
            )
    return Named("object", text.strip("<>"))

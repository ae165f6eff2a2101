"""Finds the parts of an object that do not pickle, and the way to each."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any

from codemods.runtime.reduction import ATOMIC, Part, Protocol, Refused, type_name
from codemods.runtime.unpicklable import Unpicklable

MOST_OBJECTS = 5_000_000


class _Level:
    """An object that is being taken apart.

    Args:
        part: the object, and how it was reached.
        parts: what is left of its parts.
    """

    __slots__ = ("part", "parts")

    def __init__(self, part: Part, parts: Iterator[Part]) -> None:
        self.part = part
        self.parts = parts


def find_unpicklable(obj: object, name: str = "obj", *, copies: bool = False) -> tuple[Unpicklable, ...]:
    """Find what in an object does not pickle.

    The object is taken apart as pickle does it, so its ``__reduce__``, ``__getstate__`` and the like are called.
    Nothing is written, and large arrays are not copied. Depth does not matter.

    Args:
        obj: any object.
        name: what the paths call it.
        copies: whether ``copy.deepcopy`` is meant, which takes functions and classes as they are.

    Returns:
        Each part that pickle refuses, in the order in which pickle comes to them; nothing if the object pickles.

    Example:
        >>> find_unpicklable({"names": {"car": 1}.keys()}, "config")[0].path
        "config['names']"
    """
    return tuple(search(obj, Protocol(copies=copies), {id(obj): name}))


def search(
    obj: object, protocol: Protocol, names: Mapping[int, str], most: int = MOST_OBJECTS
) -> Iterator[Unpicklable]:
    """Find what in an object does not pickle, one after the other.

    Args:
        obj: any object.
        protocol: how it is taken apart.
        names: what objects are called, by their ``id``; the outermost one on the way begins the path.
        most: how many objects are looked at before the search is given up.
    """
    seen: dict[int, object] = {id(obj): obj}  # The objects too, so that their ids stay theirs.
    levels = [_Level(Part("", obj), protocol.parts(obj))]
    while levels:
        try:
            part = next(levels[-1].parts, None)
        except Refused as refused:
            yield _unpicklable([level.part for level in levels], str(refused), names)
            part = None
        except Exception as error:  # From an iterator of a reducer, which is the person's code.
            yield _unpicklable([level.part for level in levels], f"{type(error).__name__}: {error}", names)
            part = None
        if part is None:
            levels.pop()
        elif type(part.value) not in ATOMIC and id(part.value) not in seen and len(seen) < most:
            seen[id(part.value)] = part.value
            levels.append(_Level(part, protocol.parts(part.value)))


def _unpicklable(way: list[Part], error: str, names: Mapping[int, str]) -> Unpicklable:
    # A name of the offender alone would not tell where it is held.
    named = [index for index, part in enumerate(way[:-1]) if id(part.value) in names] or [0]
    # The person's own object says more than the process that it is sent to.
    start = next((index for index in named if not _is_process(way[index].value)), named[0])
    path = names.get(id(way[start].value), "obj") + "".join(part.step for part in way[start + 1 :])
    value = way[-1].value
    owner, attribute = "", ""
    owner_type: type | None = None
    for holder, part in zip(way, way[1:], strict=False):
        if part.is_attribute:
            owner_type = type(holder.value)
            owner = type_name(owner_type)
        attribute = part.attribute or attribute
    name = getattr(value, "__qualname__", "") if isinstance(value, (type, types.FunctionType)) else ""
    file, line = _origin(value)
    if not file and owner_type is not None:
        file, line = _file_of(owner_type), 0
    return Unpicklable(path, type_name(type(value)), error, owner, attribute, name, file, line)


def _is_process(value: object) -> bool:
    return type(value).__module__.startswith(("multiprocessing.", "multiprocess."))


def _origin(value: Any) -> tuple[str, int]:
    """Where a function, a class or a generator was made."""
    for attribute in ("__code__", "gi_code", "cr_code", "ag_code"):
        if isinstance(value, (types.FunctionType, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)):
            code = getattr(value, attribute, None)
            if isinstance(code, types.CodeType):
                return code.co_filename, code.co_firstlineno
    if isinstance(value, type):
        return _file_of(value), _line_of(value)
    return "", 0


def _file_of(kind: type) -> str:
    module = sys.modules.get(getattr(kind, "__module__", ""))
    file = getattr(module, "__file__", None)
    return file if isinstance(file, str) else ""


def _line_of(kind: type) -> int:
    first = vars(kind).get("__firstlineno__")  # Since 3.13.
    if isinstance(first, int):
        return first
    functions = [value for value in vars(kind).values() if inspect.isfunction(value)]
    return min((function.__code__.co_firstlineno for function in functions), default=0)

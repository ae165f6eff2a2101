"""One object as pickle takes it apart: its parts, or why there are none.

This follows ``save`` and ``save_reduce`` of Lib/pickle.py and ``deepcopy`` of Lib/copy.py, and writes nothing. It has
no base class in ``pickle``: dill changes the table of ``pickle._Pickler`` when it is imported.
"""

from __future__ import annotations

import copyreg
import functools
import pickle
import sys
import types
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

ATOMIC = frozenset(
    {type(None), bool, int, float, complex, str, bytes, bytearray, type(...), type(NotImplemented), range}
)
_COPIED_AS_THEY_ARE = (
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.CodeType,
    weakref.ref,
    property,
)
_SINGLETON_TYPES = (type(None), type(NotImplemented), type(...))
_KEYS = (type(None), bool, int, float, str, bytes)
_LONGEST_KEY = 60


class Refused(Exception):
    """An object does not pickle; the text is the error that pickle gives, with its class."""


class Part(NamedTuple):
    """A part of an object.

    Args:
        step: how an expression gets from the object to it; empty if it is the object's own class.
        value: the part.
        attribute: the name or key, if it is held under one.
        is_attribute: whether that is an attribute.
    """

    step: str
    value: object
    attribute: str = ""
    is_attribute: bool = False


class Protocol:
    """The way in which a certain pickler, or ``deepcopy``, takes objects apart.

    Args:
        number: the protocol of pickle.
        table: its reducers by type, before those of ``copyreg``.
        override: its ``reducer_override``.
        persistent_id: its ``persistent_id``.
        copies: whether functions and classes are handed on as they are, as ``copy.deepcopy`` does.
    """

    def __init__(
        self,
        number: int = 5,
        table: Mapping[type, Callable[[Any], Any]] | None = None,
        override: Callable[[Any], Any] | None = None,
        persistent_id: Callable[[Any], Any] | None = None,
        *,
        copies: bool = False,
    ) -> None:
        # From protocol 2 on all objects are reduced alike, but only in protocol 5 large buffers are not copied.
        self._number = 5 if number >= 2 or copies else number
        self._table = copyreg.dispatch_table if table is None else table
        self._override = override
        self._persistent_id = persistent_id
        self._copies = copies

    def parts(self, obj: object) -> Iterator[Part]:
        """The parts of an object that have to be pickled, in the order of pickle.

        Raises:
            Refused: if the object itself does not pickle.
        """
        kind = type(obj)
        if self._persistent_id is not None and _called(self._persistent_id, obj) is not None:
            return
        if kind in ATOMIC or is_array(obj) or kind is pickle.PickleBuffer and self._number >= 5:
            return
        if self._override is not None:
            reduced = _called(self._override, obj)
            if reduced is not NotImplemented:
                yield from _reduced(obj, reduced)
                return
        if self._copies and issubclass(kind, _COPIED_AS_THEY_ARE):
            return
        simple = _SIMPLE.get(kind)
        if simple is not None:
            yield from simple(obj)
        elif kind is types.FunctionType or kind is type:
            look_up(obj)
        else:
            yield from self._by_reducer(obj, kind)

    def _by_reducer(self, obj: Any, kind: type) -> Iterator[Part]:
        reducer = self._table.get(kind)
        if self._copies and _hook(obj, "__deepcopy__") is not None:
            _called(_hook(obj, "__deepcopy__"), {})
        elif reducer is not None:
            yield from _reduced(obj, _called(reducer, obj))
        elif issubclass(kind, type):
            look_up(obj)
        else:
            reduce_ex = _hook(obj, "__reduce_ex__")
            if reduce_ex is None:
                raise Refused(f"PicklingError: Can't pickle {type_name(kind)!r} object")
            yield from _reduced(obj, _called(reduce_ex, self._number))


def type_name(kind: type) -> str:
    """The name of a type with its module, unless that is ``builtins``."""
    module = getattr(kind, "__module__", "")
    name = getattr(kind, "__qualname__", "?")
    return f"{module}.{name}" if isinstance(module, str) and module not in ("builtins", "") else str(name)


def is_array(obj: object) -> bool:
    """Whether an object is a large block of numbers, which pickles and need not be copied to find that out."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None and type(obj) is getattr(numpy, "ndarray", None):
        return not obj.dtype.hasobject  # type: ignore[attr-defined]
    if torch is not None and isinstance(obj, getattr(torch, "Tensor", ())):
        return bool(obj.is_leaf or not obj.requires_grad)  # type: ignore[attr-defined]
    return type(obj).__module__ == "array"


def look_up(obj: Any, name: str | None = None) -> None:
    """Find an object by its name, as pickle does.

    Args:
        obj: a function, a class, or whatever claims to be found under a name.
        name: the name, if it is not its ``__qualname__``.

    Raises:
        Refused: if there is nothing of that name, or something else.
    """
    if obj in _SINGLETON_TYPES:
        return
    if name is None:
        name = getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None)
    if not isinstance(name, str):
        raise Refused(f"PicklingError: Can't pickle {type_name(type(obj))!r} object")
    module = _called(pickle.whichmodule, obj, name)  # type: ignore[attr-defined]
    if "<locals>" in name.split("."):
        raise Refused(f"PicklingError: Can't pickle {_shown(obj, name, module)}: it's not found as {module}.{name}")
    try:
        __import__(module)
        found: Any = sys.modules[module]
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, KeyError):
        raise Refused(f"PicklingError: Can't pickle {_shown(obj, name, module)}: No module named '{module}'") from None
    except AttributeError:
        raise Refused(
            f"PicklingError: Can't pickle {_shown(obj, name, module)}: it's not found as {module}.{name}"
        ) from None
    if found is not obj:
        raise Refused(
            f"PicklingError: Can't pickle {_shown(obj, name, module)}: it's not the same object as {module}.{name}"
        )


def _shown(obj: object, name: str, module: str) -> str:
    """What the error calls an object; its own ``repr`` may run anything."""
    if isinstance(obj, type):
        return f"<class '{module}.{name}'>"
    return f"<function {name} at {id(obj):#x}>" if callable(obj) else f"<{type_name(type(obj))} object at {id(obj):#x}>"


def _called(function: Any, *arguments: Any) -> Any:
    """What a method of the protocol returns; whatever it raises is the object's refusal."""
    try:
        return function(*arguments)
    except Exception as error:  # Code of the person's classes: anything may come out of it.
        raise Refused(f"{type(error).__name__}: {_text(error)}") from error


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # As above.
        return ""


def _hook(obj: object, name: str) -> Any:
    try:
        return getattr(obj, name, None)
    except Exception as error:  # A ``__getattr__`` of the person's.
        raise Refused(f"{type(error).__name__}: {_text(error)}") from error


def _items(obj: list[object] | tuple[object, ...]) -> Iterator[Part]:
    for index, value in enumerate(obj):
        if type(value) not in ATOMIC:
            yield Part(f"[{index}]", value)


def _elements(obj: set[object] | frozenset[object]) -> Iterator[Part]:
    for value in obj:
        if type(value) not in ATOMIC:
            yield Part(".<element>", value)


def _entries(obj: dict[object, object]) -> Iterator[Part]:
    for key, value in list(obj.items()):
        if type(key) not in ATOMIC:
            yield Part(f".<key {_key(key)}>", key)
        if type(value) not in ATOMIC:
            yield Part(f"[{_key(key)}]", value, key if type(key) is str else "")


_SIMPLE: dict[type, Callable[[Any], Iterator[Part]]] = {
    list: _items,
    tuple: _items,
    set: _elements,
    frozenset: _elements,
    dict: _entries,
}


def _key(key: object) -> str:
    if type(key) in _KEYS:
        text = repr(key)
        return text if len(text) <= _LONGEST_KEY else f"{text[:_LONGEST_KEY]}…"
    return f"<{type_name(type(key))}>"


def _reduced(obj: object, reduced: object) -> Iterator[Part]:
    """The parts of what a reducer returned."""
    if isinstance(reduced, str):
        look_up(obj, reduced)
        return
    if not isinstance(reduced, tuple):
        raise Refused("PicklingError: __reduce__ must return a string or tuple")
    if not 2 <= len(reduced) <= 6:
        raise Refused("PicklingError: tuple returned by __reduce__ must contain 2 through 6 elements")
    function, arguments, state, items, entries, setter = (*reduced, None, None, None, None)[:6]
    if not callable(function):
        raise Refused("PicklingError: first item of the tuple returned by __reduce__ must be callable")
    if not isinstance(arguments, tuple):
        raise Refused("PicklingError: second item of the tuple returned by __reduce__ must be a tuple")
    yield from _constructed(obj, function, arguments)
    if setter is not None:
        yield Part(".__reduce__()[5]", setter)
    if state is not None:
        yield from _state(obj, state)
    for index, value in enumerate(items or ()):
        yield Part(f"[{index}]", value)
    for key, value in entries or ():
        yield Part(f".<key {_key(key)}>", key)
        yield Part(f"[{_key(key)}]", value, key if type(key) is str else "")


def _constructed(obj: Any, function: object, arguments: tuple[object, ...]) -> Iterator[Part]:
    if isinstance(obj, functools.partial):
        yield Part("", type(obj))
        yield Part(".func", obj.func)
        yield Part(".args", obj.args)
        yield Part(".keywords", obj.keywords)
        return
    yield Part("", function)
    names: dict[int, str] = {}
    for name, value in _attributes(obj).items():
        names.setdefault(id(value), name)
    for index, value in enumerate(arguments):
        if value is type(obj):
            yield Part("", value)
        elif isinstance(obj, (types.MethodType, types.BuiltinMethodType)) and value is obj.__self__:
            yield Part(".__self__", value)
        elif isinstance(obj, defaultdict) and value is obj.default_factory:
            yield Part(".default_factory", value)
        elif id(value) in names and type(value) not in ATOMIC:
            yield Part(f".{names[id(value)]}", value, names[id(value)], True)
        else:
            yield Part(f".__reduce__()[1][{index}]", value)


def _attributes(obj: object) -> dict[str, object]:
    try:
        return dict(object.__getattribute__(obj, "__dict__"))
    except (AttributeError, TypeError):
        return {}


def _state(obj: object, state: object) -> Iterator[Part]:
    if isinstance(obj, functools.partial) and isinstance(state, tuple) and len(state) == 4:
        state = state[3]
    of_slots = isinstance(state, tuple) and len(state) == 2 and all(type(part) in (dict, type(None)) for part in state)
    states = state if of_slots else (state,)
    assert isinstance(states, tuple)
    for part in states:
        if type(part) is not dict:
            yield Part(".__getstate__()", part)
            continue
        for name, value in list(part.items()):
            if type(name) is not str:
                yield Part(".<key of the state>", name)
            if type(name) is str and name.isidentifier():
                yield Part(f".{name}", value, name, True)
            else:
                yield Part(f".__getstate__()[{_key(name)}]", value, name if type(name) is str else "")

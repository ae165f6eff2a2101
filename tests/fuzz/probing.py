"""Turn whatever a program built into plain data, calling every function in it in several ways.

This module runs inside the observing processes and imports nothing but the standard library.
"""

from __future__ import annotations

import collections
import enum
import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import Any

#: Attributes that generated programs set on functions.
FUNCTION_ATTRIBUTES = ("tag", "calls")
#: Keywords that a rewritten signature could take by mistake.
INTRUDERS = ("n", "self", "_self", "k")
#: Stands for a default that the function replaces by another value itself; what that is, the calls show.
SENTINEL = "a sentinel"
CALL_LIMIT = 150
DEPTH = 3


class Probe:
    """Observes one value; keeps count, so that programs that multiply stay cheap.

    Args:
        functions: the functions met on the way, in order; which of them are one object can be compared.
    """

    def __init__(self) -> None:
        self.functions: list[object] = []
        self._containers: list[object] = []
        self._calls = 0

    def value(self, value: Any, depth: int = DEPTH) -> Any:
        """Describe a value by plain data."""
        if value is None or type(value) in (int, bool, float, str, bytes):
            return value
        if value is Ellipsis or value is NotImplemented:
            return repr(value)
        if isinstance(value, type):
            return self._class(value, depth)
        if callable(value):
            return self._function(value, depth)
        if isinstance(value, enum.Enum):
            return ("member", type(value).__name__, value.name, self.value(value.value, depth))
        seen = next((index for index, other in enumerate(self._containers) if other is value), None)
        if seen is not None and type(value) is not tuple:
            return ("seen", seen)
        self._containers.append(value)
        return self._compound(value, depth)

    def _compound(self, value: Any, depth: int) -> Any:
        name = type(value).__name__
        if isinstance(value, (list, tuple, collections.deque)):
            return (name, *(self.value(item, depth) for item in list(value)))
        if isinstance(value, (set, frozenset)):
            return (name, sorted(repr(self.value(item, depth)) for item in value))
        if isinstance(value, dict):
            items = [(self.value(key, depth), self.value(item, depth)) for key, item in list(value.items())]
            if isinstance(value, collections.defaultdict):
                return (name, items, self._attempt(value.__getitem__, ("missing",), {}, depth))
            return (name, items)
        if inspect.iscoroutine(value):
            return ("coroutine", self._attempt(_drive, (value,), {}, depth))
        if inspect.isasyncgen(value):
            return ("async generator", self._attempt(_collect, (value,), {}, depth))
        if isinstance(value, Iterator):
            return (name, self._attempt(_some, (value,), {}, depth))
        if isinstance(value, BaseException):
            return (name, self.value(value.args, depth))
        return self._instance(value, depth)

    def _instance(self, value: Any, depth: int) -> Any:
        attributes = [(key, self.value(item, depth)) for key, item in sorted(getattr(value, "__dict__", {}).items())]
        methods = []
        if depth > 0 and type(value).__module__ not in ("builtins", "functools", "contextlib"):
            names = [name for name in dir(type(value)) if not name.startswith("_")]
            methods = [(name, self._attempt(getattr, (value, name), {}, depth - 1)) for name in names]
        return ("instance", type(value).__name__, attributes, methods)

    def _class(self, value: type, depth: int) -> Any:
        if depth <= 0 or value.__module__ in ("builtins", "functools", "collections"):
            return ("class", value.__name__)
        return ("class", value.__name__, self._attempt(value, (), {}, depth), self._attempt(value, (4,), {}, depth))

    def _function(self, value: Callable[..., Any], depth: int) -> Any:
        self.functions.append(value)
        try:
            signature = inspect.signature(value)
        except (TypeError, ValueError):
            return ("callable", "builtin")
        nature = [
            inspect.isgeneratorfunction(value),
            inspect.iscoroutinefunction(value),
            inspect.isasyncgenfunction(value),
        ]
        parameters = [self._parameter(parameter) for parameter in signature.parameters.values()]
        if depth <= 0:
            return ("callable", parameters, nature)
        ways = list(_calls(signature))
        results = [self._attempt(value, args, keywords, depth - 1) for args, keywords in ways[: depth + 2]]
        tags = [(name, getattr(value, name, "absent")) for name in FUNCTION_ATTRIBUTES]
        again = []
        if hasattr(value, "calls"):
            value.calls = 50
            again = [self._attempt(value, *ways[0], depth - 1)]
        return ("callable", parameters, nature, results, [(name, self.value(tag, 0)) for name, tag in tags], again)

    def _parameter(self, parameter: inspect.Parameter) -> tuple[str, str, Any, Any]:
        default: Any = "required"
        if type(parameter.default) is object:
            default = SENTINEL
        elif parameter.default is not parameter.empty:
            default = (Probe().value(parameter.default, 0),)
        annotation = None if parameter.annotation is parameter.empty else self.value(parameter.annotation, 0)
        return (parameter.name, parameter.kind.name, default, annotation)

    def _attempt(self, function: Callable[..., Any], args: Any, keywords: dict[str, Any], depth: int) -> Any:
        self._calls += 1
        if self._calls > CALL_LIMIT:
            return "too many calls"
        try:
            result = function(*args, **keywords)
        except Exception as error:
            return ("raised", type(error).__name__)
        return ("ok", self.value(result, depth))


def _calls(signature: inspect.Signature) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Ways to call a function: the least, everything by position, by keyword, and with mistakes."""
    parameters = list(signature.parameters.values())
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    keyword_only = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    open_positions = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    open_keywords = any(p.kind is p.VAR_KEYWORD for p in parameters)
    least = tuple(_argument(p) for p in positional if p.default is p.empty)
    needed = {p.name: _argument(p) for p in keyword_only if p.default is p.empty}
    yield least, needed
    intruder = {INTRUDERS[len(parameters) % len(INTRUDERS)]: 6}
    every = tuple(_argument(p) for p in positional) + ((8, 9) if open_positions else ())
    yield every, {p.name: _argument(p) for p in keyword_only} | (intruder if open_keywords else {})
    only = tuple(_argument(p) for p in positional if p.kind is p.POSITIONAL_ONLY)
    named = {p.name: _argument(p) for p in positional if p.kind is p.POSITIONAL_OR_KEYWORD}
    yield only, named | needed
    yield least, needed | intruder
    yield (*every, 7), needed


def _argument(parameter: inspect.Parameter) -> Any:
    if parameter.name in ("fn", "then"):
        return abs
    if parameter.name == "acc":
        return [7]
    return 1 + len(parameter.name) % 3


def _some(iterator: Iterator[Any]) -> list[Any]:
    return list(itertools.islice(iterator, 5))


def _drive(coroutine: Any) -> Any:
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    raise RuntimeError("suspended")


def _collect(generator: Any) -> list[Any]:
    items: list[Any] = []
    while len(items) < 5:
        try:
            items.append(_drive(generator.__anext__()))
        except StopAsyncIteration:
            break
    return items


def identities(functions: list[object]) -> list[int]:
    """For each function the place where it was first met."""
    firsts: dict[int, int] = {}
    return [firsts.setdefault(id(function), index) for index, function in enumerate(functions)]

"""Calls that may tell one object from another, known by their names alone.

A set takes an object once, a list looks for the one that it is given, a signal may refer to its receivers weakly, and
whoever puts things in order compares them, or what a ``key`` function makes of them, for equality first.
"""

from __future__ import annotations

from collections.abc import Collection

from codemods.analysis.values.call import Call
from codemods.analysis.values.fields import ITEM
from codemods.analysis.values.graph import Graph, Op
from codemods.analysis.values.names import spelled
from codemods.analysis.values.statements import Statements

_CONTAINERS = frozenset({"add", "count", "discard", "index", "remove"})
_SIGNALS = frozenset({"connect", "disconnect", "subscribe", "unregister", "unsubscribe"})
_RECEIVERS = frozenset({"callback", "listener", "observer", "subscriber"})
_ORDERING = frozenset({"groupby", "max", "merge", "min", "nlargest", "nsmallest", "sort", "sorted"})
_EXTREMES = frozenset({"max", "min"})
_ORDERED_INSERTION = ("bisect", "heap", "insort")


def mark_identity(walker: Statements, methods: Collection[str]) -> None:
    """Note, at the places of a walked file, which values are told apart by what they are handed to.

    Args:
        walker: the walked file.
        methods: the names of the methods that the classes of the file define.
    """
    for call in walker.calls:
        _mark_order(walker.graph, call)
        name = call.method
        if name is None:
            continue
        is_signal = name in _SIGNALS or name.rpartition("_")[2] in _RECEIVERS
        if name in _CONTAINERS or (is_signal and name not in methods):
            for place in (*(place for place, _ in call.positional), *(place for _, place in call.keywords)):
                walker.graph.use(place, "identity")


def _mark_order(graph: Graph, call: Call) -> None:
    """Note what a call compares in order to sort, group or select."""
    keys = [place for name, place in call.keywords if name == "key"]
    name = spelled(call.function).rpartition(".")[2]
    is_insertion = name.startswith(_ORDERED_INSERTION)
    if name in _ORDERING or is_insertion:
        first, *others = [*(place for place, _ in call.positional), None]
        keys.extend(others)  # a key function may be among them
        for place in (first, *others, call.receiver):
            graph.use(graph.derive(Op.TAKE, place, ITEM), "compare")
        if is_insertion or (name in _EXTREMES and len(call.positional) > 1):
            for place in others if is_insertion else (first, *others):
                graph.use(place, "compare")
    for place in keys:
        graph.use(graph.derive(Op.RESULT, place), "compare")

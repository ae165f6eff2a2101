"""Methods that may tell one object from another by identity, known by their names alone.

A set takes an object once, a list looks for the one that it is given, a signal may refer to its receivers weakly.
"""

from __future__ import annotations

from collections.abc import Collection

from codemods.analysis.values.statements import Statements

_CONTAINERS = frozenset({"add", "count", "discard", "index", "remove"})
_SIGNALS = frozenset({"connect", "disconnect", "subscribe", "unregister", "unsubscribe"})
_RECEIVERS = frozenset({"callback", "listener", "observer", "subscriber"})


def mark_identity(walker: Statements, methods: Collection[str]) -> None:
    """Note, at the places of a walked file, which values are told apart by what they are handed to.

    Args:
        walker: the walked file.
        methods: the names of the methods that the classes of the file define.
    """
    for call in walker.calls:
        name = call.method
        if name is None:
            continue
        is_signal = name in _SIGNALS or name.rpartition("_")[2] in _RECEIVERS
        if name in _CONTAINERS or (is_signal and name not in methods):
            for place in (*(place for place, _ in call.positional), *(place for _, place in call.keywords)):
                walker.graph.use(place, "identity")

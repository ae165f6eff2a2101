"""What the edges of the value-flow graph do to the paths on which an origin is held."""

from __future__ import annotations

import enum
from collections.abc import Callable

from codemods.analysis.values.fields import (
    ANY,
    INSIDE,
    REST,
    RETURN,
    UNSAVED,
    VALUE,
    Path,
    grown,
    is_hidden,
    is_unsaved,
    matches,
)
from codemods.analysis.values.graph import Edge, Op
from codemods.catalog.entries import Sink


class Kind(enum.Enum):
    """What sort of thing an origin is."""

    FUNCTION = enum.auto()
    CLASS = enum.auto()
    ENUM = enum.auto()
    """A class whose attributes and items are its instances."""
    VIEW = enum.auto()
    ITERATOR = enum.auto()
    RESOURCE = enum.auto()

    @property
    def is_class(self) -> bool:
        """Whether its instances count as well."""
        return self in (Kind.CLASS, Kind.ENUM)


CHANGES = frozenset({Op.STORE, Op.EXTEND})
"""The operations that change an object which exists already."""


def forward(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    """The paths at the end of an edge of an origin that is on a path at its beginning."""
    return _FORWARD[edge.op](kind, path, edge)


def backward(path: Path, edge: Edge) -> list[Path]:
    """The paths at the beginning of an edge, where an object that is found at its end has been changed."""
    if edge.op is Op.FLOW:
        return [path]
    if edge.op is Op.TAKE:
        return [] if is_unsaved(path) else [grown(edge.field, path)]
    if edge.op is Op.PART:
        return [(REST,)]
    if edge.op is Op.NAMESPACE:
        return [grown(ANY, path[1:])]
    if edge.op is Op.COPY:
        return [path] if len(path) > 1 else []
    if edge.op in (Op.KEEP, Op.STORE) and len(path) > 1 and matches(path[0], edge.field):
        return [path[1:]]
    return []


def has_trouble(sink: Sink, kind: Kind) -> bool:
    """Whether a sink cannot take a sort of origin."""
    if not sink.serialiser.pickles:
        return False
    if kind is Kind.FUNCTION or kind.is_class:
        return not (sink.serialiser.by_value or sink.serialiser.atomic_functions)
    return not (sink.serialiser.by_value and kind is Kind.VIEW)


def _same(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    return [path]


def _kept(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    return [] if is_unsaved(path) else [grown(edge.field, path)]


def _taken(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    if not path:
        return [()] if kind is Kind.ENUM else []
    if not matches(path[0], edge.field):
        return []
    return [(), path] if path == (REST,) else [path[1:]]


def _copied(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    return [path] if path and not is_hidden(path) else []


def _namespace(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    if not path or is_hidden(path):
        return []
    return [(UNSAVED + VALUE if is_unsaved(path) else VALUE, *path[1:])]


def _lazy(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    """An iterator holds another iterator for good; views and lists it goes through pickle by their items."""
    if not path:
        return [(INSIDE,)] if kind is Kind.ITERATOR else []
    return [grown(INSIDE, path)] if path[0] == INSIDE else []


def _result(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    if not path:
        return [()] if kind.is_class else []
    return [path[1:]] if path[0] == RETURN else []


def _new(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    """An instance hands out what its class holds."""
    if is_unsaved(path) or path[:1] == (INSIDE,):
        return [path]
    return _result(kind, path, edge)


def _given(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    return [] if is_unsaved(path) else [grown(RETURN, path)]


def _nothing(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    return []


def _decorated(kind: Kind, path: Path, edge: Edge) -> list[Path]:
    """Functions and what they hold are taken to be pickled by name, as those are that they replace."""
    if not path:
        return [()] if kind is not Kind.FUNCTION else []
    return [] if is_hidden(path) else [path]


_FORWARD: dict[Op, Callable[[Kind, Path, Edge], list[Path]]] = {
    Op.FLOW: _same,
    Op.KEEP: _kept,
    Op.STORE: _kept,
    Op.TAKE: _taken,
    Op.COPY: _copied,
    Op.EXTEND: _copied,
    Op.NAMESPACE: _namespace,
    Op.LAZY: _lazy,
    Op.RESULT: _result,
    Op.NEW: _new,
    Op.GIVES: _given,
    Op.PART: _nothing,
    Op.DECORATED: _decorated,
}

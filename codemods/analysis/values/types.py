"""What is known about the types of values: found by walking edges backwards, only as far as needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from codemods.analysis.values.definitions import Class, Function
from codemods.analysis.values.fields import ANY, matches
from codemods.analysis.values.graph import Graph, Op

LIMIT = 60
"""How many places are looked at for one question."""


class ClassItself(NamedTuple):
    """The tag of a class of the file, as against one of its instances."""

    record: Class


Tag = Function | Class | ClassItself | str
"""A function; an instance of a class of the file; such a class itself; or the dotted name of another class, or of a
builtin type, for an instance of it."""

_State = tuple[int, tuple[str, ...]]


class Types:
    """Answers what the values of a place may be.

    Args:
        graph: the graph, which may still grow: ``forget`` drops the answers that are out of date.
        stores: for each attribute name, the places of the objects that it is stored on and of what is stored.
    """

    def __init__(self, graph: Graph, stores: dict[str, list[tuple[int, int]]]) -> None:
        self.graph = graph
        self.stores = stores
        self.tags: dict[int, set[Tag]] = {}
        """What is known of single places."""
        self.instances: dict[int, Class] = {}
        """The classes by the places of all their instances."""
        self._answers: dict[int, frozenset[Tag]] = {}

    def tag(self, place: int, tag: Tag) -> None:
        """Say what the values of a place are."""
        self.tags.setdefault(place, set()).add(tag)

    def forget(self) -> None:
        """Drop the answers: the graph has grown."""
        self._answers.clear()

    def of(self, place: int | None) -> frozenset[Tag]:
        """What the values of a place may be, as far as can be seen; empty if nothing is known."""
        if place is None:
            return frozenset()
        if place not in self._answers:
            self._answers[place] = frozenset(self._search(place))
        return self._answers[place]

    def _search(self, place: int) -> set[Tag]:
        found: set[Tag] = set()
        pending: list[_State] = [(place, ())]
        seen: set[_State] = set()
        while pending and len(seen) < LIMIT:
            state = pending.pop()
            if state not in seen:
                seen.add(state)
                if not state[1]:
                    found |= self.tags.get(state[0], set())
                pending.extend(self._before(*state))
        return found

    def _before(self, place: int, path: tuple[str, ...]) -> Iterator[_State]:
        if path and place in self.instances:
            yield from self._stored_on_instances(self.instances[place], path)
        for edge in self.graph.into[place]:
            if edge.op in (Op.FLOW, Op.DECORATED) or (edge.op is Op.COPY and path):
                yield edge.source, path
            elif edge.op is Op.TAKE and len(path) < 2:
                yield edge.source, (edge.field, *path)
            elif edge.op in (Op.KEEP, Op.STORE) and path and edge.field != ANY and matches(edge.field, path[0]):
                yield edge.source, path[1:]

    def _stored_on_instances(self, record: Class, path: tuple[str, ...]) -> Iterator[_State]:
        for owner in record.lineage:
            if path[0] in owner.attributes:
                yield owner.attributes[path[0]], path[1:]
        for base, source in self.stores.get(path[0], ()):
            method = self.graph.parameters.get(base)
            if method is not None and method.owner in record.lineage and method.positional[:1] == [base]:
                yield source, path[1:]

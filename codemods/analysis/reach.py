"""How far a value flows: a breadth-first search over the value-flow graph that keeps the shortest way.

A state of the search says: the origin sits in the values of this place, behind this path of fields. Calls and returns are
matched: what entered a function through an argument leaves it only to that call. Where an object is changed, the search
also goes backwards, to all places that the object may have come from.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from codemods.analysis.value_graph import (
    ANY,
    INSIDE,
    NO_CALL,
    REST,
    UNSAVED,
    VALUE,
    Edge,
    Function,
    Graph,
    Note,
    Op,
    Way,
    matches,
)
from codemods.catalog.entries import Sink
from codemods.finding import Level

Path = tuple[str, ...]

DEPTH = 3
"""How many fields of a path are kept apart."""

NATIVE = 0
"""The entry of states that no call has brought to where they are."""


class Kind(enum.Enum):
    """What sort of thing an origin is."""

    FUNCTION = enum.auto()
    CLASS = enum.auto()
    VIEW = enum.auto()
    ITERATOR = enum.auto()
    RESOURCE = enum.auto()


class State(NamedTuple):
    """Where the search is.

    Args:
        entry: through which call the state came into its function.
        place: the place whose values hold the origin.
        path: the fields between the value and the origin.
        called: whether the value has to be called to get at the path.
        back: whether the object itself has been changed, so that wherever it came from holds the origin too.
    """

    entry: int
    place: int
    path: Path
    called: bool = False
    back: bool = False


@dataclass
class _Entry:
    """One way into a function, and what is known to come out of it again."""

    function: Function
    callers: list[tuple[int, int]] = field(default_factory=list)
    exits: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Found:
    """The result of a search.

    Args:
        level: how far the origin gets.
        notes: the way there.
        sink: the catalog's entry, if the level is ``SINK``.
    """

    level: Level
    notes: tuple[Note, ...] = ()
    sink: Sink | None = None


class Search:
    """One breadth-first search.

    Args:
        graph: the graph.
        place: where the origin is.
        kind: what sort of thing it is.
        is_enum: whether it is a class whose attributes and items are its instances.
        everywhere: whether to go on after the highest level has been found.
    """

    LIMIT = 5_000
    """How many states are looked at before the search gives up."""
    PATIENCE = 2_000
    """How many of them may be looked at without a sink once it is known that the value comes to rest."""

    def __init__(
        self, graph: Graph, place: int, kind: Kind, *, is_enum: bool = False, near_sinks: frozenset[int] = frozenset()
    ) -> None:
        self.graph = graph
        self.kind = kind
        self.is_enum = is_enum
        self.near_sinks = near_sinks
        self.states: list[State] = []
        self.parents: list[tuple[int, Note | None]] = []
        self.seen: set[State] = set()
        self.queue: deque[int] = deque()
        self.entries: list[_Entry | None] = [None]
        self.entry_of: dict[tuple[int, Path, bool, bool], int] = {}
        self.resting: int | None = None
        self.sunk: int | None = None
        self.push(State(NATIVE, place, ()), -1, None)

    # Running

    def run(self) -> Found:
        """Search until a sink is found, or nothing better can be."""
        while self.queue and self.sunk is None:
            if len(self.states) > (self.LIMIT if self.resting is None else self.resting + self.PATIENCE):
                break
            index = self.queue.popleft()
            if self.resting is None or self.states[index].place in self.near_sinks:
                self.expand(index)
        if self.sunk is not None:
            return Found(Level.SINK, self.way(self.sunk), self.graph.sinks[self.states[self.sunk].place])
        if self.resting is not None:
            return Found(Level.STATE, self.way(self.resting))
        return Found(Level.LOCAL)

    def exhaust(self) -> Iterator[State]:
        """All states that can be reached."""
        while self.queue and len(self.states) < self.LIMIT:
            self.expand(self.queue.popleft())
        yield from self.states

    def way(self, index: int) -> tuple[Note, ...]:
        """The notes on the way to a state."""
        notes: list[Note] = []
        while index >= 0:
            index, note = self.parents[index]
            if note is not None:
                notes.append(note)
        return tuple(reversed(notes))

    def push(self, state: State, parent: int, note: Note | None) -> None:
        """Go to a state, unless it has been seen."""
        if state in self.seen:
            return
        self.seen.add(state)
        index = len(self.states)
        self.states.append(state)
        self.parents.append((parent, note))
        self.queue.append(index)
        self.judge(index, state)

    # Judging

    def judge(self, index: int, state: State) -> None:
        """Notice whether a state is at rest, or pickled."""
        if is_unsaved(state.path):
            return
        if self.sunk is None and state.place in self.graph.sinks and not state.called:
            if self.counts(self.graph.sinks[state.place], state.path):
                self.sunk = index
        if self.resting is None and self.rests(state):
            self.resting = index

    def counts(self, sink: Sink, path: Path) -> bool:
        """Whether a sink has trouble with the origin behind a path; ``copy.copy`` only looks at the object itself."""
        return has_trouble(sink, self.kind) and not (path and sink.name == "copy.copy")

    def rests(self, state: State) -> bool:
        """Whether code that runs later, or elsewhere, can get at what a state stands for."""
        graph, place = self.graph, state.place
        if place in graph.resting:
            return True
        if state.back and (place in graph.unknown or place in graph.definitions):
            return len(state.path) > 1 or place in graph.unknown
        if state.entry != NATIVE:
            return False
        function = graph.returned.get(place)
        if function is not None:
            return function.exposed and not function.decorates
        function = graph.parameters.get(place)
        return state.back and function is not None and (function.exposed or not self.has_callers(place))

    def has_callers(self, place: int) -> bool:
        """Whether the calls that pass a parameter of an inner function are known."""
        return any(edge.way is not Way.INSIDE for edge in self.graph.into[place])

    # Moving

    def expand(self, index: int) -> None:
        """Go along all edges of a state."""
        state = self.states[index]
        if state.back:
            self.push(state._replace(back=False), index, None)
            for edge in self.graph.into[state.place]:
                self.go_back(index, state, edge)
        else:
            for edge in self.graph.out[state.place]:
                self.go_on(index, state, edge)

    def go_on(self, index: int, state: State, edge: Edge) -> None:
        for path, called, back in self.forward(state, edge):
            moved = State(state.entry, edge.target, path, called, back)
            if edge.way is Way.INSIDE:
                self.push(self.settled(moved), index, edge.note)
            elif edge.way is Way.ANYWHERE:
                self.push(moved._replace(entry=NATIVE), index, edge.note)
            elif edge.way is Way.ENTER:
                self.enter(index, moved, self.graph.parameters[edge.target], edge)
            else:
                self.leave(index, moved, self.graph.returned[edge.source], edge)

    def go_back(self, index: int, state: State, edge: Edge) -> None:
        for path in self.backward(state, edge):
            moved = State(state.entry, edge.source, path, state.called, True)
            if edge.way is Way.INSIDE:
                self.push(self.settled(moved), index, None)
            elif edge.way is Way.ANYWHERE:
                function = self.graph.parameters.get(edge.target)
                if function is not None and not self.is_entered(state.entry, function):
                    self.push(moved._replace(entry=NATIVE), index, None)
            elif edge.way is Way.ENTER:
                self.leave(index, moved, self.graph.parameters[edge.target], edge)
            else:
                self.enter(index, moved, self.graph.returned[edge.source], edge)

    def settled(self, state: State) -> State:
        """A state at a place that outlives all calls belongs to none of them."""
        if state.place in self.graph.resting or state.place in self.graph.definitions:
            return state._replace(entry=NATIVE)
        return state

    def is_entered(self, entry: int, function: Function) -> bool:
        record = self.entries[entry]
        return record is not None and record.function is function

    def enter(self, index: int, state: State, function: Function, edge: Edge) -> None:
        """Go into a function and remember from where."""
        key = (state.place, state.path, state.called, state.back)
        number = self.entry_of.get(key)
        if number is None:
            number = self.entry_of[key] = len(self.entries)
            self.entries.append(_Entry(function))
        record = self.entries[number]
        assert record is not None
        caller = (edge.call, state.entry)
        if caller not in record.callers:
            record.callers.append(caller)
            for exit_index in list(record.exits):
                self.replay(exit_index, caller)
        self.push(state._replace(entry=number), index, edge.note)

    def replay(self, index: int, caller: tuple[int, int]) -> None:
        """Let what is known to come out of a function come out at one more call."""
        state = self.states[index]
        edges = self.graph.into[state.place] if state.back else self.graph.out[state.place]
        for edge in edges:
            if edge.call == caller[0]:
                self.come_out(index, state, edge, caller[1])

    def come_out(self, index: int, state: State, edge: Edge, entry: int) -> None:
        if state.back:
            for path in self.backward(state, edge):
                self.push(State(entry, edge.source, path, state.called, True), index, None)
        else:
            for path, called, back in self.forward(state, edge):
                self.push(State(entry, edge.target, path, called, back), index, edge.note)

    def leave(self, index: int, moved: State, function: Function, edge: Edge) -> None:
        """Go out of a function: to the call that led into it, or to all if none did."""
        state = self.states[index]
        if self.is_entered(state.entry, function):
            record = self.entries[state.entry]
            assert record is not None
            if index not in record.exits:
                record.exits.append(index)
            for call, entry in list(record.callers):
                if call == edge.call:
                    self.push(moved._replace(entry=entry), index, None if state.back else edge.note)
            return
        record = self.entries[state.entry]
        owner = self.graph.call_owners[edge.call] if edge.call != NO_CALL else None
        stays = record is not None and owner is not None and owner.is_inside(record.function)
        self.push(moved._replace(entry=state.entry if stays else NATIVE), index, None if state.back else edge.note)

    # What edges do to paths

    def forward(self, state: State, edge: Edge) -> list[tuple[Path, bool, bool]]:
        """The path, and whether it is behind a call or the object has changed, at the end of an edge."""
        if state.called and edge.op not in (Op.RESULT, Op.NEW):
            stops = edge.op in (Op.LAZY, Op.PART, Op.DECORATED)
            return [] if stops else [(state.path, True, edge.op in (Op.STORE, Op.EXTEND))]
        return [
            (path, called, edge.op in (Op.STORE, Op.EXTEND)) for path, called in _FORWARD[edge.op](self, state, edge)
        ]

    def backward(self, state: State, edge: Edge) -> list[Path]:
        """The path at the beginning of an edge, where the object at its end has been changed."""
        path = state.path
        if edge.op is Op.FLOW:
            return [path]
        if edge.op is Op.TAKE:
            if is_unsaved(path):
                return []
            return [path if state.called else grown(edge.field, path)]
        if state.called:
            return []
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
    if kind in (Kind.FUNCTION, Kind.CLASS):
        return not (sink.serialiser.by_value or sink.serialiser.atomic_functions)
    return not (sink.serialiser.by_value and kind is Kind.VIEW)


def grown(label: str, path: Path) -> Path:
    """A path behind one more field."""
    path = (label, *path)
    return path if len(path) <= DEPTH else (*path[:DEPTH], REST)


def is_unsaved(path: Path) -> bool:
    """Whether the pickle of an object leaves out what a path begins with. Such paths are not followed into others."""
    return path[:1] != () and path[0].startswith(UNSAVED)


_Moves = list[tuple[Path, bool]]


def _same(search: Search, state: State, edge: Edge) -> _Moves:
    return [(state.path, False)]


def _kept(search: Search, state: State, edge: Edge) -> _Moves:
    return [] if is_unsaved(state.path) else [(grown(edge.field, state.path), False)]


def _taken(search: Search, state: State, edge: Edge) -> _Moves:
    path = state.path
    if not path:
        return [((), False)] if search.is_enum else []
    if not matches(path[0], edge.field):
        return []
    return [((), False), (path, False)] if path == (REST,) else [(path[1:], False)]


def _copied(search: Search, state: State, edge: Edge) -> _Moves:
    return [(state.path, False)] if state.path and state.path[0] != INSIDE else []


def _namespace(search: Search, state: State, edge: Edge) -> _Moves:
    if not state.path:
        return []
    return [((UNSAVED + VALUE if is_unsaved(state.path) else VALUE, *state.path[1:]), False)]


def _lazy(search: Search, state: State, edge: Edge) -> _Moves:
    if state.path:
        return [(grown(INSIDE, state.path), False)] if state.path[0] == INSIDE else []
    return [((INSIDE,), False)] if search.kind is Kind.ITERATOR else []


def _result(search: Search, state: State, edge: Edge) -> _Moves:
    if state.called:
        return [(state.path, False)]
    return [((), False)] if not state.path and search.kind is Kind.CLASS else []


def _new(search: Search, state: State, edge: Edge) -> _Moves:
    if state.path and not state.called:
        return [(state.path, False)] if state.path[0] == INSIDE or state.path[0].startswith(UNSAVED) else []
    return _result(search, state, edge)


def _given(search: Search, state: State, edge: Edge) -> _Moves:
    return [(state.path, True)]


def _nothing(search: Search, state: State, edge: Edge) -> _Moves:
    return []


def _decorated(search: Search, state: State, edge: Edge) -> _Moves:
    """Functions and what they hold are taken to be pickled by name, as those are that they replace."""
    if not state.path:
        return [((), False)] if search.kind is not Kind.FUNCTION else []
    return [(state.path, False)] if state.path[0] != INSIDE else []


_FORWARD: dict[Op, Callable[[Search, State, Edge], _Moves]] = {
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

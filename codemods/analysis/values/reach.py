"""How far a value flows: a breadth-first search over the value-flow graph that keeps the shortest way.

A state of the search says: the origin sits in the values of this place, behind this path of fields. Calls and returns
are matched: what entered a function through an argument leaves it only to that call. Where an object is changed, the
search also goes backwards, to all places that the object may have come from.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from codemods.analysis.values.definitions import Function
from codemods.analysis.values.fields import RETURN, Path, is_unsaved
from codemods.analysis.values.graph import NO_CALL, Edge, Graph, Note, Way
from codemods.analysis.values.reach_moves import CHANGES, Kind, backward, forward, has_trouble
from codemods.catalog.entries import Sink
from codemods.finding import Level

NATIVE = 0
"""The entry of states that no call has brought to where they are."""


class State(NamedTuple):
    """Where the search is.

    Args:
        entry: through which call the state came into its function.
        place: the place whose values hold the origin.
        path: the fields between the value and the origin.
        back: whether the object itself has been changed, so that wherever it came from holds the origin too.
    """

    entry: int
    place: int
    path: Path
    back: bool = False


@dataclass
class _Entry:
    """One way into a function, and what is known to come out of it again."""

    function: Function | None
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
        near_sinks: all places from which a sink can be reached.
    """

    LIMIT = 5_000
    """How many states are looked at before the search gives up."""
    PATIENCE = 2_000
    """How many of them may be looked at without a sink once it is known that the value comes to rest."""

    def __init__(self, graph: Graph, place: int, kind: Kind, near_sinks: frozenset[int] = frozenset()) -> None:
        self.graph = graph
        self.kind = kind
        self.near_sinks = near_sinks
        self.states: list[State] = []
        self.parents: list[tuple[int, Note | None]] = []
        self.seen: set[State] = set()
        self.queue: deque[int] = deque()
        self.entries = [_Entry(None)]
        self.entry_of: dict[tuple[int, Path, bool], int] = {}
        self.resting: int | None = None
        self.sunk: int | None = None
        self.by_value = False
        """Whether something takes the origin that does not need its name: who returns it may do so for its sake."""
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
        if self.resting is not None and not (self.by_value and self.states[self.resting].place in self.graph.returned):
            return Found(Level.STATE, self.way(self.resting))
        return Found(Level.LOCAL)

    def exhaust(self) -> Iterator[State]:
        """All states that can be reached."""
        while self.queue and len(self.states) < self.LIMIT:
            self.expand(self.queue.popleft())
        yield from self.states

    @property
    def gave_up(self) -> bool:
        """Whether there is more to see than the search has looked at."""
        return bool(self.queue)

    def push(self, state: State, parent: int, note: Note | None) -> None:
        """Go to a state, unless it has been seen."""
        if state in self.seen:
            return
        self.seen.add(state)
        index = len(self.states)
        self.states.append(state)
        self.parents.append((parent, note))
        self.queue.append(index)
        if not is_unsaved(state.path):
            if self.sunk is None and self.sinks(state):
                self.sunk = index
            self.by_value = self.by_value or self.travels_by_value(state)
            if self.resting is None and self.rests(state):
                self.resting = index

    # Judging

    def sinks(self, state: State) -> bool:
        """Whether a state is pickled by something that has trouble with it."""
        sink = self.graph.sinks.get(state.place)
        if sink is None or RETURN in state.path or (state.path and sink.name == "copy.copy"):
            return False
        return has_trouble(sink, self.kind)

    def travels_by_value(self, state: State) -> bool:
        """Whether a state is sent elsewhere by something that has no trouble with it."""
        sink = self.graph.sinks.get(state.place)
        return sink is not None and RETURN not in state.path and sink.serialiser.by_value and self.kind is Kind.FUNCTION

    def rests(self, state: State) -> bool:
        """Whether code that runs later, or elsewhere, can get at what a state stands for."""
        graph, place = self.graph, state.place
        if place in graph.resting:
            return True
        if state.back and (place in graph.unknown or place in graph.definitions):
            return len(state.path) > 1 or place in graph.unknown
        if state.entry != NATIVE:
            return False
        if (function := graph.returned.get(place)) is not None:
            return function.exposed and not function.decorates
        function = graph.parameters.get(place)
        return state.back and function is not None and (function.exposed or not self.has_callers(place))

    def has_callers(self, place: int) -> bool:
        """Whether the calls that pass a parameter of an inner function are known."""
        return any(edge.way is not Way.INSIDE for edge in self.graph.into[place])

    def way(self, index: int) -> tuple[Note, ...]:
        """The notes on the way to a state."""
        notes: list[Note] = []
        end = self.end(self.states[index])
        while index >= 0:
            place = self.states[index].place
            index, note = self.parents[index]
            if note is not None:
                origin = self.states[index].place if index >= 0 else place
                notes.append(note._replace(file=self.graph.file_of[origin]))
        if end is not None:
            notes.insert(0, end)
        return tuple(reversed(notes))

    def end(self, state: State) -> Note | None:
        """What is to be said of the place itself: where an object has been changed, no edge leads there."""
        function = self.graph.parameters.get(state.place)
        if not state.back or (function is not None and function.bound and state.place == function.positional[0]):
            return None
        note = self.graph.notes.get(state.place)
        return note if note is None else note._replace(file=self.graph.file_of[state.place])

    # Moving

    def expand(self, index: int) -> None:
        """Go along all edges of a state."""
        state = self.states[index]
        if state.back:
            self.push(state._replace(back=False), index, None)
            for edge in self.graph.into[state.place]:
                for moved in self.before(state, edge):
                    self.go_back(index, moved, edge)
        else:
            for edge in self.graph.out[state.place]:
                for moved in self.after(state, edge):
                    self.go_on(index, moved, edge)

    def after(self, state: State, edge: Edge) -> Iterator[State]:
        """The states at the end of an edge, as if it did not leave the function."""
        for path in forward(self.kind, state.path, edge):
            yield State(state.entry, edge.target, path, edge.op in CHANGES)

    def before(self, state: State, edge: Edge) -> Iterator[State]:
        """The states at the beginning of an edge, as if it did not leave the function."""
        for path in backward(state.path, edge):
            yield State(state.entry, edge.source, path, True)

    def go_on(self, index: int, moved: State, edge: Edge) -> None:
        if edge.way is Way.INSIDE:
            self.push(self.settled(moved), index, edge.note)
        elif edge.way is Way.ANYWHERE:
            self.push(moved._replace(entry=NATIVE), index, edge.note)
        elif edge.way is Way.ENTER:
            self.enter(index, moved, self.graph.parameters[edge.target], edge)
        else:
            self.leave(index, moved, self.graph.returned[edge.source], edge)

    def go_back(self, index: int, moved: State, edge: Edge) -> None:
        if edge.way is Way.INSIDE:
            self.push(self.settled(moved), index, None)
        elif edge.way is Way.ANYWHERE:
            function = self.graph.parameters.get(edge.target)
            if function is not None and self.entries[moved.entry].function is not function:
                self.push(moved._replace(entry=NATIVE), index, None)
        elif edge.way is Way.ENTER:
            self.leave(index, moved, self.graph.parameters[edge.target], edge)
        else:
            self.enter(index, moved, self.graph.returned[edge.source], edge)

    def settled(self, state: State) -> State:
        """A state at a place that outlives all calls belongs to none of them."""
        outlives = state.place in self.graph.resting or state.place in self.graph.definitions
        return state._replace(entry=NATIVE) if outlives else state

    def enter(self, index: int, state: State, function: Function, edge: Edge) -> None:
        """Go into a function and remember from where."""
        key = (state.place, state.path, state.back)
        number = self.entry_of.setdefault(key, len(self.entries))
        if number == len(self.entries):
            self.entries.append(_Entry(function))
        entry = self.entries[number]
        caller = (edge.call, state.entry)
        if caller not in entry.callers:
            entry.callers.append(caller)
            for known in list(entry.exits):
                self.come_out(known, *caller)
        self.push(state._replace(entry=number), index, None if state.back else edge.note)

    def come_out(self, index: int, call: int, entry: int) -> None:
        """Let what is known to come out of a function come out at one more call."""
        state = self.states[index]
        for edge in self.graph.into[state.place] if state.back else self.graph.out[state.place]:
            if edge.call == call:
                for moved in self.before(state, edge) if state.back else self.after(state, edge):
                    self.push(moved._replace(entry=entry), index, None if state.back else edge.note)

    def leave(self, index: int, moved: State, function: Function, edge: Edge) -> None:
        """Go out of a function: to the call that led into it, or to all if none did."""
        state = self.states[index]
        entry = self.entries[state.entry]
        note = None if state.back else edge.note
        if entry.function is function:
            if index not in entry.exits:
                entry.exits.append(index)
            for call, outer in list(entry.callers):
                if call == edge.call:
                    self.push(moved._replace(entry=outer), index, note)
            return
        caller = self.graph.call_owners[edge.call] if edge.call != NO_CALL else None
        stays = entry.function is not None and caller is not None and caller.is_inside(entry.function)
        self.push(moved._replace(entry=state.entry if stays else NATIVE), index, note)

"""Where the values of a graph leave it: what other code of the project would have to be looked at as well."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from codemods.analysis.project.definitions import Definition, Definitions
from codemods.analysis.values.call import Call
from codemods.analysis.values.calls import Calls
from codemods.analysis.values.definitions import Class, Function
from codemods.analysis.values.graph import Note
from codemods.analysis.values.project_graph import Joined
from codemods.analysis.values.reach import NATIVE, State
from codemods.analysis.values.types import ClassItself


class Export(NamedTuple):
    """A top-level name of a file whose users get at a value.

    Args:
        path: the file.
        name: the function, class or variable.
    """

    path: str
    name: str


class Border:
    """The border of a graph.

    Args:
        joined: the graph.
        definitions: finds what other files define.
    """

    def __init__(self, joined: Joined, definitions: Definitions) -> None:
        self.joined = joined
        self.definitions = definitions

    # Outwards: who else gets at a value

    def exports(self, states: Collection[State]) -> set[Export]:
        """The names by which other code gets at the values of some states of a search."""
        return {
            Export(self.joined.files[self.joined.graph.file_of[state.place]].path, name)
            for state in states
            if (name := self._name(state)) is not None
        }

    def _name(self, state: State) -> str | None:
        graph = self.joined.graph
        if state.place in self._variables:
            return self._variables[state.place]
        if state.entry != NATIVE:
            return None
        function = graph.returned.get(state.place)
        if function is None and state.back:
            function = graph.parameters.get(state.place)
        return self._top_level_name(function) if function is not None else None

    def _top_level_name(self, function: Function) -> str | None:
        """The top-level function or class by which a function is got at."""
        if function.owner is not None:
            return function.owner.node.name if function.owner.node in self._top_level else None
        return function.name if function.node in self._top_level else None

    @functools.cached_property
    def _top_level(self) -> set[ast.AST]:
        """The definitions at the top level of the files."""
        modules = (file.scopes.module for file in self.joined.files)
        return {node for module in modules for nodes in module.bindings.values() for node in nodes}

    @functools.cached_property
    def _variables(self) -> dict[int, str]:
        """The top-level variables, and the attributes of top-level classes, by their places."""
        found: dict[int, str] = {}
        for file, calls in zip(self.joined.files, self.joined.calls, strict=True):
            for name in (*file.scopes.module.bindings, *file.elsewhere):
                place = calls.names.known(name)
                if place is not None:
                    found[place] = name
            for record in calls.walker.classes:
                if record.node in self._top_level:
                    found.update(dict.fromkeys(record.attributes.values(), record.node.name))
        return found

    # Inwards: what is called with a value

    def callees(self, states: Collection[State]) -> Iterator[tuple[Definition, str]]:
        """The functions and classes of other files that are handed a value, each with the file that calls it."""
        for index, call in self._calls_with(states):
            yield from self._defined(index, _targets(self.joined.calls[index], call))
        for state in states:
            owner = self._changed(state)
            if owner is not None:
                yield from self._defined(self.joined.graph.file_of[state.place], filter(None, owner.foreign_bases()))

    def _defined(self, index: int, names: Iterable[str]) -> Iterator[tuple[Definition, str]]:
        path = self.joined.files[index].path
        for dotted in names:
            definition = self.definitions.find(path, dotted)
            if definition is not None and definition.nodes:
                yield definition, path

    def _changed(self, state: State) -> Class | None:
        """The class whose instance a method changes at a state."""
        function = self.joined.graph.parameters.get(state.place) if state.back else None
        is_instance = function is not None and function.positional[:1] == [state.place]
        return function.owner if function is not None and is_instance else None

    def unresolved(self, states: Collection[State]) -> Iterator[Note]:
        """The calls of which nothing is known that are handed one of the places."""
        places = {state.place for state in states}
        for index, call in self._calls_with(states):
            if call.node in self._unresolved[index] and call.receiver not in places:
                yield Note(call.node, "nothing is known of {}()", (self.joined.calls[index].title(call),), index)

    @functools.cached_property
    def _unresolved(self) -> list[frozenset[ast.AST]]:
        return [frozenset(calls.unresolved) for calls in self.joined.calls]

    def _calls_with(self, states: Collection[State]) -> list[tuple[int, Call]]:
        """The calls that one of the places takes part in, with the numbers of their files."""
        found = {item: None for state in states for item in self._by_place.get(state.place, ())}
        return sorted(found, key=lambda item: item[1].index)

    @functools.cached_property
    def _by_place(self) -> dict[int, list[tuple[int, Call]]]:
        found: dict[int, list[tuple[int, Call]]] = {}
        for index, calls in enumerate(self.joined.calls):
            for call in calls.walker.calls:
                for place in _participants(call):
                    found.setdefault(place, []).append((index, call))
        return found


def _participants(call: Call) -> Iterator[int]:
    """The places of the receiver and the arguments of a call."""
    places = (call.receiver, *(place for place, _ in call.positional), *(place for _, place in call.keywords))
    return (place for place in places if place is not None)


def _targets(calls: Calls, call: Call) -> Iterator[str]:
    """The dotted names of what a call may run that the graph does not hold."""
    if calls.is_super(call) and call.frame.owner is not None:
        yield from filter(None, call.frame.owner.foreign_bases())
        return
    dotted = calls.names.full(call.function, call.frame.scope)
    if dotted is not None:
        yield dotted
    for tag in calls.types.of(call.callee):
        record = tag.record if isinstance(tag, ClassItself) else tag if isinstance(tag, Class) else None
        if record is not None:
            yield from filter(None, record.foreign_bases())
    if call.receiver is not None:
        for tag in calls.types.of(call.receiver):
            if isinstance(tag, str):
                yield tag
            elif isinstance(tag, Class):
                yield from filter(None, tag.foreign_bases())

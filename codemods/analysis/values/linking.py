"""Connects single calls: arguments to parameters, results to calls, arguments to what keeps them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.values.call import Call
from codemods.analysis.values.definitions import Class, Function
from codemods.analysis.values.fields import ITEM, VALUE
from codemods.analysis.values.graph import Edge, Graph, Note, Op, Way
from codemods.analysis.values.names import Names, spelled
from codemods.analysis.values.types import Types
from codemods.catalog.entries import Literal, Missing, Parameter


class Linker:
    """Makes the edges of calls.

    Args:
        graph: receives them.
        names: the variables of the file.
        types: what is known about types.
    """

    def __init__(self, graph: Graph, names: Names, types: Types) -> None:
        self.graph = graph
        self.names = names
        self.types = types

    # Arguments

    def argument(self, call: Call, position: int | None, name: str = "") -> int | None:
        """The place of an argument, by position or keyword."""
        for keyword, place in call.keywords:
            if keyword is not None and keyword == name:
                return place
        if position is not None and position < len(call.positional):
            place, starred = call.positional[position]
            return None if starred else place
        return None

    def passed(self, call: Call, parameter: Parameter) -> Iterator[tuple[int, str]]:
        """The places of all that a parameter of the catalog gets, with the keyword or parameter to show."""
        if parameter.name == "self":
            if call.receiver is not None:
                yield call.receiver, "self"
        elif parameter.stars == 1:
            yield from self._positional(call, parameter.position or 0)
        elif parameter.stars == 2:
            for keyword, place in call.keywords:
                if place is not None:
                    yield place, keyword or parameter.name
        else:
            place = self.argument(call, parameter.position, parameter.name)
            if place is not None:
                yield place, parameter.name

    def _positional(self, call: Call, start: int) -> Iterator[tuple[int, str]]:
        for place, starred in call.positional[start:]:
            source = self.graph.derive(Op.TAKE, place, ITEM) if starred else place
            if source is not None:
                yield source, ""

    def literal(self, call: Call, parameter: Parameter) -> Literal | Missing:
        """The literal that an argument is, or what stands in for it."""
        node = self._expression(call, parameter)
        if node is None:
            spread = call.arguments is not None and any(keyword.arg is None for keyword in call.arguments.keywords)
            return Missing.UNKNOWN if spread else Missing.ABSENT
        if not isinstance(node, ast.Constant):
            return Missing.UNKNOWN
        if node.value is None:
            return Missing.ABSENT
        return node.value if isinstance(node.value, (str, int, float, bool)) else Missing.UNKNOWN

    @staticmethod
    def _expression(call: Call, parameter: Parameter) -> ast.expr | None:
        if call.arguments is None:
            return None
        for keyword in call.arguments.keywords:
            if keyword.arg == parameter.name:
                return keyword.value
        if parameter.position is not None and parameter.position < len(call.arguments.args):
            return call.arguments.args[parameter.position]
        return None

    # Functions of the file

    def bind(
        self, call: Call, function: Function, receiver: int | None, title: str = "", bound: bool | None = None
    ) -> None:
        """Let the arguments of a call flow to the parameters of a function.

        Args:
            call: the call.
            function: what it runs.
            receiver: the place of what is passed as the first parameter without being written as an argument.
            title: the name to show for the function.
            bound: whether the receiver is passed; as the function says itself if left out.
        """
        title = title or function.name
        free = list(function.positional)
        if (function.bound if bound is None else bound) and receiver is not None and free:
            self.enter(call, receiver, free.pop(0), Op.FLOW, None)
        taken = self._bind_positional(call, function, free, title)
        self._bind_keywords(call, function, free[taken:], title)

    def _bind_positional(self, call: Call, function: Function, free: list[int], title: str) -> int:
        index = 0
        for place, starred in call.positional:
            if starred:
                element = self.graph.derive(Op.TAKE, place, ITEM)
                for parameter in free[index:]:
                    self.enter(call, element, parameter, Op.FLOW, self.note(call, title, parameter, function))
                self.enter(call, place, function.var_positional, Op.COPY, self.note(call, title, None, function))
                index = len(free)
            elif index < len(free):
                self.enter(call, place, free[index], Op.FLOW, self.note(call, title, free[index], function))
                index += 1
            else:
                self.enter(call, place, function.var_positional, Op.KEEP, self.note(call, title, None, function))
        return index

    def _bind_keywords(self, call: Call, function: Function, free: list[int], title: str) -> None:
        for name, place in call.keywords:
            if name is None:
                element = self.graph.derive(Op.TAKE, place, VALUE)
                for parameter in dict.fromkeys((*free, *function.named.values())):
                    if parameter in free or parameter not in function.positional:
                        self.enter(call, element, parameter, Op.FLOW, self.note(call, title, parameter, function))
                self.enter(call, place, function.var_keyword, Op.COPY, self.note(call, title, None, function))
            elif name in function.named:
                note = Note(call.node, "passed to {}({}=)", (title, name))
                self.enter(call, place, function.named[name], Op.FLOW, note)
            else:
                note = Note(call.node, "passed to {}({}=)", (title, name))
                self.enter(call, place, function.var_keyword, Op.KEEP, note)

    @staticmethod
    def note(call: Call, title: str, parameter: int | None, function: Function) -> Note:
        """What is shown for an argument."""
        if call.decorates:
            return Note(call.node, "decorated by {}", (title,))
        for name, place in function.named.items():
            if place == parameter:
                return Note(call.node, "passed to {}({}=)", (title, name))
        return Note(call.node, "passed to {}()", (title,))

    def enter(self, call: Call, source: int | None, target: int | None, op: Op, note: Note | None) -> None:
        """An edge from an argument to a parameter."""
        if source is not None and target is not None:
            label = "" if op is not Op.KEEP else VALUE if target in self.graph.mappings else ITEM
            self.graph.connect(Edge(source, target, op, label, note, Way.ENTER, call.index))

    def leave(self, call: Call, function: Function) -> None:
        """An edge from what a function returns to the result of a call."""
        self.graph.connect(Edge(function.returned, call.result, way=Way.EXIT, call=call.index))

    def invoke(self, origin: Call, function: int | None, arguments: list[int | None]) -> int | None:
        """The place of what a callable returns that some other call is going to call.

        Args:
            origin: the call that is handed the callable.
            function: the place of the callable.
            arguments: the places of what it will be called with.
        """
        if function is None:
            return None
        index = len(self.graph.call_owners)
        self.graph.call_owners.append(origin.frame.function)
        positional = [(argument, False) for argument in arguments]
        result = self.graph.place()
        call = Call(index, origin.node, origin.frame, origin.function, function, None, positional, [], result)
        known = [tag for tag in self.types.of(function) if isinstance(tag, Function)]
        for tag in known:
            self.bind(call, tag, None)
            self.leave(call, tag)
        if not known:
            self.graph.link(Op.RESULT, function, result)
        return result

    # Objects that keep their arguments

    def keep(self, call: Call, title: str, label: str = "") -> None:
        """Let the result of a call hold all arguments, each in a field of its name, or in one that is not known."""
        for place, starred in call.positional:
            source = self.graph.derive(Op.TAKE, place, ITEM) if starred else place
            self.graph.link(Op.KEEP, source, call.result, label or "*", Note(call.node, "passed to {}()", (title,)))
        for name, place in call.keywords:
            source = self.graph.derive(Op.TAKE, place, VALUE) if name is None else place
            note = Note(call.node, "passed to {}({}=)", (title, name or "**"))
            self.graph.link(Op.KEEP, source, call.result, label or "*", note)

    def fill(self, call: Call, record: Class) -> None:
        """Let an instance hold the arguments of its generated ``__init__``."""
        names = [name for owner in reversed(record.lineage) for name in owner.fields or ()]
        title = record.node.name
        for index, (place, starred) in enumerate(call.positional):
            if starred or index >= len(names):
                element = self.graph.derive(Op.TAKE, place, ITEM) if starred else place
                self.graph.link(Op.KEEP, element, call.result, "*", Note(call.node, "passed to {}()", (title,)))
            else:
                note = Note(call.node, "passed to {}({}=)", (title, names[index]))
                self.graph.link(Op.KEEP, place, call.result, names[index], note)
        for name, place in call.keywords:
            element = self.graph.derive(Op.TAKE, place, VALUE) if name is None else place
            note = Note(call.node, "passed to {}({}=)", (title, name or "**"))
            self.graph.link(Op.KEEP, element, call.result, name or "*", note)

    def title(self, call: Call) -> str:
        """The name of what is called, for messages."""
        return spelled(call.function)

"""Turns the entries of the catalogs into edges."""

from __future__ import annotations

from codemods.analysis.values.call import Call
from codemods.analysis.values.definitions import Class
from codemods.analysis.values.fields import ANY, ITEM, VALUE
from codemods.analysis.values.graph import Note, Op
from codemods.analysis.values.linking import Linker
from codemods.analysis.values.types import Tag
from codemods.catalog.entries import Condition, Construction, Consumer, Form, Kind, Parameter, Sink, Use, When
from codemods.catalog.loader import Catalog

_KINDS = {Form.FUNCTION: Kind.FUNCTION_ONLY, Form.SOURCE: Kind.SOURCE_ONLY}


class CatalogLinker(Linker):
    """Also knows what the catalogs say; ``catalog`` is set by those who make one."""

    catalog: Catalog

    def sink(self, call: Call, entry: Sink) -> bool:
        """Connect a call that pickles; False if the conditions of the entry do not hold."""
        if not all(self.holds(call, condition) for condition in entry.conditions):
            return False
        title = _short(entry.name)
        manner = "under spawn/forkserver" if entry.when is When.SPAWN else ""
        for parameter in entry.travels:
            for place, name in self.passed(call, parameter):
                source = self.graph.derive(Op.TAKE, place, ITEM) if parameter.items else place
                words = (title, f"{name}=" if name and name != "self" else "", f" {manner}" if manner else "")
                if entry.accepts in _KINDS:
                    self.graph.use(source, "form", _KINDS[entry.accepts].value)
                self.pickled(source, entry, Note(call.node, "pickled by {}({}){}", words))
                if parameter.items:
                    values = self.graph.derive(Op.TAKE, place, VALUE)
                    self.pickled(values, entry, Note(call.node, "pickled by {}({}){}", words))
        for returned in entry.returns:
            self.result_side(call, entry, returned)
        return True

    def pickled(self, place: int | None, entry: Sink, note: Note) -> None:
        """Let a place lead to a sink."""
        if place is not None:
            target = self.graph.place()
            self.graph.sinks[target] = entry
            self.graph.flow(place, target, note)

    def result_side(self, call: Call, entry: Sink, returned: str) -> None:
        """Connect what a callable returns to the sink that it is handed to."""
        name, _, method = returned.partition(".")
        parameter = next(travelling for travelling in entry.travels if travelling.name == name)
        title = _short(entry.name)
        for place, _ in self.passed(call, parameter):
            note = Note(call.node, "pickled on its way back from {}({}=)", (title, name))
            if method:
                for tag in self.types.of(place):
                    function = tag.method(method) if isinstance(tag, Class) else None
                    if function is not None:
                        self.pickled(function.returned, entry, note)
            else:
                self.pickled(self.graph.derive(Op.RESULT, place), entry, note)

    def holds(self, call: Call, condition: Condition) -> bool:
        """Whether a condition of an entry is met by a call."""
        value = self.literal(call, condition.parameter)
        instance = None
        if condition.instance is not None:
            place = self.argument(call, condition.parameter.position, condition.parameter.name)
            instance = next((tag for tag in self.types.of(place) if tag == condition.instance), None)
        return condition.holds(value, instance if isinstance(instance, str) else None)

    def construct(self, call: Call, entries: tuple[Construction, ...]) -> None:
        """Say what the catalog knows of the type of a result."""
        for entry in entries:
            if all(self.holds(call, condition) for condition in entry.conditions):
                place = self.graph.derive(Op.TAKE, call.result, ITEM) if entry.items else call.result
                if entry.items:
                    element = self.graph.place()
                    self.types.tag(element, entry.gives)
                    self.graph.link(Op.KEEP, element, call.result, ITEM)
                elif place is not None:
                    self.types.tag(place, entry.gives)
                return

    def consume(self, call: Call, entry: Consumer) -> None:
        """Connect a call of which the catalog says what it does with its arguments."""
        for use in entry.uses:
            for parameter in use.parameters:
                for place, name in self.passed(call, parameter):
                    self.use(call, use, parameter, place, name)

    def use(self, call: Call, use: Use, parameter: Parameter, place: int, name: str) -> None:
        """Connect one argument."""
        title = self.title(call)
        note = Note(call.node, "passed to {}({})", (title, f"{name}=" if name else ""))
        if use.kind is Kind.DRAINS:
            self.graph.use(place, "iterate")
        elif use.kind is Kind.LAZY:
            self.graph.link(Op.LAZY, place, call.result, "", note)
        elif use.kind is Kind.SHOWS_NAME:
            self.graph.use(place, "attribute", "__name__")
        elif use.kind in (Kind.FUNCTION_ONLY, Kind.SOURCE_ONLY, Kind.NO_CALLABLE_CLASS):
            self.graph.use(place, "form", use.kind.value)
        elif use.kind is Kind.KEEPS and use.into is not None:
            self.keep_into(call, use.into, parameter, place, note)

    def keep_into(self, call: Call, into: Parameter, parameter: Parameter, place: int, note: Note) -> None:
        """Let the receiver, the result or another argument keep one argument."""
        element = self.graph.derive(Op.TAKE, place, ITEM) if parameter.items else place
        if into.name == "result" or (into.name == "self" and self.title(call).rpartition(".")[2][:1].isupper()):
            self.graph.link(Op.KEEP, element, call.result, ITEM if parameter.items else ANY, note)
            return
        target = call.receiver if into.name == "self" else self.argument(call, into.position, into.name)
        label = VALUE if parameter.stars == 2 else ITEM
        self.graph.link(Op.STORE, element, target, label, note)
        if into.name == "self" and not self.types.of(target) & BUILTIN_TYPES:
            self.graph.flow(target, call.result)
        if parameter.items:
            self.graph.link(Op.EXTEND, place, target, "", note)


BUILTIN_TYPES: frozenset[Tag] = frozenset({"list", "dict", "set", "tuple", "iterator", "generator"})


def _short(name: str) -> str:
    """The last part of a dotted name, with its class if it is a method."""
    parts = name.split(".")
    return ".".join(parts[-2:] if len(parts) > 1 and parts[-2][:1].isupper() else parts[-1:])

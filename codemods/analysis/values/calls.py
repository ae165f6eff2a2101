"""Resolves calls: which functions and classes of the file they run, and what the catalog says of the others."""

from __future__ import annotations

import ast

from codemods.analysis.values.builtins import HANDLERS, METHODS
from codemods.analysis.values.call import Call
from codemods.analysis.values.definitions import Class, Function
from codemods.analysis.values.fields import ITEM, VALUE
from codemods.analysis.values.graph import Edge, Note, Op, Way
from codemods.analysis.values.knowledge import Knowledge
from codemods.analysis.values.names import spelled
from codemods.analysis.values.types import ClassItself, Tag
from codemods.catalog.entries import Kind

ROUNDS = 3
_STORING = ("add_", "register_", "subscribe", "connect", "push_", "set_")
_FORMS = frozenset({Kind.FUNCTION_ONLY, Kind.SOURCE_ONLY, Kind.NO_CALLABLE_CLASS})
_INITIALISERS = frozenset({"__init__", "__new__", "__setstate__"})


class Calls(Knowledge):
    """Connects the calls of a walked file."""

    pending: list[Call]

    def round(self, number: int) -> None:
        """Resolve what can be: first the calls that are plain, then those whose receivers became known by that.

        Args:
            number: the number of the round, from 0 to ``ROUNDS - 1``.
        """
        if number == 0:
            self.pending = self.walker.calls
        elif number == 1:
            self.store_items()
            self.read_attributes()
        self.pending = [call for call in self.pending if not self.resolve(call, number == ROUNDS - 1)]

    def resolve(self, call: Call, last: bool) -> bool:
        """Connect a call; False if that has to wait until more is known."""
        if self.is_super(call):
            self.call_super(call)
            return True
        dotted = self.names.dotted(call.function, call.frame.scope)
        if dotted is not None:
            self.call_named(call, dotted)
            return True
        if not (call.method is not None and self.call_method(call)) and not self.call_value(call):
            return last and self.call_unknown(call)
        return last or not call.connected  # What a decorator makes of what is called may be known only later.

    @staticmethod
    def is_super(call: Call) -> bool:
        node = call.function
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call)):
            return False
        return isinstance(node.value.func, ast.Name) and node.value.func.id == "super"

    def call_super(self, call: Call) -> None:
        owner, function = call.frame.owner, call.frame.function
        while function is not None and function.owner is None:
            function = function.parent
        receiver = function.positional[0] if function is not None and function.positional else None
        call.receiver = receiver
        if owner is None or call.method is None:
            return
        for base in owner.lineage[1:]:
            if call.method in base.methods:
                self.run(call, base.methods[call.method], receiver, f"{base.node.name}.{call.method}")
                return
        self.call_foreign(call, owner, receiver)

    def call_foreign(self, call: Call, owner: Class, receiver: int | None) -> None:
        """A call of a method that a class inherits from elsewhere."""
        names = [name for name in owner.foreign_bases() if name]
        assert call.method is not None
        if call.method not in _INITIALISERS:
            if not any(self.call_entry(call, f"{name}.{call.method}") for name in names):
                self.call_unknown_method(call)
            return
        if owner.foreign_bases() and not self.only_sinks(call, owner):
            self.keep_in(call, receiver, f"super().{call.method}")

    def only_sinks(self, call: Call, owner: Class) -> bool:
        """Connect what initialising an instance pickles; whether its class inherits nothing that keeps arguments."""
        sunk = [
            name
            for name in filter(None, owner.foreign_bases())
            if (entry := self.catalog.sink(name)) is not None and self.sink(call, entry)
        ]
        return bool(sunk) and not any(self.catalog.consumer(name) for name in sunk)

    def keep_in(self, call: Call, receiver: int | None, title: str) -> None:
        """Let an object that exists already hold all arguments."""
        for place, starred in call.positional:
            source = self.graph.derive(Op.TAKE, place, ITEM) if starred else place
            self.graph.link(Op.STORE, source, receiver, "*", Note(call.node, "passed to {}()", (title,)))
        for name, place in call.keywords:
            source = self.graph.derive(Op.TAKE, place, VALUE) if name is None else place
            note = Note(call.node, "passed to {}({}=)", (title, name or "**"))
            self.graph.link(Op.STORE, source, receiver, name or "*", note)

    def call_named(self, call: Call, dotted: str) -> None:
        """A call of a builtin or of something imported."""
        self.construct_named(call, dotted)
        if self.call_entry(call, dotted):
            return
        owner, _, last = dotted.rpartition(".")
        if last in _INITIALISERS and owner:
            rest = call.positional[1:]
            receiver = self.argument(call, 0)
            call.positional = rest
            self.keep_in(call, receiver, f"{owner.rpartition('.')[2]}.{last}")
        elif last[:1].isupper():
            self.keep(call, self.title(call))
            self.types.tag(call.result, self.catalog.canonical(dotted))
        elif call.method is not None and self.is_object(call):
            self.call_unknown_method(call)
        else:
            self.graph.unknown.add(call.result)
            self.unresolved.append(call.node)

    def is_object(self, call: Call) -> bool:
        """Whether the receiver of an imported method may be an object rather than a module."""
        node = call.function
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name):
            return False
        owner = call.frame.scope.resolve(node.id)
        return any(isinstance(binding, ast.ImportFrom) for binding in owner.bindings.get(node.id, ()))

    def construct_named(self, call: Call, dotted: str) -> None:
        self.construct(call, self.catalog.constructions(dotted))

    def call_entry(self, call: Call, dotted: str) -> bool:
        """A call that the catalogs or the language know by name; False if they do not."""
        self.construct_named(call, dotted)
        entry = self.catalog.sink(dotted)
        sunk = entry is not None and self.sink(call, entry)
        handler = HANDLERS.get(dotted) or HANDLERS.get(self.catalog.canonical(dotted))
        if handler is not None:
            handler(self, call)
            return True
        consumer = self.catalog.consumer(dotted)
        if consumer is None:
            return sunk
        self.consume(call, consumer)
        return sunk or not consumer.kinds <= _FORMS

    def call_method(self, call: Call) -> bool:
        """A call of an attribute of an object whose type is known."""
        assert call.method is not None
        found = False
        for tag in self.types.of(call.receiver):
            if isinstance(tag, Class):
                found = self.call_on_instance(call, tag) or found
            elif isinstance(tag, ClassItself):
                found = self.call_on_class(call, tag.record) or found
            elif isinstance(tag, str):
                found = self.call_typed(call, tag) or found
        return found

    def call_on_instance(self, call: Call, record: Class) -> bool:
        assert call.method is not None
        method = record.method(call.method)
        if method is not None:
            self.run_method(call, record, method)
            return True
        return any(self.call_entry(call, f"{name}.{call.method}") for name in record.foreign_bases() if name)

    def run_method(self, call: Call, record: Class, method: Function) -> None:
        """Connect a call of a method, and of what its decorators put in its place."""
        if not getattr(method.node, "decorator_list", ()):
            self.run(call, method, call.receiver)
            return
        place = next(
            (owner.attributes[method.name] for owner in record.lineage if method.name in owner.attributes), None
        )
        wrappers = {tag for tag in self.types.of(place) if isinstance(tag, Function)}
        for function in {method, *wrappers} - call.connected:
            self.run(call, function, call.receiver, bound=method.bound)
            call.connected.add(function)

    def call_on_class(self, call: Call, record: Class) -> bool:
        assert call.method is not None
        method = record.method(call.method)
        if method is None:
            return False
        is_class_method = any(
            isinstance(name, ast.Name) and name.id == "classmethod"
            for name in getattr(method.node, "decorator_list", ())
        )
        self.run(call, method, call.receiver if is_class_method else None, f"{record.node.name}.{call.method}")
        return True

    def call_typed(self, call: Call, tag: str) -> bool:
        """A method of a builtin type, or of a class that is known by its dotted name."""
        assert call.method is not None
        if "." in tag:
            return self.call_entry(call, f"{tag}.{call.method}")
        if call.method in METHODS or not self.call_entry(call, f"{tag}.{call.method}"):
            self.call_unknown_method(call)
        return True

    def call_value(self, call: Call) -> bool:
        """A call of something whose value is known; whether anything has been connected, now or earlier."""
        for tag in self.types.of(call.callee) - call.connected:
            if self.call_tag(call, tag):
                call.connected.add(tag)
        return bool(call.connected)

    def call_tag(self, call: Call, tag: Tag) -> bool:
        """A call of one thing that the value may be; False if nothing is known of calling it."""
        if isinstance(tag, Function):
            self.run(call, tag, call.receiver if tag.owner is not None else None)
        elif isinstance(tag, ClassItself):
            self.make(call, tag.record)
        elif isinstance(tag, Class):
            method = tag.method("__call__")
            if method is None:
                return False
            self.run(call, method, call.callee)
        else:
            return "." in tag and self.call_entry(call, f"{tag}.__call__")
        return True

    def call_unknown(self, call: Call) -> bool:
        """A call of which nothing is known but its name."""
        self.graph.link(Op.RESULT, call.callee, call.result)
        if call.receiver is None:
            self.graph.unknown.add(call.result)
        self.graph.link(Op.PART, call.receiver, call.result)
        if call.method is not None:
            for method in self.methods.get(call.method, ()):
                self.run(call, method, call.receiver)
            self.call_unknown_method(call)
        name = spelled(call.function).rpartition(".")[2]
        if name[:1].isupper():
            self.graph.unknown.discard(call.result)
            self.keep(call, self.title(call))
        self.unresolved.append(call.node)
        return True

    def call_unknown_method(self, call: Call) -> None:
        """A call of a method that is known by its name alone."""
        assert call.method is not None
        entry = self.catalog.method_sink(call.method)
        if entry is not None and self.sink(call, entry):
            return
        if call.method in METHODS:
            METHODS[call.method](self, call)
            return
        consumer = self.catalog.method_consumer(call.method)
        if consumer is not None:
            self.consume(call, consumer)
        if call.method.startswith(_STORING) and (consumer is None or consumer.kinds <= _FORMS):
            self.keep_in_receiver(call)

    def keep_in_receiver(self, call: Call) -> None:
        title = self.title(call)
        for place, _ in call.positional:
            self.graph.link(Op.STORE, place, call.receiver, "*", Note(call.node, "passed to {}()", (title,)))
        for name, place in call.keywords:
            note = Note(call.node, "passed to {}({}=)", (title, name or "**"))
            self.graph.link(Op.STORE, place, call.receiver, "*", note)

    def run(
        self, call: Call, function: Function, receiver: int | None, title: str = "", bound: bool | None = None
    ) -> None:
        """Connect a call that runs a function of the file; see ``bind``."""
        if call.decorates:
            self.decorators.add(function)
        self.bind(call, function, receiver, title, bound)
        self.leave(call, function)

    def make(self, call: Call, record: Class) -> None:
        """Connect a call that makes an instance of a class of the file."""
        self.types.tag(call.result, record)
        self.graph.connect(Edge(record.instances, call.result, Op.COPY, way=Way.ANYWHERE))
        self.graph.link(Op.NEW, call.callee, call.result)
        initialiser = record.method("__init__")
        if initialiser is not None:
            self.bind(call, initialiser, call.result, record.node.name)
        elif any(owner.fields is not None for owner in record.lineage):
            self.fill(call, record)
        elif record.foreign_bases() and not self.only_sinks(call, record):
            self.keep(call, record.node.name)

"""Functions and classes: their parameters, what they capture, their decorators and their instances."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from codemods.analysis.values.assignments import Assignments
from codemods.analysis.values.definitions import Class, Function
from codemods.analysis.values.fields import INSIDE
from codemods.analysis.values.graph import Edge, Note, Op, Way
from codemods.analysis.values.names import Frame
from codemods.analysis.values.pickling import own_state

_GENERATED_INIT = frozenset(
    {"dataclasses.dataclass", "attr.s", "attr.attrs", "attr.dataclass", "attr.define", "attrs.define", "attrs.frozen"}
)
_TUPLES = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
_FIELDS = frozenset({"dataclasses.field", "attr.ib", "attrs.field"})


class Bodies(Assignments):
    """Walks the definitions of functions and classes."""

    def block(self, statements: Iterable[ast.stmt], frame: Frame) -> None:
        """Walk statements."""
        raise NotImplementedError

    def function_statement(self, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> None:
        function = self.define(node, frame)
        variable = self.names.place(node.name, frame.scope)
        self.bind_decorated(self.decorate(node, function.value, frame), function.value, variable, frame)
        if function.owner is not None:
            function.owner.methods.setdefault(node.name, function)
        self.bind_in_class(node.name, variable, frame)

    def bind_decorated(self, result: int, value: int, variable: int | None, frame: Frame) -> None:
        """Bind the name of a definition to what its decorators return."""
        if frame.function is not None or result == value:
            self.graph.flow(result, variable)
        else:
            self.graph.flow(value, variable)
            self.graph.link(Op.DECORATED, result, variable)

    def decorate(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, place: int, frame: Frame) -> int:
        """Record the calls of the decorators; the place of what the last of them returns."""
        for decorator in reversed(node.decorator_list):
            callee = self.value(decorator, frame)
            receiver = None
            if isinstance(decorator, ast.Attribute):
                receiver = self.value(decorator.value, frame)
            call = self.record(node, frame, decorator, callee, receiver, [(place, False)], [])
            call.decorates = True
            if frame.function is not None:
                self.graph.flow(place, call.result)
            place = call.result
        return place

    def define(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, frame: Frame) -> Function:
        scope = self.scopes.of_node[node]
        owner = None if isinstance(node, ast.Lambda) else self.class_around(frame)
        function = Function(node, self.graph.place(), self.graph.place(), frame.function, owner)
        self.functions.append(function)
        self.graph.of_node[node] = function.value
        self.graph.returned[function.returned] = function
        self.parameters(function, frame)
        self.graph.link(Op.GIVES, function.returned, function.value)
        inner = Frame(scope, function, frame.owner)
        if isinstance(node, ast.Lambda):
            note = Note(node.body, "returned by {}()", ("lambda",))
            self.graph.flow(self.value(node.body, inner), function.returned, note)
        else:
            self.block(node.body, inner)
        if frame.function is not None:
            self.captures(function)
        return function

    def parameters(self, function: Function, frame: Frame) -> None:
        node, scope = function.node, self.scopes.of_node[function.node]
        arguments = node.args

        def place(argument: ast.arg) -> int:
            variable = self.names.place(argument.arg, scope)
            assert variable is not None
            self.graph.parameters[variable] = function
            self.graph.notes[variable] = Note(
                argument, "kept in the argument {} of {}()", (argument.arg, function.name)
            )
            if argument.annotation is not None:
                self.annotations.append((variable, argument.annotation, frame))
            return variable

        function.positional = [place(argument) for argument in (*arguments.posonlyargs, *arguments.args)]
        function.named = {argument.arg: place(argument) for argument in (*arguments.args, *arguments.kwonlyargs)}
        function.var_positional = place(arguments.vararg) if arguments.vararg else None
        function.var_keyword = place(arguments.kwarg) if arguments.kwarg else None
        if function.var_keyword is not None:
            self.graph.mappings.add(function.var_keyword)
        for variadic, kind in ((function.var_positional, "tuple"), (function.var_keyword, "dict")):
            if variadic is not None:
                self.kinds[variadic] = kind
        decorators = {name.id for name in getattr(node, "decorator_list", []) if isinstance(name, ast.Name)}
        function.bound = function.owner is not None and "staticmethod" not in decorators
        positional = [*arguments.posonlyargs, *arguments.args]
        first = len(positional) - len(arguments.defaults)
        defaults = [*zip(positional[first:], arguments.defaults, strict=True)]
        keyword_only = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        defaults += [(argument, default) for argument, default in keyword_only if default is not None]
        for argument, default in defaults:
            self.default(function, argument, default, frame)

    def default(self, function: Function, argument: ast.arg, default: ast.expr, frame: Frame) -> None:
        place = self.value(default, frame)
        note = Note(argument, "default of {} in {}()", (argument.arg, function.name))
        self.graph.flow(place, self.names.place(argument.arg, self.scopes.of_node[function.node]), note)
        if function.parent is not None:
            self.graph.link(Op.KEEP, place, function.value, INSIDE, note)

    def captures(self, function: Function) -> None:
        """Let a closure hold the variables that it captures."""
        for name, owner in self.scopes.of_node[function.node].captures().items():
            if function.node in owner.bindings.get(name, ()):
                continue
            note = Note(function.node, "captured by {}()", (function.name,))
            self.graph.link(Op.KEEP, self.names.place(name, owner), function.value, INSIDE, note)

    def class_statement(self, node: ast.ClassDef, frame: Frame) -> None:
        scope = self.scopes.of_node[node]
        record = Class(node, self.graph.place(), self.graph.place(), frame.function)
        self.classes.append(record)
        self.class_frames[record] = frame
        self.graph.of_node[node] = record.value
        record.dropped, record.keeps_only = own_state(node)
        if self.has_generated_init(node, frame):
            record.fields = []
        for base in [*node.bases, *(keyword.value for keyword in node.keywords)]:
            self.base(base, record, frame)
        self.block(node.body, Frame(scope, frame.function, record))
        variable = self.names.place(node.name, frame.scope)
        self.bind_decorated(self.decorate(node, record.value, frame), record.value, variable, frame)
        self.bind_in_class(node.name, variable, frame)
        self.instances(record)
        if frame.function is not None:
            self.class_captures(record)

    def base(self, node: ast.expr, record: Class, frame: Frame) -> None:
        """Walk a base of a class, and remember the place of the class behind its type arguments."""
        place = self.value(node, frame)
        if frame.function is not None:
            self.graph.link(Op.KEEP, place, record.value, INSIDE)
        if isinstance(node, ast.Subscript):
            node = node.value
            place = self.value(node, frame)
        if place is not None:
            self.graph.of_node.setdefault(node, place)

    def has_generated_init(self, node: ast.ClassDef, frame: Frame) -> bool:
        names = [decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in node.decorator_list]
        decorators = {self.names.dotted(name, frame.scope) for name in names}
        bases = {self.names.dotted(base, frame.scope) for base in node.bases}
        return bool(decorators & _GENERATED_INIT or bases & _TUPLES)

    def instances(self, record: Class) -> None:
        self.graph.connect(Edge(record.value, record.instances, Op.NEW, way=Way.ANYWHERE))
        if record.parent is None:
            self.graph.resting.add(record.instances)
        else:
            self.graph.link(Op.GIVES, record.instances, record.value)

    def class_captures(self, record: Class) -> None:
        scope = self.scopes.of_node[record.node]
        for name, owner in scope.captures().items():
            if record.node in owner.bindings.get(name, ()):
                continue
            note = Note(record.node, "captured by {}", (record.node.name,))
            self.graph.link(Op.KEEP, self.names.place(name, owner), record.value, INSIDE, note)

    def connect_instances(self) -> None:
        """Let the instances of each class be ``self`` in its methods, once all classes are known."""
        for record in self.classes:
            for owner in record.lineage:
                for method in owner.methods.values():
                    if method.bound and method.positional:
                        source = record.value if _is_class_method(method) else record.instances
                        self.graph.connect(Edge(source, method.positional[0], way=Way.ANYWHERE))

    def is_field(self, node: ast.expr, frame: Frame) -> bool:
        return isinstance(node, ast.Call) and self.names.dotted(node.func, frame.scope) in _FIELDS

    def field(self, name: str, node: ast.expr | None, place: int | None, owner: Class, frame: Frame) -> None:
        """Let all instances hold the default of a field of a generated ``__init__``."""
        assert owner.fields is not None
        owner.fields.append(name)
        if isinstance(node, ast.Call) and self.is_field(node, frame):
            place = self.field_default(node)
        if place is not None and node is not None:
            note = Note(node, "default of field {} in each {}", (name, owner.node.name))
            self.graph.link(Op.KEEP, place, owner.instances, name, note)

    def field_default(self, node: ast.Call) -> int | None:
        """The place of what a call such as ``dataclasses.field()`` gives to each instance."""
        call = next(call for call in reversed(self.calls) if call.node is node)
        keywords = dict(call.keywords)
        factory = keywords.get("default_factory", keywords.get("factory"))
        return keywords.get("default") or self.graph.derive(Op.RESULT, factory)


def _is_class_method(function: Function) -> bool:
    decorators = getattr(function.node, "decorator_list", ())
    return any(isinstance(name, ast.Name) and name.id == "classmethod" for name in decorators)

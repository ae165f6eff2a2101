"""Places and edges of statements, and of the functions and classes that they define."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from codemods.analysis.scopes import FUNCTIONS
from codemods.analysis.value_expressions import Expressions
from codemods.analysis.value_definitions import Class, Function
from codemods.analysis.value_fields import INSIDE, ITEM, SUBSCRIPT, UNSAVED, position
from codemods.analysis.value_graph import Edge, Note, Op, Way
from codemods.analysis.value_names import Frame, spelled
from codemods.analysis.value_pickling import own_state

_CLASS_PARAMETERS = frozenset({"cls", "klass", "owner"})
_GENERATED_INIT = frozenset(
    {"dataclasses.dataclass", "attr.s", "attr.attrs", "attr.dataclass", "attr.define", "attrs.define", "attrs.frozen"}
)
_TUPLES = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
_FIELDS = frozenset({"dataclasses.field", "attr.ib", "attrs.field"})


class Statements(Expressions):
    """Walks the statements of a file once. Afterwards ``calls`` and ``attributes`` wait to be resolved."""

    classes: list[Class]

    def module(self, module: ast.Module) -> None:
        """Walk a whole file."""
        self.classes = []
        self.attribute_stores: list[tuple[int, ast.Attribute, int, Frame]] = []
        self.class_frames: list[tuple[Class, Frame]] = []
        self.block(module.body, Frame(self.scopes.module))

    def block(self, statements: Iterable[ast.stmt], frame: Frame) -> None:
        for statement in statements:
            handler = _HANDLERS.get(type(statement))
            if handler is not None:
                handler(self, statement, frame)

    def expression(self, node: ast.Expr, frame: Frame) -> None:
        self.value(node.value, frame)

    def returned(self, node: ast.Return, frame: Frame) -> None:
        place = self.value(node.value, frame)
        if frame.function is not None:
            note = Note(node, "returned by {}()", (frame.function.name,))
            self.graph.flow(place, frame.function.returned, note)

    def raised(self, node: ast.Raise, frame: Frame) -> None:
        self.value(node.exc, frame)
        self.value(node.cause, frame)

    def asserted(self, node: ast.Assert, frame: Frame) -> None:
        self.value(node.test, frame)
        self.value(node.msg, frame)

    def deleted(self, node: ast.Delete, frame: Frame) -> None:
        for target in node.targets:
            if isinstance(target, (ast.Attribute, ast.Subscript)):
                self.graph.operand(target.value, self.value(target.value, frame))

    # Assignments

    def assignment(self, node: ast.Assign, frame: Frame) -> None:
        for target in node.targets:
            pairs = _pairs(target, node.value)
            if pairs is not None and len(node.targets) == 1:
                for part, value in pairs:
                    self.assign(part, self.value(value, frame), frame)
                return
        place = self.value(node.value, frame)
        for target in node.targets:
            owner = self.class_around(frame)
            if owner is not None and owner.fields is not None and self.is_field(node.value, frame):
                self.field(spelled(target), node.value, place, owner, frame)
            if self.is_decoration(target, node.value, frame):
                self.replace_definition(target, place, frame)
            else:
                self.assign(target, place, frame)

    def is_field(self, node: ast.expr, frame: Frame) -> bool:
        return isinstance(node, ast.Call) and self.names.dotted(node.func, frame.scope) in _FIELDS

    def is_decoration(self, target: ast.expr, value: ast.expr, frame: Frame) -> bool:
        """Whether an assignment decorates a function or class after it has been defined."""
        if not (isinstance(target, ast.Name) and isinstance(value, ast.Call) and value.args and frame.function is None):
            return False
        argument = value.args[0]
        bindings = frame.scope.bindings.get(target.id, [])
        return (
            isinstance(argument, ast.Name)
            and argument.id == target.id
            and any(isinstance(binding, (*FUNCTIONS, ast.ClassDef)) for binding in bindings)
        )

    def replace_definition(self, target: ast.expr, place: int | None, frame: Frame) -> None:
        """Bind the name of a function or class to what a decorator made of it."""
        assert isinstance(target, ast.Name)
        variable = self.names.place(target.id, frame.scope)
        others = [node for node in frame.scope.bindings[target.id] if not isinstance(node, (*FUNCTIONS, ast.ClassDef))]
        if variable in self.graph.resting and len(others) == 1:
            self.graph.resting.discard(variable)
            self.graph.definitions.add(variable)
        self.graph.link(Op.DECORATED, place, variable)

    def annotated(self, node: ast.AnnAssign, frame: Frame) -> None:
        place = self.value(node.value, frame)
        self.assign(node.target, place, frame)
        if isinstance(node.target, ast.Name) and (variable := self.names.place(node.target.id, frame.scope)) is not None:
            self.annotations.append((variable, node.annotation, frame))
        owner = self.class_around(frame)
        if owner is not None and owner.fields is not None and isinstance(node.target, ast.Name):
            self.field(node.target.id, node.value, place, owner, frame)

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

    def augmented(self, node: ast.AugAssign, frame: Frame) -> None:
        place = self.value(node.value, frame)
        self.graph.use(place, "iterate")
        if isinstance(node.target, (ast.Name, ast.Attribute, ast.Subscript)):
            target = self.value(node.target, frame)
            self.graph.operand(node.target, target)
            self.graph.link(Op.EXTEND, place, target, "", Note(node, "put into {}", (spelled(node.target),)))

    def assign(self, target: ast.expr, place: int | None, frame: Frame, note: Note | None = None) -> None:
        if isinstance(target, ast.Name):
            self.assign_name(target, place, frame)
        elif isinstance(target, ast.Attribute):
            self.assign_attribute(target, place, frame)
        elif isinstance(target, ast.Subscript):
            self.assign_item(target, place, frame)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, place, frame)

    def assign_name(self, target: ast.Name, place: int | None, frame: Frame) -> None:
        variable = self.names.place(target.id, frame.scope)
        note = None
        if variable in self.graph.resting:
            note = Note(target, "kept in the global {}", (target.id,))
        self.graph.flow(place, variable, note)
        self.bind_in_class(target.id, variable, frame)

    def bind_in_class(self, name: str, variable: int | None, frame: Frame) -> None:
        """Let a class hold what its body binds."""
        owner = self.class_around(frame)
        if owner is not None and variable is not None:
            if name not in owner.attributes:
                self.graph.link(Op.KEEP, variable, owner.value, UNSAVED + name)
            owner.attributes[name] = variable

    def assign_item(self, target: ast.Subscript, place: int | None, frame: Frame) -> None:
        base, key = self.value(target.value, frame), self.value(target.slice, frame)
        self.graph.operand(target.value, base)
        note = Note(target, "put into {}", (spelled(target.value),))
        self.graph.use(key, "key")
        self.graph.link(Op.STORE, key, base, ITEM, note)
        if isinstance(target.slice, ast.Slice):
            self.graph.link(Op.EXTEND, place, base, "", note)
        elif base is not None and place is not None:
            self.item_stores.append((base, place, note))

    def class_around(self, frame: Frame) -> Class | None:
        """The class whose body a frame is, leaving out its methods."""
        owner = frame.owner
        return owner if owner is not None and frame.scope is self.scopes.of_node[owner.node] else None

    def assign_attribute(self, target: ast.Attribute, place: int | None, frame: Frame) -> None:
        base = self.value(target.value, frame)
        self.graph.use(base, "attribute", target.attr)
        if base is None or self.is_class(target.value, frame):
            return
        if target.attr == "__dict__":
            self.graph.link(Op.EXTEND, place, self.graph.derive(Op.NAMESPACE, base))
            return
        if place is not None:
            self.stores.setdefault(target.attr, []).append((base, place))
            self.attribute_stores.append((base, target, place, frame))

    def connect_stores(self) -> None:
        """Let objects hold what is stored on them, once it is known what their classes pickle."""
        for base, target, place, frame in self.attribute_stores:
            owner = frame.owner if isinstance(target.value, ast.Name) and target.value.id == "self" else None
            if owner is None:
                note, saved = Note(target, "stored in {}.{}", (spelled(target.value), target.attr)), True
            else:
                note = Note(target, "stored in self.{} of {}", (target.attr, owner.node.name))
                saved = owner.pickles(target.attr)
            self.graph.link(Op.STORE, place, base, target.attr if saved else UNSAVED + target.attr, note)

    def is_class(self, node: ast.expr, frame: Frame) -> bool:
        """Whether an expression is a class, as far as its form tells: what is put there becomes a method."""
        if isinstance(node, ast.Attribute) and node.attr == "__class__":
            return True
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == "type"
        if not isinstance(node, ast.Name):
            return False
        if node.id in _CLASS_PARAMETERS:
            return True
        bindings = frame.scope.resolve(node.id).bindings.get(node.id, [])
        if bindings and all(isinstance(binding, ast.ImportFrom) for binding in bindings):
            return node.id[0].isupper() and not node.id.isupper()
        return bool(bindings) and all(isinstance(binding, ast.ClassDef) for binding in bindings)

    def unpack(self, targets: Sequence[ast.expr], place: int | None, frame: Frame) -> None:
        self.graph.use(place, "iterate")
        label: str | None = None
        for index, target in enumerate(targets):
            if isinstance(target, ast.Starred):
                label = ITEM
                element = self.graph.derive(Op.TAKE, place, ITEM)
                self.assign(target.value, self.graph.derive(Op.KEEP, element, ITEM), frame)
            else:
                self.assign(target, self.graph.derive(Op.TAKE, place, label or position(index)), frame)

    # Compound statements

    def loop(self, node: ast.For | ast.AsyncFor, frame: Frame) -> None:
        place = self.value(node.iter, frame)
        self.graph.use(place, "iterate")
        self.assign(node.target, self.graph.derive(Op.TAKE, place, ITEM), frame)
        self.block([*node.body, *node.orelse], frame)

    def branch(self, node: ast.If | ast.While, frame: Frame) -> None:
        self.value(node.test, frame)
        self.block(node.body, frame)
        while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node = node.orelse[0]
            self.value(node.test, frame)
            self.block(node.body, frame)
        self.block(node.orelse, frame)

    def with_block(self, node: ast.With | ast.AsyncWith, frame: Frame) -> None:
        for item in node.items:
            place = self.value(item.context_expr, frame)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, place, frame)
                self.assign(item.optional_vars, self.graph.derive(Op.TAKE, place, ITEM), frame)
        self.block(node.body, frame)

    def attempt(self, node: Any, frame: Frame) -> None:
        self.block(node.body, frame)
        for handler in node.handlers:
            self.value(handler.type, frame)
            self.block(handler.body, frame)
        self.block([*node.orelse, *node.finalbody], frame)

    def match(self, node: ast.Match, frame: Frame) -> None:
        subject = self.value(node.subject, frame)
        for case in node.cases:
            self.pattern(case.pattern, subject, frame)
            self.value(case.guard, frame)
            self.block(case.body, frame)

    def pattern(self, node: ast.pattern, place: int | None, frame: Frame) -> None:
        """Let the subject of a match, and all inside it, flow to the names that a pattern binds."""
        inside = self.graph.derive(Op.TAKE, place, SUBSCRIPT)
        for part in ast.walk(node):
            name = getattr(part, "rest", None) if isinstance(part, ast.MatchMapping) else getattr(part, "name", None)
            if name is not None:
                variable = self.names.place(name, frame.scope)
                self.graph.flow(place, variable)
                self.graph.flow(inside, variable)

    # Definitions

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
            self.graph.notes[variable] = Note(argument, "kept in the argument {} of {}()", (argument.arg, function.name))
            if argument.annotation is not None:
                self.annotations.append((variable, argument.annotation, frame))
            return variable

        function.positional = [place(argument) for argument in (*arguments.posonlyargs, *arguments.args)]
        function.named = {argument.arg: place(argument) for argument in (*arguments.args, *arguments.kwonlyargs)}
        function.var_positional = place(arguments.vararg) if arguments.vararg else None
        function.var_keyword = place(arguments.kwarg) if arguments.kwarg else None
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
        self.class_frames.append((record, frame))
        self.graph.of_node[node] = record.value
        record.dropped, record.keeps_only = own_state(node)
        if self.has_generated_init(node, frame):
            record.fields = []
        for base in [*node.bases, *(keyword.value for keyword in node.keywords)]:
            place = self.value(base, frame)
            if frame.function is not None:
                self.graph.link(Op.KEEP, place, record.value, INSIDE)
        self.block(node.body, Frame(scope, frame.function, record))
        variable = self.names.place(node.name, frame.scope)
        self.bind_decorated(self.decorate(node, record.value, frame), record.value, variable, frame)
        self.bind_in_class(node.name, variable, frame)
        self.instances(record)
        if frame.function is not None:
            self.class_captures(record)

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


def _is_class_method(function: Function) -> bool:
    decorators = getattr(function.node, "decorator_list", ())
    return any(isinstance(name, ast.Name) and name.id == "classmethod" for name in decorators)


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]] | None:
    """The parts of an assignment of as many values to as many targets."""
    if not (isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List))):
        return None
    if len(target.elts) != len(value.elts) or any(
        isinstance(element, ast.Starred) for element in (*target.elts, *value.elts)
    ):
        return None
    return list(zip(target.elts, value.elts, strict=True))


_HANDLERS: dict[type[ast.stmt], Callable[[Statements, Any, Frame], None]] = {
    ast.Expr: Statements.expression,
    ast.Return: Statements.returned,
    ast.Raise: Statements.raised,
    ast.Assert: Statements.asserted,
    ast.Delete: Statements.deleted,
    ast.Assign: Statements.assignment,
    ast.AnnAssign: Statements.annotated,
    ast.AugAssign: Statements.augmented,
    ast.For: Statements.loop,
    ast.AsyncFor: Statements.loop,
    ast.If: Statements.branch,
    ast.While: Statements.branch,
    ast.With: Statements.with_block,
    ast.AsyncWith: Statements.with_block,
    ast.Try: Statements.attempt,
    ast.Match: Statements.match,
    ast.FunctionDef: Statements.function_statement,
    ast.AsyncFunctionDef: Statements.function_statement,
    ast.ClassDef: Statements.class_statement,
}
if hasattr(ast, "TryStar"):
    _HANDLERS[ast.TryStar] = Statements.attempt

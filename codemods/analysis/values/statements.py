"""Places and edges of statements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from codemods.analysis.scopes import FUNCTIONS
from codemods.analysis.values.bodies import Bodies
from codemods.analysis.values.fields import ITEM, SUBSCRIPT
from codemods.analysis.values.graph import Note, Op
from codemods.analysis.values.names import Frame, spelled


class Statements(Bodies):
    """Walks the statements of a file once. Afterwards ``calls`` and ``attributes`` wait to be resolved."""

    def module(self, module: ast.Module) -> None:
        """Walk a whole file."""
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
        self.calls[-1].decorates = True

    def annotated(self, node: ast.AnnAssign, frame: Frame) -> None:
        place = self.value(node.value, frame)
        self.assign(node.target, place, frame)
        if (
            isinstance(node.target, ast.Name)
            and (variable := self.names.place(node.target.id, frame.scope)) is not None
        ):
            self.annotations.append((variable, node.annotation, frame))
        owner = self.class_around(frame)
        if owner is not None and owner.fields is not None and isinstance(node.target, ast.Name):
            self.field(node.target.id, node.value, place, owner, frame)

    def augmented(self, node: ast.AugAssign, frame: Frame) -> None:
        place = self.value(node.value, frame)
        self.graph.use(place, "iterate")
        if isinstance(node.target, (ast.Name, ast.Attribute, ast.Subscript)):
            target = self.value(node.target, frame)
            self.graph.operand(node.target, target)
            self.graph.link(Op.EXTEND, place, target, "", Note(node, "put into {}", (spelled(node.target),)))

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

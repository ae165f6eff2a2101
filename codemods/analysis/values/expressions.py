"""Places and edges of expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from codemods.analysis.scopes import Comprehension
from codemods.analysis.values.fields import ITEM, SUBSCRIPT, VALUE, position
from codemods.analysis.values.graph import Note, Op
from codemods.analysis.values.names import Frame
from codemods.analysis.values.walker import Walker

_CONTAINERS = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set", ast.Dict: "dict"}
_COMPREHENSIONS = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict", ast.GeneratorExp: "generator"}
_COPYING = (ast.Add, ast.Mult, ast.BitOr)
_SET_ALGEBRA = {ast.BitAnd: "&", ast.BitOr: "|", ast.Sub: "-", ast.BitXor: "^"}
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Is: "is",
    ast.IsNot: "is",
    ast.In: "in",
    ast.NotIn: "in",
    ast.Eq: "==",
    ast.NotEq: "==",
}


class Expressions(Walker):
    """Walks expressions."""

    def value(self, node: ast.expr | None, frame: Frame) -> int | None:
        """The place of an expression's value; None where it holds nothing that matters."""
        if node is None:
            return None
        handler = _HANDLERS.get(type(node))
        return handler(self, node, frame) if handler else None

    def each(self, nodes: list[ast.expr], frame: Frame) -> None:
        """Walk expressions whose values go nowhere."""
        for node in nodes:
            self.value(node, frame)

    def name(self, node: ast.Name, frame: Frame) -> int | None:
        place = self.names.place(node.id, frame.scope)
        if place is not None:
            self.reads[place] += 1
        return place

    def attribute(self, node: ast.Attribute, frame: Frame) -> int | None:
        base = self.value(node.value, frame)
        self.graph.use(base, "attribute", node.attr)
        if node.attr == "__dict__":
            return self.graph.derive(Op.NAMESPACE, base)
        place = self.graph.derive(Op.TAKE, base, node.attr)
        if place is not None:
            self.attributes.append((base, node.attr, place))
            self.names.bind_attribute(node, frame.scope, place)
        return place

    def subscript(self, node: ast.Subscript, frame: Frame) -> int | None:
        base = self.value(node.value, frame)
        self.graph.operand(node.value, base)
        key = self.value(node.slice, frame)
        self.graph.use(base, "subscript")
        self.graph.use(key, "key")
        if isinstance(node.slice, ast.Slice):
            return self.graph.derive(Op.COPY, base)
        return self.graph.derive(Op.TAKE, base, SUBSCRIPT)

    def slice(self, node: ast.Slice, frame: Frame) -> None:
        self.each([part for part in (node.lower, node.upper, node.step) if part is not None], frame)

    def sequence(self, node: ast.List | ast.Tuple | ast.Set, frame: Frame) -> int:
        place = self.container(_CONTAINERS[type(node)])
        is_plain = isinstance(node, ast.Tuple) and not any(isinstance(element, ast.Starred) for element in node.elts)
        for index, element in enumerate(node.elts):
            source = self.put(element, place, frame, position(index) if is_plain else ITEM)
            if isinstance(node, ast.Set):
                self.graph.use(source, "key")
        return place

    def container(self, kind: str) -> int:
        place = self.graph.place()
        self.kinds[place] = kind
        return place

    def put(self, element: ast.expr, place: int, frame: Frame, label: str) -> int | None:
        """Let a container that is being made hold the value of an element."""
        if isinstance(element, ast.Starred):
            source = self.value(element.value, frame)
            self.graph.use(source, "iterate")
            self.graph.link(Op.KEEP, self.graph.derive(Op.TAKE, source, ITEM), place, ITEM)
            return None
        source = self.value(element, frame)
        self.graph.link(Op.KEEP, source, place, label)
        return source

    def dictionary(self, node: ast.Dict, frame: Frame) -> int:
        place = self.container("dict")
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self.graph.link(Op.COPY, self.value(value, frame), place)
                continue
            key_place = self.value(key, frame)
            self.graph.use(key_place, "key")
            self.graph.link(Op.KEEP, key_place, place, ITEM)
            self.graph.link(Op.KEEP, self.value(value, frame), place, VALUE)
        return place

    def merged(self, nodes: list[ast.expr], frame: Frame) -> int | None:
        """The place of a value that is the value of one of several expressions."""
        sources = [self.value(node, frame) for node in nodes]
        if all(source is None for source in sources):
            return None
        place = self.graph.place()
        for source in sources:
            self.graph.flow(source, place)
        return place

    def boolean(self, node: ast.BoolOp, frame: Frame) -> int | None:
        return self.merged(node.values, frame)

    def conditional(self, node: ast.IfExp, frame: Frame) -> int | None:
        self.value(node.test, frame)
        return self.merged([node.body, node.orelse], frame)

    def named(self, node: ast.NamedExpr, frame: Frame) -> int | None:
        place = self.value(node.value, frame)
        target = self.names.place(node.target.id, frame.inner(self.scopes.around[node.target].function).scope)
        self.graph.flow(place, target)
        return target

    def operation(self, node: ast.BinOp, frame: Frame) -> int | None:
        operands = [node.right]
        left = node.left
        while isinstance(left, ast.BinOp):
            operands.append(left.right)
            left = left.left
        places = [self.value(operand, frame) for operand in [left, *reversed(operands)]]
        self.note_operands(node, places)
        known = [place for place in places if place is not None]
        if not known or not isinstance(node.op, _COPYING):
            return None
        place = self.container("")
        for source in known:
            self.graph.link(Op.COPY, source, place)
        return place

    def note_operands(self, node: ast.BinOp, places: list[int | None]) -> None:
        if isinstance(node.op, ast.Mod):
            self.formatted(places[-1])
        sign = _SET_ALGEBRA.get(type(node.op))
        if sign is not None:
            for place in places:
                self.graph.use(place, "operator", sign)

    def formatted(self, place: int | None) -> None:
        """Remember that a value, or the items of a tuple, become text."""
        self.graph.use(place, "format")
        if place is not None and self.kinds.get(place) == "tuple":
            self.graph.use(self.graph.derive(Op.TAKE, place, ITEM), "format")

    def unary(self, node: ast.UnaryOp, frame: Frame) -> None:
        self.value(node.operand, frame)

    def comparison(self, node: ast.Compare, frame: Frame) -> None:
        places = [self.value(operand, frame) for operand in [node.left, *node.comparators]]
        operands = [node.left, *node.comparators]
        for index, operator in enumerate(node.ops):
            sign = _COMPARISONS.get(type(operator), "<")
            left, right = operands[index], operands[index + 1]
            if not (sign == "is" and (_is_none(left) or _is_none(right))):
                self.graph.use(places[index], "compare", sign)
                self.graph.use(places[index + 1], "contains" if sign == "in" else "compare", sign)

    def text(self, node: ast.JoinedStr, frame: Frame) -> None:
        self.each(node.values, frame)

    def interpolated(self, node: ast.FormattedValue, frame: Frame) -> None:
        self.formatted(self.value(node.value, frame))
        self.value(node.format_spec, frame)

    def awaited(self, node: ast.Await, frame: Frame) -> int | None:
        return self.value(node.value, frame)

    def yielded(self, node: ast.Yield, frame: Frame) -> None:
        place = self.value(node.value, frame)
        if frame.function is not None:
            note = Note(node, "yielded by {}()", (frame.function.name,))
            self.graph.link(Op.KEEP, place, frame.function.returned, ITEM, note)

    def yielded_from(self, node: ast.YieldFrom, frame: Frame) -> int | None:
        place = self.value(node.value, frame)
        self.graph.use(place, "iterate")
        if frame.function is not None:
            element = self.graph.derive(Op.TAKE, place, ITEM)
            note = Note(node, "yielded by {}()", (frame.function.name,))
            self.graph.link(Op.KEEP, element, frame.function.returned, ITEM, note)
        return None

    def comprehension(self, node: Comprehension, frame: Frame) -> int:
        place = self.container(_COMPREHENSIONS[type(node)])
        inner = frame.inner(self.scopes.of_node[node])
        for index, generator in enumerate(node.generators):
            source = self.value(generator.iter, inner if index else frame)
            self.graph.use(source, "iterate")
            self.assign(generator.target, self.graph.derive(Op.TAKE, source, ITEM), inner)
            self.each(generator.ifs, inner)
            if isinstance(node, ast.GeneratorExp):
                self.graph.link(Op.LAZY, source, place)
        if isinstance(node, ast.DictComp):
            self.graph.link(Op.KEEP, self.value(node.key, inner), place, ITEM)
            self.graph.link(Op.KEEP, self.value(node.value, inner), place, VALUE)
        else:
            self.graph.link(Op.KEEP, self.value(node.elt, inner), place, ITEM)
        if isinstance(node, ast.GeneratorExp):
            self.graph.of_node[node] = place
        return place

    def function(self, node: ast.Lambda, frame: Frame) -> int:
        return self.define(node, frame).value

    def call(self, node: ast.Call, frame: Frame) -> int:
        receiver = None
        if isinstance(node.func, ast.Attribute):
            receiver = self.value(node.func.value, frame)
            self.graph.operand(node.func.value, receiver)
            self.graph.use(receiver, "method", node.func.attr)
            callee = self.graph.derive(Op.TAKE, receiver, node.func.attr)
        else:
            callee = self.value(node.func, frame)
        positional = [
            (self.value(argument.value if isinstance(argument, ast.Starred) else argument, frame), starred)
            for argument in node.args
            for starred in [isinstance(argument, ast.Starred)]
        ]
        for argument, (place, _) in zip(node.args[:1], positional, strict=False):
            self.graph.operand(argument, place)
        keywords = [(keyword.arg, self.value(keyword.value, frame)) for keyword in node.keywords]
        call = self.record(node, frame, node.func, callee, receiver, positional, keywords)
        call.arguments = node
        self.graph.of_node[node] = call.result
        return call.result


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


_HANDLERS: dict[type[ast.expr], Callable[[Expressions, Any, Frame], int | None]] = {
    ast.Name: Expressions.name,
    ast.Attribute: Expressions.attribute,
    ast.Subscript: Expressions.subscript,
    ast.Slice: Expressions.slice,
    ast.List: Expressions.sequence,
    ast.Tuple: Expressions.sequence,
    ast.Set: Expressions.sequence,
    ast.Dict: Expressions.dictionary,
    ast.BoolOp: Expressions.boolean,
    ast.IfExp: Expressions.conditional,
    ast.NamedExpr: Expressions.named,
    ast.BinOp: Expressions.operation,
    ast.UnaryOp: Expressions.unary,
    ast.Compare: Expressions.comparison,
    ast.JoinedStr: Expressions.text,
    ast.FormattedValue: Expressions.interpolated,
    ast.Await: Expressions.awaited,
    ast.Yield: Expressions.yielded,
    ast.YieldFrom: Expressions.yielded_from,
    ast.ListComp: Expressions.comprehension,
    ast.SetComp: Expressions.comprehension,
    ast.DictComp: Expressions.comprehension,
    ast.GeneratorExp: Expressions.comprehension,
    ast.Lambda: Expressions.function,
    ast.Call: Expressions.call,
}

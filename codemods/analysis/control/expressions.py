"""Follows the evaluation of expressions into the control-flow graph."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods.analysis.control.cursor import ControlCursor


class ExpressionFlow(ControlCursor):
    """Evaluates expressions and assigns to targets."""

    def condition(self, test: ast.expr) -> tuple[list[int], list[int]]:
        """Evaluate a test; return the blocks after which it is true and those after which it is false."""
        if isinstance(test, ast.Constant):
            return ([self.current], []) if test.value else ([], [self.current])
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            if_true, if_false = self.condition(test.operand)
            return if_false, if_true
        if isinstance(test, ast.BoolOp):
            return self._condition_of_several(test)
        self.visit(test)
        self.may_raise()
        return [self.current], [self.current]

    def _condition_of_several(self, test: ast.BoolOp) -> tuple[list[int], list[int]]:
        conjunction = isinstance(test.op, ast.And)
        true_ends: list[int] = []
        false_ends: list[int] = []
        for position, value in enumerate(test.values):
            if position:
                self.join(true_ends if conjunction else false_ends)
            if_true, if_false = self.condition(value)
            true_ends = if_true if conjunction else true_ends + if_true
            false_ends = false_ends + if_false if conjunction else if_false
        return true_ends, false_ends

    def assign(self, target: ast.expr) -> None:
        """Assign a value that has been computed to a target."""
        if isinstance(target, ast.Name):
            self.bind(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.may_raise()
            for element in target.elts:
                self.assign(element)
        elif isinstance(target, ast.Starred):
            self.assign(target.value)
        else:
            self.visit(target)

    def visit_optionally(self, node: ast.AST | None) -> None:
        """Evaluate what may also be skipped, depending on the version of Python or its options."""
        if node is not None:
            skipped = self.current
            self.advance()
            self.visit(node)
            self.join((skipped, self.current))

    def visit_each(self, nodes: Sequence[ast.AST | None]) -> None:
        """Evaluate nodes from left to right."""
        for node in nodes:
            if node is not None:
                self.visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        """Evaluate the operands in the order of their fields, then an operation that may raise."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.expr, ast.keyword)):
                self.visit(child)
        self.may_raise()

    def visit_Constant(self, node: ast.Constant) -> None:
        """A constant cannot raise."""

    def visit_Name(self, node: ast.Name) -> None:
        self.may_raise()
        self.mark_name(node)
        self.use(node.id)

    def visit_Tuple(self, node: ast.Tuple | ast.List) -> None:
        self.visit_each(node.elts)

    visit_List = visit_Tuple

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            self.visit_each((key, value))
        self.may_raise()

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        self.mark(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.bind(node.target.id)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.visit(node.values[0])
        ends = []
        for value in node.values[1:]:
            self.may_raise()
            ends.append(self.current)
            self.advance()
            self.visit(value)
        self.join((*ends, self.current))

    def visit_Compare(self, node: ast.Compare) -> None:
        self.visit_each((node.left, node.comparators[0]))
        self.may_raise()
        ends = []
        for comparator in node.comparators[1:]:
            ends.append(self.current)
            self.advance()
            self.visit(comparator)
            self.may_raise()
        self.join((*ends, self.current))

    def visit_IfExp(self, node: ast.IfExp) -> None:
        if_true, if_false = self.condition(node.test)
        ends = []
        for sources, value in ((if_true, node.body), (if_false, node.orelse)):
            self.join(sources)
            self.visit(value)
            ends.append(self.current)
        self.join(ends)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit_defaults(node.args)
        self.mark(node)

    def visit_defaults(self, arguments: ast.arguments) -> None:
        """Evaluate the defaults of parameters."""
        self.visit_each(arguments.defaults)
        self.visit_each(arguments.kw_defaults)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp) -> None:
        self.visit(node.generators[0].iter)
        self._run_comprehension(node.generators, (node.elt,))
        self.mark(node)

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self.visit(node.generators[0].iter)
        self._run_comprehension(node.generators, (node.key, node.value))
        self.mark(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self.visit(node.generators[0].iter)
        self.mark(node)
        defers, self.defers = self.defers, True
        self._run_comprehension(node.generators, (node.elt,))
        self.defers = defers

    def _run_comprehension(self, generators: list[ast.comprehension], elements: tuple[ast.expr, ...]) -> None:
        """Run what follows the first iterable, which alone does not see the variables of the comprehension."""
        hidden = self.hidden
        self.hidden = hidden.union(*(_names_of_target(generator.target) for generator in generators))
        self._run_generator(generators, elements)
        self.hidden = hidden

    def _run_generator(self, generators: list[ast.comprehension], elements: tuple[ast.expr, ...]) -> None:
        generator, *inner = generators
        head = self.advance()
        self.may_raise()
        self.advance()
        self.assign(generator.target)
        ends = []
        for test in generator.ifs:
            if_true, if_false = self.condition(test)
            ends += if_false
            self.join(if_true)
        if inner:
            self.visit(inner[0].iter)
            self._run_generator(inner, elements)
        else:
            self.visit_each(elements)
        for end in (*ends, self.current):
            self.connect(end, head)
        self.join((head,))


def _names_of_target(target: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}

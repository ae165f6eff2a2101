"""Follows the execution of simple statements and definitions into the control-flow graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from codemods.analysis.control.expressions import ExpressionFlow

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class StatementFlow(ExpressionFlow):
    """Executes suites, and those statements in them that hold no others; class bodies run in place."""

    def visit_suite(self, statements: Sequence[ast.stmt]) -> None:
        """Execute statements one after another."""
        for statement in statements:
            self.mark(statement)
            self.visit(statement)

    def visit_Expr(self, node: ast.Expr) -> None:
        self.visit(node.value)

    def visit_Pass(self, node: ast.Pass) -> None:
        """It cannot even raise."""

    def visit_Global(self, node: ast.Global) -> None:
        if self.class_bodies:
            if isinstance(self.scope, ast.Module):
                self.class_bodies[-1].update(node.names)
        elif not isinstance(self.scope, ast.Module):
            self.foreign.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        if not self.class_bodies:
            self.foreign.update(node.names)
        elif self.uses_prove:
            self.class_bodies[-1].update(node.names)

    # Assignments

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self.assign(target)
        self.mark_end(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit_each((node.value,))
        if not isinstance(node.target, ast.Name):
            self.visit(node.target)
        elif node.value is not None:
            self.bind(node.target.id)
        else:
            self.declare(node.target.id)
        self.mark_end(node)
        self.visit_optionally(node.annotation)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.may_raise()
            self.use(node.target.id)
        else:
            self.visit(node.target)
        self.visit(node.value)
        self.may_raise()
        if isinstance(node.target, ast.Name):
            self.bind(node.target.id)

    def visit_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._delete(target)

    def _delete(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.may_raise()
            self.unbind(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for element in target.elts:
                self._delete(element)
        else:
            self.visit(target)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.may_raise()
            self.bind(alias.asname or alias.name.partition(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self.may_raise()
            if alias.name == "*":
                self.bind_any()
            else:
                self.bind(alias.asname or alias.name)

    def visit_TypeAlias(self, node: ast.stmt) -> None:
        """Bind the alias; its value is evaluated when it is first asked for (``ast.TypeAlias``, since Python 3.12)."""
        name = next(ast.iter_child_nodes(node))
        assert isinstance(name, ast.Name)
        self.bind(name.id)

    # Definitions

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.visit_each(node.decorator_list)
        self.visit_defaults(node.args)
        for parameter in parameters(node.args):
            self.visit_optionally(parameter.annotation)
        self.visit_optionally(node.returns)
        self._bind_definition(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.visit_each(node.decorator_list)
        self.visit_each(node.bases)
        self.visit_each(node.keywords)
        self.may_raise()
        self.class_bodies.append(set())
        self.visit_suite(node.body)
        self.class_bodies.pop()
        self.may_raise()
        self._bind_definition(node)

    def _bind_definition(self, node: Definition) -> None:
        if node.decorator_list:
            self.may_raise()
        self.bind(node.name)
        self.mark_end(node)


def parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    """All parameters of a function, in the order in which their annotations are evaluated."""
    yield from arguments.posonlyargs
    yield from arguments.args
    if arguments.vararg is not None:
        yield arguments.vararg
    yield from arguments.kwonlyargs
    if arguments.kwarg is not None:
        yield arguments.kwarg

"""The text of a group of functions that move to the top level."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemods import edits
from codemods.analysis.functions.cells import is_call_of
from codemods.analysis.functions.hoists import Form, Group, Hoist, Reference
from codemods.analysis.model import Model
from codemods.analysis.scopes import Scope
from codemods.edits import Edit
from codemods.rewrite import left_imports
from codemods.rewrite.change import Change, Definition, IslandError
from codemods.rewrite.imports import Access, partial_access
from codemods.rewrite.names import Namer
from codemods.rewrite.placement import anchor_offset, is_comment_that_moves, start_of_definitions
from codemods.style import Style
from codemods.suppression.headers import header_rows

if TYPE_CHECKING:
    from codemods.rewrite.transformers import Shape

_OPENING_PARENTHESIS = re.compile(r"[ \t]*\(")


def hoist_group(model: Model, namer: Namer, group: Group, style: Style) -> Change:
    """The change that moves a group of functions to the top level.

    Args:
        model: the file.
        namer: gives the new names.
        group: the functions, from :class:`~codemods.analysis.functions.closures.ClosurePlanner`.
        style: how long lines may be.
    """
    writers = [_Writer(model, namer, hoist, style) for hoist in group]
    return Change(
        edits=(*(writer.replacement() for writer in writers), *left_imports.removals(model, group)),
        definitions=tuple(definition for writer in writers for definition in writer.definitions()),
        imports=frozenset(
            writer.access.statement for writer in writers if writer.needs_partial and writer.access.statement
        ),
    )


@dataclass(frozen=True)
class _Writer:
    """Writes one function of a group."""

    model: Model
    namer: Namer
    hoist: Hoist
    style: Style

    @property
    def access(self) -> Access:
        scopes = self.model.scopes
        origin = self.hoist.origin
        return partial_access(self.model, [scopes.around[origin]], self.model.top_level_statement(origin))

    @property
    def needs_partial(self) -> bool:
        return self.hoist.form is Form.PARTIAL

    def replacement(self) -> Edit:
        """What stands where the function stood."""
        from codemods.rewrite import formatting

        origin, expression = self.hoist.origin, self._expression()
        if isinstance(origin, ast.Lambda):
            start, end = self.model.source.span(origin)
            return Edit(start, end, expression)
        start, end = definition_lines(self.model, origin)
        last_line_end = re.search(r"(\r\n|\r|\n)?$", self.model.source.text[start:end])
        assert last_line_end is not None
        indent = self.model.source.text[self.model.source.line_start(origin.lineno) :][: origin.col_offset]
        statement = f"{origin.name} = {expression}"
        text = formatting.laid_out_statement(statement, indent, self.model.source.newline, self.style)
        return Edit(start, end, text + last_line_end.group())

    def _expression(self) -> str:
        if self.hoist.form is Form.FUNCTION:
            return self.hoist.name
        if self.hoist.form is Form.OBJECT:
            return f"{self.namer.class_name_for(self.hoist.name)}({', '.join(self.hoist.captures)})"
        values = [
            (
                f"{default.parameter}={self.model.source.segment(default.value)}"
                if default.is_keyword_only
                else self.model.source.segment(default.value)
            )
            for default in self.hoist.defaults
        ]
        return f"{self.access.expression}({', '.join([self.hoist.name, *self.hoist.captures, *values])})"

    def definitions(self) -> list[Definition]:
        """The function at the top level, and what it needs above it."""
        from codemods.rewrite import formatting, islands

        origin, newline = self.hoist.origin, self.model.source.newline
        start, end = definition_lines(self.model, origin)
        changes = [edit for reference in self.hoist.references for edit in self._reference_edits(reference)]
        changes.extend(Edit(*self.model.source.span(item.node), item.text) for item in self.hoist.replacements)
        if self.hoist.form is Form.OBJECT:
            changes.extend(self._attribute_edits())
        text = edits.apply(
            self.model.source.text[start:end],
            [Edit(edit.start - start, edit.end - start, edit.text) for edit in changes],
        )
        private_class = self.model.scopes.of_node[origin].private_class
        if self.hoist.form is Form.OBJECT:
            class_name = self.namer.class_name_for(self.hoist.name)
            text = islands.hoist_object(text, self._shape(), class_name, self.hoist.captures, private_class)
        elif isinstance(origin, ast.Lambda):
            text = islands.hoist_lambda(text, self._shape(), private_class, newline)
            text = formatting.laid_out_definition(text, newline, self.style)
        else:
            text = islands.hoist_definition(text, self._shape(), private_class)
        needed = []
        if self._needs_unset():
            sentinel = f"{self.namer.unset} = object(){newline}"
            needed.append(Definition(start_of_definitions(self.model), -1, sentinel))
        above = anchor_offset(self.model, origin)
        is_lambda = isinstance(origin, ast.Lambda)
        rows = header_rows(self.model.source, self.model.parents, origin) if is_lambda else None
        return [*needed, Definition(above, start, formatting.shortened(text, self.style), rows)]

    def _needs_unset(self) -> bool:
        has_positional = any(not default.is_keyword_only for default in self.hoist.defaults)
        return has_positional and self.namer.unset not in self.model.identifiers

    def _shape(self) -> Shape:
        """The shape of the function; a positional default comes in as a bound value, to be used if nothing is given."""
        from codemods.rewrite.transformers import Shape

        bound, statements = list(self.hoist.captures), list(self.hoist.imports)
        if self.hoist.form is Form.OBJECT:
            return Shape("__call__", [self.namer.local("_self")], statements)
        given: dict[str, str | None] = {}
        for default in self.hoist.defaults:
            given[default.parameter] = None if default.is_keyword_only else self.namer.unset
            if not default.is_keyword_only:
                bound.append(self.namer.local(f"default_{default.parameter.strip('_')}"))
                statements.append(
                    f"if {default.parameter} is {self.namer.unset}:\n    {default.parameter} = {bound[-1]}"
                )
        return Shape(self.hoist.name, bound, statements, given)

    def _attribute_edits(self) -> list[Edit]:
        """Captured variables become attributes, and the function's own name the object itself."""
        scope = self.model.scopes.of_node[self.hoist.origin]
        instance = self.namer.local("_self")
        own = self.hoist.origin if not isinstance(self.hoist.origin, ast.Lambda) else None
        edits = [
            Edit(*self.model.source.span(node), f"{instance}.{name}")
            for name in self.hoist.captures
            for node in uses_of_capture(scope, name)
        ]
        if own is not None and own.name not in self.hoist.captures:
            uses = uses_of_capture(scope, own.name)
            edits.extend(Edit(*self.model.source.span(node), self._called(node)) for node in uses)
        return edits

    def _called(self, node: ast.Name) -> str:
        """The text for the function's own name: a call of the object would take two levels of recursion before 3.13."""
        instance = self.namer.local("_self")
        return f"{instance}.__call__" if is_call_of(self.model.parents[node], node.id) else instance

    def _reference_edits(self, reference: Reference) -> list[Edit]:
        start, end = self.model.source.span(reference.node)
        edits = [Edit(start, end, self.namer.name_for(reference.function))]
        if not reference.captures:
            return edits
        call = self.model.parents[reference.node]
        parenthesis = _OPENING_PARENTHESIS.match(self.model.source.text, end)
        if not isinstance(call, ast.Call) or parenthesis is None:
            raise IslandError(f"{reference.node.id} is not called where it is expected to be")
        captures = ", ".join(reference.captures)
        if len(call.args) == 1 and isinstance(call.args[0], ast.GeneratorExp) and not call.keywords:
            # The parentheses of the call are those of the generator expression.
            last = self.model.source.span(call)[1]
            return [*edits, Edit(end, parenthesis.end(), f"({captures}, ("), Edit(last, last, ")")]
        comma = ", " if call.args or call.keywords else ""
        return [*edits, Edit(parenthesis.end(), parenthesis.end(), captures + comma)]


def uses_of_capture(scope: Scope, name: str) -> Iterator[ast.Name]:
    """The names that mean a captured variable in a function, read or bound.

    Args:
        scope: the scope that the function opens.
        name: the variable.
    """
    if scope.binds(name):
        return
    for inner in scope.descendants():
        if inner.resolve(name) is scope.resolve(name):
            uses = dict.fromkeys([*inner.references.get(name, ()), *inner.bindings.get(name, ())])
            yield from (node for node in uses if isinstance(node, ast.Name))


def definition_lines(model: Model, origin: ast.expr | ast.stmt) -> tuple[int, int]:
    """The offsets of what moves: a lambda alone; a definition in whole lines, with the comments right above it."""
    source = model.source
    if isinstance(origin, ast.expr):
        return source.span(origin)
    decorators: list[ast.expr] = getattr(origin, "decorator_list", [])
    row = min([origin.lineno, *(decorator.lineno for decorator in decorators)])
    indent = source.line(row)[: origin.col_offset]
    while (
        row > 1 and (above := source.line(row - 1)).startswith(indent) and is_comment_that_moves(above[len(indent) :])
    ):
        row -= 1
    assert origin.end_lineno is not None
    return source.line_start(row), source.line_start(origin.end_lineno + 1)

"""The text of a group of functions that move to the top level."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from codemods import edits
from codemods.analysis.closures import Form, Group, Hoist, Reference
from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Scope
from codemods.edits import Edit
from codemods.rewrite.change import Change, Definition
from codemods.rewrite.imports import Access, partial_access
from codemods.rewrite.names import Namer
from codemods.rewrite.placement import anchor_offset

_OPENING_PARENTHESIS = re.compile(r"[ \t]*\(")


def hoist_group(model: Model, namer: Namer, group: Group) -> Change:
    """The change that moves a group of functions to the top level.

    Args:
        model: the file.
        namer: gives the new names.
        group: the functions, from :class:`~codemods.analysis.closures.ClosurePlanner`.
    """
    writers = [_Writer(model, namer, hoist) for hoist in group]
    return Change(
        edits=tuple(writer.replacement() for writer in writers),
        definitions=tuple(writer.definition() for writer in writers),
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

    @property
    def access(self) -> Access:
        scopes = self.model.scopes
        origin = self.hoist.origin
        places: list[Scope] = [scopes.around[origin], *(scopes.around[ref.node] for ref in self.hoist.references)]
        return partial_access(self.model, places, self.model.top_level_statement(origin))

    @property
    def needs_partial(self) -> bool:
        return self.hoist.form is Form.PARTIAL or any(
            reference.captures and self._call_of(reference) is None for reference in self.hoist.references
        )

    def replacement(self) -> Edit:
        """What stands where the function stood."""
        origin = self.hoist.origin
        expression = self.hoist.name
        if self.hoist.form is Form.PARTIAL:
            expression = f"{self.access.expression}({', '.join([self.hoist.name, *self.hoist.captures])})"
        if isinstance(origin, ast.Lambda):
            start, end = self.model.source.span(origin)
            return Edit(start, end, expression)
        start, end = definition_lines(self.model, origin)
        last_line_end = re.search(r"(\r\n|\r|\n)?$", self.model.source.text[start:end])
        assert last_line_end is not None
        indent = self.model.source.text[self.model.source.line_start(origin.lineno) :][: origin.col_offset]
        return Edit(start, end, f"{indent}{origin.name} = {expression}{last_line_end.group()}")

    def definition(self) -> Definition:
        """The function at the top level."""
        from codemods.rewrite import islands

        origin, newline = self.hoist.origin, self.model.source.newline
        start, end = definition_lines(self.model, origin)
        changes = [edit for reference in self.hoist.references for edit in self._reference_edits(reference)]
        text = edits.apply(
            self.model.source.text[start:end],
            [Edit(edit.start - start, edit.end - start, edit.text) for edit in changes],
        )
        private_class = self.model.scopes.of_node[origin].private_class
        arguments = (self.hoist.name, self.hoist.captures, self.hoist.imports, private_class)
        if isinstance(origin, ast.Lambda):
            text = islands.hoist_lambda(text, *arguments, newline)
        else:
            text = islands.hoist_definition(text, *arguments)
        return Definition(anchor_offset(self.model, origin), start, text)

    def _reference_edits(self, reference: Reference) -> list[Edit]:
        start, end = self.model.source.span(reference.node)
        name = self.namer.name_for(reference.function)
        if not reference.captures:
            return [Edit(start, end, name)]
        captures = ", ".join(reference.captures)
        call = self._call_of(reference)
        if call is None:
            return [Edit(start, end, f"{self.access.expression}({name}, {captures})")]
        parenthesis = _OPENING_PARENTHESIS.match(self.model.source.text, end)
        assert parenthesis is not None
        comma = ", " if call.args or call.keywords else ""
        return [Edit(start, end, name), Edit(parenthesis.end(), parenthesis.end(), captures + comma)]

    def _call_of(self, reference: Reference) -> ast.Call | None:
        """The call of a reference, if captures can be written in front of its arguments."""
        call = self.model.parents[reference.node]
        if not isinstance(call, ast.Call) or call.func is not reference.node:
            return None
        if len(call.args) == 1 and isinstance(call.args[0], ast.GeneratorExp) and not call.keywords:
            return None
        end = self.model.source.span(reference.node)[1]
        return call if _OPENING_PARENTHESIS.match(self.model.source.text, end) else None


def definition_lines(model: Model, origin: ast.expr | ast.stmt) -> tuple[int, int]:
    """The offsets of what moves: a lambda alone; a definition in whole lines, with the comments right above it."""
    source = model.source
    if not isinstance(origin, FUNCTIONS):
        return source.span(origin)
    row = min([origin.lineno, *(decorator.lineno for decorator in origin.decorator_list)])
    indent = source.line(row)[: origin.col_offset]
    while row > 1 and source.line(row - 1).startswith(f"{indent}#"):
        row -= 1
    assert origin.end_lineno is not None
    return source.line_start(row), source.line_start(origin.end_lineno + 1)

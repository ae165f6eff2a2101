"""The text of a class whose methods stand for nested functions that share variables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from codemods import edits
from codemods.analysis.functions.captures import block_of
from codemods.analysis.functions.hoists import Group, Hoist
from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function
from codemods.edits import Edit
from codemods.rewrite import left_imports
from codemods.rewrite.change import Change, Definition
from codemods.rewrite.closures import definition_lines, uses_of_capture
from codemods.rewrite.names import Namer
from codemods.rewrite.placement import anchor_offset
from codemods.style import Style

_INDENT = "    "


def hoist_methods(model: Model, namer: Namer, group: Group, style: Style) -> Change:
    """The change that makes nested functions methods of one object.

    Args:
        model: the file.
        namer: gives the new names.
        group: the functions, from :class:`~codemods.analysis.functions.closures.ClosurePlanner`.
        style: how long lines may be.
    """
    writer = _Writer(model, namer, group, style)
    return Change(
        edits=(*(writer.replacement(hoist) for hoist in group), *left_imports.removals(model, group)),
        definitions=(writer.definition(),),
    )


@dataclass(frozen=True)
class _Writer:
    """Writes the methods of one class."""

    model: Model
    namer: Namer
    group: Group
    style: Style

    @property
    def attributes(self) -> list[str]:
        return list(dict.fromkeys(name for hoist in self.group for name in hoist.captures))

    @property
    def class_name(self) -> str:
        if len(self.group) == 1:
            return self.namer.class_name_for(self.group[0].name)
        return self.namer.class_name_for(self.namer.state_name_for(self.group[0].origin))

    def replacement(self, hoist: Hoist) -> Edit:
        """What stands where a function stood: the bound method, and before the first one the object."""
        from codemods.rewrite import formatting

        function, source = _function(hoist), self.model.source
        start, end = definition_lines(self.model, function)
        line_end = re.search(r"(\r\n|\r|\n)?$", source.text[start:end])
        assert line_end is not None
        instance = f"{self.class_name}({', '.join(self.attributes)})"
        if len(self.group) == 1:
            statements = [f"{function.name} = {instance}.{function.name}"]
        else:
            variable = self.namer.instance_name_for(self.group[0].origin)
            statements = [f"{variable} = {instance}"] if hoist is self.group[0] else []
            statements.append(f"{function.name} = {variable}.{function.name}")
        indent = source.text[source.line_start(function.lineno) :][: function.col_offset]
        lines = [formatting.laid_out_statement(text, indent, source.newline, self.style) for text in statements]
        return Edit(self._end_of_last_method(function, start), end, source.newline.join(lines) + line_end.group())

    def _end_of_last_method(self, function: Function, start: int) -> int:
        """Where the lines of the statement before end, if that becomes a method as well: no blank lines are left."""
        block = block_of(self.model, function)
        before = block[max(block.index(function) - 1, 0)]
        if before is function or not any(hoist.origin is before for hoist in self.group):
            return start
        end = definition_lines(self.model, before)[1]
        return end if not self.model.source.text[end:start].strip() else start

    def definition(self) -> Definition:
        """The class."""
        from codemods.rewrite import islands

        first = self.group[0].origin
        methods = [self._method(hoist) for hoist in self.group]
        instance = self.namer.local("_self") if "self" in self.attributes else "self"
        text = islands.class_of_methods(methods, self.class_name, instance, self.attributes)
        return Definition(anchor_offset(self.model, first), definition_lines(self.model, first)[0], text)

    def _method(self, hoist: Hoist) -> str:
        from codemods.rewrite import formatting, islands
        from codemods.rewrite.transformers import Shape

        function, source = _function(hoist), self.model.source
        scope = self.model.scopes.of_node[function]
        instance = self.namer.local("_self")
        names = {node: name for name in hoist.captures for node in uses_of_capture(scope, name)}
        names |= {reference.node: reference.node.id for reference in hoist.references}
        start, end = definition_lines(self.model, function)
        spans = ((source.span(node), name) for node, name in names.items())
        text = edits.apply(
            source.text[start:end],
            [Edit(first - start, last - start, f"{instance}.{name}") for (first, last), name in spans],
        )
        shape = Shape(function.name, [instance], list(hoist.imports))
        narrower = self.style._replace(line_length=max(self.style.line_length - len(_INDENT), 1))
        return formatting.shortened(islands.hoist_method(text, shape, hoist.captures, scope.private_class), narrower)


def _function(hoist: Hoist) -> Function:
    assert isinstance(hoist.origin, FUNCTIONS)
    return hoist.origin

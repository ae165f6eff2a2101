"""The text of ``__reduce__`` for an exception."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods.analysis.model import Model
from codemods.edits import Edit
from codemods.rewrite.change import Change
from codemods.style import Style


def add_reduce(model: Model, constructor: ast.FunctionDef, arguments: Sequence[str], style: Style) -> Change:
    """The change that adds a ``__reduce__`` below a constructor.

    Args:
        model: the file.
        constructor: the ``__init__`` of the exception.
        arguments: the expressions that give back its arguments.
        style: how long lines are laid out.
    """
    from codemods.rewrite import formatting

    source, newline = model.source, model.source.newline
    indent = source.text[source.line_start(constructor.lineno) :][: constructor.col_offset]
    first = constructor.body[0]
    inner = source.text[source.line_start(first.lineno) :][: first.col_offset]
    if inner.strip() or first.lineno == constructor.lineno:
        inner = indent + "    "
    values = f"({', '.join(arguments)}{',' if len(arguments) == 1 else ''})"
    returns = " -> tuple[object, ...]" if constructor.returns is not None else ""
    lines = [
        "",
        f"{indent}def __reduce__(self){returns}:",
        formatting.laid_out_statement(f"return type(self), {values}, self.__dict__", inner, newline, style),
    ]
    assert constructor.end_lineno is not None
    # Before the end of the line, which belongs to the class: a class that is moved at the same time is done first.
    line = source.text[source.line_start(constructor.end_lineno) : source.line_start(constructor.end_lineno + 1)]
    end = source.line_start(constructor.end_lineno) + len(line.rstrip("\r\n"))
    return Change((Edit(end, end, newline + newline.join(lines)),))

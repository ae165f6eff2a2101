"""A generator that may be pickled.

## What it does
Finds generator expressions, and calls of generator functions, that are stored or passed to something that pickles them.
Attributes that hold a generator expression are found by `unpicklable-attribute`.

## Why
A generator is a frame that has been stopped, and does not pickle: `cannot pickle 'generator' object`. Iterators over
lists, dicts and views do.

## Example
    executor.submit(total, (weight(row) for row in rows))

## Use instead
    executor.submit(total, iter([weight(row) for row in rows]))

## Fix safety
Safe where the call that a generator expression is an argument of pickles it at once, which always fails. Unsafe
elsewhere: the items are made earlier, and all of them. Generators that do not end, or that belong to a function, are
declined.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.model import Model
from codemods.analysis.staying import stays
from codemods.analysis.views import stored_iterators
from codemods.edits import Edit
from codemods.rewrite.change import Change
from codemods.rules import rule
from codemods.rules.context import Context, Found


@rule("PKL202", ast.GeneratorExp, ast.Call)
def stored_iterator(context: Context, node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, (ast.GeneratorExp, ast.Call))
    model = context.model
    if stays(model, node) or (isinstance(node, ast.Call) and not stored_iterators.is_generator_call(model, node)):
        return
    reach = context.reach(node)
    if reach is None or stored_iterators.is_attribute(model, node) or not stored_iterators.is_kept(model, node):
        return
    message = "a generator does not pickle"
    plan = stored_iterators.plan(model, node)
    if plan.refusal is not None:
        yield Found(node, message, reach, refusal=plan.refusal)
    else:
        title = "Make the items at once: an iterator over a list pickles"
        yield Found(node, message, reach, title, lambda: _write(model, node), plan.safety)


def _write(model: Model, node: ast.expr) -> Change:
    """Put a list in the place of a generator expression, whose parentheses may be those of a call."""
    start, end = model.source.span(node)
    parent = model.parents[node]
    shares = isinstance(parent, ast.Call) and model.source.span(parent)[1] == end
    opening, closing = ("(iter([", "]))") if shares else ("iter([", "])")
    return Change((Edit(start, start + 1, opening), Edit(end - 1, end, closing)))

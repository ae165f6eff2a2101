"""A lambda that may be pickled.

## What it does
Finds lambdas that are returned, stored or passed to something that pickles them, and makes named functions of them at
the top level of the module.

## Why
Pickle stores a function as the name of a module and a name in it; a lambda has no name to be found by:
`Can't pickle <function <lambda>>: attribute lookup <lambda> on __main__ failed`.

## Example
    def loader(dataset, pad):
        return DataLoader(dataset, collate_fn=lambda rows: join(rows, pad))

## Use instead
    def _loader_collate_fn(pad, /, rows):
        return join(rows, pad)


    def loader(dataset, pad):
        return DataLoader(dataset, collate_fn=functools.partial(_loader_collate_fn, pad))

## Fix safety
Safe: the fix is offered only where each captured variable is bound when the lambda is created and never rebound
afterwards. Everything else is declined with a reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.functions.dragged import dragged
from codemods.finding import Refusal, Safety
from codemods.rewrite.closures import hoist_group
from codemods.rules import rule
from codemods.rules.context import Context, Found
from codemods.rules.defaultdict_lambda import is_default_factory
from codemods.rules.local_class import refused_or_waiting
from codemods.rules.module_lambda import is_module_assignment


@rule("PKL102", ast.Lambda)
def lambda_expression(context: Context, node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.Lambda)
    if is_module_assignment(context.model, node) or is_default_factory(context.model, node):
        return
    reach = context.reach(node)
    if reach is None or node in context.decorators.parts:
        return
    message = "a lambda has no name by which pickle could find it"
    group = context.plan(node)
    if isinstance(group, Refusal):
        yield refused_or_waiting(context, node, message, reach, group)
        return
    model, namer, style = context.model, context.namer, context.style
    safety = Safety.SAFE if context.closures.is_safe(group) else Safety.UNSAFE
    title = f"Make the lambda a function `{namer.name_for(node)}`"
    yield Found(
        node,
        message,
        reach,
        title,
        lambda: hoist_group(model, namer, group, style),
        safety,
        is_replaced=True,
        captures=dragged(model, group),
    )

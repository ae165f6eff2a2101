"""A nested function that may be pickled.

## What it does
Finds functions defined inside functions that are returned, stored or passed to something that pickles them, and moves
them to the top level of the module. Functions that rebind variables which they share become methods of a class there.

## Why
Pickle stores a function as the name of a module and a name in it. A function inside a function cannot be found that
way: `Can't pickle local object 'train.<locals>.collate'`.

## Example
    def scaler(factor):
        def scale(x):
            return x * factor

        return scale

## Use instead
    def _scaler_scale(factor, /, x):
        return x * factor


    def scaler(factor):
        scale = functools.partial(_scaler_scale, factor)

        return scale

## Fix safety
Safe: the fix is offered only where each captured variable is bound when the function is created and never rebound
afterwards, unless by functions that move together with it. Everything else is declined with a reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.functions.dragged import dragged
from codemods.analysis.functions.hoists import Form
from codemods.analysis.scopes import FUNCTIONS
from codemods.analysis.staying import is_nested
from codemods.finding import Refusal, Safety
from codemods.rewrite.closures import hoist_group
from codemods.rewrite.shared_cells import hoist_methods
from codemods.rules import rule
from codemods.rules.context import Context, Found
from codemods.rules.local_class import refused_or_waiting


@rule("PKL101", ast.FunctionDef, ast.AsyncFunctionDef)
def nested_function(context: Context, node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, FUNCTIONS)
    if not is_nested(context.model, node):
        return
    reach = context.reach(node)
    if reach is None or node in context.decorators.parts:
        return
    message = f"`{node.name}` is a nested function, which pickle cannot find by name"
    group = context.plan(node)
    if isinstance(group, Refusal):
        yield refused_or_waiting(context, node, message, reach, group)
        return
    becomes_method = any(hoist.form is Form.METHOD for hoist in group)
    title = f"Make `{node.name}` a method" if becomes_method else f"Move `{node.name}` to the top level"
    write = hoist_methods if becomes_method else hoist_group
    model, namer, style = context.model, context.namer, context.style
    safety = Safety.SAFE if context.closures.is_safe(group) else Safety.UNSAFE
    yield Found(
        node,
        message,
        reach,
        title,
        lambda: write(model, namer, group, style),
        safety,
        is_replaced=True,
        captures=dragged(model, group),
    )

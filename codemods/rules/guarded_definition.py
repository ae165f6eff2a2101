"""A function or class that exists only under the main guard.

## What it does
Finds functions and classes defined under `if __name__ == "__main__":` that are pickled, and moves them above the guard,
together with the constants and definitions that they use. Imports that a function uses are repeated inside it, and
values that the guard has computed are bound with `functools.partial`.

## Why
Under spawn and forkserver the child process imports the main module under another name, so that nothing under the guard
exists there: `Can't get attribute 'transform' on <module '__mp_main__'>`.

## Example
    if __name__ == "__main__":
        GAIN = 2.0

        def transform(image):
            return image * GAIN

        run(Dataset(transform))

## Use instead
    GAIN = 2.0


    def transform(image):
        return image * GAIN


    if __name__ == "__main__":
        run(Dataset(transform))

## Fix safety
Safe: nothing but definitions and constants moves, so that importing the module has no effects that it did not have
before. Unsafe where an import has to move, which then happens whenever the module is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.guards.exodus import plan_exodus
from codemods.analysis.guards.main_guard import DEFINITIONS, guard_of
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import ScopeKind
from codemods.finding import Safety
from codemods.rewrite.guards import leave_guard
from codemods.rules import rule
from codemods.rules.context import Context, Found


@rule("PKL109", *DEFINITIONS)
def guarded_definition(context: Context, node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, DEFINITIONS)
    model = context.model
    if model.scopes.around[node].kind is not ScopeKind.MODULE or guard_of(model, node) is None:
        return
    reach = context.reach(node)
    if reach is None:
        return
    message = f"`{node.name}` is defined under the main guard and does not exist in a spawned process"
    try:
        exodus = plan_exodus(model, node)
        for move in exodus.moves:
            if isinstance(move.statement, DEFINITIONS):
                context.check_free(move.statement, "PKL109")
    except Refused as refused:
        yield Found(node, message, reach, refusal=refused.refusal)
        return
    safety = Safety.UNSAFE if exodus.moves_imports else Safety.SAFE
    title = f"Move `{node.name}` above the main guard"
    yield Found(node, message, reach, title, lambda: leave_guard(model, context.namer, exodus), safety)

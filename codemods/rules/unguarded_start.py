"""Processes that are started while the module is being imported.

## What it does
Finds code at the top level of a module that starts processes without a main guard, and puts it under
`if __name__ == "__main__":`. Definitions, imports and constants stay outside.

## Why
Under spawn and forkserver, the default on macOS, on Windows and, since Python 3.14, on Linux, each child process
imports the main module. Without a guard it would start processes again: `An attempt has been made to start a new
process before the current process has finished its bootstrapping phase`.

## Example
    loader = DataLoader(dataset, num_workers=2)
    for batch in loader:
        train(batch)

## Use instead
    if __name__ == "__main__":
        loader = DataLoader(dataset, num_workers=2)
        for batch in loader:
            train(batch)

## Fix safety
Unsafe: what is under the guard no longer runs when the module is imported, and other modules may count on that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.guards.process_starts import ProcessStarts, Start, statements_to_guard
from codemods.analysis.reasons import Refused
from codemods.finding import Level, Reach, Safety
from codemods.rewrite.guards import check_indentable, put_under_guard
from codemods.rules import rule
from codemods.rules.context import Context, Found

CODE = "PKL401"


@rule(CODE, ast.Module)
def unguarded_start(context: Context, node: ast.AST) -> Iterator[Found]:
    starts = ProcessStarts(context.model).unguarded()
    # One guard is for all of them; what is suppressed is left for the comment to be about, and keeps the others.
    suppressed = [start for start in starts if context.is_suppressed(start.node, CODE)]
    for start in suppressed:
        yield from _found(context, start, starts)
    others = (start for start in starts if start not in suppressed)
    if first := next(others, None):
        yield from _found(context, first, starts)


def _found(context: Context, start: Start, starts: list[Start]) -> Iterator[Found]:
    model = context.model
    message = f"`{start.name}` is called while the module is imported, which each process that is started does again"
    reach = Reach(Level.SINK, (), start.name)
    try:
        for other in starts:
            context.check_free(other.node, CODE)
        runs = statements_to_guard(model, starts)
        check_indentable(model, runs)
    except Refused as refused:
        yield Found(start.node, message, reach, refusal=refused.refusal)
        return
    title = "Put it under a main guard"
    yield Found(start.node, message, reach, title, lambda: put_under_guard(model, runs), Safety.UNSAFE)

"""An exception that can be dumped but not loaded.

## What it does
Finds exception classes whose constructor takes other arguments than it passes on to its base, and adds a `__reduce__`
that gives the constructor its own arguments back.

## Why
An exception is loaded by calling its class with `self.args`, which are the arguments of `super().__init__`. In a worker
process that raises such an exception the result never arrives: a pool hangs or reports a broken process.
`TypeError: DownloadError.__init__() missing 1 required positional argument: 'status'`.

## Example
    class DownloadError(Exception):
        def __init__(self, url, status):
            super().__init__(f"{url} answered {status}")
            self.url = url
            self.status = status

## Use instead
    class DownloadError(Exception):
        def __init__(self, url, status):
            super().__init__(f"{url} answered {status}")
            self.url = url
            self.status = status

        def __reduce__(self):
            return type(self), (self.url, self.status), self.__dict__

## Fix safety
Safe: the fix is offered only where each argument is kept as it was given, in an attribute or in `self.args`. The
finding counts as state where the file has to do with processes or pickling (it names `multiprocessing`,
`ProcessPoolExecutor`, `joblib`, `pickle`, …), or where something keeps an exception that it caught; elsewhere as
local, because most exceptions never leave their process.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.classes.exception_arguments import constructor_of, is_broken, recipe_of
from codemods.analysis.classes.raised import reach_of_exception
from codemods.analysis.reasons import Refused
from codemods.rewrite.exceptions import add_reduce
from codemods.rules import rule
from codemods.rules.context import Context, Found


@rule("PKL108", ast.ClassDef)
def exception_arguments(context: Context, node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.ClassDef)
    model = context.model
    if not is_broken(model, node):
        return
    if context.holders.unhandled(context.holders.classes.of(node)):
        return  # `unpicklable-attribute` sees to the arguments too.
    reach = reach_of_exception(model, node)
    if reach.level < context.level:
        return
    constructor = constructor_of(node)
    assert constructor is not None
    message = f"`{node.name}` is loaded by calling it with `self.args`, which are not the arguments that it takes"
    try:
        arguments = recipe_of(model, node)
    except Refused as refused:
        yield Found(node, message, reach, refusal=refused.refusal)
        return
    title = f"Add `__reduce__` to `{node.name}`"
    yield Found(node, message, reach, title, lambda: add_reduce(model, constructor, arguments, context.style))

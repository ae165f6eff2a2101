"""A class that is made by a call, and that pickle cannot find by name.

## What it does
Finds `namedtuple("Row", …)`, `Enum("Color", …)`, `make_dataclass`, `TypedDict` and `NamedTuple` calls inside functions,
and such calls at the top level whose class has another name than the variable that holds it. The first move to the top
level; the second get a `__qualname__` that leads to them, which leaves their text representation as it is.

## Why
Pickle looks the class of an object up by name, in the module that made it:
`Can't pickle <class 'app.usage'>: attribute lookup usage on app failed`.

## Example
    Usage = namedtuple("usage", "total used")


    def parse(line):
        Row = namedtuple("Row", "key value")
        return Row(*line.split("="))

## Use instead
    Usage = namedtuple("usage", "total used")
    Usage.__qualname__ = "Usage"


    Row = namedtuple("Row", "key value")


    def parse(line):
        return Row(*line.split("="))

## Fix safety
Safe: a call moves only if its arguments are constants and nothing tells the class of one call of the function from that
of another. Classes whose names or members are known only at run time are declined.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.classes.factories import Form, makes_class
from codemods.finding import Refusal
from codemods.rewrite.classes import fix_factory
from codemods.rules import rule
from codemods.rules.context import Context, Found


@rule("PKL106", ast.Call)
def class_factory_call(context: Context, node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.Call)
    model = context.model
    if not makes_class(model, node) or isinstance(model.parents[node], ast.ClassDef):
        return
    reach = context.reach(node)
    fix = context.factories.plan(node) if reach is not None else None
    if reach is None or fix is None:
        return
    message = f"`{ast.unparse(node.func)}(…)` makes a class that pickle cannot find by its name"
    if isinstance(fix, Refusal):
        yield Found(node, message, reach, refusal=fix)
        return
    title = (
        f"Move the class to the top level as `{fix.name}`" if fix.form is Form.MOVED else f"Let `{fix.name}` lead to it"
    )
    yield Found(node, message, reach, title, lambda: fix_factory(model, fix))

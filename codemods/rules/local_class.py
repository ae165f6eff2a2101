"""A class defined in a function whose instances may be pickled.

## What it does
Finds classes defined inside functions that are returned or stored, or whose instances are, and moves them to the top
level of the module, under their own name where that is free.

## Why
Pickle stores an object with the name of its class, and a class inside a function cannot be found by name:
`Can't pickle local object 'parse.<locals>.Row'`.

## Example
    def parse(line):
        class Row:
            def __init__(self, cells):
                self.cells = cells

        return Row(line.split(","))

## Use instead
    class Row:
        def __init__(self, cells):
            self.cells = cells


    def parse(line):
        return Row(line.split(","))

## Fix safety
Safe: the fix is offered only where the class uses no variable of the function, is the same each time it is made, holds
no state of its own, and nothing tells the class of one call from that of another.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.classes.local import ClassMove, is_local
from codemods.analysis.classes.raised import reach_of_exception
from codemods.analysis.reasons import Waiting
from codemods.finding import Level, Reach, Refusal
from codemods.rewrite.classes import move_class
from codemods.rules import rule
from codemods.rules.context import Context, Found


@rule("PKL105", ast.ClassDef)
def local_class(context: Context, node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.ClassDef)
    if not is_local(context.model, node):
        return
    reach = reach_of_exception(context.model, node)
    if reach.level < context.level or (reach.level is Level.LOCAL and _makes_plain_dicts(context, node)):
        return
    message = f"`{node.name}` is a class inside a function, which pickle cannot find by name"
    plan = context.classes.plan(node)
    if isinstance(plan, ClassMove):
        yield _moved(context, node, message, reach, plan)
    else:
        yield refused_or_waiting(context, node, message, reach, plan)


def _makes_plain_dicts(context: Context, node: ast.ClassDef) -> bool:
    """Whether a class says nothing but the types of dictionaries, whose pickles do not name it."""
    return any((context.model.dotted_name(base) or "").rpartition(".")[2] == "TypedDict" for base in node.bases)


def refused_or_waiting(
    context: Context, node: ast.expr | ast.stmt, message: str, reach: Reach, refusal: Refusal
) -> Found:
    """What is found at a node that cannot be converted, or not before a local class has moved: then that is the fix."""
    if isinstance(refusal, Waiting):
        plan = context.classes.plan(refusal.blocker)
        if isinstance(plan, ClassMove) and context.reach(refusal.blocker) is not None:
            return _moved(context, node, message, reach, plan)
        return Found(node, message, reach, refusal=Refusal(refusal.reason, refusal.advice))
    return Found(node, message, reach, refusal=refusal)


def _moved(context: Context, node: ast.expr | ast.stmt, message: str, reach: Reach, plan: ClassMove) -> Found:
    title = f"Move the class `{plan.node.name}` to the top level"
    return Found(node, message, reach, title, lambda: move_class(context.model, plan))

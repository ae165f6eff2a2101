"""A view of a dict that may be pickled.

## What it does
Finds `keys()`, `values()` and `items()` of dicts that are stored, returned or passed to something that pickles them,
and makes lists of them there.

## Why
A view refers to its dict and does not pickle: `cannot pickle 'dict_keys' object`.

## Example
    class Config:
        def __init__(self, ranges):
            self.ranges = dict(ranges)
            self.names = self.ranges.keys()

## Use instead
    class Config:
        def __init__(self, ranges):
            self.ranges = dict(ranges)
            self.names = list(self.ranges.keys())

## Fix safety
Safe where nothing in the file, or in those that use what holds the view, changes the dict afterwards, compares the
view, uses it like a set, shows it as text or looks at its type; unsafe where the dict may be something else, or other
modules may still fill it. A view that an object keeps of its own attribute, and that is used in such a way, stays a
view: it is left out of the state and made again by `__setstate__`, or becomes a property, which is unsafe because the
attribute can no longer be set.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.model import Model
from codemods.analysis.scopes import mangle
from codemods.analysis.state.parts import Drop, Part
from codemods.analysis.state.plan import StatePlan, StatePlanner
from codemods.analysis.state.presence import is_always_set
from codemods.analysis.staying import stays
from codemods.analysis.views.calls import view_call
from codemods.analysis.views.plans import ViewPlan
from codemods.analysis.views.stores import OwnView
from codemods.edits import Edit
from codemods.finding import Reach, Safety
from codemods.rewrite.change import Change
from codemods.rewrite.methods import is_insertable
from codemods.rewrite.state_insertion import insert_methods
from codemods.rewrite.view_property import can_write_property, write_property
from codemods.rules import rule
from codemods.rules.context import Context, Found
from codemods.rules.unpicklable_attribute import closure_obstacle


@rule("PKL201", ast.Call)
def dict_view(context: Context, node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.Call)
    model = context.model
    view = view_call(model, node)
    if view is None or stays(model, node):
        return
    reach = model.flow.reach(node)
    if reach.level < context.level and not context.always_wrap_views:
        return
    plan = context.views.plan(view, reach.level)
    if plan is not None:
        text = ast.unparse(node).partition("\n")[0]
        yield _found(context, node, f"`{text}` is a view of a dict, which does not pickle", reach, plan)


def _found(context: Context, node: ast.Call, message: str, reach: Reach, plan: ViewPlan) -> Found:
    model, own = context.model, plan.own
    if plan.wrapped:
        title = "Make a list of the view"
        return Found(node, message, reach, title, lambda: _wrap(model, plan.wrapped), plan.safety)
    if own is None:
        return Found(node, message, reach, refusal=plan.refusal)
    state = _state_plan(context, own)
    if state is not None:
        safety = Safety.UNSAFE if Safety.UNSAFE in (plan.safety, state.safety) else Safety.SAFE
        title = f"Make `{own.attribute}` anew when `{own.owner.name}` is unpickled"
        return Found(node, message, reach, title, lambda: insert_methods(model, state), safety)
    if can_write_property(model, own):
        title = f"Make `{own.attribute}` a property"
        return Found(node, message, reach, title, lambda: write_property(model, own), Safety.UNSAFE)
    return Found(node, message, reach, refusal=plan.refusal)


def _state_plan(context: Context, own: OwnView) -> StatePlan | None:
    """The methods that leave a view out of the state and make it again from the dict in the state."""
    model = context.model
    planner = StatePlanner(model, lambda closure: closure_obstacle(context, closure))
    found = planner.classes.of(own.owner)
    family = planner.family(found)
    keys = [mangle(name, found.name) for name in (own.attribute, own.table)]
    if own.function is not found.methods.get("__init__") or not all(is_always_set(family, key) for key in keys):
        return None
    part = Part(keys[0], own.attribute, Drop.ALWAYS, model.source.segment(own.source))
    plan = planner.plan_for(found, (part,))
    return plan if plan is not None and is_insertable(plan.node) else None


def _wrap(model: Model, nodes: tuple[ast.expr, ...]) -> Change:
    """Make lists of the values of expressions."""
    edits: list[Edit] = []
    for node in nodes:
        start, end = model.source.span(node)
        is_known = model.is_builtin("list", model.scopes.around[node])
        opening, closing = ("list(", ")") if is_known else ("[*", "]")
        edits += [Edit(start, start, opening), Edit(end, end, closing)]
    return Change(tuple(edits))

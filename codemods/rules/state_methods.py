"""A state method, written by hand, that fails or loses something.

## What it does
Looks at `__getstate__`, `__setstate__`, `__reduce__`, `__deepcopy__` and `__getattr__` for what goes wrong in them: a
key that may be absent, an attribute that is left out and never restored, the live `__dict__` changed, `super()`
forgotten, a memo not handed on, a `__getattr__` that recurses while the object is loaded.

## Why
Most of these errors show only when the object is loaded, or used after it, and in another process.

## Example
    class Wrapper:
        def __init__(self, inner):
            self.inner = inner

        def __getattr__(self, name):
            return getattr(self.inner, name)

## Use instead
    class Wrapper:
        def __init__(self, inner):
            self.inner = inner

        def __setstate__(self, state):
            self.__dict__.update(state)

        def __getattr__(self, name):
            return getattr(self.inner, name)

## Fix safety
Safe: a `__getattr__` that recurses gets a `__setstate__` beside it, without which no instance can be loaded. Unsafe:
`del state["x"]` becomes `state.pop("x", None)`. All else is reported and left alone: what was meant cannot be told.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.model import Model
from codemods.analysis.reasons import refusal
from codemods.analysis.scopes import FUNCTIONS
from codemods.analysis.state.attributes import self_name
from codemods.analysis.state.classes import Class
from codemods.analysis.state.evidence import is_pickled
from codemods.analysis.state.mistakes import Mistake, has_state_methods, mistakes
from codemods.analysis.state.plan import StatePlanner
from codemods.edits import Edit
from codemods.finding import Level, Reach, Safety, Step
from codemods.rewrite.change import Change
from codemods.rewrite.methods import is_insertable, with_methods
from codemods.rules import rule
from codemods.rules.context import Context, Found
from codemods.rules.unpicklable_attribute import closure_obstacle

_MESSAGES = {
    "forgets-super": "`{}` does not call that of its base",
    "live-state": "`{}` is not a copy: pickling changes the live object",
    "may-be-absent": "`{}` may be absent from the state, and removing it then fails",
    "memo-forgotten": "`{}` is not handed on: objects that occur twice are copied twice, and cycles never end",
    "never-restored": "`{}` is left out of the state and never restored",
    "recursion-on-load": "`{}` does not exist yet while the object is loaded: `__getattr__` recurses without end",
    "reduced-to-constants": "`{}` is reduced to constants: its state is lost",
    "reduced-to-resource": "`{}` does not pickle, and `__reduce__` hands it to pickle",
    "restored-too-early": "`{}` is set before the base has restored its state",
    "slots-without-dict": "instances of `{}` have slots and no `__dict__`",
}


@rule("PKL302", ast.Module)
def state_methods(context: Context, node: ast.AST) -> Iterator[Found]:
    model = context.model
    if ast.ClassDef not in model.nodes:
        return
    planner = StatePlanner(model, lambda closure: closure_obstacle(context, closure))
    for found in planner.classes:
        if has_state_methods(found):
            for mistake in mistakes(planner, found):
                if mistake.reason != "recursion-on-load" or is_pickled(model, planner, found):
                    yield _found(context, planner, found, mistake)


def _found(context: Context, planner: StatePlanner, found: Class, mistake: Mistake) -> Found:
    model = context.model
    start, _ = context.place(mistake.node)
    reach = Reach(Level.STATE, (Step(model.source.path, start, "the class arranges its own pickling"),))
    message = _MESSAGES[mistake.reason].format(mistake.name)
    if mistake.removal is not None:
        title = f"Allow for a state without `{mistake.key}`"
        return Found(mistake.node, message, reach, title, lambda: _with_default(model, mistake), Safety.UNSAFE)
    if mistake.reason == "recursion-on-load" and planner.restores_plainly(found) and is_insertable(found.node):
        title = f"Give `{found.name}` a `__setstate__`"
        return Found(mistake.node, message, reach, title, lambda: _with_setter(model, found, mistake))
    return Found(mistake.node, message, reach, refusal=refusal(mistake.reason, name=mistake.name))


def _with_default(model: Model, mistake: Mistake) -> Change:
    """Take a key out of the state only if it is there."""
    removal = mistake.removal
    assert removal is not None
    start, end = model.source.span(removal)
    if isinstance(removal, ast.Call):
        return Change((Edit(end - 1, end - 1, ", None"),))
    target = removal.targets[0]
    assert isinstance(target, ast.Subscript)
    call = f"{model.source.segment(target.value)}.pop({model.source.segment(target.slice)}, None)"
    return Change((Edit(start, end, call),))


def _with_setter(model: Model, found: Class, mistake: Mistake) -> Change:
    """Restore the attributes without a look at the instance."""
    assert isinstance(mistake.node, FUNCTIONS)
    instance = self_name(mistake.node) or "self"
    lines = [f"def __setstate__({instance}, state):", f"    {instance}.__dict__.update(state)"]
    return with_methods(model, found.node, lines)

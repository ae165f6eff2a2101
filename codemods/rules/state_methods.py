"""A state method, written by hand, that fails or loses something.

## What it does
Looks at `__getstate__`, `__setstate__`, `__reduce__`, `__deepcopy__` and `__getattr__` for what goes wrong in them: a
key that may be absent, an attribute that is left out and never restored, the live `__dict__` changed, `super()`
forgotten, a memo not handed on, a `__getattr__` that recurses while the object is loaded.

## Why
Most of these errors show only when the object is loaded, or used after it, and in another process.

## Example
    def __getstate__(self):
        state = self.__dict__
        del state["lock"]
        return state

## Use instead
    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("lock", None)
        return state

## Fix safety
These are reported and never rewritten: what the author meant cannot be told.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.reasons import refusal
from codemods.analysis.state_evidence import is_pickled
from codemods.analysis.state_mistakes import Mistake, has_state_methods, mistakes
from codemods.analysis.state_plan import StatePlanner
from codemods.finding import Level, Reach, Step
from codemods.rules import rule
from codemods.rules.context import Context, Found

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
    planner = StatePlanner(model, lambda closure: None)
    for found in planner.classes:
        if has_state_methods(found):
            for mistake in mistakes(planner, found):
                if mistake.reason != "recursion-on-load" or is_pickled(model, planner, found):
                    yield _found(context, mistake)


def _found(context: Context, mistake: Mistake) -> Found:
    start, _ = context.place(mistake.node)
    step = Step(context.model.source.path, start, "the class arranges its own pickling")
    message = _MESSAGES[mistake.reason].format(mistake.name)
    reach = Reach(Level.STATE, (step,))
    return Found(mistake.node, message, reach, refusal=refusal(mistake.reason, name=mistake.name))

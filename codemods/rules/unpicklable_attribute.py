"""An attribute that holds something that does not pickle.

## What it does
Finds attributes that hold locks, thread pools, open files, modules, kernels and the like, and gives the class
`__getstate__` and `__setstate__`, which leave them out of the state and make them again.

## Why
An instance is pickled with all its attributes, and these objects belong to one process:
`cannot pickle '_thread.lock' object`.

## Example
    class Counter:
        def __init__(self):
            self.value = 0
            self.lock = threading.Lock()

## Use instead
    class Counter:
        def __init__(self):
            self.value = 0
            self.lock = threading.Lock()

        def __getstate__(self):
            state = self.__dict__.copy()
            state.pop("lock", None)
            return state

        def __setstate__(self, state):
            self.__dict__.update(state)
            self.lock = threading.Lock()

## Fix safety
Safe: the fix is offered only where the same expression, with constants, names of the module and attributes that never
change, makes the object again and nothing is lost with the old one. Files are opened again without truncating them.
Locks, sockets and the like are findings only in classes whose instances are seen to be pickled; with `--reach all` in
every class, but then the fix is unsafe. Unsafe also where shallow copies are made of instances that share such an
object, or where a database might be one in memory.

With `--unsafe-fixes`, an attribute that cannot be made again is None after loading, and a comment says so.

## Styles
`--state-style` chooses what is written instead: `deepcopy` a `__deepcopy__` that shares the attributes by reference,
for objects that are copied and never pickled; `reduce` a `__reduce__` that calls the class with the arguments that made
the instance, where its constructor does no more than keep them; `reducer` one function for all objects of a type,
registered with `copyreg.pickle`, which serves all classes of the process, those of other libraries included.

The key `unpicklable-types` adds types (`library.Client: rebuild`) and attributes (`*.client: none`) to the catalog that
`picklefix resources` lists, or takes them out (`library.Client: keep`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.reasons import Refused, refusal
from codemods.analysis.scopes import ScopeKind
from codemods.analysis.state.arguments import is_tuple, set_from_outside
from codemods.analysis.state.classes import Class
from codemods.analysis.state.evidence import attribute_reach, instance_reach
from codemods.analysis.state.plan import ClosureNode, StatePlanner, Verdict
from codemods.analysis.state.resources import Made
from codemods.analysis.views.calls import view_call
from codemods.finding import Level, Reach, Refusal, Safety
from codemods.rewrite.state_remedies import is_settled, remedy
from codemods.rules import rule
from codemods.rules.context import Context, Found


@rule("PKL301", ast.Module)
def unpicklable_attribute(context: Context, node: ast.AST) -> Iterator[Found]:
    model = context.model
    if ast.ClassDef not in model.nodes:
        return
    planner = StatePlanner(model, lambda closure: closure_obstacle(context, closure), context.unsafe_fixes)
    for found in planner.classes:
        verdicts = planner.verdicts(found)
        bases = list(planner.unpicklable_bases(found))
        if not verdicts and not bases:
            continue
        reach = instance_reach(model, planner, found)
        for base in bases:
            if reach.level >= context.level:
                message = f"`{found.name}` derives from `{base}`, whose instances do not pickle"
                yield Found(found.node, message, reach, refusal=refusal("unpicklable-base", name=base))
        hold = _hold(context, verdicts)
        for verdict in verdicts:
            own = attribute_reach(model, verdict.candidate, reach)
            if own.level >= context.level and not is_settled(planner, found, verdict, context.state_style):
                yield _found(context, planner, found, verdict, own, hold)
    yield from _from_outside(context, planner)


def _hold(context: Context, verdicts: list[Verdict]) -> Refusal | None:
    """Why a class is to be left as it is: what is written is for all attributes, so that one keeps the others."""
    try:
        for verdict in verdicts:
            context.check_free(verdict.candidate.store.node, "PKL301")
    except Refused as refused:
        return refused.refusal
    return None


def closure_obstacle(context: Context, closure: ClosureNode) -> Refusal | None:
    """Why a function inside a method, or a view, cannot be made to pickle; None if it can."""
    if isinstance(closure, ast.Call):
        view = view_call(context.model, closure)
        plan = context.views.plan(view, Level.STATE) if view is not None else None
        return plan.refusal if plan is not None and not plan.wrapped and plan.own is None else None
    if context.model.scopes.around[closure].kind is ScopeKind.CLASS:
        return None
    group = context.closures.plan(closure)
    return group if isinstance(group, Refusal) else None


def _from_outside(context: Context, planner: StatePlanner) -> Iterator[Found]:
    """What comes to rest in an instance without an assignment in its class."""
    model = context.model
    for passed in planner.passed:
        if is_tuple(passed.owner) and (reach := context.reach(passed.made.node)) is not None:
            message = f"`{passed.parameter}` of `{passed.owner.name}` gets {_described(passed.made)}"
            yield Found(passed.node, message, reach, refusal=refusal("base-keeps-state", name=passed.owner.name))
    for target, made in set_from_outside(model, planner.classes, planner.resources):
        if (reach := context.reach(made.node)) is not None:
            message = f"`{target.attr}` gets {_described(made)}"
            yield Found(target, message, reach, refusal=refusal("set-from-outside", name=target.attr))


def _found(
    context: Context, planner: StatePlanner, found: Class, verdict: Verdict, reach: Reach, hold: Refusal | None
) -> Found:
    candidate = verdict.candidate
    message = f"`{candidate.key}` holds {_described(candidate.made)}"
    node = candidate.store.node
    outcome = remedy(planner, found, verdict, context.state_style)
    if isinstance(outcome, Refusal) or hold is not None:
        return Found(node, message, reach, refusal=outcome if isinstance(outcome, Refusal) else hold)
    # Nothing shows that an instance is ever pickled: the methods would only add to the class's interface.
    safety = Safety.UNSAFE if reach.level is Level.LOCAL else outcome.safety
    return Found(node, message, reach, outcome.title, outcome.write, safety)


def _described(made: Made) -> str:
    name = made.resource.name
    if name.startswith("*."):
        return "something that does not pickle, as the configuration says"
    article = "an" if name[:1].lower() in "aeiou" else "a"
    return f"{article} `{name}`, which does not pickle"

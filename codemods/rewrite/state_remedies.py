"""What is done about an attribute that does not pickle, in each of the state styles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from codemods.analysis.reasons import Refused, refusal
from codemods.analysis.state.classes import Class
from codemods.analysis.state.copies import copying
from codemods.analysis.state.exceptions import exception_plan, is_exception
from codemods.analysis.state.handled import copies_itself
from codemods.analysis.state.mistakes import mistakes
from codemods.analysis.state.parts import Drop
from codemods.analysis.state.plan import StatePlan, StatePlanner, Verdict
from codemods.analysis.state.reducers import is_registered_kind, reducer
from codemods.analysis.state.reductions import reduction
from codemods.finding import Refusal, Safety
from codemods.rewrite.change import Change
from codemods.rewrite.copy_methods import insert_deepcopy
from codemods.rewrite.methods import is_insertable
from codemods.rewrite.reduce_methods import insert_exception_reduce, insert_reduce, register_reducer
from codemods.rewrite.state_insertion import insert_methods
from codemods.style import StateStyle

_RECURSION = "recursion-on-load"


@dataclass(frozen=True)
class Remedy:
    """A change that takes care of an attribute.

    Args:
        title: what it does, in one sentence.
        write: makes it.
        safety: whether it may be made unasked.
    """

    title: str
    write: Callable[[], Change]
    safety: Safety


def remedy(planner: StatePlanner, found: Class, verdict: Verdict, style: StateStyle) -> Remedy | Refusal:
    """What is done about an attribute, or why nothing is.

    Args:
        planner: plans the methods of the file's classes.
        found: the class.
        verdict: what the default style would do.
        style: how classes arrange to be pickled.
    """
    if style is not StateStyle.REDUCER and not is_insertable(found.node):
        return refusal("unsupported-syntax", name=found.name)
    try:
        return _REMEDIES[style](planner, found, verdict)
    except Refused as error:
        return error.refusal


def is_settled(planner: StatePlanner, found: Class, verdict: Verdict, style: StateStyle) -> bool:
    """Whether the style has been followed already.

    Args:
        planner: plans the methods of the file's classes.
        found: the class.
        verdict: what the default style would do.
        style: how classes arrange to be pickled.
    """
    if style is StateStyle.DEEPCOPY:
        return any(isinstance(base, Class) and "__deepcopy__" in base.bound for base in planner.family(found).order)
    if style is not StateStyle.REDUCER:
        return False
    try:
        return is_registered_kind(planner.model, reducer(planner.model, verdict.candidate).kind)
    except Refused:
        return False


def _with_state(planner: StatePlanner, found: Class, verdict: Verdict) -> Remedy | Refusal:
    plan, model = verdict.outcome, planner.model
    if is_exception(family := planner.family(found)):
        reduced = exception_plan(model, family, planner.unhandled(found))
        title = f"Leave `{verdict.candidate.key}` out of the state of `{found.name}`; its constructor makes it again"
        return Remedy(title, lambda: insert_exception_reduce(model, found, reduced), Safety.SAFE)
    if isinstance(plan, Refusal):
        return plan
    return Remedy(_state_title(verdict.candidate.key, plan), lambda: insert_methods(model, plan), plan.safety)


def _state_title(key: str, plan: StatePlan) -> str:
    part = next(part for part in plan.parts if part.key == key)
    title = f"Leave `{key}` out of the state of `{plan.node.name}`"
    if part.remark:
        return f"{title}; it is None after loading"
    if part.value and not plan.keeps_copies and part.drop is not Drop.CARRIED and not part.is_named:
        return f"{title}; a `copy.copy` gets one of its own too"
    return title


def _with_deepcopy(planner: StatePlanner, found: Class, verdict: Verdict) -> Remedy:
    plan = copying(planner.family(found), planner.unhandled(found))
    title = f"Share `{verdict.candidate.key}` between deep copies of `{found.name}`; pickle goes on refusing it"
    return Remedy(title, lambda: insert_deepcopy(planner.model, found, plan), Safety.SAFE)


def _with_reduce(planner: StatePlanner, found: Class, verdict: Verdict) -> Remedy:
    family = planner.family(found)
    plan = reduction(family, planner.resources, planner.unhandled(found))
    safety = Safety.UNSAFE if copies_itself(planner.model, family) else Safety.SAFE
    title = f"Pickle `{found.name}` as a call of its class; a `copy.copy` makes a new `{verdict.candidate.key}` too"
    return Remedy(title, lambda: insert_reduce(planner.model, found, plan), safety)


def _with_reducer(planner: StatePlanner, found: Class, verdict: Verdict) -> Remedy:
    if any(mistake.reason == _RECURSION for mistake in mistakes(planner, found)):
        raise Refused(_RECURSION)  # What did not dump would dump, and end the process that loads it.
    plan = reducer(planner.model, verdict.candidate)
    way = "as calls of its constructor" if plan.constructor else "by name"
    title = f"Pickle all objects of the type of `{verdict.candidate.key}` {way}, in the whole process"
    return Remedy(title, lambda: register_reducer(planner.model, found, plan), plan.safety)


_REMEDIES: dict[StateStyle, Callable[[StatePlanner, Class, Verdict], Remedy | Refusal]] = {
    StateStyle.GETSTATE: _with_state,
    StateStyle.DEEPCOPY: _with_deepcopy,
    StateStyle.REDUCE: _with_reduce,
    StateStyle.REDUCER: _with_reducer,
}

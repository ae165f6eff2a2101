"""Whether the instances of a class are seen to be pickled."""

from __future__ import annotations

import ast

from codemods.analysis.model import Model
from codemods.analysis.state.classes import Class
from codemods.analysis.state.holders import Candidate
from codemods.analysis.state.plan import StatePlanner
from codemods.finding import Level, Reach, Step


def instance_reach(model: Model, planner: StatePlanner, found: Class) -> Reach:
    """How far the instances of a class and of its heirs are seen to go."""
    best = Reach(Level.LOCAL)
    for heir in planner.classes.heirs(found):
        for base in planner.classes.order(heir) or []:
            entry = model.catalog.base(base) if isinstance(base, str) and base else None
            if entry is not None and best.level < Level.STATE:
                best = Reach(Level.STATE, (_step(model, heir, entry.habit),))
        for call in planner.constructions.get(heir, ()):
            reach = model.flow.reach(call)
            if reach.level > best.level:
                best = reach
    return best


def is_pickled(model: Model, planner: StatePlanner, found: Class) -> bool:
    """Whether instances of a class are seen to come to rest in something that may be pickled."""
    return instance_reach(model, planner, found).level >= Level.STATE


def attribute_reach(model: Model, candidate: Candidate, instances: Reach) -> Reach:
    """How far what an attribute holds is seen to go: as far as the instances, or on a way of its own to a sink.

    Args:
        model: the file.
        candidate: the attribute.
        instances: how far the instances go.
    """
    reach = model.flow.reach(candidate.made.node)
    if reach.level is Level.SINK or (reach.level > instances.level and not candidate.made.resource.needs_evidence):
        return reach
    if instances.level is Level.LOCAL and not candidate.made.resource.needs_evidence:
        return Reach(Level.STATE, (_step_at(model, candidate.store.node, f"kept in the attribute {candidate.key}"),))
    return instances


def _step(model: Model, found: Class, habit: str) -> Step:
    return _step_at(model, found.node, f"instances of {found.name} are {habit}")


def _step_at(model: Model, node: ast.expr | ast.stmt, text: str) -> Step:
    start, _ = model.source.span(node)
    return Step(model.source.path, model.source.location(start), text)

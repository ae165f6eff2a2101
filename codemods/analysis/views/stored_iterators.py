"""Generators that come to rest, or are handed to something that pickles them."""

from __future__ import annotations

import ast
from typing import NamedTuple

from codemods.analysis.model import Model
from codemods.analysis.reasons import refusal
from codemods.analysis.scopes import FUNCTIONS
from codemods.analysis.values.definitions import Class
from codemods.analysis.values.fields import ANY, INSIDE, REST
from codemods.analysis.values.reach_moves import Kind
from codemods.analysis.views.reach import derived, search_everywhere, stored_states
from codemods.catalog.entries import When
from codemods.finding import Refusal, Safety

_ENDLESS = frozenset({"itertools.count", "itertools.cycle", "itertools.repeat"})


class IteratorPlan(NamedTuple):
    """What becomes of a generator.

    Args:
        refusal: why it stays; None if it becomes an iterator over a list.
        safety: whether it is used up where it is made, so that nobody sees when its items are made.
    """

    refusal: Refusal | None = None
    safety: Safety = Safety.UNSAFE


def is_generator_call(model: Model, node: ast.Call) -> bool:
    """Whether a call makes a generator of a function of the file."""
    function = node.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    if all(getattr(generator, "name", "") != name for generator in model.generators):
        return False
    if isinstance(function, ast.Name):
        bindings = [binding for _, binding in model.scopes.around[node].resolve(function.id).all_bindings(function.id)]
        return len(bindings) == 1 and _yields(model, bindings[0])
    if isinstance(function, ast.Attribute) and any(function.attr == getattr(g, "name", "") for g in model.generators):
        place = model.flow.graph.of_operand.get(function.value)
        methods = [
            method
            for tag in model.flow.types.of(place)
            if isinstance(tag, Class) and (method := tag.method(function.attr)) is not None
        ]
        return bool(methods) and all(_yields(model, method.node) for method in methods)
    return False


def _yields(model: Model, node: ast.AST) -> bool:
    return isinstance(node, FUNCTIONS) and not node.decorator_list and node in model.generators


def is_kept(model: Model, node: ast.expr) -> bool:
    """Whether a generator is pickled, or surely stored rather than handed to somebody who is going to use it up."""
    search = search_everywhere(model, node, Kind.ITERATOR)
    vague = derived(search, ANY) | derived(search, REST)
    certain = [state for index, state in enumerate(search.states) if index not in vague]
    if any(search.sinks(state) for state in certain):
        return True
    is_stored = not set(stored_states(search)).isdisjoint(state for state in certain if INSIDE not in state.path)
    return is_stored and isinstance(node, ast.GeneratorExp)


def is_attribute(model: Model, node: ast.expr) -> bool:
    """Whether a generator is assigned to an attribute, which is the business of another rule."""
    parent = model.parents[node]
    return isinstance(parent, ast.Assign) and any(isinstance(target, ast.Attribute) for target in parent.targets)


def plan(model: Model, node: ast.expr) -> IteratorPlan:
    """What becomes of a generator that does not pickle."""
    if not isinstance(node, ast.GeneratorExp):
        return IteratorPlan(refusal("generator-kept"))
    if any(isinstance(part, (ast.Await, ast.Yield, ast.YieldFrom)) for part in ast.walk(node)) or any(
        generator.is_async for generator in node.generators
    ):
        return IteratorPlan(refusal("generator-kept"))
    if _is_endless(model, node):
        return IteratorPlan(refusal("endless-generator"))
    if not model.is_builtin("iter", model.scopes.around[node]):
        return IteratorPlan(refusal("generator-kept"))
    return IteratorPlan(safety=Safety.SAFE if _is_pickled_at_once(model, node) else Safety.UNSAFE)


def _is_endless(model: Model, node: ast.GeneratorExp) -> bool:
    for generator in node.generators:
        call = generator.iter
        if isinstance(call, ast.Call) and model.dotted_name(call.func) in _ENDLESS:
            return True
        if isinstance(call, ast.Call) and model.dotted_name(call.func) == "iter" and len(call.args) == 2:
            return True
    return False


def _is_pickled_at_once(model: Model, node: ast.GeneratorExp) -> bool:
    """Whether the call that a generator expression is an argument of pickles it, whatever else it does."""
    found = model.flow.found(node)
    if found.sink is None or found.sink.when is not When.ALWAYS or len(found.notes) != 1:
        return False
    inner: ast.AST = node
    parent = model.parents[node]
    while isinstance(parent, (ast.Tuple, ast.List, ast.Dict, ast.keyword)):
        inner, parent = parent, model.parents[parent]
    return isinstance(parent, ast.Call) and inner is not parent.func and found.notes[0].node is parent

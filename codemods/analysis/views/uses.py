"""What is done with a view, or with what holds it, that a list would not do."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import NamedTuple

from codemods.analysis.model import Model
from codemods.analysis.reasons import refusal
from codemods.analysis.values.definitions import Class
from codemods.analysis.values.fields import ANY, REST, RETURN, UNSAVED
from codemods.analysis.values.flow import FlowGraph
from codemods.analysis.values.graph import Use
from codemods.analysis.values.reach import Search, State
from codemods.analysis.views.places import SHOWN_BY, against_place, against_use
from codemods.analysis.views.reach import derived, is_element
from codemods.finding import Refusal

_VIEW_TYPES = frozenset(
    {"KeysView", "ValuesView", "ItemsView", "MappingView", "dict_keys", "dict_values", "dict_items"}
)
_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)
DEPTH = 3
"""How many variables a use is followed through."""


class Holding(NamedTuple):
    """How a value holds a view.

    Args:
        inside: whether the view may also be an element of the value.
        key: the key under which it is an element, if that is known.
    """

    inside: bool = False
    key: object = None

    def is_elsewhere(self, index: ast.expr) -> bool:
        """Whether an element is surely another one."""
        return self.key is not None and isinstance(index, ast.Constant) and index.value != self.key


class Uses:
    """Finds uses that need a view.

    Args:
        model: the file.
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    def against(self, node: ast.Call, search: Search) -> Refusal | None:
        """Why a list would not do in the place of the view that a call makes.

        Args:
            node: the call.
            search: where the view gets.
        """
        return (
            self._tests_for_views()
            or self.seen_by_flow(search, self.model.flow)
            or self._seen_at(node, 0, Holding())
            or self.seen_on_holders(search.states, self.key_of(node))
            or self._seen_in_text(search)
        )

    def against_stored(self, node: ast.Call, search: Search, local: frozenset[int]) -> Refusal | None:
        """Why a list would not do where a view is stored that a variable holds.

        Args:
            node: the call that makes the view.
            search: where the view gets.
            local: the places of the call and of the variable.
        """
        return (
            self._tests_for_views()
            or self.seen_by_flow(search, self.model.flow, local)
            or self.seen_on_holders(search.states, self.key_of(node))
            or self._seen_in_text(search)
        )

    # What the value-flow graph has seen

    def seen_by_flow(self, search: Search, flow: FlowGraph, without: frozenset[int] = frozenset()) -> Refusal | None:
        """Why a list would not do, by what is done with the values of places that a view gets to.

        Args:
            search: where the view gets.
            flow: the graph that has been searched.
            without: the places that are none of the question.
        """
        graph = flow.graph
        lost, vague = derived(search, REST), derived(search, ANY)
        for index, state in enumerate(search.states):
            if RETURN not in state.path and state.place not in without and index not in lost:
                for use in sorted(graph.uses.get(state.place, ())):
                    if index in vague and use.kind in ("attribute", "method"):
                        continue
                    found = against_use(use) if not state.path else _judge_holder(state, use, flow)
                    if found is not None:
                        return found
        return None

    def _seen_in_text(self, search: Search) -> Refusal | None:
        """A parameter is shown of which nothing is known: its text may have that of the view in it."""
        types = self.model.flow.types
        records = {
            tag for state in search.states if state.path for tag in types.of(state.place) if isinstance(tag, Class)
        }
        if any(owner.fields is not None for record in records for owner in record.lineage):
            for node in self._shown_parameters():
                return refusal("view-shown", name=ast.unparse(node))
        return None

    def _shown_parameters(self) -> Iterator[ast.expr]:
        for node in self.model.nodes.get(ast.FormattedValue, ()):
            if isinstance(node, ast.FormattedValue) and self._is_unknown_parameter(node.value):
                yield node.value
        for node in self.model.nodes.get(ast.Call, ()):
            if isinstance(node, ast.Call) and self.model.dotted_name(node.func) in SHOWN_BY:
                yield from (argument for argument in node.args if self._is_unknown_parameter(argument))

    def _is_unknown_parameter(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Name):
            return False
        bindings = list(self.model.scopes.around[node].resolve(node.id).all_bindings(node.id))
        return len(bindings) == 1 and isinstance(bindings[0][1], ast.arg) and bindings[0][1].annotation is None

    # What is done with attributes of the names under which the view is stored

    def seen_on_holders(self, states: list[State], key: object = None) -> Refusal | None:
        """Why a list would not do, by what this file does with attributes that may hold a view.

        Args:
            states: where the view gets.
            key: the key under which it is put into a mapping; None if there is none, or it is not known.
        """
        paths = {tuple(part.removeprefix(UNSAVED) for part in state.path) for state in states}
        direct = {path[-1] for path in paths if path and path[-1].isidentifier()}
        holders = {name for path in paths for name in path[:-1] if name.isidentifier()}
        for holder in self._reads(direct | holders):
            name = holder.attr if isinstance(holder, ast.Attribute) else ""
            found = self._seen_at(holder, 0, Holding(name in holders, key))
            if found is not None and (found.reason != "view-attribute" or name in direct):
                return found
        return None

    def key_of(self, node: ast.expr) -> object:
        """The key under which the value of an expression is put into a mapping; None if there is none."""
        return _key(self.model.parents[node], node)

    def _reads(self, names: set[str]) -> Iterator[ast.expr]:
        if not names:
            return
        for node in self.model.nodes.get(ast.Attribute, ()):
            assert isinstance(node, ast.Attribute)
            if node.attr in names and not isinstance(node.ctx, ast.Store):
                yield node
        for node in self.model.nodes.get(ast.Call, ()):
            assert isinstance(node, ast.Call)
            if self.model.dotted_name(node.func) == "getattr" and len(node.args) > 1:
                name = node.args[1]
                if isinstance(name, ast.Constant) and name.value in names:
                    yield node

    # What is done with the value of an expression

    def _seen_at(self, node: ast.expr, depth: int, holding: Holding) -> Refusal | None:
        """Why a list would not do in the place of an expression's value.

        Args:
            node: the expression.
            depth: how many variables it has been followed through.
            holding: where the view may be in the value.
        """
        parent = self.model.parents[node]
        found = against_place(self.model, parent, node)
        if found is not None:
            return found
        if _hands_on(parent, node):
            assert isinstance(parent, ast.expr)
            return self._seen_at(parent, depth, holding) or self._seen_through(parent, depth, holding)
        if holding.inside and isinstance(parent, ast.Subscript) and parent.value is node:
            return None if holding.is_elsewhere(parent.slice) else self._seen_at(parent, depth, holding)
        return self._seen_through(parent, depth, holding, node)

    def _seen_through(
        self, parent: ast.AST, depth: int, holding: Holding, node: ast.expr | None = None
    ) -> Refusal | None:
        """Follow a value through the variable that it is bound to."""
        if depth >= DEPTH:
            return None
        for target in _bound_names(parent, node, holding.inside):
            owner = self.model.scopes.around[target].resolve(target.id)
            for load in owner.uses(target.id):
                found = self._seen_at(load, depth + 1, holding) if load is not target else None
                if found is not None:
                    return found
        return None

    def _tests_for_views(self) -> Refusal | None:
        return refusal("view-type-tested", name=self._tested_type) if self._tested_type else None

    @functools.cached_property
    def _tested_type(self) -> str:
        """The name of a type of views that the file tests for."""
        for node_type in (ast.Name, ast.Attribute):
            for node in self.model.nodes.get(node_type, ()):
                name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
                if name in _VIEW_TYPES and self._is_tested(node):
                    return name
        for node in self.model.nodes.get(ast.Call, ()):
            if isinstance(node, ast.Call) and self.model.dotted_name(node.func) == "type" and len(node.args) == 1:
                argument = node.args[0]
                if isinstance(argument, ast.Call) and ast.unparse(argument) in _EMPTY_VIEWS:
                    return ast.unparse(node)
        return ""

    def _is_tested(self, node: ast.AST) -> bool:
        """Whether a type is more than an annotation or a base class."""
        for ancestor in self.model.ancestors(node):
            if isinstance(ancestor, ast.Call):
                return self.model.dotted_name(ancestor.func) in ("isinstance", "issubclass")
            if isinstance(ancestor, (ast.Compare, ast.MatchClass)):
                return True
            if isinstance(ancestor, ast.stmt):
                return isinstance(ancestor, ast.Assign)
        return False


def _judge_holder(state: State, use: Use, flow: FlowGraph) -> Refusal | None:
    """A container, or an object whose text and comparison are made of its fields, is shown or compared."""
    if use.kind != "format" and (use.kind, use.detail) != ("compare", "=="):
        return None
    generated = any(
        isinstance(tag, Class) and any(owner.fields is not None for owner in tag.lineage)
        for tag in flow.types.of(state.place)
    )
    return against_use(use) if generated or is_element(state.path[0]) else None


def _key(parent: ast.AST, node: ast.expr) -> object:
    """The key under which a value is put into a mapping."""
    if isinstance(parent, ast.keyword):
        return parent.arg
    key: ast.expr | None = None
    if isinstance(parent, ast.Dict) and node in parent.values:
        key = parent.keys[parent.values.index(node)]
    elif isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Subscript):
        key = parent.targets[0].slice
    return key.value if isinstance(key, ast.Constant) else None


_EMPTY_VIEWS = frozenset(f"{base}.{name}()" for base in ("{}", "dict()") for name in ("keys", "values", "items"))


def _hands_on(parent: ast.AST, node: ast.expr) -> bool:
    """Whether an expression's value is, or may be, that of an expression inside it."""
    if isinstance(parent, ast.IfExp):
        return parent.test is not node
    if isinstance(parent, ast.NamedExpr):
        return parent.value is node
    return isinstance(parent, ast.BoolOp)


def _bound_names(parent: ast.AST, node: ast.expr | None, inside: bool) -> Iterator[ast.Name]:
    """The variables that are bound to a value, or to an element of it."""
    targets: list[ast.expr] = []
    if isinstance(parent, ast.Assign) and (node is None or parent.value is node):
        targets = parent.targets
    elif isinstance(parent, ast.NamedExpr) or (inside and isinstance(parent, _LOOPS) and parent.iter is node):
        targets = [parent.target]
    for target in targets:
        yield from (part for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))

"""Where views and generators get to, as far as it is their own business."""

from __future__ import annotations

import ast

from codemods.analysis.model import Model
from codemods.analysis.values.fields import ITEM, RETURN, SUBSCRIPT, VALUE, is_unsaved
from codemods.analysis.values.graph import Graph
from codemods.analysis.values.reach import Search, State
from codemods.analysis.values.reach_moves import Kind


def search_everywhere(model: Model, node: ast.expr, kind: Kind) -> Search:
    """A completed search for everything that the value of a call or generator expression may get to."""
    return search_graph(model.flow.graph, node, kind)


def search_graph(graph: Graph, node: ast.expr, kind: Kind) -> Search:
    """The same in another graph, which may hold parts of other files too."""
    search = Search(graph, graph.of_node[node], kind)
    for _ in search.exhaust():
        pass
    return search


def stored_states(search: Search) -> list[State]:
    """The states in which a value is at rest, other than those in which a function hands it to its callers."""
    return [
        state
        for state in search.states
        if search.rests(state)
        and not is_unsaved(state.path)
        and RETURN not in state.path
        and not (state.place in search.graph.returned and all(is_element(part) for part in state.path))
    ]


def is_element(field: str) -> bool:
    """Whether a field stands for elements of a container."""
    return field in (ITEM, VALUE, SUBSCRIPT) or field.startswith("#")


def derived(search: Search, part: str) -> set[int]:
    """The states of a search whose way leads through a field that stands for many."""
    found: set[int] = set()
    for index, state in enumerate(search.states):
        if search.parents[index][0] in found or part in state.path:
            found.add(index)
    return found

"""What the other files of a project do with views, and with the dicts behind them."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from codemods.analysis.model import Model
from codemods.analysis.reasons import refusal
from codemods.analysis.values.flow import FlowGraph
from codemods.analysis.values.reach_moves import Kind
from codemods.analysis.views.aliases import Liveness
from codemods.analysis.views.calls import ViewCall
from codemods.analysis.views.reach import search_graph
from codemods.analysis.views.uses import Uses
from codemods.finding import Refusal


class Elsewhere:
    """Looks at the files that a view, or what holds it, gets to.

    Args:
        model: the file that makes the views.
        liveness: where the dicts of that file are.
    """

    def __init__(self, model: Model, liveness: Liveness) -> None:
        self.model = model
        self.liveness = liveness
        self._model = functools.lru_cache(None)(self._parsed)

    def against(self, view: ViewCall) -> Refusal | None:
        """Why a list would not do in the place of a view, by what other files do.

        Args:
            view: the call that makes it.
        """
        around = self.model.flow.around(view.node)
        others = [self._model(around, index) for index in range(len(around.joined.files)) if index != around.index]
        if not others:
            return None
        search = search_graph(around.graph, view.node, Kind.VIEW)
        found = self.uses.seen_by_flow(search, around)
        key = self.uses.key_of(view.node)
        seen = (Uses(other).seen_on_holders(search.states, key) for other in others)
        return found or next(filter(None, seen), None) or next(self._changes(view, others), None)

    @functools.cached_property
    def uses(self) -> Uses:
        """What is done with views."""
        return Uses(self.model)

    def _changes(self, view: ViewCall, others: list[Model]) -> Iterator[Refusal]:
        """What changes the dict, through attributes that hold it, or once it has been handed to the file."""
        names = self.liveness.attributes(view.receiver)
        for other in others:
            for node in Liveness(other).changes_of(names, self.model.path):
                where = f"{other.source.path}:{getattr(node, 'lineno', 1)}"
                yield refusal("dict-changes", name=f"{other.source.segment(node).partition(chr(10))[0]} ({where})")

    def _parsed(self, around: FlowGraph, index: int) -> Model:
        return Model(around.joined.files[index].source, self.model.catalog, project=self.model.project)

"""What the other files of a project do with views, and with the dicts behind them."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from codemods.analysis.model import Model
from codemods.analysis.reasons import refusal
from codemods.analysis.values.neighbourhood import MOST_FILES
from codemods.analysis.values.reach_moves import Kind
from codemods.analysis.views.aliases import Liveness
from codemods.analysis.views.calls import ViewCall
from codemods.analysis.views.reach import search_graph
from codemods.analysis.views.uses import Uses
from codemods.finding import Refusal
from codemods.source import Source


class Elsewhere:
    """Looks at the files that a view, or what holds it, gets to.

    Args:
        model: the file that makes the views.
        liveness: where the dicts of that file are.
    """

    def __init__(self, model: Model, liveness: Liveness) -> None:
        self.model = model
        self.liveness = liveness
        self.uses = Uses(model)
        self._models: dict[str, Model] = {}

    def against(self, view: ViewCall) -> Refusal | None:
        """Why a list would not do in the place of a view, by what other files do.

        Args:
            view: the call that makes it.
        """
        around = self.model.flow.around(view.node)
        files = around.joined.files
        others = [self._model(file.path, file.source) for file in files if file.path != self.model.path]
        if others:
            search = search_graph(around.graph, view.node, Kind.VIEW)
            key = self.uses.key_of(view.node)
            seen = (Uses(other).seen_on_holders(search.states, key) for other in others)
            found = self.uses.seen_by_flow(search, around) or next(filter(None, seen), None)
            if found is not None:
                return found
        return next(self._changes(view, [*others, *self._importers(view.receiver)]), None)

    def _changes(self, view: ViewCall, others: list[Model]) -> Iterator[Refusal]:
        """What changes the dict, through attributes that hold it, or once it has been handed to the file."""
        names = self.liveness.attributes(view.receiver)
        for other in others:
            for change in Liveness(other).changes_of(names, self.model.path):
                place = f"{other.source.path}:{change.target.lineno}"
                text = ast.unparse(change.node).partition("\n")[0]
                yield refusal("dict-changes", name=f"{text}, {place}")

    def _importers(self, receiver: ast.expr) -> Iterator[Model]:
        """The files that import a dict which is a variable of the module."""
        project = self.model.project
        if project is None or not self.liveness.is_global(receiver):
            return
        assert isinstance(receiver, ast.Name)
        for user in itertools.islice(project.importers.of(self.model.path, receiver.id), MOST_FILES):
            module = project.library.module(user.path)
            if module is not None and user.path != self.model.path:
                yield self._model(user.path, module.source)

    def _model(self, path: str, source: Source) -> Model:
        if path not in self._models:
            self._models[path] = Model(source, self.model.catalog, project=self.model.project)
        return self._models[path]

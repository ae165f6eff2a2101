"""One value-flow graph for the files of a project, joined where they import from one another."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence
from typing import NamedTuple

from codemods.analysis.project.names import ModuleNames
from codemods.analysis.values.calls import ROUNDS, Calls
from codemods.analysis.values.decorators import mark_decorators
from codemods.analysis.values.fields import ANY, UNSAVED
from codemods.analysis.values.graph import Graph, Op, Use
from codemods.analysis.values.identity import mark_identity
from codemods.analysis.values.methods import mark_class_attributes
from codemods.analysis.values.names import Names
from codemods.analysis.values.privacy import mark_private
from codemods.analysis.values.project_modules import File, Modules
from codemods.analysis.values.statements import Statements
from codemods.analysis.values.types import Types
from codemods.catalog.loader import Catalog


class Joined(NamedTuple):
    """A graph of many files.

    Args:
        graph: places and edges.
        types: what is known about the types of values.
        calls: the calls of each file, in the order of the files.
        files: the files.
    """

    graph: Graph
    types: Types
    calls: tuple[Calls, ...]
    files: tuple[File, ...]


def join(files: Sequence[File], catalog: Catalog, names: ModuleNames) -> Joined:
    """The value-flow graph of some files.

    Args:
        files: the parsed files.
        catalog: the APIs that are known.
        names: the names of the files of the project.
    """
    graph = Graph()
    modules = Modules(files, names)
    walkers = [_walk(graph, modules, catalog, index) for index in range(len(files))]
    _Links(graph, modules, walkers).connect()
    types = Types(graph, _stores(walkers))
    calls = tuple(Calls(walker, catalog, types) for walker in walkers)
    _resolve(graph, types, calls)
    reads = Use("attribute", ANY)
    dynamic = {graph.file_of[place] for place, uses in graph.uses.items() if reads in uses}
    for index, (walker, found) in enumerate(zip(walkers, calls, strict=True)):
        graph.file = index
        mark_class_attributes(walker, types)
        mark_identity(walker, found.methods)
        mark_private(walker, index in dynamic)
        mark_decorators(walker, frozenset(found.decorators))
    return Joined(graph, types, calls, tuple(files))


def _walk(graph: Graph, modules: Modules, catalog: Catalog, index: int) -> Statements:
    file = modules.files[index]

    def is_internal(name: str) -> bool:
        if len(modules.files) == 1 or modules.target(file, name) is None:
            return False
        # What the catalog says of an API says more than its code, in the project of a library itself.
        return catalog.sink(name) is None and catalog.consumer(name) is None

    graph.file = index
    starred = {**modules.starred(file), **file.elsewhere}
    walker = Statements(graph, file.scopes, Names(graph, file.scopes, is_internal, starred))
    walker.module(file.module)
    for name, nodes in file.scopes.module.bindings.items():
        if any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in nodes):
            walker.names.place(name, file.scopes.module)  # What is only handed on is read by nothing in the file.
    return walker


def _stores(walkers: Sequence[Statements]) -> dict[str, list[tuple[int, int]]]:
    stores: dict[str, list[tuple[int, int]]] = {}
    for walker in walkers:
        for name, places in walker.stores.items():
            stores.setdefault(name, []).extend(places)
    return stores


def _resolve(graph: Graph, types: Types, calls: Sequence[Calls]) -> None:
    """Resolve the calls of all files, each round over all of them: what one tells helps the next."""
    for found in calls:
        found.describe()
    for found in calls:
        found.find_bases()
    types.forget()
    for index, found in enumerate(calls):
        graph.file = index
        found.describe_classes()
    for found in calls:
        found.describe_annotations()
    for number in range(ROUNDS):
        types.forget()
        for index, found in enumerate(calls):
            graph.file = index
            found.round(number)
    types.forget()


class _Links:
    """Lets the variables that imports bind hold what they mean."""

    def __init__(self, graph: Graph, modules: Modules, walkers: Sequence[Statements]) -> None:
        self.graph = graph
        self.modules = modules
        self.walkers = walkers
        self.linked: set[int] = set()
        self.objects: dict[int, int] = {}
        """The places of the module objects, by the numbers of the files."""

    def connect(self) -> None:
        """Connect all imports of the project with what they mean."""
        for index, walker in enumerate(self.walkers):
            self.graph.file = index
            for place, dotted in list(walker.names.internal.items()):
                self.link(index, place, dotted)

    def link(self, index: int, place: int, dotted: str) -> None:
        """Connect one variable."""
        if place in self.linked:
            return
        self.linked.add(place)
        target = self.modules.target(self.modules.files[index], dotted)
        assert target is not None
        source = self.variable(*target) if target.variable else self.module(target.file)
        if source is not None:
            self.graph.shared.add(source)
            self.graph.flow(source, place)

    def variable(self, index: int, name: str) -> int | None:
        """The place of a variable of a module."""
        walker = self.walkers[index]
        known = len(walker.names.internal)
        place = walker.names.place(name, walker.scopes.module)
        for other, dotted in list(itertools.islice(walker.names.internal.items(), known, None)):
            self.link(index, other, dotted)
        return place

    def module(self, index: int) -> int:
        """The place of a module object, which hands out its variables and the modules inside."""
        if index not in self.objects:
            place = self.objects[index] = self.graph.place()
            for name in self.walkers[index].scopes.module.bindings:
                self.graph.link(Op.KEEP, self.variable(index, name), place, UNSAVED + name)
            for name, child in self.modules.children(index):
                self.graph.link(Op.KEEP, self.module(child), place, UNSAVED + name)
        return self.objects[index]

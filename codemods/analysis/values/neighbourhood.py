"""A file with those parts of other files that its values get to, found step by step from its border."""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable, Iterable

from codemods.analysis.project.definitions import MOST_STARS
from codemods.analysis.project.imports import STAR, imports, meanings
from codemods.analysis.project.library import Module
from codemods.analysis.project.names import split
from codemods.analysis.project.project import Project
from codemods.analysis.scopes import FUNCTIONS, ScopeKind
from codemods.analysis.values.border import Border, Export
from codemods.analysis.values.flow import FlowGraph
from codemods.analysis.values.fragments import defining, fragment, size, using
from codemods.analysis.values.project_modules import File
from codemods.analysis.values.reach import State
from codemods.catalog.loader import Catalog

ROUNDS = 8
"""How many times the parts are looked through for where values go on to."""
MOST_FILES = 12
MOST_LINES = 1_000
"""What a neighbourhood may have of other files."""


class Neighbourhood:
    """The surroundings of a file, which grow with the questions.

    Args:
        own: the file.
        flow: its graph.
        project: the files around it.
        catalog: the APIs that are known.
        stays: tells what surely gets nowhere from where it is made.
    """

    def __init__(
        self, own: File, flow: FlowGraph, project: Project, catalog: Catalog, stays: Callable[[ast.AST], bool]
    ) -> None:
        self.own = own
        self.project = project
        self.catalog = catalog
        self.flow = flow
        self.stays = stays
        self.notes: dict[str, None] = {}
        """What could not be followed, in the order in which it was met."""
        self._parts: dict[str, set[int]] = {}
        self._lines = 0
        self._border = Border(flow.joined, project.definitions)
        self._asked: set[ast.AST] = set()
        self._exported: set[Export] = set()
        self._fragment = functools.lru_cache(2 * MOST_FILES)(functools.partial(fragment, project.library))

    def around(self, origin: ast.AST) -> FlowGraph:
        """The graph of all that an origin may get to."""
        if origin not in self._asked:
            # Functions and classes are asked for one after the other: what they need is looked up together.
            asked = [origin, *(self._definitions() if not self._asked else ())]
            self._asked.update(asked)
            self._grow(asked)
        return self.flow

    def failures(self) -> tuple[str, ...]:
        """What could not be followed: a sentence each, with the place."""
        names, path = self.project.names, self.own.path
        if not self.project.is_complete:
            self._note(f"{self.project.library.shown(self.project.root)} has too many files to look for who uses what")
        for node in imports(self.own.module) if path in names.paths else ():
            for _, dotted in meanings(node):
                is_own = dotted.startswith(".") or names.find(path, dotted.partition(".")[0]) is not None
                if is_own and not self._is_known(dotted):
                    self._note(f"{self.own.source.path}:{node.lineno}: {dotted} is not found in the project")
        return tuple(self.notes)

    def _is_known(self, dotted: str) -> bool:
        """Whether an import names a module of the project, or something that one binds."""
        names = self.project.names
        owner, last = split(dotted)
        path = names.find(self.own.path, owner) if owner else None
        module = self.project.library.module(path) if path is not None else None
        is_bound = module is not None and bool({last, STAR} & module.bound.keys())
        return is_bound or names.find(self.own.path, dotted) is not None

    def _definitions(self) -> Iterable[ast.AST]:
        """The functions and classes that somebody will ask for."""
        around = self.own.scopes.around
        return [
            node
            for node in self.flow.graph.of_node
            if (
                isinstance(node, ast.Lambda)
                or (isinstance(node, (*FUNCTIONS, ast.ClassDef)) and around[node].kind is ScopeKind.FUNCTION)
            )
            and not self.stays(node)
            and not self.flow.pickles_by_name(node)
        ]

    def _grow(self, origins: Iterable[ast.AST]) -> None:
        """Look further until nothing more is found that one of some origins gets to."""
        followed = {origin: self.flow.states(origin) for origin in origins}
        for _ in range(ROUNDS):
            states = {state for found in followed.values() for state in found}
            if not self._follow(states):
                self._note_unresolved(states)
                return
            parts = [self._fragment(path, frozenset(numbers)) for path, numbers in sorted(self._parts.items())]
            files = [self.own, *(part for part in parts if part is not None)]
            self.flow = FlowGraph.of_all(files, self.catalog, self.project.names)[0]
            self._border = Border(self.flow.joined, self.project.definitions)
            # What gets to too many places, or is nowhere, is so in a larger graph too.
            followed = {origin: self.flow.states(origin) for origin, found in followed.items() if found}
        self._note(f"values of {self.own.source.path} go further than {ROUNDS} files are followed")

    def _follow(self, states: set[State]) -> bool:
        """Add what lies right beyond the border; False if there is nothing new."""
        before = self._lines, len(self._parts)
        for definition, asker in self._border.callees(states):
            for path, name in (*definition.hops, (definition.module.path, definition.name)):
                self._define(path, name, asker)
        for export in sorted(self._border.exports(states) - self._exported):
            self._use(export)
        return (self._lines, len(self._parts)) != before

    def _define(self, path: str, name: str, asker: str) -> None:
        module = self.project.library.module(path)
        if module is None or path == self.own.path:
            return
        known = self._parts.get(path, set()).copy()
        wanted = set(defining(module, name))
        self._add(module, wanted, asker)
        for number in wanted:
            node = module.tree.body[number]
            for base in node.bases if isinstance(node, ast.ClassDef) else ():
                self._define_elsewhere(path, base)
            if number in self._parts.get(path, set()) - known:
                self._define_decorators(path, node)

    def _define_decorators(self, path: str, node: ast.stmt) -> None:
        """Add what decorates a definition: calls run what the decorators return."""
        for decorator in node.decorator_list if isinstance(node, (*FUNCTIONS, ast.ClassDef)) else ():
            function = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(function, ast.Name):
                self._define(path, function.id, path)
            self._define_elsewhere(path, function)

    def _define_elsewhere(self, path: str, node: ast.expr) -> None:
        """Add what an expression of a file means through an import."""
        dotted = self._dotted(path, node)
        definition = self.project.definitions.find(path, dotted) if dotted else None
        if definition is not None and definition.nodes and (definition.module.path, definition.name) != (path, dotted):
            for hop, name in (*definition.hops, (definition.module.path, definition.name)):
                self._define(hop, name, path)

    def _dotted(self, path: str, node: ast.expr) -> str:
        """The dotted name of what an expression of another file means, through the imports at its top level."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        module = self.project.library.module(path)
        if not isinstance(node, ast.Name) or module is None:
            return ""
        first = next((bound.dotted for bound in module.bound.get(node.id, ()) if bound.dotted), "")
        return ".".join([first, *reversed(attributes)]) if first else ""

    def _use(self, export: Export) -> None:
        """Add what uses a name, in its own file and in those that import it."""
        self._exported.add(export)
        path, name = export
        own = self.project.library.module(path)
        if own is not None and path != self.own.path:
            self._add(own, own.mentions(name), path)
        for user in itertools.islice(self.project.importers.of(path, name), MOST_FILES):
            module = self.project.library.module(user.path)
            if module is None or user.path == self.own.path:
                continue
            wanted = {number for words in user.aliases for number in using(module, words)}
            if user.hands_on:
                wanted.update(bound.statement for bound in module.bound.get(STAR, ()))
            self._add(module, wanted, path)
            is_list = len(module.bound.get(STAR, ())) > MOST_STARS
            if user.hands_on and not is_list and Export(user.path, name) not in self._exported:
                self._use(Export(user.path, name))

    def _add(self, module: Module, statements: set[int], asker: str) -> None:
        """Add statements of a file, as long as there is room."""
        known = self._parts.get(module.path, set())
        new = statements - known
        lines = size(module, new)
        is_full = module.path not in self._parts and len(self._parts) >= MOST_FILES
        if is_full or self._lines + lines > MOST_LINES:
            shown = self.project.library.shown
            self._note(
                f"{module.source.path} is not looked at for what it does with {shown(asker)}: too much to follow"
            )
        elif new or module.path not in self._parts:
            self._parts.setdefault(module.path, set()).update(new)
            self._lines += lines

    def _note_unresolved(self, states: set[State]) -> None:
        for note in self._border.unresolved(states):
            step = self.flow.step(note)
            self._note(f"{step.path}:{step.location.row}: {step.text}, which is handed something that pickle refuses")

    def _note(self, text: str) -> None:
        self.notes.setdefault(text)

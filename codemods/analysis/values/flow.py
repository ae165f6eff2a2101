"""Where values go: the value-flow graph of a file, and questions to it."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods.analysis.scopes import FUNCTIONS, Function, ScopeKind, ScopeTree
from codemods.analysis.values.decorators import has_wraps, is_renamed
from codemods.analysis.values.fields import is_compared_along
from codemods.analysis.values.graph import Graph, Note, Use
from codemods.analysis.values.project_graph import join
from codemods.analysis.values.project_modules import File
from codemods.analysis.values.reach import Found, Search
from codemods.analysis.values.reach_moves import Kind, has_trouble
from codemods.analysis.values.types import Types
from codemods.catalog.entries import Kind as CallKind
from codemods.catalog.loader import Catalog
from codemods.finding import Level, Location, Reach, Step
from codemods.source import Source

_TELLING_APART = frozenset({"compare", "key", "identity"})
_VIEWS = frozenset({"keys", "values", "items"})
_CLASS_MAKERS = frozenset({"namedtuple", "NamedTuple", "TypedDict", "NewType", "make_dataclass", "new_class", "type"})
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})


class FlowGraph:
    """The value-flow graph of a file.

    Args:
        graph: places and edges.
        scopes: the scopes of the file.
        sources: the texts of all files of the graph.
        types: what is known about the types of values.
        unresolved: the calls of the file of which nothing is known.
        near_sinks: the places near sinks, as far as they have been found; shared by the files of a graph.
    """

    def __init__(
        self,
        graph: Graph,
        scopes: ScopeTree,
        sources: tuple[Source, ...],
        types: Types,
        unresolved: tuple[ast.AST, ...],
        near_sinks: dict[Kind, frozenset[int]],
    ) -> None:
        self.graph = graph
        self.types = types
        self.scopes = scopes
        self.sources = sources
        self.unresolved = unresolved
        self._found: dict[ast.AST, Found] = {}
        self._uses: dict[ast.AST, frozenset[Use]] = {}
        self._near_sinks = near_sinks

    @classmethod
    def of(cls, module: ast.Module, scopes: ScopeTree, source: Source, catalog: Catalog) -> FlowGraph:
        """The graph of a parsed file."""
        return cls.joined([File("", "", False, module, scopes, source)], catalog)[0]

    @classmethod
    def joined(cls, files: Sequence[File], catalog: Catalog) -> tuple[FlowGraph, ...]:
        """The graphs of the files of a project: one graph, seen from each of them in turn."""
        joined = join(files, catalog)
        near_sinks: dict[Kind, frozenset[int]] = {}
        sources = tuple(file.source for file in files)
        return tuple(
            cls(joined.graph, file.scopes, sources, joined.types, tuple(calls.unresolved), near_sinks)
            for file, calls in zip(files, joined.calls, strict=True)
        )

    def reach(self, origin: ast.AST) -> Reach:
        """How far an origin flows, and the shortest way there.

        Args:
            origin: a lambda, a function or class inside a function, a call, or a generator expression.
        """
        found = self.found(origin)
        steps = tuple(self._step(note) for note in found.notes)
        return Reach(found.level, steps, found.sink.name if found.sink is not None else None)

    def found(self, origin: ast.AST) -> Found:
        """As ``reach``, with the notes and the entry of the catalog."""
        if origin not in self._found:
            self._found[origin] = self._find(origin)
        return self._found[origin]

    def _find(self, origin: ast.AST) -> Found:
        place = self.graph.of_node.get(origin)
        if place is None or self._pickles_by_name(origin):
            return Found(Level.LOCAL)
        return self._search(origin, place).run()

    def holders(self, origin: ast.AST) -> list[Function | ast.Lambda]:
        """The nested functions that capture an origin, on the shortest way to where it is pickled or kept."""
        nodes = (note.node for note in self.found(origin).notes)
        return [
            node
            for node in nodes
            if isinstance(node, (*FUNCTIONS, ast.Lambda)) and self.scopes.around[node].kind is not ScopeKind.MODULE
        ]

    def uses(self, origin: ast.AST) -> frozenset[Use]:
        """What is done, anywhere in the file, with values that the origin may be.

        Who compares tuples, dictionaries or objects compares what is in them.
        """
        if origin not in self._uses:
            place = self.graph.of_node.get(origin)
            found: set[Use] = set()
            if place is not None:
                search = self._search(origin, place)
                for state in search.exhaust():
                    uses = self.graph.uses.get(state.place, set())
                    if not state.path:
                        found |= uses
                    elif is_compared_along(state.path):
                        found |= {use for use in uses if use.kind in _TELLING_APART}
                if search.gave_up:
                    found.add(Use("unknown"))
            self._uses[origin] = frozenset(found)
        return self._uses[origin]

    def attributes_read(self, origin: ast.AST) -> frozenset[str]:
        """The attributes that are read or written on what an origin may be; ``*`` for one that is not known."""
        return frozenset(use.detail for use in self.uses(origin) if use.kind in ("attribute", "method"))

    def attributes_kept(self, origin: ast.AST) -> frozenset[str]:
        """The attributes among them that are not just called as methods: somebody may have set them."""
        return frozenset(use.detail for use in self.uses(origin) if use.kind == "attribute")

    def is_changed(self, origin: ast.AST) -> bool:
        """Whether attributes are set on what an origin may be, one by one or in its ``__dict__``."""
        return any(use.kind == "set" or use.detail == "__dict__" for use in self.uses(origin))

    def compared_by_identity(self, origin: ast.AST) -> bool:
        """Whether what an origin may be is compared, referred to weakly, or used as a key or a member of a set."""
        return any(use.kind in _TELLING_APART for use in self.uses(origin))

    def told_by_identity(self, origin: ast.AST) -> bool:
        """Whether what an origin may be is handed to what may refer to it weakly, or look for the very same object."""
        return any(use.kind == "identity" for use in self.uses(origin))

    def forms(self, origin: ast.AST) -> frozenset[CallKind]:
        """What the catalog says of the form in which the APIs that an origin is handed to take it."""
        return frozenset(CallKind(use.detail) for use in self.uses(origin) if use.kind == "form")

    def goes_too_far(self, origin: ast.AST) -> bool:
        """Whether an origin gets to so many places that not all of its uses are known."""
        return any(use.kind == "unknown" for use in self.uses(origin))

    def becomes_method(self, origin: ast.AST) -> bool:
        """Whether what an origin may be comes to rest in a class, where only a function binds ``self``."""
        return any(use.kind == "class-attribute" for use in self.uses(origin))

    def wraps_functions(self, origin: ast.AST) -> bool:
        """Whether what an origin may be takes the place of functions, or methods, that are decorated elsewhere."""
        return any(use.kind == "wrapper" for use in self.uses(origin))

    def _search(self, origin: ast.AST, place: int) -> Search:
        kind = kind_of(origin)
        return Search(self.graph, place, kind, self._sink_neighbours(kind))

    def _pickles_by_name(self, origin: ast.AST) -> bool:
        """Whether a function takes the name of another one, or is a global of the module, when it is defined."""
        if not isinstance(origin, (*FUNCTIONS, ast.ClassDef)):
            return False
        if origin.name in self.scopes.around[origin].global_names:
            return True
        maker = self.scopes.around[origin].node
        return isinstance(origin, FUNCTIONS) and (
            is_renamed(origin, maker) if isinstance(maker, FUNCTIONS) else has_wraps(origin)
        )

    def _sink_neighbours(self, kind: Kind) -> frozenset[int]:
        """All places from which a sink may be reached, in whatever direction."""
        if kind not in self._near_sinks:
            found = {place for place, sink in self.graph.sinks.items() if has_trouble(sink, kind)}
            pending = list(found)
            while pending:
                place = pending.pop()
                edges = (*self.graph.into[place], *self.graph.out[place])
                for neighbour in {place for edge in edges for place in (edge.source, edge.target)} - found:
                    found.add(neighbour)
                    pending.append(neighbour)
            self._near_sinks[kind] = frozenset(found)
        return self._near_sinks[kind]

    def _step(self, note: Note) -> Step:
        row, column = getattr(note.node, "lineno", 1), getattr(note.node, "col_offset", 0)
        source = self.sources[note.file]
        location = source.location(source.offset(row, column))
        return Step(source.path, Location(location.row, location.column), note.text)


def kind_of(origin: ast.AST) -> Kind:
    """What sort of thing an origin is."""
    if isinstance(origin, ast.ClassDef):
        return Kind.ENUM if any(_last_name(base) in _ENUMS for base in origin.bases) else Kind.CLASS
    if isinstance(origin, ast.GeneratorExp):
        return Kind.ITERATOR
    if not isinstance(origin, ast.Call):
        return Kind.FUNCTION
    name = _last_name(origin.func)
    if name in _ENUMS:
        return Kind.ENUM
    if name in _CLASS_MAKERS:
        return Kind.CLASS
    return Kind.VIEW if name in _VIEWS and isinstance(origin.func, ast.Attribute) else Kind.RESOURCE


def _last_name(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")

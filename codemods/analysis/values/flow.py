"""Where values go: the value-flow graph of a file, and questions to it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from codemods.analysis.project.names import ModuleNames
from codemods.analysis.scopes import FUNCTIONS, Function, Scope, ScopeKind
from codemods.analysis.values.decorators import has_wraps, is_renamed
from codemods.analysis.values.fields import is_compared_along
from codemods.analysis.values.graph import Note, Use
from codemods.analysis.values.project_graph import Joined, join
from codemods.analysis.values.project_modules import File
from codemods.analysis.values.reach import Found, Search, State
from codemods.analysis.values.reach_moves import Kind, has_trouble
from codemods.analysis.values.types import Tag
from codemods.catalog.entries import Kind as CallKind
from codemods.catalog.loader import Catalog
from codemods.finding import Level, Location, Reach, Step

_TELLING_APART = frozenset({"compare", "key", "identity"})
_VIEWS = frozenset({"keys", "values", "items"})
_CLASS_MAKERS = frozenset({"namedtuple", "NamedTuple", "TypedDict", "NewType", "make_dataclass", "new_class", "type"})
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})


class FlowGraph:
    """The value-flow graph of a file, and of what it has to do with others.

    Args:
        joined: the graph.
        index: the number of the file in it that questions are about.
        near_sinks: the places near sinks, as far as they have been found; shared by the files of a graph.
    """

    def __init__(self, joined: Joined, index: int = 0, near_sinks: dict[Kind, frozenset[int]] | None = None) -> None:
        self.joined = joined
        self.index = index
        self.graph = joined.graph
        self.types = joined.types
        self.scopes = joined.files[index].scopes
        self.unresolved = tuple(joined.calls[index].unresolved)
        self._found: dict[ast.AST, tuple[FlowGraph, Found]] = {}
        self._uses: dict[ast.AST, frozenset[Use]] = {}
        self._near_sinks = {} if near_sinks is None else near_sinks
        self._around: Callable[[ast.AST], FlowGraph] = lambda origin: self

    @classmethod
    def of(cls, file: File, catalog: Catalog) -> FlowGraph:
        """The graph of one file."""
        return cls(join([file], catalog, ModuleNames()))

    @classmethod
    def of_all(cls, files: Sequence[File], catalog: Catalog, names: ModuleNames) -> tuple[FlowGraph, ...]:
        """The graphs of some files of a project: one graph, seen from each of them in turn."""
        joined = join(files, catalog, names)
        near_sinks: dict[Kind, frozenset[int]] = {}
        return tuple(cls(joined, index, near_sinks) for index in range(len(files)))

    def surround(self, around: Callable[[ast.AST], FlowGraph]) -> None:
        """Answer questions on where values go from larger graphs.

        Args:
            around: gives the graph that an origin may get to.
        """
        self._around = around

    def around(self, origin: ast.AST) -> FlowGraph:
        """The graph of all that an origin may get to, other files included."""
        return self._around(origin)

    def reach(self, origin: ast.AST) -> Reach:
        """How far an origin flows, and the shortest way there.

        Args:
            origin: a lambda, a function or class inside a function, a call, or a generator expression.
        """
        graph, found = self._answer(origin)
        steps = tuple(graph.step(note) for note in found.notes)
        return Reach(found.level, steps, found.sink.name if found.sink is not None else None)

    def found(self, origin: ast.AST) -> Found:
        """As ``reach``, with the notes and the entry of the catalog."""
        return self._answer(origin)[1]

    def _answer(self, origin: ast.AST) -> tuple[FlowGraph, Found]:
        """How far an origin flows, and the graph in which that was found: it may grow later."""
        if origin not in self._found:
            graph = self if self.pickles_by_name(origin) else self._around(origin)
            self._found[origin] = graph, graph.find(origin)
        return self._found[origin]

    def find(self, origin: ast.AST) -> Found:
        """How far an origin flows in this graph."""
        place = self.graph.of_node.get(origin)
        if place is None or self.pickles_by_name(origin):
            return Found(Level.LOCAL)
        return self._search(origin, place).run()

    def pickles_by_name(self, origin: ast.AST) -> bool:
        """Whether a function takes the name of another one, or is a global of the module, when it is defined."""
        if not isinstance(origin, (*FUNCTIONS, ast.ClassDef)):
            return False
        if origin.name in self.scopes.around[origin].global_names:
            return True
        maker = self.scopes.around[origin].node
        return isinstance(origin, FUNCTIONS) and (
            is_renamed(origin, maker) if isinstance(maker, FUNCTIONS) else has_wraps(origin)
        )

    def types_of_variable(self, name: str, owner: Scope) -> frozenset[Tag]:
        """What is known of the types of the values of a variable.

        Args:
            name: the variable.
            owner: the scope that it belongs to.
        """
        return self.types.of(self.joined.calls[self.index].names.place(name, owner))

    def holders(self, origin: ast.AST) -> list[Function | ast.Lambda]:
        """The nested functions that capture an origin, on the shortest way to where it is pickled or kept."""
        nodes = (note.node for note in self.found(origin).notes)
        return [
            node
            for node in nodes
            if isinstance(node, (*FUNCTIONS, ast.Lambda))
            and node in self.scopes.around
            and self.scopes.around[node].kind is not ScopeKind.MODULE
        ]

    def uses(self, origin: ast.AST) -> frozenset[Use]:
        """What is done, anywhere in the file, with values that the origin may be.

        Who compares tuples, dictionaries or objects compares what is in them.
        """
        if origin not in self._uses:
            self._uses[origin] = frozenset(self._around(origin).find_uses(origin))
        return self._uses[origin]

    def find_uses(self, origin: ast.AST) -> Iterator[Use]:
        """What is done in this graph with values that an origin may be."""
        place = self.graph.of_node.get(origin)
        if place is None:
            return
        search = self._search(origin, place)
        for state in search.exhaust():
            uses = self.graph.uses.get(state.place, ())
            if not state.path:
                yield from uses
            elif is_compared_along(state.path):
                yield from (use for use in uses if use.kind in _TELLING_APART)
        if search.gave_up:
            yield Use("unknown")

    def states(self, origin: ast.AST) -> list[State]:
        """All places of this graph at which an origin may be, and how it is held there; empty if they are too many."""
        place = self.graph.of_node.get(origin)
        if place is None:
            return []
        search = self._search(origin, place)
        states = list(search.exhaust())
        return [] if search.gave_up else states

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

    def _sink_neighbours(self, kind: Kind) -> frozenset[int]:
        """All places from which a sink may be reached, in whatever direction."""
        if kind not in self._near_sinks:
            sinks = self.graph.sinks.items()
            found = {place for place, sink in sinks if has_trouble(sink, kind) or sink.serialiser.by_value}
            pending = list(found)
            while pending:
                place = pending.pop()
                edges = (*self.graph.into[place], *self.graph.out[place])
                for neighbour in {place for edge in edges for place in (edge.source, edge.target)} - found:
                    found.add(neighbour)
                    pending.append(neighbour)
            self._near_sinks[kind] = frozenset(found)
        return self._near_sinks[kind]

    def step(self, note: Note) -> Step:
        """A step of a way, as it is shown."""
        row, column = getattr(note.node, "lineno", 1), getattr(note.node, "col_offset", 0)
        source = self.joined.files[note.file].source
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

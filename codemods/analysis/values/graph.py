"""The value-flow graph of a file as plain data: places that hold values, and edges by which they get there.

A place is a number: a variable, a parameter, what a function returns, an object that an expression makes.
"""

from __future__ import annotations

import ast
import enum
from typing import NamedTuple

from codemods.analysis.values.definitions import Function
from codemods.catalog.entries import Sink

NO_CALL = -1
"""The call of edges that no call makes."""


class Op(enum.Enum):
    """What becomes of a value on its way along an edge."""

    FLOW = enum.auto()
    """The same object."""
    KEEP = enum.auto()
    """A new object that holds it in a field."""
    STORE = enum.auto()
    """Put into a field of an object that exists already."""
    TAKE = enum.auto()
    """What the object holds in a field."""
    COPY = enum.auto()
    """A new object that holds what the object holds."""
    EXTEND = enum.auto()
    """What the object holds is put into an object that exists already."""
    PART = enum.auto()
    """A result that may be part of the object whose method was called, as far as changes of it go."""
    DECORATED = enum.auto()
    """What a decorator returns, in the place of a function or class of the module."""
    NAMESPACE = enum.auto()
    """The attributes of the object as the items of a mapping."""
    LAZY = enum.auto()
    """A new iterator over the object."""
    RESULT = enum.auto()
    """What a call of the object returns."""
    NEW = enum.auto()
    """What a call of a class of this file returns."""
    GIVES = enum.auto()
    """From what a function returns to the function."""


class Way(enum.Enum):
    """How an edge crosses the border of a function."""

    INSIDE = enum.auto()
    ENTER = enum.auto()
    """From an argument to a parameter."""
    EXIT = enum.auto()
    """From what a function returns to the result of a call."""
    ANYWHERE = enum.auto()
    """From the instances of a class, wherever they are, to one of them."""


class Note(NamedTuple):
    """What a person is told about an edge, put together only when it is shown."""

    node: ast.AST
    template: str
    words: tuple[str, ...] = ()
    file: int = 0

    @property
    def text(self) -> str:
        """The text of the step."""
        return self.template.format(*self.words)


class Edge(NamedTuple):
    """A way for values from one place to another."""

    source: int
    target: int
    op: Op = Op.FLOW
    field: str = ""
    note: Note | None = None
    way: Way = Way.INSIDE
    call: int = NO_CALL


class Use(NamedTuple):
    """Something that is done with the values of a place: ``attribute`` ``__name__``, ``compare`` ``is``, …"""

    kind: str
    detail: str = ""


class Graph:
    """Places and edges.

    Attributes:
        out: the edges that leave each place.
        into: the edges that lead to each place.
        resting: places whose values outlive every call.
        definitions: module variables that are only ever bound by ``def`` and ``class``.
        unknown: places of objects that code elsewhere may hold too.
        returned: the functions by the place of what they return.
        parameters: the functions by the places of their parameters.
        mappings: the places of ``**kwargs``.
        sinks: the catalog's entry by the place of what is pickled.
        notes: what to say of places at which a way may end.
        uses: what is done with the values of a place.
        of_node: the places of the expressions and definitions that may be origins.
        of_operand: the places of what calls and subscripts work on: receivers, first arguments, containers.
        call_owners: the function around each call; a call is known by its index.
        shared: places of variables that other files import.
        file: the number of the file that places are being made for.
        file_of: the number of the file of each place.
    """

    def __init__(self) -> None:
        self.out: list[list[Edge]] = []
        self.into: list[list[Edge]] = []
        self.resting: set[int] = set()
        self.definitions: set[int] = set()
        self.unknown: set[int] = set()
        self.returned: dict[int, Function] = {}
        self.parameters: dict[int, Function] = {}
        self.mappings: set[int] = set()
        self.sinks: dict[int, Sink] = {}
        self.notes: dict[int, Note] = {}
        self.uses: dict[int, set[Use]] = {}
        self.of_node: dict[ast.AST, int] = {}
        self.of_operand: dict[ast.AST, int] = {}
        self.call_owners: list[Function | None] = []
        self.shared: set[int] = set()
        self.file = 0
        self.file_of: list[int] = []

    def place(self) -> int:
        """A new place."""
        self.out.append([])
        self.into.append([])
        self.file_of.append(self.file)
        return len(self.out) - 1

    def connect(self, edge: Edge) -> None:
        """Add an edge."""
        self.out[edge.source].append(edge)
        self.into[edge.target].append(edge)

    def flow(self, source: int | None, target: int | None, note: Note | None = None) -> None:
        """Let values go from one place to another as they are; places that are None hold nothing of interest."""
        if source is not None and target is not None and source != target:
            self.connect(Edge(source, target, Op.FLOW, "", note))

    def derive(self, op: Op, source: int | None, label: str = "", note: Note | None = None) -> int | None:
        """A new place that gets what an operation makes of the values of another one."""
        if source is None:
            return None
        target = self.place()
        self.connect(Edge(source, target, op, label, note))
        return target

    def link(self, op: Op, source: int | None, target: int | None, label: str = "", note: Note | None = None) -> None:
        """Let an operation on the values of one place lead to another."""
        if source is not None and target is not None:
            self.connect(Edge(source, target, op, label, note))

    def operand(self, node: ast.expr, place: int | None) -> None:
        """Remember the place of what a call or subscript works on."""
        if place is not None:
            self.of_operand[node] = place

    def use(self, place: int | None, kind: str, detail: str = "") -> None:
        """Remember what is done with the values of a place."""
        if place is not None:
            self.uses.setdefault(place, set()).add(Use(kind, detail))

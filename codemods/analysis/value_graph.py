"""The value-flow graph of a file as plain data: places that hold values, and edges by which they get there.

A place is a number: a variable, a parameter, what a function returns, an object that an expression makes. How an
object sits inside another one is a path of fields, from the outside: attribute names, ``ITEM`` for what iteration gives,
``VALUE`` for the values of a mapping, ``SUBSCRIPT`` for either, ``position(n)`` for one item of a tuple, ``INSIDE`` for
what a closure, partial or iterator holds and never hands out, ``ANY`` for one field that is not known, ``REST`` for any
number of them. A field that begins with ``UNSAVED`` is found on the object but is not part of its pickle.
"""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass, field
from typing import NamedTuple

from codemods.catalog.entries import Sink

ITEM = "[]"
VALUE = "{}"
SUBSCRIPT = "[?]"
INSIDE = "()"
ANY = "*"
REST = "**"
UNSAVED = "~"

NO_CALL = -1


_ELEMENTS = frozenset({ITEM, VALUE, SUBSCRIPT})


def position(index: int) -> str:
    """The field of one item of a tuple."""
    return f"#{index}"


def matches(held: str, taken: str) -> bool:
    """Whether what is held in one field may be what is taken from another."""
    if held == taken or held in (ANY, REST):
        return True
    if taken == ANY:
        return held != INSIDE
    if held in _ELEMENTS and taken in _ELEMENTS:
        return SUBSCRIPT in (held, taken)
    if held.startswith("#") or taken.startswith("#"):
        return bool({held, taken} & {ITEM, SUBSCRIPT})
    return held == UNSAVED + taken


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


@dataclass(eq=False)
class Function:
    """A function or lambda of the file.

    Args:
        node: its definition.
        value: the place of the function object.
        returned: the place of what it returns.
        parent: the function around it.
        owner: the class that it is a method of.
        positional: the places of its positional parameters.
        named: the places of all parameters that can be passed by keyword.
        var_positional: the place of ``*args``.
        var_keyword: the place of ``**kwargs``.
        bound: whether a call through an instance passes the instance, or the class, as the first argument.
        decorates: whether those who call it from elsewhere are taken to use it as a decorator.
    """

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    value: int
    returned: int
    parent: Function | None
    owner: Class | None = None
    positional: list[int] = field(default_factory=list)
    named: dict[str, int] = field(default_factory=dict)
    var_positional: int | None = None
    var_keyword: int | None = None
    bound: bool = False
    decorates: bool = False

    @property
    def name(self) -> str:
        """Its name, for messages."""
        return getattr(self.node, "name", "lambda")

    @property
    def exposed(self) -> bool:
        """Whether code elsewhere can call it."""
        return self.parent is None and not isinstance(self.node, ast.Lambda)

    def is_inside(self, other: Function) -> bool:
        """Whether it is the other function or is defined inside it."""
        function: Function | None = self
        while function is not None and function is not other:
            function = function.parent
        return function is not None


@dataclass(eq=False)
class Class:
    """A class of the file.

    Args:
        node: its definition.
        value: the place of the class object.
        instances: the place of all its instances.
        parent: the function around it.
        methods: its own methods by name.
        attributes: the places of the names that its body binds.
        bases: those of its bases that are classes of the file.
        foreign: the dotted names of the other ones, empty strings for those that have none.
        fields: the names of its fields, in order, where its ``__init__`` is generated from them.
        dropped: the attributes that its own pickling methods leave out.
        keeps_only: the attributes that they keep, where they do not start from all of them.
    """

    node: ast.ClassDef
    value: int
    instances: int
    parent: Function | None
    methods: dict[str, Function] = field(default_factory=dict)
    attributes: dict[str, int] = field(default_factory=dict)
    bases: list[Class] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    fields: list[str] | None = None
    dropped: frozenset[str] = frozenset()
    keeps_only: frozenset[str] | None = None

    @property
    def lineage(self) -> list[Class]:
        """The class and its bases in this file, nearest first."""
        found: list[Class] = []
        pending = [self]
        while pending:
            current = pending.pop(0)
            if current not in found:
                found.append(current)
                pending.extend(current.bases)
        return found

    def method(self, name: str) -> Function | None:
        """The method of that name, its own or inherited from a class of this file."""
        return next((owner.methods[name] for owner in self.lineage if name in owner.methods), None)

    def foreign_bases(self) -> list[str]:
        """The dotted names of all bases outside of this file, except ``object``."""
        return [name for owner in self.lineage for name in owner.foreign if name != "object"]

    def pickles(self, attribute: str) -> bool:
        """Whether the pickle of an instance holds an attribute."""
        if any(attribute in owner.dropped for owner in self.lineage):
            return False
        keepers = [owner.keeps_only for owner in self.lineage if owner.keeps_only is not None]
        return not keepers or attribute in keepers[0]


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
        sinks: the catalog's entry by the place of what is pickled.
        uses: what is done with the values of a place.
        of_node: the places of the expressions and definitions that may be origins.
        of_operand: the places of what calls and subscripts work on: receivers, first arguments, containers.
        call_owners: the function around each call; a call is known by its index.
    """

    def __init__(self) -> None:
        self.out: list[list[Edge]] = []
        self.into: list[list[Edge]] = []
        self.resting: set[int] = set()
        self.definitions: set[int] = set()
        self.unknown: set[int] = set()
        self.returned: dict[int, Function] = {}
        self.parameters: dict[int, Function] = {}
        self.sinks: dict[int, Sink] = {}
        self.uses: dict[int, set[Use]] = {}
        self.of_node: dict[ast.AST, int] = {}
        self.of_operand: dict[ast.AST, int] = {}
        self.call_owners: list[Function | None] = []

    def place(self) -> int:
        """A new place."""
        self.out.append([])
        self.into.append([])
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

"""Resolves calls: which functions and classes of the file they run, and what the catalog says of the others."""

from __future__ import annotations

import ast

from codemods.analysis.value_arguments import bind, passed, sink_places
from codemods.analysis.value_builtins import HANDLERS, METHODS
from codemods.analysis.value_expressions import Call
from codemods.analysis.value_graph import ANY, INSIDE, ITEM, Class, Edge, Function, Note, Op, Way
from codemods.analysis.value_names import spelled
from codemods.analysis.value_statements import Statements
from codemods.analysis.value_types import ClassItself, Tag, Types
from codemods.catalog.entries import Consumer, Kind, Sink, When
from codemods.catalog.loader import Catalog

ROUNDS = 3
_STORING = ("add_", "register_", "subscribe", "connect", "push_", "set_")


class Calls:
    """Connects the calls of a walked file.

    Args:
        walker: the walked file.
        catalog: the APIs that are known.
    """

    def __init__(self, walker: Statements, catalog: Catalog) -> None:
        self.walker = walker
        self.graph = walker.graph
        self.names = walker.names
        self.catalog = catalog
        self.types = Types(self.graph, walker.stores)
        self.methods: dict[str, list[Function]] = {}
        self.unresolved: list[ast.AST] = []
        """Calls of which nothing is known."""

    def connect(self) -> None:
        """Resolve all calls: first those that are plain, then those whose receivers become known by that."""
        self.describe()
        pending = self.walker.calls
        for number in range(ROUNDS):
            self.types.forget()
            last = number == ROUNDS - 1
            pending = [call for call in pending if not self.resolve(call, last)]
        self.types.forget()
        self.attributes()

    def describe(self) -> None:
        """Say what is known before any call is resolved."""
        for function in self.walker.functions:
            self.types.tag(function.value, function)
            if function.owner is not None:
                self.methods.setdefault(function.name, []).append(function)
        for record in self.walker.classes:
            self.types.tag(record.value, ClassItself(record))
            self.types.tag(record.instances, record)
            self.types.instances[record.instances] = record
        for place, kind in self.walker.kinds.items():
            self.types.tag(place, kind)
        self.bases()
        self.walker.connect_instances()
        for parameter, annotation, frame in self.walker.annotations:
            for tag in self.annotated(annotation, frame):
                self.types.tag(parameter, tag)

    def bases(self) -> None:
        for record, frame in self.walker.class_frames:
            for base in record.node.bases:
                node = base.value if isinstance(base, ast.Subscript) else base
                dotted = self.names.dotted(node, frame.scope)
                place = self.names.place(node.id, frame.scope) if isinstance(node, ast.Name) else None
                known = [tag.record for tag in self.types.of(place) if isinstance(tag, ClassItself)]
                record.bases.extend(base for base in known if base is not record)
                if not known:
                    record.foreign.append(dotted or "")
        self.types.forget()

    def annotated(self, node: ast.expr, frame: Frame) -> list[Tag]:
        """The types that an annotation names."""
        if isinstance(node, ast.BinOp):
            return [*self.annotated(node.left, frame), *self.annotated(node.right, frame)]
        if isinstance(node, ast.Subscript) and spelled(node.value).endswith("Optional"):
            return self.annotated(node.slice, frame)
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return []
        place = self.names.place(node.id, frame.scope) if isinstance(node, ast.Name) else None
        known: list[Tag] = [tag.record for tag in self.types.of(place) if isinstance(tag, ClassItself)]
        dotted = self.names.dotted(node, frame.scope)
        return known or ([self.catalog.canonical(dotted)] if dotted else [])

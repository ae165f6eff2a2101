"""What is known of a walked file apart from its calls: types, bases, bound methods and properties."""

from __future__ import annotations

import ast

from codemods.analysis.values.catalog import CatalogLinker
from codemods.analysis.values.definitions import Class, Function
from codemods.analysis.values.fields import INSIDE, ITEM, SUBSCRIPT, VALUE
from codemods.analysis.values.graph import Op
from codemods.analysis.values.names import Frame, spelled
from codemods.analysis.values.statements import Statements
from codemods.analysis.values.types import ClassItself, Tag, Types
from codemods.catalog.loader import Catalog

_PROPERTIES = frozenset({"property", "cached_property", "functools.cached_property"})


class Knowledge(CatalogLinker):
    """Connects what needs no call to be resolved.

    Args:
        walker: the walked file.
        catalog: the APIs that are known.
        types: what is known about types.
    """

    def __init__(self, walker: Statements, catalog: Catalog, types: Types) -> None:
        super().__init__(walker.graph, walker.names, types)
        self.walker = walker
        self.catalog = catalog
        self.methods: dict[str, list[Function]] = {}
        self.decorators: set[Function] = set()
        """The functions that the file uses as decorators."""
        self.unresolved: list[ast.AST] = []
        """Calls of which nothing is known."""

    def describe(self) -> None:
        """Say what is known of the file alone."""
        for function in self.walker.functions:
            self.types.tag(function.value, function)
            if function.owner is not None:
                self.methods.setdefault(function.name, []).append(function)
        for record in self.walker.classes:
            self.types.tag(record.value, ClassItself(record))
            self.types.tag(record.instances, record)
            self.types.instances[record.instances] = record
        for place, kind in self.walker.kinds.items():
            if kind:
                self.types.tag(place, kind)

    def describe_classes(self) -> None:
        """Say what is known once the bases of all classes are found."""
        self.walker.connect_instances()
        self.walker.connect_stores()

    def describe_annotations(self) -> None:
        """Say what is known from annotations."""
        for parameter, annotation, frame in self.walker.annotations:
            for tag in self.annotated(annotation, frame):
                self.types.tag(parameter, tag)

    def find_bases(self) -> None:
        """Find the classes that the classes of the file are derived from."""
        for record, frame in self.walker.class_frames.items():
            for base in record.node.bases:
                node = base.value if isinstance(base, ast.Subscript) else base
                place = self.graph.of_node.get(node)
                known = [tag.record for tag in self.types.of(place) if isinstance(tag, ClassItself)]
                record.bases.extend(base for base in known if base is not record)
                if not known:
                    record.foreign.append(self.names.dotted(node, frame.scope) or "")

    def annotated(self, node: ast.expr, frame: Frame) -> list[Tag]:
        """The types that an annotation names."""
        if isinstance(node, ast.BinOp):
            return [*self.annotated(node.left, frame), *self.annotated(node.right, frame)]
        if isinstance(node, ast.Subscript):
            inner = node.slice if spelled(node.value).endswith("Optional") else node.value
            return self.annotated(inner, frame)
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return []
        place = self.names.place(node.id, frame.scope) if isinstance(node, ast.Name) else None
        known: list[Tag] = [tag.record for tag in self.types.of(place) if isinstance(tag, ClassItself)]
        dotted = self.names.dotted(node, frame.scope)
        return known or ([self.catalog.canonical(dotted)] if dotted else [])

    def store_items(self) -> None:
        for base, place, note in self.walker.item_stores:
            tags = self.types.of(base)
            label = VALUE if tags == {"dict"} else ITEM if tags == {"list"} else SUBSCRIPT
            self.graph.link(Op.STORE, place, base, label, note)

    def read_attributes(self) -> None:
        """Bound methods hold their object; properties call a method."""
        for base, name, place in self.walker.attributes:
            if name in self.methods and base is not None:
                self.read_method(base, name, place)

    def read_method(self, base: int, name: str, place: int) -> None:
        tags = self.types.of(base)
        owners = [tag for tag in tags if isinstance(tag, Class)]
        methods = [method for owner in owners if (method := owner.method(name)) is not None]
        if not tags:
            methods = self.methods[name]
        for method in methods:
            if _is_property(method):
                self.graph.flow(method.returned, place)
            elif method.bound:
                self.graph.link(Op.KEEP, base, place, INSIDE)


def _is_property(function: Function) -> bool:
    names = {spelled(decorator) for decorator in getattr(function.node, "decorator_list", ())}
    return bool(names & _PROPERTIES)

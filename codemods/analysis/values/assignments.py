"""Where assigned values go."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods.analysis.values.definitions import Class
from codemods.analysis.values.expressions import Expressions
from codemods.analysis.values.fields import ITEM, UNSAVED, position
from codemods.analysis.values.graph import Note, Op
from codemods.analysis.values.names import Frame, spelled


class Assignments(Expressions):
    """Walks the targets of assignments."""

    def assign(self, target: ast.expr, place: int | None, frame: Frame) -> None:
        if isinstance(target, ast.Name):
            self.assign_name(target, place, frame)
        elif isinstance(target, ast.Attribute):
            self.assign_attribute(target, place, frame)
        elif isinstance(target, ast.Subscript):
            self.assign_item(target, place, frame)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, place, frame)

    def assign_name(self, target: ast.Name, place: int | None, frame: Frame) -> None:
        variable = self.names.place(target.id, frame.scope)
        note = None
        if variable in self.graph.resting:
            note = Note(target, "kept in the global {}", (target.id,))
        self.graph.flow(place, variable, note)
        self.bind_in_class(target.id, variable, frame)

    def assign_item(self, target: ast.Subscript, place: int | None, frame: Frame) -> None:
        base, key = self.value(target.value, frame), self.value(target.slice, frame)
        self.graph.operand(target.value, base)
        note = Note(target, "put into {}", (spelled(target.value),))
        self.graph.use(key, "key")
        self.graph.link(Op.STORE, key, base, ITEM, note)
        if isinstance(target.slice, ast.Slice):
            self.graph.link(Op.EXTEND, place, base, "", note)
        elif base is not None and place is not None:
            self.item_stores.append((base, place, note))

    def bind_in_class(self, name: str, variable: int | None, frame: Frame) -> None:
        """Let a class hold what its body binds."""
        owner = self.class_around(frame)
        if owner is not None and variable is not None:
            if name not in owner.attributes:
                self.graph.link(Op.KEEP, variable, owner.value, UNSAVED + name)
            owner.attributes[name] = variable

    def class_around(self, frame: Frame) -> Class | None:
        """The class whose body a frame is, leaving out its methods."""
        owner = frame.owner
        return owner if owner is not None and frame.scope is self.scopes.of_node[owner.node] else None

    def assign_attribute(self, target: ast.Attribute, place: int | None, frame: Frame) -> None:
        base = self.value(target.value, frame)
        self.graph.use(base, "attribute", target.attr)
        self.graph.use(base, "set", target.attr)
        if self.names.is_class(target.value, frame.scope):
            self.graph.use(place, "class-attribute", target.attr)
            return
        if base is None:
            return
        if self.names.is_foreign_module(target.value, frame.scope):
            # Others take what replaces a function of a module for that function, and ask for its name.
            self.graph.use(place, "attribute", "__name__")
        if target.attr == "__dict__":
            self.graph.link(Op.EXTEND, place, self.graph.derive(Op.NAMESPACE, base))
            return
        if place is not None:
            self.stores.setdefault(target.attr, []).append((base, place))
            self.attribute_stores.append((base, target, place, frame))

    def connect_stores(self) -> None:
        """Let objects hold what is stored on them, once it is known what their classes pickle."""
        for base, target, place, frame in self.attribute_stores:
            owner = frame.owner if isinstance(target.value, ast.Name) and target.value.id == "self" else None
            if owner is None:
                note, saved = Note(target, "stored in {}.{}", (spelled(target.value), target.attr)), True
            else:
                note = Note(target, "stored in self.{} of {}", (target.attr, owner.node.name))
                saved = owner.pickles(target.attr)
            self.graph.link(Op.STORE, place, base, target.attr if saved else UNSAVED + target.attr, note)

    def unpack(self, targets: Sequence[ast.expr], place: int | None, frame: Frame) -> None:
        self.graph.use(place, "iterate")
        label: str | None = None
        for index, target in enumerate(targets):
            if isinstance(target, ast.Starred):
                label = ITEM
                element = self.graph.derive(Op.TAKE, place, ITEM)
                self.assign(target.value, self.graph.derive(Op.KEEP, element, ITEM), frame)
            else:
                self.assign(target, self.graph.derive(Op.TAKE, place, label or position(index)), frame)

"""A class with the classes that it shares its instances with: who else sets attributes, and what stays as it was."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS, Function, mangle
from codemods.analysis.state.attributes import Attributes, Store, is_named, self_name
from codemods.analysis.state.classes import Base, Class, Classes

_CHANGING_METHODS = frozenset(
    {"add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove", "reverse"}
    | {"setdefault", "sort", "update", "appendleft", "write", "rotate", "intersection_update", "difference_update"}
)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Family:
    """A class, its bases and its heirs in the file.

    Args:
        model: the file.
        classes: the classes of the file.
        attributes: the stores of the file.
        head: the class.
    """

    def __init__(self, model: Model, classes: Classes, attributes: Attributes, head: Class) -> None:
        self.model = model
        self.classes = classes
        self.attributes = attributes
        self.head = head
        self.heirs = classes.heirs(head)
        self.order: list[Base] = classes.order(head) or [head]

    @functools.cached_property
    def members(self) -> list[Class]:
        """All classes whose methods see an instance of the class."""
        members: list[Class] = []
        for heir in self.heirs:
            for base in self.classes.order(heir) or [heir]:
                if isinstance(base, Class) and base not in members:
                    members.append(base)
        return members

    def stores(self, attribute: str) -> list[Store]:
        """All stores of an attribute in the methods of the members."""
        return [
            store for member in self.members for store in self.attributes.of(member) if store.attribute == attribute
        ]

    def methods(self) -> Iterator[tuple[Class, Function]]:
        """The methods of all members."""
        for member in self.members:
            for method in member.methods.values():
                yield member, method

    def method(self, name: str) -> Function | None:
        """The method that the class itself would find under a name."""
        found = (base.methods[name] for base in self.order if isinstance(base, Class) and name in base.methods)
        return next(found, None)

    def instance_name(self, method: Function | None) -> str | None:
        """What a method calls its instance."""
        return self_name(method) if method is not None else "self"

    def written(self, attribute: str) -> str:
        """How an attribute is written inside the class."""
        stripped = self.head.name.lstrip("_")
        prefix = f"_{stripped}__"
        is_private = attribute.startswith(prefix) and not attribute.endswith("__")
        return attribute[len(prefix) - 2 :] if stripped and is_private else attribute

    def reads(self, attribute: str) -> Iterator[tuple[Function, ast.Attribute]]:
        """The places in the methods of the members that read an attribute of the instance."""
        for member, method in self.methods():
            name = self_name(method)
            for node in ast.walk(method):
                if (
                    isinstance(node, ast.Attribute)
                    and isinstance(node.ctx, ast.Load)
                    and name is not None
                    and is_named(node.value, name)
                    and mangle(node.attr, member.name) == attribute
                ):
                    yield method, node

    @functools.cached_property
    def has_dynamic_stores(self) -> bool:
        """Whether the members set attributes whose names are not known."""
        return any(
            self._is_dynamic(node, self_name(method)) for _, method in self.methods() for node in ast.walk(method)
        )

    @staticmethod
    def _is_dynamic(node: ast.AST, name: str | None) -> bool:
        if not isinstance(node, ast.Call) or name is None:
            return False
        is_setattr = isinstance(node.func, ast.Name) and node.func.id == "setattr" and len(node.args) == 3
        return is_setattr and is_named(node.args[0], name) and not isinstance(node.args[1], ast.Constant)

    def check_read(self, node: ast.Attribute, dropped: frozenset[str], *, in_place: bool = False) -> str:
        """The attribute that an initialiser reads, if it has the same value once the state is restored.

        Args:
            node: the read.
            dropped: the attributes that are made again in the order of the text.
            in_place: whether changes in place do not matter.

        Raises:
            Refused: if that cannot be shown.
        """
        attribute = mangle(node.attr, self.head.name)
        if attribute in dropped:
            return attribute
        if not self.is_stable(attribute, in_place=in_place):
            raise Refused("attribute-changes", name=f"self.{node.attr}")
        return attribute

    def is_stable(self, attribute: str, *, in_place: bool = False) -> bool:
        """Whether an attribute is set once in the life of an instance and never changed in place.

        Args:
            attribute: the attribute.
            in_place: whether it may be changed in place.
        """
        stores = self.stores(attribute)
        if attribute in self.attributes.foreign or self.has_dynamic_stores or self.attributes.has_foreign_dynamic:
            return False
        if not in_place and self._is_changed_in_place(attribute):
            return False
        if not stores:
            return self._is_class_constant(attribute)
        return len(stores) == 1 and self._is_set_first_and_always(stores[0])

    def _is_set_first_and_always(self, store: Store) -> bool:
        """Whether each instance gets an attribute here, and had no other value of its class before."""
        if store.method is None:
            return True
        is_class_attribute = any(store.attribute in member.bound for member in self.members)
        is_plain = isinstance(self.model.parents[self.model.statement(store.node)], FUNCTIONS)
        return store.method.name == "__init__" and is_plain and not store.in_closure and not is_class_attribute

    def _is_class_constant(self, attribute: str) -> bool:
        """Whether an attribute is a literal in the body of a class that no heir replaces."""
        owners = [base for base in self.order if isinstance(base, Class) and attribute in base.bound]
        if not owners or any(attribute in heir.bound for heir in self.heirs if heir not in owners):
            return False
        return any(
            isinstance(statement, ast.Assign)
            and isinstance(statement.value, (ast.Constant, ast.Tuple))
            and any(is_named(target, attribute) for target in statement.targets)
            for statement in owners[0].node.body
        )

    def is_managed(self, attribute: str) -> bool:
        """Whether a property, or perhaps another descriptor, stands between an attribute and the instance."""
        return any(
            _may_be_descriptor(statement)
            for member in self.members
            if attribute in member.bound
            for statement in member.node.body
            if attribute in {mangle(name, member.name) for name in _bound_by(statement)}
        )

    def _is_changed_in_place(self, attribute: str) -> bool:
        for node in self.model.nodes.get(ast.Attribute, ()):
            assert isinstance(node, ast.Attribute)
            if node.attr != self.written(attribute) and node.attr != attribute:
                continue
            parent = self.model.parents[node]
            if isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load) and parent.value is node:
                return True
            if isinstance(parent, ast.Attribute) and (
                parent.attr in _CHANGING_METHODS or not isinstance(parent.ctx, ast.Load)
            ):
                return True
        return False

    def kept_as(self, node: ast.Name, method: Function) -> str | None:
        """The attribute that holds, unchanged, what a variable of a method holds where a name reads it."""
        scope = self.model.scopes.of_node[method]
        bindings = [binding for _, binding in scope.all_bindings(node.id)]
        for store in self.attributes.of(self.head):
            value = store.value
            if store.method is not method or store.factory or store.in_closure or not isinstance(value, ast.Name):
                continue
            if (
                value.id == node.id
                and self.is_stable(store.attribute)
                and (len(bindings) == 1 or self._is_rebound_before(bindings, value, node))
            ):
                return store.attribute
        for binding in bindings:
            statement = self.model.parents.get(binding)
            if len(bindings) == 1 and isinstance(statement, ast.Assign) and len(statement.targets) > 1:
                for store in self.attributes.of(self.head):
                    if store.node in statement.targets and self.is_stable(store.attribute):
                        return store.attribute
        return None

    def _is_rebound_before(self, bindings: list[ast.AST], *uses: ast.Name) -> bool:
        first = min(use.lineno for use in uses)
        is_earlier = all(getattr(binding, "lineno", first) < first for binding in bindings)
        return is_earlier and not any(isinstance(outer, _LOOPS) for use in uses for outer in self.model.ancestors(use))


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def _may_be_descriptor(statement: ast.stmt) -> bool:
    """Whether what a statement of a class binds may run code when the attribute is set; plain defaults do not."""
    if isinstance(statement, FUNCTIONS):
        return bool(statement.decorator_list)
    value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    if not isinstance(value, ast.Call):
        return False
    name = ast.unparse(value.func).rpartition(".")[2]
    return name == "property" or (name[:1].isupper() and name.isidentifier())

"""The classes of a file: bases, orders of lookup, slots, and the methods by which instances are pickled."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function

PROTOCOL = frozenset({"__reduce__", "__reduce_ex__"})
"""Methods that replace the state, and the way in which an instance is made again."""
STATE_METHODS = ("__getstate__", "__setstate__")
"""Methods that make the state and restore it."""
_DATACLASSES = frozenset({"dataclasses.dataclass", "pydantic.dataclasses.dataclass"})
_ATTRS = frozenset(
    {"attr.s", "attr.attrs", "attr.define", "attr.frozen", "attr.mutable", "attr.dataclass"}
    | {"attrs.define", "attrs.frozen", "attrs.mutable"}
)
_PLAIN_BASES = frozenset(
    {"object", "abc.ABC", "dict", "list", "collections.UserDict", "collections.UserList", "collections.UserString"}
    | {f"{module}.{name}" for module in ("typing", "typing_extensions") for name in ("Generic", "Protocol")}
)
_PLAIN_MODULES = ("collections.abc.", "contextlib.Abstract", "contextlib.ContextDecorator", "typing.", "numbers.")

Base: TypeAlias = "Class | str"
"""A class of the file, or the dotted name of another one; an empty string if it has none."""


@dataclass(eq=False)
class Class:
    """A class of the file.

    Args:
        node: its definition.
        bases: what it derives from, ``object`` left out.
        methods: the functions directly in its body, the last of each name.
        bound: the names that its body binds.
        slots: the names in ``__slots__``; None where it has none.
        decorator: the dotted name of the decorator that makes its fields, for dataclasses and attrs classes.
        options: the literal arguments of that decorator.
    """

    node: ast.ClassDef
    bases: list[Base] = field(default_factory=list)
    methods: dict[str, Function] = field(default_factory=dict)
    bound: frozenset[str] = frozenset()
    slots: tuple[str, ...] | None = None
    has_odd_slots: bool = False
    decorator: str | None = None
    options: dict[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.node.name

    @property
    def is_dataclass(self) -> bool:
        """Whether its fields are those of a dataclass of the standard library."""
        return self.decorator in _DATACLASSES

    @property
    def is_attrs(self) -> bool:
        """Whether attrs makes its fields."""
        return self.decorator in _ATTRS

    @property
    def is_frozen(self) -> bool:
        """Whether its instances refuse assignment."""
        return self.options.get("frozen") is True

    @property
    def has_generated_slots(self) -> bool:
        """Whether a decorator makes its slots, and methods that pickle them."""
        return self.options.get("slots") is True and (self.is_frozen or not self.is_dataclass)


class Classes:
    """All classes of a file.

    Args:
        model: the file.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        nodes = [node for node in model.nodes.get(ast.ClassDef, ()) if isinstance(node, ast.ClassDef)]
        self._of_node = {node: self._read(node) for node in nodes}
        for found in self._of_node.values():
            found.bases = [base for base in map(self._base, found.node.bases) if base != "object"]

    def of(self, node: ast.ClassDef) -> Class:
        """The class of a definition."""
        return self._of_node[node]

    def __iter__(self) -> Iterator[Class]:
        return iter(self._of_node.values())

    def named(self, node: ast.expr) -> Class | None:
        """The class of the file that an expression surely means."""
        if not isinstance(node, ast.Name) or node not in self.model.scopes.around:
            return None
        owner = self.model.scopes.around[node].resolve(node.id)
        bindings = [binding for _, binding in owner.all_bindings(node.id)]
        if len(bindings) == 1 and isinstance(bindings[0], ast.ClassDef):
            return self._of_node.get(bindings[0])
        return None

    def order(self, found: Class) -> list[Base] | None:
        """The order in which Python looks methods up, ``object`` left out; None if there is none."""
        orders = [self.order(base) if isinstance(base, Class) else [base] for base in found.bases]
        if any(order is None for order in orders):
            return None
        merged = _merged([*(list(order) for order in orders if order is not None), list(found.bases)])
        return None if merged is None else [found, *merged]

    def heirs(self, found: Class) -> list[Class]:
        """The class and all classes of the file that derive from it."""
        return [other for other in self if found in (self.order(other) or [other, *other.bases])]

    def _read(self, node: ast.ClassDef) -> Class:
        scope = self.model.scopes.of_node[node]
        methods = {statement.name: statement for statement in node.body if isinstance(statement, FUNCTIONS)}
        found = Class(node, methods=methods, bound=frozenset(scope.bindings))
        for statement in node.body:
            targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and any(map(_is_slots, targets)):
                found.slots = _names(statement.value) if statement.value is not None else None
        found.has_odd_slots = found.slots is None and "__slots__" in scope.bindings
        for decorator in node.decorator_list:
            self._read_decorator(found, decorator)
        return found

    def _read_decorator(self, found: Class, decorator: ast.expr) -> None:
        call = decorator if isinstance(decorator, ast.Call) else None
        name = self.model.dotted_name(call.func if call else decorator) or ""
        if name not in _DATACLASSES | _ATTRS:
            return
        found.decorator = name
        found.options = _literals(call.keywords if call else [])
        if name in ("attrs.frozen", "attr.frozen"):
            found.options["frozen"] = True
        if name.rpartition(".")[2] in ("define", "frozen", "mutable"):
            found.options.setdefault("slots", True)
        if found.is_dataclass and found.options.get("slots") is True:
            found.slots = tuple(
                statement.target.id
                for statement in found.node.body
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
            )

    def _base(self, node: ast.expr) -> Base:
        if isinstance(node, ast.Subscript):
            node = node.value
        return self.named(node) or self.model.dotted_name(node) or ""


def is_plain_base(name: str) -> bool:
    """Whether a class of another module is known to leave the pickling of its heirs to ``object``."""
    return name in _PLAIN_BASES or name.startswith(_PLAIN_MODULES)


def is_torch_module(name: str) -> bool:
    """Whether a class of another module is ``torch.nn.Module``, whose instances are no more than their ``__dict__``."""
    return name in ("torch.nn.Module", "torch.nn.modules.module.Module")


def own_protocol(found: Class) -> Iterable[str]:
    """The names by which a class replaces how its instances are reduced."""
    return sorted(PROTOCOL & found.bound)


def hands_on(found: Class, name: str) -> bool:
    """Whether a method calls that of the next class."""
    method = found.methods.get(name)
    return method is not None and any(isinstance(node, ast.Name) and node.id == "super" for node in ast.walk(method))


def _merged(orders: Sequence[list[Base]]) -> list[Base] | None:
    """The C3 merge of orders of lookup."""
    merged: list[Base] = []
    pending = [order for order in orders if order]
    while pending:
        head = next(
            (order[0] for order in pending if not any(order[0] in other[1:] for other in pending)),
            None,
        )
        if head is None:
            return None
        merged.append(head)
        pending = [[base for base in order if base != head] for order in pending]
        pending = [order for order in pending if order]
    return merged


def _is_slots(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Name) and node.id == "__slots__"


def _names(node: ast.expr) -> tuple[str, ...] | None:
    """The names that a loop over an expression gives; a lone string would give letters."""
    elements: list[ast.expr | None] = []
    if isinstance(node, (ast.Tuple, ast.List)):
        elements.extend(node.elts)
    elif isinstance(node, ast.Dict):
        elements.extend(node.keys)
    else:
        return None
    names = [element.value for element in elements if isinstance(element, ast.Constant)]
    return tuple(map(str, names)) if len(names) == len(elements) and all(isinstance(n, str) for n in names) else None


def _literals(keywords: Iterable[ast.keyword]) -> dict[str, object]:
    return {
        keyword.arg: keyword.value.value if isinstance(keyword.value, ast.Constant) else True
        for keyword in keywords
        if keyword.arg
    }

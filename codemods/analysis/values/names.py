"""Which place a name stands for, and which dotted name an expression has."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from codemods.analysis.scopes import FUNCTIONS, Scope, ScopeKind, ScopeTree, mangle
from codemods.analysis.syntax import is_main_guard
from codemods.analysis.values.definitions import Class, Function
from codemods.analysis.values.graph import Graph, Note

_CLASS_PARAMETERS = frozenset({"cls", "klass", "owner"})


@dataclass(frozen=True, eq=False)
class Frame:
    """Where a piece of code stands.

    Args:
        scope: the scope that its names are looked up in.
        function: the function around it.
        owner: the class whose body or method it is in.
    """

    scope: Scope
    function: Function | None = None
    owner: Class | None = None

    def inner(self, scope: Scope) -> Frame:
        """The same place, in an inner scope."""
        return Frame(scope, self.function, self.owner)


class Names:
    """The variables of a file and what they are bound to.

    Args:
        graph: where the places of the variables are made.
        scopes: the scopes of the file.
        is_internal: whether a dotted name belongs to the project, so that its values are known.
        starred: the dotted names of what ``from module import *`` binds, and statements that are not looked at.
    """

    def __init__(
        self,
        graph: Graph,
        scopes: ScopeTree,
        is_internal: Callable[[str], bool] = lambda name: False,
        starred: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.graph = graph
        self.scopes = scopes
        self.is_internal = is_internal
        self.starred = starred
        self.imported: dict[int, str] = {}
        """The dotted names of variables that an import of something foreign binds."""
        self.internal: dict[int, str] = {}
        """The dotted names of variables that an import of something of the project binds."""
        self._places: dict[tuple[Scope, str], int | None] = {}
        self._owned: dict[tuple[Scope, str], int | None] = {}
        self._globals = {name for scope in scopes.module.descendants() for name in scope.global_names}

    def place(self, name: str, scope: Scope) -> int | None:
        """The place of the variable that a name means in a scope; None for builtins."""
        key = (scope, name)
        if key not in self._places:
            mangled = mangle(name, scope.private_class)
            owner = scope.resolve(mangled)
            if (owner, mangled) not in self._owned:
                self._owned[owner, mangled] = self._new(owner, mangled)
            self._places[key] = self._owned[owner, mangled]
        return self._places[key]

    def _new(self, owner: Scope, name: str) -> int | None:
        bindings = owner.bindings.get(name, [])
        if owner.kind is ScopeKind.MODULE and not bindings and name not in self._globals:
            return self._new_elsewhere(self.starred[name]) if name in self.starred else None
        place = self.graph.place()
        imports = [node for node in bindings if isinstance(node, (ast.Import, ast.ImportFrom))]
        is_import = bool(imports) and not any(isinstance(node, (*FUNCTIONS, ast.ClassDef)) for node in bindings)
        dotted = _dotted_import(imports[0], name) if is_import else ""
        if is_import and self.is_internal(dotted):
            self.internal[place] = dotted
            if len(imports) == len(bindings):
                return place
        elif is_import:
            self.imported[place] = dotted
            self.graph.unknown.add(place)
        if owner.kind is ScopeKind.MODULE:
            self._describe_global(place, name, bindings)
        return place

    def _new_elsewhere(self, dotted: str) -> int:
        place = self.graph.place()
        if self.is_internal(dotted):
            self.internal[place] = dotted
        else:
            self.imported[place] = dotted
            self.graph.unknown.add(place)
        return place

    def _describe_global(self, place: int, name: str, nodes: list[ast.AST]) -> None:
        bindings = [node for node in nodes if not isinstance(getattr(node, "ctx", None), ast.Del)]
        if name not in self._globals and all(isinstance(node, (*FUNCTIONS, ast.ClassDef)) for node in bindings):
            self.graph.definitions.add(place)
        elif not self._is_passing(name, bindings):
            self.graph.resting.add(place)
        if bindings:
            self.graph.notes[place] = Note(bindings[0], "kept in the global {}", (name,))

    def _is_passing(self, name: str, bindings: list[ast.AST]) -> bool:
        """Whether a variable of the module is that of a loop which no importer runs, and which no function sees."""
        module = self.scopes.module
        return (
            bool(bindings)
            and all(binding in self._guarded_targets for binding in bindings)
            and not any(
                name in scope.references and scope.kind is ScopeKind.FUNCTION and scope.resolve(name) is module
                for scope in module.descendants()
            )
        )

    @functools.cached_property
    def _guarded_targets(self) -> frozenset[ast.AST]:
        """The targets of the loops under the main guard."""
        module = self.scopes.module.node
        assert isinstance(module, ast.Module)
        return frozenset(
            target
            for statement in module.body
            if is_main_guard(statement)
            for loop in ast.walk(statement)
            if isinstance(loop, (ast.For, ast.AsyncFor))
            for target in ast.walk(loop.target)
        )

    def dotted(self, node: ast.expr, scope: Scope) -> str | None:
        """The full name of what an expression means through imports; builtins have their own name."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        place = self.place(node.id, scope)
        first = node.id if place is None else self.imported.get(place)
        if first is None:
            return None
        dotted = ".".join([first, *reversed(attributes)])
        return None if attributes and place is not None and self.is_internal(dotted) else dotted

    def bind_attribute(self, node: ast.Attribute, scope: Scope, place: int) -> None:
        """Remember what an attribute means whose object is a package that only leads to it."""
        dotted = self.full(node, scope)
        if dotted is not None and self.is_internal(dotted):
            self.internal[place] = dotted

    def known(self, name: str) -> int | None:
        """The place of a variable of the module, if anything uses it."""
        return self._owned.get((self.scopes.module, name))

    def full(self, node: ast.expr, scope: Scope) -> str | None:
        """As ``dotted``, for what is imported from the project as well; None for builtins."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        place = self.place(node.id, scope) if isinstance(node, ast.Name) else None
        first = None if place is None else self.imported.get(place) or self.internal.get(place)
        return None if first is None else ".".join([first, *reversed(attributes)])

    def is_foreign_module(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is a module of somebody else, to judge by an ``import`` statement."""
        dotted = self.dotted(node, scope)
        while isinstance(node, ast.Attribute):
            node = node.value
        bindings = scope.resolve(node.id).bindings.get(node.id, []) if isinstance(node, ast.Name) and dotted else []
        return bool(bindings) and all(isinstance(binding, ast.Import) for binding in bindings)

    def is_class(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is a class, as far as its form tells: what is put there becomes a method."""
        if isinstance(node, ast.Attribute):
            return node.attr == "__class__" or _is_named_like_class(node.attr)
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == "type"
        if not isinstance(node, ast.Name):
            return False
        if node.id in _CLASS_PARAMETERS:
            return True
        bindings = scope.resolve(node.id).bindings.get(node.id, [])
        if bindings and all(isinstance(binding, ast.ClassDef) for binding in bindings):
            return True
        return bool(bindings) and _is_named_like_class(node.id)


def _is_named_like_class(name: str) -> bool:
    """Whether a name is written as those of classes are: ``Point``, ``P``, but not ``LIMIT``."""
    return name[0].isupper() and (len(name) == 1 or not name.isupper())


def _dotted_import(node: ast.Import | ast.ImportFrom, name: str) -> str:
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            if (alias.asname or alias.name) == name:
                return "." * node.level + ".".join(filter(None, [node.module, alias.name]))
        elif alias.asname == name:
            return alias.name
    return name


def spelled(node: ast.expr) -> str:
    """An expression as a short text for messages."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{spelled(node.value)}.{node.attr}"
    if isinstance(node, ast.Subscript):
        return f"{spelled(node.value)}[…]"
    if isinstance(node, ast.Call):
        return f"{spelled(node.func)}()"
    return "…"

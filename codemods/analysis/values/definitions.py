"""The functions and classes of a file, as far as the flow of values needs them."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass, field

PICKLING_METHODS = ("__reduce_ex__", "__reduce__", "__getstate__")
"""The methods by which a class says what its pickle holds; pickle looks for them in this order."""


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
        private: whether all its calls are taken to be those of this file.
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
    private: bool = False

    @property
    def name(self) -> str:
        """Its name, for messages."""
        return getattr(self.node, "name", "lambda")

    @property
    def exposed(self) -> bool:
        """Whether code elsewhere can call it. What pickling methods return is known from what they leave out."""
        hidden = self.private or isinstance(self.node, ast.Lambda) or self.name in PICKLING_METHODS
        return self.parent is None and not hidden

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

    @functools.cached_property
    def lineage(self) -> list[Class]:
        """The class and its bases in this file, nearest first; to be asked for when all bases are known."""
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

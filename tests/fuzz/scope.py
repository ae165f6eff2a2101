"""What a generated program has bound where, so that most of the names it uses exist."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

#: Variables whose value is an integer. The last ones collide with what a rewriter is likely to write itself.
INTEGERS = ("n", "x", "k", "i", "y", "a", "total", "partial", "_make0_run", "functools", "len", "run_1", "_make0_lambda",
            "_UNSET", "default_n", "default_acc", "_functools")  # fmt: skip
#: Variables that hold a function.
FUNCTIONS = ("run", "step", "show", "walk", "make0", "sum")


@dataclass(frozen=True)
class Shape:
    """How a function is called.

    Args:
        required: how many arguments have to be given by position.
        keywords: the names of the arguments that have to be given by keyword.
        descends: whether the first argument bounds how deeply it calls others.
    """

    required: int = 0
    keywords: tuple[str, ...] = ()
    descends: bool = False


@dataclass
class Scope:
    """A module, class or function that is being written.

    Args:
        parent: the scope around it.
        kind: ``module``, ``class`` or ``function``.
        owned: the names that are variables of this scope, bound or not.
        bound: those among them that have a value at this point.
        maybe: those that have one on some ways.
        shared: names declared ``global`` or ``nonlocal``, which may be assigned as well.
        shapes: how the functions that are bound here are called.
        receiver: ``self`` or ``cls``, inside a method.
        flavour: ``plain``, ``generator``, ``async`` or ``async generator``.
        loops: how many loops of this scope surround this point.
        lists: names of variables that hold a list of integers.
        promised: variables that an inner function declares ``nonlocal``, so that they have to be assigned somewhere.
    """

    parent: Scope | None
    kind: str = "function"
    owned: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    maybe: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    shapes: dict[str, Shape] = field(default_factory=dict)
    receiver: str | None = None
    flavour: str = "plain"
    loops: int = 0
    lists: set[str] = field(default_factory=set)
    promised: set[str] = field(default_factory=set)

    def bind(self, name: str, shape: Shape | None = None) -> None:
        """Give a variable of this scope a value."""
        if name in self.owned:
            self.bound.add(name)
        if shape is not None:
            self.shapes[name] = shape

    def unbind(self, name: str) -> None:
        """Take the value of a variable away, on some ways at least."""
        self.bound.discard(name)
        self.maybe.add(name)

    @contextmanager
    def branch(self) -> Iterator[None]:
        """A block that may not run: what it binds is not certain to be bound after it."""
        before = set(self.bound)
        try:
            yield
        finally:
            self.maybe |= self.bound ^ before
            self.bound &= before

    def visible(self, certain: bool = True) -> list[str]:
        """The names that can be read here, the innermost first.

        Args:
            certain: leave out variables of this scope that may be unbound here.
        """
        names = sorted(self.bound if certain else self.bound | self.maybe)
        hidden = set(self.owned)
        scope = self.parent
        while scope is not None:
            if scope.kind != "class":
                names += sorted((scope.bound | scope.shared - scope.owned) - hidden - set(names))
                hidden |= scope.owned
            scope = scope.parent
        return names

    def unsettled(self) -> list[str]:
        """Names of the functions around that may be unbound now, or get their value only later."""
        names: list[str] = []
        hidden = set(self.owned)
        scope = self.parent
        while scope is not None and scope.kind == "function":
            names += sorted(scope.owned - scope.bound - hidden)
            hidden |= scope.owned
            scope = scope.parent
        return names + sorted(self.maybe - self.bound)

    def integers(self, certain: bool = True) -> list[str]:
        """The visible names of integers, those of this function and the functions around before globals."""
        return [name for name in self.visible(certain) if is_integer(name)]

    def functions(self) -> list[str]:
        """The visible names of functions."""
        return [name for name in self.visible() if self.shape(name) is not None]

    def shape(self, name: str) -> Shape | None:
        """How a visible function is called; None if the name is none."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.shapes:
                return scope.shapes[name]
            if name in scope.owned:
                return None
            scope = scope.parent
        return None

    def means_builtin(self, name: str) -> bool:
        """Whether a name is nobody's variable here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.owned:
                return False
            scope = scope.parent
        return True

    def promise(self, name: str) -> None:
        """Note that this function declares a variable of a function around it ``nonlocal``."""
        self.shared.add(name)
        scope = self.parent
        while scope is not None and (scope.kind != "function" or name not in scope.owned):
            scope = scope.parent
        if scope is not None:
            scope.promised.add(name)

    def outer_variables(self) -> list[str]:
        """The integers of the functions around, which ``nonlocal`` may name."""
        names: list[str] = []
        hidden = set(self.owned)
        scope = self.parent
        while scope is not None:
            if scope.kind == "function":
                names += [name for name in sorted(scope.owned - hidden) if is_integer(name) and "turn" not in name]
                hidden |= scope.owned | scope.shared
            scope = scope.parent
        return names

    def receiver_name(self) -> str | None:
        """``self`` or ``cls`` as far as it can be seen from here."""
        scope: Scope | None = self
        while scope is not None:
            if scope.receiver is not None:
                return scope.receiver
            if scope.kind == "class":
                return None
            scope = scope.parent
        return None


def is_integer(name: str) -> bool:
    """Whether variables of this name hold integers."""
    return name in INTEGERS or name.startswith(("turn", "MODE", "LIMIT", "d")) and name not in ("drive", "drain")

"""Writes simple statements."""

from __future__ import annotations

from .functions import Functions
from .lines import Lines
from .scope import FUNCTIONS, Scope, Shape, is_integer


class Simple(Functions):
    """Statements that hold no others. Where they are told a level, they do not need it."""

    def block(self, scope: Scope, most: int, level: int = 2) -> Lines:
        """Up to ``most`` statements, at least one.

        Args:
            level: how deeply statements may still be nested.
        """
        raise NotImplementedError

    def targets(self, scope: Scope) -> list[str]:
        """The integers that may be assigned here, the more likely ones more often."""
        names = sorted(scope.owned | scope.shared)
        return [name for name in names if is_integer(name) and name != "d" and not name.startswith("turn")]

    def target(self, scope: Scope) -> str | None:
        """A variable to assign; most often one that has no value yet."""
        names = self.targets(scope)
        fresh = [name for name in names if name not in scope.bound and name in scope.owned]
        if fresh and self.chance(70):
            return self.pick(fresh)
        return self.pick(names) if names else None

    def assignment(self, scope: Scope, level: int) -> Lines:
        """``n = …``."""
        value = self.integer(scope)
        name = self.target(scope)
        if name is None:
            return [f"note({value})"]
        scope.bind(name)
        annotation = ": int" if name not in scope.shared and self.chance(6) else ""
        return [f"{name}{annotation} = {value}"]

    def augmented(self, scope: Scope, level: int) -> Lines:
        """``n += …``."""
        names = [name for name in self.targets(scope) if name in scope.bound | scope.shared]
        if not names:
            return self.assignment(scope, level)
        return [f"{self.pick(names)} {self.pick(['+=', '-=', '*='])} {self.integer(scope, 1)}"]

    def unpacking(self, scope: Scope, level: int) -> Lines:
        """Several targets at once."""
        value = f"{self.integer(scope, 1)}, {self.integer(scope, 1)}"
        first, second = self.target(scope), self.target(scope)
        if first is None or second is None or first == second:
            return self.assignment(scope, level)
        scope.bind(first)
        scope.bind(second)
        return [self.pick([f"{first}, {second} = {value}", f"({first}, [{second}, *_]) = 1, [{value}]"])]

    def list_assignment(self, scope: Scope, level: int) -> Lines:
        """A list that closures may share."""
        if scope.kind != "function" or "xs" in scope.lists:
            lists = [name for name in self.lists(scope) if name != "out"]
            return [f"{self.pick(lists)}.append({self.atom(scope)})"] if lists else self.assignment(scope, level)
        scope.owned.add("xs")
        scope.lists.add("xs")
        return [f"xs = [{self.atom(scope)}]"]

    def effect(self, scope: Scope, level: int) -> Lines:
        """Something that shows up in the trace."""
        return [f"note({self.anything(scope)})"]

    def deletion(self, scope: Scope, level: int) -> Lines:
        """``del n``, sometimes under a condition."""
        functions = [name for name in FUNCTIONS if name in scope.bound & scope.owned]
        names = [name for name in self.targets(scope) if name in scope.bound] + functions
        if not names:
            return self.assignment(scope, level)
        name = self.pick(names)
        if name in functions and self.chance(30):
            scope.unbind(name)
            return [f"{name} = {self.atom(scope)}"]
        if self.chance(40):
            condition = self.atom(scope)
            scope.unbind(name)
            return [f"if {condition} > 1:", f"    del {name}"]
        scope.unbind(name)
        return [f"del {name}"]

    def local_import(self, scope: Scope, level: int) -> Lines:
        """An import that closures may capture."""
        if scope.kind != "function":
            return self.assignment(scope, level)
        if self.chance(50):
            scope.owned.add("math")
            scope.bound.add("math")
            return ["import math"]
        scope.owned.add("add")
        scope.bind("add", Shape(2))
        return ["from operator import add"]

    def yields(self, scope: Scope, level: int) -> Lines:
        """Hand a value out of a generator."""
        value = self.function(scope) if self.chance(50) else self.anything(scope, 1)
        return [f"yield {value}"]

    def leave_loop(self, scope: Scope, level: int) -> Lines:
        """``break`` or ``continue``, mostly under a condition."""
        word = self.pick(["break", "continue"])
        return [f"if {self.atom(scope)} > 2:", f"    {word}"] if self.chance(80) else [word]

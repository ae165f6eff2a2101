"""Writes classes."""

from __future__ import annotations

from .escapes import Escapes
from .lines import Lines, ends, indented
from .scope import Scope


class Classes(Escapes):
    """Classes inside functions, and what stands in the body of any class."""

    def local_class(self, scope: Scope, level: int) -> Lines:
        """A class made in a function, and mostly an instance of it that escapes."""
        if scope.kind != "function":
            return self.assignment(scope, level)
        name = self.pick(["Item", "Local", "Inner"])
        scope.owned.add(name)
        if self.chance(25):
            lines = self._made_class(name)
            made = f"{name}({self.atom(scope)})" if "Enum" not in lines[0] else f"{name}.ONE"
        else:
            base = self.pick(["", "", "", "(Base)", "(Box)", "(Exception)"])
            lines = [f"class {name}{base}:", *indented(self.class_body(Scope(scope, "class"), local=True))]
            made = f"{name}({self.atom(scope)})"
        if "out" in scope.owned:
            lines.append(self.pick([f"out.append({made})", f"out.append(({made}, {made}))", f"out.append({name})"]))
        else:
            lines.append(f"note({made})")
        return lines

    def _made_class(self, name: str) -> Lines:
        return self.pick(
            [
                [f'{name} = collections.namedtuple("{name}", "n k", defaults=[2])'],
                [f"class {name}(enum.Enum):", "    ONE = 1", "    TWO = 2", "    low = lambda self: self.value"],
                ["@dataclasses.dataclass", f"class {name}:", "    n: int = 0", "    fn: object = lambda x: x + 1"],
            ]
        )

    def class_body(self, scope: Scope, local: bool) -> Lines:
        """Attributes and methods; every class can be called with one integer."""
        lines = [f"factor = {self.number(5)}"]
        if local and self.chance(15) and (names := scope.integers()):
            name = self.pick(names)
            lines.append(f"{name} = {name}")
        if self.chance(20):
            lines.append(f"key = {self._class_lambda(scope)}")
        if local and self.chance(8):
            lines.append("items = []")
        lines += self._constructor(scope)
        for index in range(1 + self.number(2)):
            lines += self._small_method(scope, index)
        return lines

    def _class_lambda(self, scope: Scope) -> str:
        inner = Scope(scope, owned={"self", "x"}, bound={"x"}, receiver="self")
        return f"lambda self, x=1: {self.anything(inner, 1)}"

    def _constructor(self, scope: Scope) -> Lines:
        inner = Scope(scope, owned={"self", "n"}, bound={"n"}, receiver="self")
        lines = ["def __init__(self, n=1):", "    self.n = n", "    self.__key = n + 1"]
        if self.chance(35):
            lines.append(f"    self.action = {self.lambda_expression(inner)}")
        if self.chance(10):
            lines.append("    self.myself = lambda: self")
        if self.chance(10):
            lines += ["    self.hooks = []", f"    self.hooks.append({self.lambda_expression(inner)})"]
        return lines

    def _small_method(self, scope: Scope, index: int) -> Lines:
        kind = self.number(8)
        if kind == 7:
            inner = Scope(scope, owned={"x"}, bound={"x"})
            return ["@staticmethod", f"def plain{index}(x=1):", f"    return {self.anything(inner, 1)}"]
        if kind == 6:
            inner = Scope(scope, owned={"cls", "x"}, bound={"x"}, receiver="cls")
            return ["@classmethod", f"def made{index}(cls, x=1):", f"    return {self._answer(inner)}"]
        inner = Scope(scope, owned={"self", "x"}, bound={"x"}, receiver="self")
        self.own_variables(inner)
        lines = self.block(inner, 2, 0) if self.chance(35) and self.budget > 0 else []
        if not lines or not ends(lines[-1]):
            lines.append(f"return {self._answer(inner)}")
        return [f"def method{index}(self, x=1):", *indented(self.settled(inner, lines))]

    def _answer(self, scope: Scope) -> str:
        return self.function(scope) if self.chance(40) else self.anything(scope, 1)

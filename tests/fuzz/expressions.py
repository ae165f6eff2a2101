"""Writes expressions and function signatures."""

from __future__ import annotations

from collections.abc import Callable

from .choices import Choices
from .scope import INTEGERS, Scope, Shape

#: Variables that may be read without a value; ``import functools`` would give those others one.
UNSETTLED = tuple(name for name in INTEGERS if name not in ("functools", "partial"))


class Expressions(Choices):
    """Expressions that mostly work: integers, values of any kind, and functions."""

    # -- integers ------------------------------------------------------------------------------------------------

    def integer(self, scope: Scope, depth: int = 2) -> str:
        """An expression whose value is an integer, unless it raises."""
        if depth <= 0 or self.chance(55):
            return self.atom(scope)
        options: list[tuple[int, Callable[[Scope, int], str]]] = [
            (6, self._sum),
            (4, self._noted),
            (3, self._choice),
            (2, self._walrus),
            (2, self._quotient),
            (2, self._on_the_spot),
            (2, self._attribute),
            (2, self._measured),
            (1, self._awaited),
        ]
        return self.weighted(options)(scope, depth - 1)

    def atom(self, scope: Scope) -> str:
        """A variable, or a number where there is none."""
        names = scope.integers()
        outside = [name for name in names if name not in scope.owned]
        if self.chance(3) and (unsettled := [name for name in scope.unsettled() if name in UNSETTLED]):
            return self.pick(unsettled)
        if not names or self.chance(10):
            return str(self.number(10))
        return self.pick(outside) if outside and self.chance(50) else self.pick(names)

    def _sum(self, scope: Scope, depth: int) -> str:
        operator = self.pick(["+", "-", "* 10 +"])
        return f"({self.integer(scope, depth)} {operator} {self.integer(scope, depth)})"

    def _noted(self, scope: Scope, depth: int) -> str:
        return f"note({self.integer(scope, depth)})"

    def _choice(self, scope: Scope, depth: int) -> str:
        return f"({self.integer(scope, depth)} if {self.atom(scope)} > 1 else {self.integer(scope, depth)})"

    def _walrus(self, scope: Scope, depth: int) -> str:
        target, taken = scope, set[str]()
        while target.kind == "comprehension" and target.parent is not None:
            taken |= target.owned
            target = target.parent
        names = [name for name in sorted(target.owned | target.shared) if name in INTEGERS and name not in taken]
        if target.kind != "function" or not names:
            return self.atom(scope)
        name = self.pick(names)
        written = f"({name} := {self.integer(scope, depth)})"
        target.maybe.add(name)
        return written

    def _quotient(self, scope: Scope, depth: int) -> str:
        return f"({self.number(10)} // {self.atom(scope)})"

    def _on_the_spot(self, scope: Scope, depth: int) -> str:
        name = self.pick(INTEGERS[:4])
        inner = Scope(scope, owned={name}, bound={name})
        return f"(lambda {name}: {self.integer(inner, depth)})({self.atom(scope)})"

    def _attribute(self, scope: Scope, depth: int) -> str:
        receiver = scope.receiver_name()
        if receiver == "self":
            return self.pick(["self.n", "self.__key", "self.factor"])
        return "cls.factor" if receiver == "cls" else self.atom(scope)

    def _measured(self, scope: Scope, depth: int) -> str:
        lists = [name for name in self.lists(scope) if name != "out"]
        if lists and scope.means_builtin("len"):
            return f"len({self.pick(lists)})"
        return self.atom(scope)

    def _awaited(self, scope: Scope, depth: int) -> str:
        if scope.kind == "function" and scope.flavour.startswith("async"):
            return f"(await pause({self.integer(scope, depth)}))"
        return self.atom(scope)

    def lists(self, scope: Scope) -> list[str]:
        """The visible names of lists."""
        names: list[str] = []
        around: Scope | None = scope
        while around is not None:
            names += [name for name in sorted(around.lists) if name not in names]
            around = around.parent
        return names

    # -- values of any kind ----------------------------------------------------------------------------------------

    def anything(self, scope: Scope, depth: int = 2) -> str:
        """An expression that shows several variables at once."""
        options: list[tuple[int, Callable[[Scope, int], str]]] = [
            (8, self._tuple),
            (3, self._f_string),
            (2, self._comprehension),
            (3, self._called),
            (2, self._sorted),
            (1, self._mapping),
            (1, self._namespace),
            (2, self._list),
            (1, self._imported),
            (1, self._lines),
        ]
        return self.weighted(options)(scope, depth)

    def _tuple(self, scope: Scope, depth: int) -> str:
        parts = [self.integer(scope, depth) for _ in range(1 + self.number(3))]
        if depth > 0 and self.chance(20):
            parts.append(self.anything(scope, depth - 1))
        return f"({', '.join(parts)},)" if len(parts) == 1 else f"({', '.join(parts)})"

    def _f_string(self, scope: Scope, depth: int) -> str:
        first, second = self.atom(scope), self.atom(scope)
        if scope.functions() and self.chance(15):
            return f'f"{{{self.call(scope, self.pick(scope.functions()))}}}"'
        return self.pick(
            [
                f'f"{{{first}}} and {{{second}}}"',
                f'f"{{{first}=}}"',
                f'f"{{{first} + 1 = }} {{{second}!r:>4}}"',
                f'f"{{{first}=}} {{{second}:>{{{first}}}}}"' if first.isdigit() else f'f"{{{second}:>{{3}}}}"',
            ]
        )

    def _comprehension(self, scope: Scope, depth: int) -> str:
        name = self.pick(INTEGERS[:6])
        inner = Scope(scope, "comprehension", owned={name}, bound={name})
        iterable = self.iterable(scope)
        form = self.pick(["[{item} for {name} in {over}]", "list({item} for {name} in {over})"])
        if self.chance(20):
            form = "{{{name}: {item} for {name} in {over} if {name}}}"
        return form.format(item=self.integer(inner, depth - 1), name=name, over=iterable)

    def iterable(self, scope: Scope) -> str:
        """Something to loop over that yields a few integers."""
        return self.pick(["range(2)", "(1, 3)", f"({self.plain_atom(scope)}, 2)", "range(3)"])

    def plain_atom(self, scope: Scope) -> str:
        """A variable that is bound, or a number."""
        names = scope.integers()
        return self.pick(names) if names else "1"

    def _called(self, scope: Scope, depth: int) -> str:
        names = scope.functions()
        if not names:
            return self._tuple(scope, depth)
        return self.call(scope, self.pick(names))

    def call(self, scope: Scope, name: str) -> str:
        """A call of a visible function, guarded where it could go on without end."""
        shape = scope.shape(name) or Shape()
        bounded = "d" in scope.visible()
        if shape.descends and bounded:
            return (
                f"({name}({', '.join(['d - 1', *self.arguments(scope, shape)[1:]])}) if d > 0 else {self.atom(scope)})"
            )
        arguments = self.arguments(scope, shape)
        if shape.descends:
            arguments[0] = "2"
        if self.chance(25):
            return f"attempt({', '.join([name, *arguments])})"
        return f"{name}({', '.join(arguments)})"

    def arguments(self, scope: Scope, shape: Shape) -> list[str]:
        """Arguments for a function of the given shape, a wrong number of them now and then."""
        count = shape.required + (self.number(2) if self.chance(15) else 0)
        positional = [self.atom(scope) for _ in range(count)]
        return positional + [f"{name}={self.atom(scope)}" for name in shape.keywords]

    def _sorted(self, scope: Scope, depth: int) -> str:
        inner = Scope(scope, owned={"x"}, bound={"x"})
        return f"sorted((3, 1, 2), key=lambda x: (x % 2, {self.integer(inner, depth - 1)}))"

    def _mapping(self, scope: Scope, depth: int) -> str:
        return f"dict(n={self.integer(scope, depth - 1)}, k={self.atom(scope)})"

    def _namespace(self, scope: Scope, depth: int) -> str:
        if scope.kind == "function" and self.chance(12):
            return self.pick(["sorted(map(str, locals()))", f'eval("{self.plain_atom(scope)}")'])
        return self._tuple(scope, depth)

    def _list(self, scope: Scope, depth: int) -> str:
        lists = [name for name in self.lists(scope) if name != "out"]
        return f"list({self.pick(lists)})" if lists else self._tuple(scope, depth)

    def _imported(self, scope: Scope, depth: int) -> str:
        visible = scope.visible()
        if "add" in visible:
            return f"add({self.atom(scope)}, {self.atom(scope)})"
        if "math" in visible:
            return f"math.gcd({self.atom(scope)}, {self.atom(scope)})"
        return self._tuple(scope, depth)

    def _lines(self, scope: Scope, depth: int) -> str:
        """Something over several lines, the inside of which must not change."""
        first, second = self.atom(scope), self.atom(scope)
        return self.pick(
            [
                f'f"""{{{first}}}\n  {{{second}=}}\n"""',
                f"(\n    {first},  # the first\n      {second},\n)",
                f'"""{{\n\tno {first}\n"""',
            ]
        )

"""Random functions that make closures, and what becomes of the variables that these capture when the functions run."""

from __future__ import annotations

import contextlib
import random
import sys
import textwrap
from collections.abc import Callable, Generator, Iterator
from types import CellType, FunctionType
from typing import Any

NAMES = ("a", "b", "c")
_EMPTY = object()


class Failure(Exception):
    """Raised by the functions of a ``Run``, and caught by some of the programs."""


class OtherFailure(Failure):
    """Caught by fewer of them."""


class Thing:
    """A value unlike any other."""

    a: object = None

    def __delattr__(self, name: str) -> None:
        """Let everything be deleted."""

    def __iadd__(self, other: object) -> Thing:
        return Thing()


class Programs:
    """Writes functions called ``program``.

    Args:
        seed: each seed gives another function.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.closures = 0
        self.constants = 0
        self.is_generator = self.random.random() < 0.4

    def program(self) -> str:
        """The text of a function."""
        parameters = ", ".join(name for name in NAMES if self.random.random() < 0.7)
        lines = ["if 0: a = b = c = None", *(["yield"] if self.is_generator else []), *self.guarded_suite()]
        return f"def program({parameters}):\n{_indented(lines)}\n"

    def guarded_suite(self) -> list[str]:
        """The statements of a function, most of which cannot end it early."""
        lines = []
        for _ in range(self.random.randint(2, 6)):
            statement = self.statement(self.random.randint(1, 3), False, True)
            if self.random.random() < 0.6:
                statement = ["try:", *_lines(statement), "except Exception: pass"]
            lines += statement
        return lines

    def suite(self, depth: int, in_loop: bool, may_jump: bool) -> list[str]:
        """Some statements."""
        lines = [line for _ in range(self.random.randint(1, 3)) for line in self.statement(depth, in_loop, may_jump)]
        if self.random.random() < 0.25:
            lines += self.jump(in_loop, may_jump)
        return lines

    def statement(self, depth: int, in_loop: bool, may_jump: bool) -> list[str]:
        """The lines of a statement."""
        if depth == 0 or self.random.random() < 0.5:
            return self.simple()
        compound = self.random.choice((self.branch, self.loop, self.attempt, self.attempt, self.manager, self.match))
        return compound(depth - 1, in_loop, may_jump)

    def closure(self) -> str:
        """A lambda that is observed."""
        self.closures += 1
        return f"see({self.closures}, lambda: {self.name()})"

    def unlikely(self, text: str, instead: str) -> str:
        """A text that is mostly replaced."""
        return text if self.random.random() < 0.2 else instead

    def name(self) -> str:
        """A variable."""
        return self.random.choice(NAMES)

    def value(self) -> str:
        """An expression; constants cannot raise."""
        self.constants += 1
        return self.random.choice(("new()", f"'{self.constants}'"))

    def simple(self) -> list[str]:
        """A statement that is no compound one, or a definition."""
        name, other, value = self.name(), self.name(), self.value()
        return self.random.choice(
            (
                lambda: [f"{name} = {value}"],
                lambda: [f"{name} = {other} = {value}"],
                lambda: [f"{name}, [*{other}] = pair()"],
                lambda: [f"{name} = {self.unlikely(other, 'new()')}"],
                lambda: [f"{name} += {value}"],
                lambda: [f"{name}: {other} = {value}"],
                lambda: [f"del {name}"],
                lambda: [f"del {self.unlikely(other, 'new().a')}, {name}, new().a"],
                lambda: [f"import math as {name}"],
                lambda: [f"from math import pi as {name}, {self.unlikely('nothing', 'e')} as {other}"],
                lambda: [f"def {name}(x={self.closure()}, *, y=({other} := {value})): pass"],
                self.observed_definition,
                self.observed_definition,
                self.definition_of_class,
                lambda: ["yield" if self.is_generator else "new()"],
                lambda: [f"assert flip(), {self.closure()}"],
                lambda: ["drain()"],
                # Not inside another comprehension: Python 3.12 and 3.13 mix up the variables if that has a lambda.
                lambda: [f"[new({name}) for {name} in items()]"],
                *[lambda: [self.expression()]] * 10,
            )
        )()

    def expression(self, depth: int = 3) -> str:
        """An expression that binds, reads or captures."""
        name, value = self.name(), self.value()
        simple = (
            self.closure,
            self.closure,
            lambda: f"new({self.unlikely(name, '1')})",
            lambda: f"({name} := {value})",
        )
        if depth == 0 or self.random.random() < 0.4:
            return self.random.choice(simple)()
        one, two = self.expression(depth - 1), self.expression(depth - 1)
        return self.random.choice(
            (
                f"flip() {self.random.choice(('and', 'or'))} ({one})",
                f"({one}) if flip() else ({two})",
                f"0 < number() < len([{one}, {two}])",
                f"[{one}, {two}]",
                f"{{1: {one}, new(): {two}}}",
                f"new(1, *({one},), x=({two}))",
                f"[({one}) for _ in items() if ({two})]",
                f"{{0: ({one}) for x in items() for y in items()}}",
                f"keep(({one}) for x in items())",
                f"list(({one}) for x in items())",
            )
        )

    def observed_definition(self) -> list[str]:
        """A function that is observed before its name is bound."""
        self.closures += 1
        name = self.random.choice((*NAMES, "inner"))
        return [f"@see({self.closures})", f"def {name}(): return {self.name()}"]

    def definition_of_class(self) -> list[str]:
        """A class whose body binds names of its own and of the function."""
        declared = self.name()
        body = [f"nonlocal {declared}", *self.simple_in_class(), *self.simple_in_class(), *self.simple_in_class()]
        return [f"class {self.random.choice((*NAMES, 'Inner'))}:", *_lines(body)]

    def simple_in_class(self) -> list[str]:
        """A statement of a class body."""
        name = self.name()
        return self.random.choice(
            (
                lambda: [f"{name} = new()"],
                lambda: [f"({name} := new())"],
                lambda: [f"del {name}"],
                lambda: [self.closure()],
                lambda: ["try:", f"    {name} = new()", f"except Failure as {self.name()}: pass"],
                lambda: [f"for {name} in items(): {self.closure()}"],
                self.observed_definition,
            )
        )()

    def jump(self, in_loop: bool, may_jump: bool) -> list[str]:
        """A statement that leaves the suite."""
        jumps = ["raise Failure", f"raise Failure({self.closure()})"]
        if may_jump:
            jumps += ["return", f"return {self.closure()}"]
            jumps += ["break", "continue"] * in_loop
        return [self.random.choice(jumps)]

    def condition(self) -> str:
        """A test."""
        return self.random.choice(
            (
                "flip()",
                "flip()",
                f"flip() and ({self.name()} := new())",
                f"not (flip() or ({self.name()} := {self.value()}))",
                f"flip() and {self.closure()}",
            )
        )

    def branch(self, depth: int, in_loop: bool, may_jump: bool) -> list[str]:
        """An ``if`` statement."""
        lines = [f"if {self.condition()}:", *_lines(self.suite(depth, in_loop, may_jump))]
        if self.random.random() < 0.3:
            lines += [f"elif {self.condition()}:", *_lines(self.suite(depth, in_loop, may_jump))]
        if self.random.random() < 0.5:
            lines += ["else:", *_lines(self.suite(depth, in_loop, may_jump))]
        return lines

    def loop(self, depth: int, in_loop: bool, may_jump: bool) -> list[str]:
        """A loop, which ends when the run has gone on for long enough."""
        body = self.suite(depth, True, may_jump)
        lines = self.random.choice(
            (
                ["while True:", "    if spent(): break", *_lines(body)],
                [f"while not spent() and {self.condition()}:", *_lines(body)],
                [f"for {self.name()} in items():", *_lines(body)],
                [f"for {self.name()}, _ in pairs():", *_lines(body)],
            )
        )
        if self.random.random() < 0.3:
            lines += ["else:", *_lines(self.suite(depth, in_loop, may_jump))]
        return lines

    def attempt(self, depth: int, in_loop: bool, may_jump: bool) -> list[str]:
        """A ``try`` statement."""
        lines = ["try:", *_lines(self.suite(depth, in_loop, may_jump))]
        star = "*" if sys.version_info >= (3, 11) and self.random.random() < 0.2 else ""
        handlers = self.random.randint(0, 2)
        for _ in range(handlers):
            caught = self.random.choice(
                ("Failure", "OtherFailure", "Exception", f"({self.unlikely(self.name(), 'KeyError')}, Failure)")
            )
            name = f" as {self.name()}" if self.random.random() < 0.5 else ""
            suite = self.suite(depth, in_loop and not star, may_jump and not star)
            lines += [f"except{star} {caught}{name}:", *_lines(suite)]
        if handlers and not star and self.random.random() < 0.2:
            lines += ["except:", *_lines(self.suite(depth, in_loop, may_jump))]
        if handlers and self.random.random() < 0.3:
            lines += ["else:", *_lines(self.suite(depth, in_loop, may_jump))]
        if not handlers or self.random.random() < 0.4:
            lines += ["finally:", *_lines(self.suite(depth, in_loop, may_jump))]
        return lines

    def manager(self, depth: int, in_loop: bool, may_jump: bool) -> list[str]:
        """A ``with`` statement."""
        items = ", ".join(
            self.random.choice((f"manager() as {self.name()}", "manager()")) for _ in range(self.random.randint(1, 2))
        )
        return [f"with {items}:", *_lines(self.suite(depth, in_loop, may_jump))]

    def match(self, depth: int, in_loop: bool, may_jump: bool) -> list[str]:
        """A ``match`` statement."""
        lines = ["match subject():"]
        one, two = self.random.sample(NAMES, 2)
        patterns = [
            f"[{one}, *{two}]",
            f"[{one}, 1]",
            f"{{'k': {one}, **{two}}}",
            f"[{one}, {two}] as _whole",
            f"[1, {one}] | [{one}]",
            f"str() as {one}",
        ]
        for pattern in self.random.sample(patterns, 2):
            guard = f" if {self.condition()}" if self.random.random() < 0.4 else ""
            lines += _lines([f"case {pattern}{guard}:", *_lines(self.suite(depth, in_loop, may_jump))])
        if self.random.random() < 0.4:
            lines += _lines([f"case {self.random.choice(('_', one))}:", *_lines(self.suite(depth, in_loop, may_jump))])
        return lines


def _lines(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def _indented(lines: list[str]) -> str:
    return textwrap.indent("\n".join(lines), "    ")


class Run:
    """One run of a program: takes its decisions at random and observes its closures.

    Args:
        seed: each seed decides otherwise.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.failure_rate = self.random.choice((0, 0.02, 0.2))
        self.events = 0
        self.observed: list[tuple[int, CellType, object]] = []
        self.kept: list[Iterator[object]] = []

    def execute(self, code: Any) -> None:
        """Run a compiled program to its end."""
        functions: tuple[Callable[..., object], ...] = (
            self.new, self.flip, self.number, self.pair, self.items, self.pairs, self.subject,
            self.spent, self.keep, self.drain, self.see, self.manager, Failure, OtherFailure,
        )  # fmt: skip
        scope: dict[str, Any] = {function.__name__: function for function in functions}
        exec(code, scope)
        program = scope["program"]
        with contextlib.suppress(Exception):
            result = program(*(Thing() for _ in range(program.__code__.co_argcount)))
            if isinstance(result, Generator):
                self._drive(result)

    def _drive(self, generator: Generator[None, None, object]) -> None:
        with contextlib.suppress(Exception):
            next(generator)
            while not self.spent() and self.random.random() < 0.9:
                if self.random.random() < 0.2:
                    generator.throw(Failure())
                else:
                    next(generator)
        # A program that yields on its way out goes on after it has been closed.
        while generator.gi_frame is not None:
            with contextlib.suppress(Exception):
                generator.close()

    def outcomes(self) -> Iterator[tuple[int, bool, bool]]:
        """For each closure that was made: its number, and whether its variable was bound and was changed later."""
        for number, cell, content in self.observed:
            yield number, content is not _EMPTY, _content(cell) is not content

    def _event(self) -> None:
        self.events += 1
        if not self.spent() and self.random.random() < self.failure_rate:
            raise self.random.choice((Failure, OtherFailure))

    def new(self, *_: object, **__: object) -> Thing:
        self._event()
        return Thing()

    def flip(self) -> bool:
        self._event()
        return not self.spent() and self.random.random() < 0.5

    def number(self) -> int:
        self._event()
        return self.random.randint(0, 2)

    def pair(self) -> list[Thing]:
        return [self.new() for _ in range(self.random.choice((1, 2, 2, 2, 2, 3)))]

    def items(self) -> Iterator[Thing]:
        while self.flip():
            yield self.new()

    def pairs(self) -> Iterator[list[Thing]]:
        while self.flip():
            yield self.pair()

    def subject(self) -> object:
        self._event()
        return self.random.choice(([Thing()], [Thing(), 1], [1, Thing()], [1, 2, 3], {"k": 1, "l": 2}, "text", 5))

    def spent(self) -> bool:
        self.events += 1
        return self.events > 150

    def keep(self, generator: Iterator[object]) -> None:
        self.kept.append(generator)

    def drain(self) -> None:
        while self.kept:
            for _ in self.kept.pop():
                pass

    def see(self, number: int, closure: FunctionType | None = None) -> object:
        if closure is None:
            return lambda function: self.see(number, function)
        assert closure.__closure__ is not None
        (cell,) = closure.__closure__
        self.observed.append((number, cell, _content(cell)))
        return closure

    @contextlib.contextmanager
    def manager(self) -> Iterator[Thing]:
        thing = self.new()
        try:
            yield thing
        except Failure:
            if not self.flip():
                raise
        self._event()


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return _EMPTY

"""Writes compound statements."""

from __future__ import annotations

from .classes import Classes
from .lines import Lines, ends, indented
from .scope import Scope


class Compound(Classes):
    """Loops, branches, ``try``, ``with`` and ``match``."""

    def for_loop(self, scope: Scope, level: int) -> Lines:
        """``for`` over a few integers."""
        name = self.target(scope) or "_"
        over = self.iterable(scope)
        scope.bind(name)
        scope.loops += 1
        with scope.branch():
            body = self.block(scope, 3, level - 1)
        scope.loops -= 1
        lines = [f"for {name} in {over}:", *indented(body)]
        return lines + self._otherwise(scope, level)

    def while_loop(self, scope: Scope, level: int) -> Lines:
        """``while``, counted by a variable that nothing else assigns."""
        if scope.kind != "function":
            return self.for_loop(scope, level)
        name = f"turn{len([name for name in scope.owned if name.startswith('turn')])}"
        scope.owned.add(name)
        scope.bind(name)
        scope.loops += 1
        with scope.branch():
            body = self.block(scope, 3, level - 1)
        scope.loops -= 1
        lines = [f"{name} = 0", f"while {name} < 2:", f"    {name} += 1", *indented(body)]
        return lines + self._otherwise(scope, level)

    def _otherwise(self, scope: Scope, level: int) -> Lines:
        if not self.chance(25):
            return []
        with scope.branch():
            return ["else:", *indented(self.block(scope, 2, level - 1))]

    def branches(self, scope: Scope, level: int) -> Lines:
        """``if``, with or without ``else``."""
        lines = [f"if {self.integer(scope, 1)} > {self.number(4)}:"]
        before = set(scope.bound)
        lines += indented(self.block(scope, 2, level - 1))
        after_then = set(scope.bound)
        scope.bound = set(before)
        if self.chance(60):
            lines += ["else:", *indented(self.block(scope, 2, level - 1))]
        scope.maybe |= after_then ^ scope.bound
        scope.bound &= after_then
        return lines

    def attempts(self, scope: Scope, level: int) -> Lines:
        """``try`` with handlers, ``else`` and ``finally``."""
        lines = ["try:"]
        with scope.branch():
            body = self.block(scope, 2, level - 1)
            raising = ["note(1 // 0)", f"raise KeyError({self.atom(scope)})", f"note(7 // {self.atom(scope)})"]
            if self.chance(50) and not ends(body[-1]):
                body.append(self.pick(raising))
            elif "out" in scope.owned and self.chance(35) and not ends(body[-1]) and scope.flavour == "plain":
                body.append(f"return {self.function(scope)}")
        lines += indented(body)
        handled = self.chance(80)
        if handled:
            lines += self._handlers(scope, level)
            if self.chance(20):
                with scope.branch():
                    lines += ["else:", *indented(self.block(scope, 1, level - 1))]
        if not handled or self.chance(40):
            lines += ["finally:", *indented(self._cleanup(scope, level))]
        return lines

    def _handlers(self, scope: Scope, level: int) -> Lines:
        lines: Lines = []
        for kinds in self.pick(
            [["Exception"], ["(ZeroDivisionError, KeyError, TypeError)"], ["KeyError", "Exception"]]
        ):
            name = self.target(scope) if self.chance(30) else None
            lines.append(f"except {kinds} as {name}:" if name else f"except {kinds}:")
            with scope.branch():
                lines += indented(self.block(scope, 2, level - 1))
            if name:
                scope.unbind(name)
        return lines

    def _cleanup(self, scope: Scope, level: int) -> Lines:
        if self.chance(60) and (name := self.target(scope)):
            scope.bind(name)
            return [f"{name} = {self.integer(scope, 1)}"]
        with scope.branch():
            return self.block(scope, 1, level - 1)

    def with_block(self, scope: Scope, level: int) -> Lines:
        """``with``, over managers that may swallow exceptions."""
        managers = ["contextlib.nullcontext(5)", "Swallow()", "contextlib.suppress(ZeroDivisionError, KeyError)"]
        manager = self.pick(managers)
        name = self.target(scope) if not manager.startswith("contextlib.s") and self.chance(70) else None
        if name:
            scope.bind(name)
        with scope.branch():
            body = self.block(scope, 2, level - 1)
            if not ends(body[-1].strip()) and self.chance(40) and "null" not in manager:
                body.append("note(1 // 0)")
        return [f"with {manager} as {name}:" if name else f"with {manager}:", *indented(body)]

    def match(self, scope: Scope, level: int) -> Lines:
        """``match`` with patterns that bind."""
        subject = self.pick([f"[{self.atom(scope)}, 2]", f'{{"k": {self.atom(scope)}, "z": 1}}', self.atom(scope)])
        lines = [f"match {subject}:"]
        for _ in range(1 + self.number(2)):
            name = self.target(scope)
            patterns = ["0", "[{0}, *_]", '{{"k": {0}}}', "int() as {0}", "[_, 2 | 3 as {0}]", "int({0}) if {0} > 1"]
            pattern = self.pick(patterns).format(name) if name else "0"
            with scope.branch():
                if name and name in pattern:
                    scope.bind(name)
                lines += ["    case " + pattern + ":", *indented(indented(self.block(scope, 2, level - 1)))]
        if self.chance(40):
            with scope.branch():
                lines += ["    case _:", *indented(indented(self.block(scope, 1, level - 1)))]
        return lines

"""Writes the ways in which functions outlive their scope."""

from __future__ import annotations

from .definitions import Definitions
from .lines import Lines
from .scope import INTEGERS, Scope

#: What the lambda of a ``defaultdict`` returns, where a shorter form exists.
FACTORIES = ("0", "[]", "collections.defaultdict(int)")


class Escapes(Definitions):
    """Statements that hand functions out."""

    def escape(self, scope: Scope, level: int) -> Lines:
        """Let a function outlive its scope."""
        value = self.function(scope)
        options = [
            (12, [f"out.append({value})"]),
            (4, [f"out.append(({self.atom(scope)}, {value}))"]),
            (3, [f'out.append({{"key": {value}}})']),
            (3, [f"out += [{value}]"]),
            (3, [f"out.append(Task({value}, note={self.atom(scope)}))"]),
            (3, ["box = Box()", f"box.action = {value}", "out.append(box)"]),
            (1, ["box = Box()", f'setattr(box, "action", {value})', "out.append(box)"]),
            (2, [f'HOOKS["hook"] = {value}']),
            (2, ["same = " + value, "out.append(same)", "out.append(same)"]),
            (2, [f"out.extend({value} for _ in range(2))"]),
            (2, [f"out.append(map({value}, (1, 2)))"]),
            (3, [f"out.append([{self._in_comprehension(scope)}])"]),
            (2, [f"out.append(collections.defaultdict(lambda: {self.anything(Scope(scope), 1)}))"]),
            (
                1,
                [f"out.append(collections.defaultdict(lambda: {self.pick(FACTORIES)}))"],
            ),
            (2, [f"out.append(sorted([2, 1], key={value}))"]),
            (1, [f"table = {{{value}: {self.atom(scope)}}}", "out.append(len(list(table)))"]),
            (1, [f"first, second = {value}, {self.function(scope)}", "out.append((first is second, first))"]),
            (2, [f"return {value}" if scope.flavour == "plain" else f"out.append({value})"]),
            (1, [f"return out, {value}" if scope.flavour == "plain" else f"out.append({value})"]),
        ]
        lines = self.weighted(options)
        written = {"box", "same", "table", "first", "second"} & {line.split(" ")[0].rstrip(",") for line in lines}
        if scope.kind == "function":
            scope.owned |= written
        if "HOOKS" not in lines[0] and self.chance(2) and scope.kind == "function":
            return [f'globals()["hook"] = {value}']
        return lines

    def _in_comprehension(self, scope: Scope) -> str:
        name = self.pick(INTEGERS[:5])
        inner = Scope(scope, "comprehension", owned={name}, bound={name})
        if self.chance(50):
            return f"{self.lambda_expression(inner)} for {name} in range(2)"
        used = self.pick([f"{name}={name}", f"x={name}", f"*, {name}={name}"])
        parameter = used.split("=")[0].removeprefix("*, ")
        body = self.anything(Scope(inner, owned={parameter}, bound={parameter}), 1)
        return f"lambda {used}: ({parameter}, {body}) for {name} in range(2)"

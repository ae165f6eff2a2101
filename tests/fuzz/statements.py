"""Chooses which statement stands next."""

from __future__ import annotations

from collections.abc import Callable

from .compound import Compound
from .lines import Lines, ends
from .scope import Scope


class Statements(Compound):
    """Blocks of statements. Where ``out`` is in sight, functions escape through it."""

    def block(self, scope: Scope, most: int, level: int = 2) -> Lines:
        """Up to ``most`` statements, at least one.

        Args:
            level: how deeply statements may still be nested.
        """
        lines: Lines = []
        for _ in range(most):
            if lines and not self.chance(75):
                break
            lines += self.statement(scope, level)
            if ends(lines[-1]):
                break
        return lines

    def statement(self, scope: Scope, level: int) -> Lines:
        """One statement, over as many lines as it needs."""
        self.budget -= 1
        options: list[tuple[int, Callable[[Scope, int], Lines]]] = [
            (12, self.assignment),
            (3, self.augmented),
            (3, self.effect),
            (2, self.unpacking),
        ]
        if "out" in scope.owned:
            options += [(16, self.escape)]
        if self.budget > 0:
            options += [
                (12, self.named_lambda),
                (16, self.definition),
                (2, self.deletion),
                (4, self.attribute_of_function),
                (1, self.local_import),
                (1, self.list_assignment),
            ]
        if self.budget > 0 and level > 0:
            options += [
                (4, self.for_loop),
                (3, self.while_loop),
                (5, self.branches),
                (5, self.attempts),
                (3, self.with_block),
                (3, self.match),
                (3, self.local_class),
            ]
        if scope.loops:
            options += [(14, self.leave_loop)]
        if scope.flavour == "generator":
            options += [(5, self.yields)]
        return self.weighted(options)(scope, level)

"""Random decisions, all drawn from one seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Makes every decision of a generator.

    Args:
        source: where the decisions come from.
        budget: how many statements may be written.
    """

    def __init__(self, source: random.Random, budget: int) -> None:
        self._source = source
        self.budget = budget

    def number(self, limit: int) -> int:
        """A number from 0 to ``limit - 1``."""
        return int(self._source.random() * limit)

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.number(100) < percent

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.number(len(options))]

    def some(self, options: Sequence[T], most: int) -> list[T]:
        """Up to ``most`` different options, in their order."""
        chosen = self._source.sample(range(len(options)), min(self.number(most + 1), len(options)))
        return [options[place] for place in sorted(chosen)]

    def weighted(self, options: Sequence[tuple[int, T]]) -> T:
        """One of the options, each as often as its weight says."""
        place = self.number(sum(weight for weight, _ in options))
        for weight, option in options:
            place -= weight
            if place < 0:
                return option
        raise AssertionError("the weights cover every place")

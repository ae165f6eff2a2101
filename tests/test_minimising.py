"""Delta debugging against every kind of failure."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from codemods.minimising import guilty, smallest_failing


@pytest.mark.parametrize("size", range(1, 9))
def test_the_smallest_part_that_fails(size: int) -> None:
    units = list(range(size))
    for count in range(1, min(size, 4) + 1):
        for culprits in itertools.combinations(units, count):
            asked: list[tuple[int, ...]] = []

            def fails(
                part: Sequence[int], needed: tuple[int, ...] = culprits, log: list[tuple[int, ...]] = asked
            ) -> bool:
                log.append(tuple(part))
                return set(needed) <= set(part)

            assert smallest_failing(units, fails) == list(culprits)
            assert all(list(part) == sorted(part) and part for part in asked)


@pytest.mark.parametrize("size", range(7))
def test_all_that_fails_is_found_and_the_rest_was_tried_last(size: int) -> None:
    units = list(range(size))
    for count in range(size + 1):
        for culprits in itertools.combinations(units, count):
            last: list[int] | None = None

            def fails(part: Sequence[int], bad: tuple[int, ...] = culprits) -> bool:
                nonlocal last
                last = list(part)
                return bool(set(bad) & set(part))

            found = guilty(units, fails)
            assert sorted(found) == list(culprits)
            innocent = [unit for unit in units if unit not in culprits]
            assert last == (innocent or last)


def test_one_culprit_of_many_takes_few_questions() -> None:
    asked = 0

    def fails(part: Sequence[int]) -> bool:
        nonlocal asked
        asked += 1
        return 700 in part

    assert guilty(range(1000), fails) == [700]
    assert asked < 50

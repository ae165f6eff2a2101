"""Delta debugging: what it is, among many changes, that makes a test fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Unit = TypeVar("Unit")


def smallest_failing(units: Sequence[Unit], fails: Callable[[Sequence[Unit]], bool]) -> list[Unit]:
    """A part of the units that fails, and of which no unit can be left out (Zeller's ddmin).

    Args:
        units: what fails as a whole.
        fails: whether some of the units, in the order in which they were given, fail.
    """
    failing = list(units)
    parts = 2
    while len(failing) > 1:
        size = -(-len(failing) // parts)
        chunks = [failing[start : start + size] for start in range(0, len(failing), size)]
        smaller = next((chunk for chunk in chunks if fails(chunk)), None)
        if smaller is not None:
            failing, parts = smaller, 2
            continue
        if parts > 2:
            rests = ([unit for unit in failing if unit not in chunk] for chunk in chunks)
            rest = next((rest for rest in rests if fails(rest)), None)
            if rest is not None:
                failing, parts = rest, max(parts - 1, 2)
                continue
        if parts >= len(failing):
            break
        parts = min(2 * parts, len(failing))
    return failing


def guilty(units: Sequence[Unit], fails: Callable[[Sequence[Unit]], bool]) -> list[Unit]:
    """Units without which the others do not fail; the last question that is asked is about those others.

    Args:
        units: what may fail.
        fails: whether some of the units, in the order in which they were given, fail.
    """
    innocent, found = list(units), []
    while innocent and fails(innocent):
        culprits = smallest_failing(innocent, fails)
        found += culprits
        innocent = [unit for unit in innocent if unit not in culprits]
    return found

"""Which changes go together, compared with the definition of that."""

from __future__ import annotations

import random

import pytest

from codemods.edits import Edit, overlaps
from codemods.rewrite.change import Change, Taken


def is_compatible(change: Change, others: list[Change]) -> bool:
    """Whether a change touches nothing that others touch; the very same edit may stand in several."""
    taken = {edit for other in others for edit in other.edits}
    return not any(edit not in taken and any(overlaps(edit, other) for other in taken) for edit in change.edits)


def random_change(choices: random.Random) -> Change:
    start = choices.randrange(12)
    edits = [Edit(start, start + choices.choice([0, 0, 1, 4]), choices.choice("ab"))]
    if choices.random() < 0.4:
        start = edits[0].end + choices.randrange(4)
        edits.append(Edit(start, start + choices.randrange(3), choices.choice("ab")))
    return Change(tuple(edits))


@pytest.mark.parametrize("seed", range(200))
def test_random_changes(seed: int) -> None:
    choices = random.Random(seed)
    taken, others = Taken(), list[Change]()
    for _ in range(12):
        change = random_change(choices)
        assert taken.leaves(change) == is_compatible(change, others)
        if taken.leaves(change):
            taken.add(change)
            others.append(change)
    assert others

"""A control-flow graph of blocks that bind and unbind names, and what holds at each block."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Effect(enum.Enum):
    """What completing a block does to a name."""

    BIND = enum.auto()
    UNBIND = enum.auto()
    USE = enum.auto()  # reading a local name succeeds only if it is bound
    BIND_ANY = enum.auto()  # a star import: whichever name it may be


class Facts(NamedTuple):
    """Sets of names for each block, as the bits of integers.

    Args:
        bits: the bit of each name.
        bound: the names that are bound whenever the block is entered; all of them if it is never entered.
        rebound: the names that may be bound or unbound in the block or after it.
    """

    bits: dict[str, int]
    bound: list[int]
    rebound: list[int]


@dataclass
class ControlGraph:
    """Blocks are numbered from 0, which is the entry.

    An exception leaves a block before its effects, every other edge after them.

    Args:
        successors: where control goes when a block is complete.
        landings: where an exception that is raised in a block is handled, None if nowhere or if none is raised.
        effects: what blocks do to names, in order.
    """

    successors: list[list[int]] = field(default_factory=list)
    landings: list[int | None] = field(default_factory=list)
    effects: dict[int, list[tuple[Effect, str]]] = field(default_factory=dict)

    def new_block(self) -> int:
        """Add a block that nothing leads to yet."""
        self.successors.append([])
        self.landings.append(None)
        return len(self.successors) - 1

    def order(self) -> list[int]:
        """The blocks that can be reached, each before those that it leads to, except along back edges."""
        seen = bytearray(len(self.successors))
        seen[0] = True
        finished: list[int] = []
        stack = [(0, iter(self.targets(0)))]
        while stack:
            block, targets = stack[-1]
            for target in targets:
                if not seen[target]:
                    seen[target] = True
                    stack.append((target, iter(self.targets(target))))
                    break
            else:
                finished.append(block)
                stack.pop()
        finished.reverse()
        return finished

    def targets(self, block: int) -> list[int]:
        """The blocks that control may enter next, where an exception is handled included."""
        landing = self.landings[block]
        return self.successors[block] if landing is None else [*self.successors[block], landing]


def solve(graph: ControlGraph, order: Sequence[int], names: Sequence[str]) -> Facts:
    """Find out for each block which of ``names`` are bound there and which may be rebound from there on.

    Args:
        graph: the finished graph.
        order: its ``order()``.
        names: the names to look at; the rest of them cost nothing.
    """
    bits = {name: 1 << position for position, name in enumerate(names)}
    transfers = {block: _transfer(effects, bits) for block, effects in graph.effects.items()}
    return Facts(bits, _bound(graph, order, transfers, len(bits)), _rebound(graph, order, transfers))


class _Transfer(NamedTuple):
    lost: int
    gained: int
    touched: int


def _transfer(effects: list[tuple[Effect, str]], bits: dict[str, int]) -> _Transfer:
    """Sum up the effects of a block, to be applied in the order of the fields."""
    lost = gained = touched = 0
    for effect, name in effects:
        bit = bits.get(name, 0)
        if effect is Effect.USE:
            gained |= bit
        elif effect is Effect.BIND:
            gained |= bit
            touched |= bit
        elif effect is Effect.UNBIND:
            gained &= ~bit
            lost |= bit
            touched |= bit
        else:
            touched = (1 << len(bits)) - 1
    return _Transfer(lost, gained, touched)


def _bound(graph: ControlGraph, order: Sequence[int], transfers: dict[int, _Transfer], width: int) -> list[int]:
    everything = (1 << width) - 1
    bound = [everything] * len(graph.successors)
    bound[0] = 0
    changed = True
    while changed:
        changed = False
        done = bytearray(len(bound))
        for block in order:
            done[block] = True
            before = after = bound[block]
            transfer = transfers.get(block)
            if transfer is not None:
                after = before & ~transfer.lost | transfer.gained
            for target in graph.successors[block]:
                changed |= _restrict(bound, target, after) and bool(done[target])
            landing = graph.landings[block]
            if landing is not None:
                changed |= _restrict(bound, landing, before) and bool(done[landing])
    return bound


def _restrict(bound: list[int], block: int, names: int) -> bool:
    """Let a block be entered with only ``names`` bound; tell whether that is news."""
    known = bound[block]
    common = known & names
    if common == known:
        return False
    bound[block] = common
    return True


def _rebound(graph: ControlGraph, order: Sequence[int], transfers: dict[int, _Transfer]) -> list[int]:
    rebound = [0] * len(graph.successors)
    changed = True
    while changed:
        changed = False
        for block in reversed(order):
            transfer = transfers.get(block)
            names = 0 if transfer is None else transfer.touched
            for target in graph.successors[block]:
                names |= rebound[target]
            landing = graph.landings[block]
            if landing is not None:
                names |= rebound[landing]
            if names != rebound[block]:
                rebound[block] = names
                changed = True
    return rebound

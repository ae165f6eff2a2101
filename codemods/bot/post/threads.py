"""What is already said on a pull request, and what is left to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from codemods.bot.bodies import fingerprints_in


class PostError(Exception):
    """A review could not be posted; the message is one line that names the cause and the cure."""


class ReadOnlyError(PostError):
    """The token may not write, as in a run for a pull request from a fork."""


class Thread(NamedTuple):
    """A comment of an earlier run.

    Args:
        identity: what the service calls it.
        body: its text.
        place: the file and the last line that it stands at; the line is None once the code there has changed.
        is_answered: whether somebody replied.
    """

    identity: Any
    body: str
    place: tuple[str, int | None]
    is_answered: bool


class Wanted(NamedTuple):
    """A comment that is to be there.

    Args:
        body: its text.
        place: the file and the last line that it stands at.
        request: what the service is sent for it.
    """

    body: str
    place: tuple[str, int]
    request: dict[str, Any]


class Plan(NamedTuple):
    """What has to be done.

    Args:
        missing: the comments to make.
        stale: the threads to remove: nobody replied, and what they say no longer holds, or is said anew.
    """

    missing: tuple[Wanted, ...]
    stale: tuple[Thread, ...]


class Posted(NamedTuple):
    """What was done.

    Args:
        made: how many comments were made.
        kept: how many of those that are wanted were there already.
        removed: how many threads were removed.
        notes: what went wrong on the way.
    """

    made: int
    kept: int
    removed: int
    notes: tuple[str, ...] = ()


def plan(wanted: Sequence[Wanted], threads: Iterable[Thread]) -> Plan:
    """Compare what is to be said with what is said already.

    A thread that somebody answered stays, and its findings are not brought up again.
    """
    missing = {(fingerprints_in(item.body), item.place[0]): item for item in wanted}
    answered: set[str] = set()
    stale: list[Thread] = []
    for thread in threads:
        key = (fingerprints_in(thread.body), thread.place[0])
        item = missing.get(key)
        if thread.is_answered:
            answered |= key[0]
        elif item is not None and (thread.body, thread.place) == (item.body, item.place):
            del missing[key]
        else:
            stale.append(thread)
    left = tuple(item for (fingerprints, _), item in missing.items() if not fingerprints <= answered)
    return Plan(left, tuple(stale))

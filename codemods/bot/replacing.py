"""From a rewritten file to the one replacement of lines that a review takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codemods.bot.hunks import Hunk, hunk_of

_CHANGED_ON_THE_WAY = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]|\r(?!\n)")
"""Characters that a comment does not carry for sure, or that others take for the end of a line."""


class Replacement(NamedTuple):
    """Some lines of a file and what is to stand in their place.

    Args:
        first: the first line that is replaced, counted from 1.
        last: the last one.
        text: what stands there then, in whole lines that end as in the file.
    """

    first: int
    last: int
    text: str

    @property
    def size(self) -> int:
        """How many lines the reader has to compare, old or new."""
        return max(self.last - self.first + 1, self.text.count("\n"))

    @property
    def bare_text(self) -> str:
        """The text without the end of its last line."""
        return self.text.removesuffix("\n").removesuffix("\r")


def replacement(before: bytes, after: bytes, hunks: Sequence[Hunk]) -> Replacement | None:
    """The replacement that makes one content of a file of another, if it lies inside a hunk and survives the way.

    Args:
        before: the file as the pull request has it.
        after: the file as it is to be.
        hunks: what the diff shows of the file.
    """
    old, new = _lines(before), _lines(after)
    for first, last, lines in _ranges(old, new):
        if hunk_of(hunks, first, last) is None:
            continue
        try:
            text = b"".join(lines).decode()
            b"".join(old[first - 1 : last]).decode()
        except UnicodeDecodeError:
            return None
        found = Replacement(first, last, text)
        if not _CHANGED_ON_THE_WAY.search(found.text) and _ends_alike(applied(before, found), after):
            return found
    return None


def applied(before: bytes, change: Replacement) -> bytes:
    """The file with a replacement made, as the services make it: what ends a line stays with the last line."""
    lines = _lines(before)
    replaced = lines[change.first - 1 : change.last]
    ending = b"\r\n" if replaced[-1].endswith(b"\r\n") else b"\n" if replaced[-1].endswith(b"\n") else b""
    lines[change.first - 1 : change.last] = [change.bare_text.encode() + ending]
    return b"".join(lines)


def _ends_alike(first: bytes, second: bytes) -> bool:
    """Whether two contents are equal, except that only one may end its last line."""
    return first == second or first.rstrip(b"\r\n") == second.rstrip(b"\r\n") and b"" in (_end(first), _end(second))


def _end(data: bytes) -> bytes:
    return data[len(data.rstrip(b"\r\n")) :]


def _lines(data: bytes) -> list[bytes]:
    """The lines as git counts them, with their ends."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1].removesuffix(b"\n")
    return lines if lines[-1] else lines[:-1]


def _ranges(old: list[bytes], new: list[bytes]) -> Iterator[tuple[int, int, list[bytes]]]:
    """The smallest ranges of lines whose replacement makes one file of the other.

    What is inserted between equal lines can be seen to begin earlier or later. A range holds at least one old line and
    one new line with something on it: services take an empty suggestion, or one of an empty line, for a deletion.
    """
    least = min(len(old), len(new))
    prefix = _common(old, new, least)
    suffix = _common(old[::-1], new[::-1], least)
    for start, end in ((prefix, min(suffix, least - prefix)), (min(prefix, least - suffix), suffix)):
        yield from _widened(old, new, start, len(old) - end)


def _common(first: list[bytes], second: list[bytes], most: int) -> int:
    return next((index for index in range(most) if first[index] != second[index]), most)


def _widened(old: list[bytes], new: list[bytes], start: int, stop: int) -> Iterator[tuple[int, int, list[bytes]]]:
    shift = len(new) - len(old)
    if start < stop and any(line.strip() for line in new[start : stop + shift]):
        yield start + 1, stop, new[start : stop + shift]
        return
    for first, last in ((start, stop + 1), (start - 1, stop)):
        if first >= 0 and last <= len(old) and any(line.strip() for line in new[first : last + shift]):
            yield first + 1, last, new[first : last + shift]

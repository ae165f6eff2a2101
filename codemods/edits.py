"""Text edits: plain data, applied all at once, never one on top of another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """Replace the text between two offsets.

    Args:
        start: first code point to replace, counted from the start of the decoded text.
        end: the code point after the last one to replace; equal to ``start`` for an insertion.
        text: what stands there afterwards, with the line endings of the file.
    """

    start: int
    end: int
    text: str


def overlaps(first: Edit, second: Edit) -> bool:
    """Whether two edits touch the same text.

    Two insertions at one place do not overlap: they are applied in the order in which they are given.
    An edit that inserts at the edge of a replaced range does not touch it either.
    """
    if first.start == first.end or second.start == second.end:
        return first.start < second.end and second.start < first.end and first != second
    return first.start < second.end and second.start < first.end


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return ``text`` with all ``edits`` made.

    Args:
        text: the decoded text that the offsets of the edits count in.
        edits: edits that do not overlap; equal edits are made once.

    Raises:
        ValueError: if two edits overlap.
    """
    pieces: list[str] = []
    position = 0
    for edit in sorted(dict.fromkeys(edits), key=lambda edit: (edit.start, edit.end)):
        if edit.start < position:
            raise ValueError(f"overlapping edits at offset {edit.start}")
        pieces.append(text[position : edit.start])
        pieces.append(edit.text)
        position = edit.end
    pieces.append(text[position:])
    return "".join(pieces)

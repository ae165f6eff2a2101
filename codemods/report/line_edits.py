"""A fix as one replacement of whole lines, which is the only form that reviews of code take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from codemods.edits import Edit, apply
from codemods.source import Source


class LineEdit(NamedTuple):
    """Replace some lines.

    Args:
        first: the first line to replace, counted from 1.
        last: the last one; an insertion takes a neighbouring line along.
        text: what stands there afterwards, with line ends; empty if the lines go.
    """

    first: int
    last: int
    text: str

    @property
    def suggestion(self) -> str:
        """The text without its last line end, as reviews take it."""
        return self.text.removesuffix("\n").removesuffix("\r")


def line_edit(source: Source, edits: Sequence[Edit]) -> LineEdit:
    """The lines from the first to the last that edits touch, and what becomes of them.

    Args:
        source: the text.
        edits: at least one edit; they do not overlap.
    """
    start, end = source.location(min(edit.start for edit in edits)), source.location(max(edit.end for edit in edits))
    first, last = start.row, end.row
    if first > 1 and not source.line(first):  # behind the last line
        first -= 1
        last = first
    if end.column == 1 and last > first:
        without = _replaced(source, edits, first, last - 1)
        if not without.text or without.text.endswith(("\n", "\r")):
            return without
    return _replaced(source, edits, first, last)


def _replaced(source: Source, edits: Sequence[Edit], first: int, last: int) -> LineEdit:
    begin, stop = source.line_start(first), source.line_start(last + 1)
    moved = [Edit(edit.start - begin, edit.end - begin, edit.text) for edit in edits]
    return LineEdit(first, last, apply(source.text[begin:stop], moved))

"""The lines that a fix changes, next to what becomes of them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from codemods.edits import Edit
from codemods.report.line_edits import LineEdit, line_edit
from codemods.source import Source

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n)|([^\r\n]+)$")


class Row(NamedTuple):
    """A line before and after a change, each with its number counted from 1; None where there is none."""

    before: str | None
    after: str | None
    before_number: int | None = None
    after_number: int | None = None

    @property
    def is_changed(self) -> bool:
        """Whether the two lines differ."""
        return self.before != self.after


def hunks(source: Source, edits: Sequence[Edit], context: int = 3) -> Iterator[list[Row]]:
    """The places that edits change, each with some lines around.

    Args:
        source: the text.
        edits: the changes, which do not overlap.
        context: how many unchanged lines are shown before and after a change.
    """
    last_line = _last_line(source)
    shift = 0  # how much further down a line is afterwards
    for group in _groups(_line_edits(source, edits), 2 * context):
        rows: list[Row] = []
        following = max(1, group[0].first - context)
        for change in group:
            rows += _unchanged(source, following, change.first - 1, shift)
            rows += _aligned(source, change, shift)
            shift += len(_lines(change.text)) - len(_replaced(source, change))
            following = change.last + 1
        rows += _unchanged(source, following, min(change.last + context, last_line), shift)
        yield rows


def excerpt(source: Source, first: int, last: int) -> list[Row]:
    """Some lines that nothing changes, as far as they exist."""
    return _unchanged(source, max(1, first), min(last, _last_line(source)), 0)


def unified(source: Source, edits: Sequence[Edit]) -> str:
    """The same as text: lines that begin with a blank, a minus or a plus, each place under its line numbers."""
    return "".join(_unified(rows) for rows in hunks(source, edits))


def _unified(rows: list[Row]) -> str:
    old = [row.before_number for row in rows if row.before_number is not None]
    new = [row.after_number for row in rows if row.after_number is not None]
    lines = [f"@@ -{old[0] if old else 0},{len(old)} +{new[0] if new else 0},{len(new)} @@"]
    removed: list[str] = []
    added: list[str] = []
    for row in rows:
        if not row.is_changed:
            lines += [*removed, *added, f" {row.before}"]
            removed, added = [], []
        else:
            removed += [] if row.before is None else [f"-{row.before}"]
            added += [] if row.after is None else [f"+{row.after}"]
    return "".join(f"{line}\n" for line in (*lines, *removed, *added))


def _last_line(source: Source) -> int:
    """The number of the last line that is not empty without a line end."""
    return source.line_count - (not source.line(source.line_count))


def _line_edits(source: Source, edits: Sequence[Edit]) -> Iterator[LineEdit]:
    """The changes as whole lines, in order, no line in two of them."""
    together: list[Edit] = []
    for edit in sorted(edits):
        if together and line_edit(source, [edit]).first > line_edit(source, together).last:
            yield line_edit(source, together)
            together = []
        together.append(edit)
    if together:
        yield line_edit(source, together)


def _groups(changes: Iterator[LineEdit], most_between: int) -> list[list[LineEdit]]:
    groups: list[list[LineEdit]] = []
    for change in changes:
        if groups and change.first - groups[-1][-1].last - 1 <= most_between:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _unchanged(source: Source, first: int, last: int, shift: int) -> list[Row]:
    lines = ((row, source.line(row).rstrip("\r\n")) for row in range(first, last + 1))
    return [Row(line, line, row, row + shift) for row, line in lines]


def _aligned(source: Source, change: LineEdit, shift: int) -> Iterator[Row]:
    """The old and the new lines of a change, equal ones next to each other."""
    old, new = _replaced(source, change), _lines(change.text)
    for _, start, end, new_start, new_end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for row, new_row in zip_longest(range(start, end), range(new_start, new_end)):
            yield Row(
                None if row is None else old[row],
                None if new_row is None else new[new_row],
                None if row is None else change.first + row,
                None if new_row is None else change.first + shift + new_row,
            )


def _replaced(source: Source, change: LineEdit) -> list[str]:
    """The old lines; none in an empty file."""
    return _lines(source.text[source.line_start(change.first) : source.line_start(change.last + 1)])


def _lines(text: str) -> list[str]:
    return [match.group(1) or match.group(2) or "" for match in _LINE.finditer(text)]

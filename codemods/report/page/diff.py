"""Two versions of some lines side by side, as HTML."""

from __future__ import annotations

import os
from collections.abc import Iterable

from codemods.report.hunks import Row
from codemods.report.page.template import line, text
from codemods.report.text import columns

_SIGNS = {"old": "−", "new": "+"}
"""For those who do not see the colours."""


def side_by_side(places: Iterable[list[Row]], label: str) -> str:
    """A table with the old lines on the left and the new ones on the right.

    Args:
        places: the rows of each place that changes.
        label: what the table is called for those who do not see it.
    """
    gap = '<tr class="gap"><td colspan="4">⋯</td></tr>'
    rows = gap.join("".join(map(_row, place)) for place in places)
    return (
        f'<table class="diff" aria-label="{text(label)}"><colgroup><col class="number"><col><col class="number"><col>'
        '</colgroup><thead><tr><th colspan="2" scope="col">Before</th>'
        '<th colspan="2" scope="col">After</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def listing(rows: list[Row], marked: range, label: str) -> str:
    """A table of lines that stay as they are.

    Args:
        rows: the lines.
        marked: the numbers of those that matter.
        label: what the table is called for those who do not see it.
    """
    lines = "".join(
        f'<tr{" class=marked" if row.before_number in marked else ""}><td class="number">{row.before_number}</td>'
        f'<td class="line">{line(row.before or "")}</td></tr>'
        for row in rows
    )
    head = '<colgroup><col class="number"><col></colgroup>'
    return f'<table class="diff one" aria-label="{text(label)}">{head}<tbody>{lines}</tbody></table>'


def _row(row: Row) -> str:
    before, after = row.before, row.after
    if not row.is_changed:
        return f"<tr>{_cell(row.before_number, line(before or ''))}{_cell(row.after_number, line(after or ''))}</tr>"
    old = "" if before is None else line(before) if after is None else _marked(before, after)
    new = "" if after is None else line(after) if before is None else _marked(after, before)
    cells = _cell(row.before_number, old, "old") + _cell(row.after_number, new, "new")
    return f"<tr>{cells}</tr>"


def _cell(number: int | None, content: str, kind: str = "") -> str:
    """A line with its number; without a number, a place where the other side has a line."""
    if number is None:
        return '<td class="number none"></td><td class="line none"></td>'
    sign = _SIGNS.get(kind, "")
    return f'<td class="number {kind}">{number}</td><td class="line {kind}" data-sign="{sign}">{content}</td>'


def _marked(text: str, other: str) -> str:
    """A line in which the part that differs from another line is marked, unless that is nearly all of it."""
    text, other = columns(text), columns(other)
    start = len(os.path.commonprefix([text, other]))
    end = len(os.path.commonprefix([text[start:][::-1], other[start:][::-1]]))
    stop = len(text) - end
    if start == stop or start + end < len(text) // 4 or not (text[:start] + text[stop:]).strip():
        return line(text)
    return f"{line(text[:start])}<mark>{line(text[start:stop])}</mark>{line(text[stop:])}"

"""Two versions of some lines side by side, as HTML."""

from __future__ import annotations

import os
from collections.abc import Iterable

from codemods.report.hunks import Row
from codemods.report.page.template import text
from codemods.report.text import columns


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
        f'</colgroup><thead><tr><th colspan="2" scope="col">Before</th>'
        f'<th colspan="2" scope="col">After</th></tr></thead>'
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
        f'<td class="line">{text(row.before or "")}</td></tr>'
        for row in rows
    )
    head = '<colgroup><col class="number"><col></colgroup>'
    return f'<table class="diff one" aria-label="{text(label)}">{head}<tbody>{lines}</tbody></table>'


def _row(row: Row) -> str:
    before, after = row.before, row.after
    if not row.is_changed:
        return f"<tr>{_cell(row.before_number, before, '', '')}{_cell(row.after_number, after, '', '')}</tr>"
    old = text(before or "") if after is None else _marked(before or "", after)
    new = text(after or "") if before is None else _marked(after or "", before)
    return (
        f"<tr>{_cell(row.before_number, before, 'old' if before is not None else 'none', old)}"
        f"{_cell(row.after_number, after, 'new' if after is not None else 'none', new)}</tr>"
    )


def _cell(number: int | None, line: str | None, kind: str, content: str) -> str:
    if not kind:
        return f'<td class="number">{number}</td><td class="line">{text(line or "")}</td>'
    sign = {"old": "−", "new": "+", "none": ""}[kind]
    shown = "" if number is None else str(number)
    return f'<td class="number {kind}">{shown}</td><td class="line {kind}" data-sign="{sign}">{content}</td>'


def _marked(line: str, other: str) -> str:
    """A line in which the part that differs from another line is marked, unless that is nearly all of it."""
    line, other = columns(line), columns(other)
    start = len(os.path.commonprefix([line, other]))
    end = len(os.path.commonprefix([line[start:][::-1], other[start:][::-1]]))
    stop = len(line) - end
    if start == stop or start + end < len(line) // 4 or not line[:start].strip() + line[stop:].strip():
        return text(line)
    return f"{text(line[:start])}<mark>{text(line[start:stop])}</mark>{text(line[stop:])}"

"""Fixes as whole lines and side by side."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemods.edits import Edit, apply
from codemods.report.hunks import Row, hunks, unified
from codemods.report.line_edits import LineEdit, line_edit
from codemods.source import Source

TEXT = "a\nbb\nccc\n"


@pytest.mark.parametrize(
    ("text", "edit", "expected"),
    [
        pytest.param(TEXT, Edit(3, 4, "x"), LineEdit(2, 2, "bx\n"), id="inside-a-line"),
        pytest.param(TEXT, Edit(2, 2, "new\n"), LineEdit(2, 2, "new\nbb\n"), id="insertion-takes-a-neighbour"),
        pytest.param(TEXT, Edit(2, 5, ""), LineEdit(2, 2, ""), id="a-line-goes"),
        pytest.param(TEXT, Edit(1, 5, "\n"), LineEdit(1, 2, "a\n"), id="from-the-end-of-a-line"),
        pytest.param(TEXT, Edit(9, 9, "d\n"), LineEdit(3, 3, "ccc\nd\n"), id="behind-the-last-line"),
        pytest.param(TEXT, Edit(1, 2, ""), LineEdit(1, 2, "abb\n"), id="two-lines-become-one"),
        pytest.param("a", Edit(1, 1, "b"), LineEdit(1, 1, "ab"), id="no-line-end"),
        pytest.param("", Edit(0, 0, "b\n"), LineEdit(1, 1, "b\n"), id="empty-file"),
    ],
)
def test_whole_lines(text: str, edit: Edit, expected: LineEdit) -> None:
    assert line_edit(Source("a.py", text), [edit]) == expected


PIECES = st.lists(st.sampled_from(["a", "b", " ", "\n", "\n", "\r\n", "é"]), max_size=30).map("".join)


@settings(max_examples=500, deadline=None)
@given(text=PIECES, cuts=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 4), PIECES), max_size=4))
def test_any_edits(text: str, cuts: list[tuple[int, int, str]]) -> None:
    edits: list[Edit] = []
    position = 0
    for start, length, new in sorted(cuts):
        start = max(start, position)
        if start + length <= len(text) and (length or new) and text[start - 1 : start + 1] != "\r\n":
            edits.append(Edit(start, start + length, new))
            position = start + length + 1
    if not edits or "\r\n" in [text[edit.end - 1 : edit.end + 1] for edit in edits]:
        return
    source, after = Source("a.py", text), apply(text, edits)
    change = line_edit(source, edits)
    first, last = source.line_start(change.first), source.line_start(change.last + 1)
    assert text[:first] + change.text + text[last:] == after
    rows = [row for place in hunks(source, edits, context=100) for row in place]
    for side, whole in ((0, text), (1, after)):
        lines = [row[side] for row in rows if row[side] is not None]
        expected = whole.replace("\r\n", "\n").removesuffix("\n").split("\n") if whole else []
        assert lines == expected
        numbers = [row[side + 2] for row in rows if row[side] is not None]
        assert numbers == list(range(1, len(numbers) + 1))


def test_an_empty_file_has_no_line() -> None:
    (rows,) = hunks(Source("a.py", ""), [Edit(0, 0, "new\n")])
    assert rows == [Row(None, "new", None, 1)]


def test_places_far_apart_are_shown_apart() -> None:
    source = Source("a.py", "".join(f"line {number}\n" for number in range(1, 41)))
    changes = [
        Edit(source.line_start(5), source.line_start(6), ""),
        Edit(source.line_start(30), source.line_start(30), "new\n"),
    ]
    first, second = hunks(source, changes, context=1)
    assert first == [Row("line 4", "line 4", 4, 4), Row("line 5", None, 5, None), Row("line 6", "line 6", 6, 5)]
    assert second == [
        Row("line 29", "line 29", 29, 28),
        Row(None, "new", None, 29),
        Row("line 30", "line 30", 30, 30),
        Row("line 31", "line 31", 31, 31),
    ]
    assert unified(source, changes).splitlines()[0] == "@@ -2,7 +2,6 @@"

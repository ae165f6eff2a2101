"""The comments of a file: real ones, never text inside a string that looks like one."""

from __future__ import annotations

import bisect
import contextlib
import io
import re
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

from codemods.source import Source

BLANK = frozenset({tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER})
"""The types of tokens that stand for nothing that is written."""


class Comment(NamedTuple):
    """A comment and where it stands.

    Args:
        text: from the ``#`` to the end of the line.
        row: its line, counted from 1.
        start: the offset of the ``#``.
        column: how many code points stand before it on its line.
        is_alone: whether it stands between statements, on a line of its own.
        next_row: for such a comment the line on which the next statement begins, past the end if there is none.
        block_end: the last line of the block that it stands in, as its column tells.
    """

    text: str
    row: int
    start: int
    column: int
    is_alone: bool
    next_row: int
    block_end: int


def comments(source: Source, wanted: re.Pattern[str]) -> list[Comment]:
    """The comments of a file in which a pattern is found, in order; up to the first mistake if it is not Python."""
    found: list[tuple[tokenize.TokenInfo, bool]] = []
    starts: list[tuple[int, int]] = []  # line and column of each logical line
    begins_line = True
    for token in tokens(source):
        if token.type == tokenize.COMMENT:
            if wanted.search(token.string):
                found.append((token, begins_line))
        elif token.type == tokenize.NEWLINE:
            begins_line = True
        elif token.type not in BLANK and begins_line:
            starts.append(token.start)
            begins_line = False
    return list(_placed(source, found, starts))


def _placed(
    source: Source, found: list[tuple[tokenize.TokenInfo, bool]], starts: list[tuple[int, int]]
) -> Iterator[Comment]:
    beyond = source.line_count + 1
    for token, is_between in found:
        row, column = token.start
        below = starts[bisect.bisect(starts, (row, column)) :] if is_between else []
        end = next((start[0] - 1 for start in below if start[1] < column), source.line_count)
        next_row = below[0][0] if below else beyond
        yield Comment(token.string, row, source.line_start(row) + column, column, is_between, next_row, end)


def tokens(source: Source) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a file, up to the first mistake if it is not Python."""
    # Every line ends as the tokenizer likes it, so that a carriage return alone counts as the parser counts it.
    lines = (source.line(row).rstrip("\r\n") + "\n" for row in range(1, source.line_count + 1))
    text = io.StringIO("".join(lines))
    # What is wrong with the file is for the parser to say.
    with contextlib.suppress(tokenize.TokenError, SyntaxError):
        yield from tokenize.generate_tokens(text.readline)

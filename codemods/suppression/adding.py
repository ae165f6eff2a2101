"""Writing comments that suppress findings."""

from __future__ import annotations

import tokenize
from collections.abc import Iterable, Mapping

from codemods.edits import Edit
from codemods.source import Source
from codemods.suppression.comments import BLANK, tokens


class PlaceError(Exception):
    """There is no place for a comment; the message says for which line."""


def additions(source: Source, wanted: Mapping[tuple[int, int], Iterable[str]], reason: str) -> tuple[Edit, ...]:
    """The edits that suppress rules for some statements.

    A comment goes on a line of its own above the statement, where nothing can be in its way: neither strings and
    continued lines nor other comments and decorators. Only a statement on a line that begins with the rest of another
    one gets it at the end of its header.

    Args:
        source: the file.
        wanted: the codes of the rules, by the first and the last line of the header of each statement.
        reason: why, in one line.

    Raises:
        PlaceError: if a statement stands between two strings of several lines.
    """
    begun, free = _line_kinds(source)
    result: list[Edit] = []
    for (first, last), codes in sorted(wanted.items()):
        comment = f"# picklefix: ignore[{', '.join(sorted(set(codes)))}] {reason}".rstrip()
        line = source.line(first)
        if first in begun:
            indent = line[: len(line) - len(line.lstrip(" \t\f"))].replace("\f", "")
            start = source.line_start(first)
            result.append(Edit(start, start, f"{indent}{comment}{source.newline}"))
        elif last in free:
            end = source.line_start(last) + len(source.line(last).rstrip("\r\n"))
            result.append(Edit(end, end, f"  {comment}"))
        else:
            raise PlaceError(f"there is no place for a comment beside line {first}; give that statement its own lines")
    return tuple(result)


def _line_kinds(source: Source) -> tuple[set[int], set[int]]:
    """The lines on which a statement begins the line, and those whose end is not inside a string or continued."""
    begun: set[int] = set()
    free: set[int] = set()
    begins = True
    for token in tokens(source):
        if token.type in (tokenize.NEWLINE, tokenize.NL):
            free.add(token.start[0])
            begins = begins or token.type == tokenize.NEWLINE
        elif token.type not in BLANK and token.type != tokenize.COMMENT and begins:
            begun.add(token.start[0])
            begins = False
    return begun, free

"""Statements as lists of lines. A line holds line breaks only inside brackets and strings."""

from __future__ import annotations

Lines = list[str]


def indented(lines: Lines) -> Lines:
    """The lines as a block."""
    return ["    " + line for line in lines]


def ends(line: str) -> bool:
    """Whether nothing may follow a line in its block."""
    return line.startswith(("return", "raise", "break", "continue"))


def is_simple(line: str) -> bool:
    """Whether a line is a whole statement that may share a line with others."""
    return not line.startswith((" ", "@", "#")) and not line.endswith(":") and "\n" not in line


def declarations(lines: Lines) -> int:
    """How many ``nonlocal`` and ``global`` statements a body begins with."""
    count = 0
    while count < len(lines) and lines[count].startswith(("nonlocal", "global")):
        count += 1
    return count

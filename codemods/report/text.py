"""Text as a terminal can show it."""

from __future__ import annotations

import re
import unicodedata

_TAB = 4


def printable(text: str) -> str:
    """A text on one line: control characters, which could also steer the terminal, become escapes."""
    if text.isprintable():
        return text
    return "".join(character if _is_shown(character) else _escape(character) for character in text)


def encodable(text: str) -> str:
    """A text that any encoding of Unicode takes: bytes of file names that are not UTF-8 get a stand-in."""
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text)


def columns(text: str) -> str:
    """A source line with tabs as spaces and a stand-in of the same width for each control character."""
    text = text.expandtabs(_TAB)
    return "".join(character if _is_shown(character) else "\N{REPLACEMENT CHARACTER}" for character in text)


def width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(_columns_of(character) for character in text)


def plural(count: int, noun: str, ending: str = "s") -> str:
    """A count with its noun, for example ``3 findings``."""
    return f"{count:,} {noun}{'' if count == 1 else ending}"


def _is_shown(character: str) -> bool:
    # A surrogate is a byte of a file name that is not UTF-8; it goes out as that byte again.
    return unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp")


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _columns_of(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

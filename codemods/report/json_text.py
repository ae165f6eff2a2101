"""JSON that every parser takes: ASCII only, and no lone surrogates, which file names that are not UTF-8 have."""

from __future__ import annotations

import json
import re

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def dumps(value: object, indent: int | None = None) -> str:
    """A value as JSON with sorted keys.

    Args:
        value: dicts, lists, strings, numbers, booleans and None.
        indent: how far each level is indented; everything is on one line if left out.
    """
    text = json.dumps(value, indent=indent, sort_keys=True, ensure_ascii=False)
    return text if text.isascii() else _NOT_ASCII.sub(_escape, text)


def indented(value: object, spaces: int) -> str:
    """The same over several lines that all begin with so many spaces."""
    return "\n".join(" " * spaces + line for line in dumps(value, indent=2).split("\n"))


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    is_surrogate = 0xD800 <= ord(character) < 0xE000
    return json.dumps("\N{REPLACEMENT CHARACTER}" if is_surrogate else character)[1:-1]

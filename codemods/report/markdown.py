"""Text in Markdown that means itself, whatever characters it has."""

from __future__ import annotations

import re

from codemods.report.text import encodable, printable

_MARKUP = re.compile(r"[&<>*\[\]|`\\~@#!]|\b_|_\b")
_CODE = re.compile(r"`([^`]*)`")


def prose(text: str) -> str:
    """A sentence on one line; what stands between backquotes is code."""
    pieces = _CODE.split(encodable(printable(text)))
    return "".join(code(piece) if index % 2 else _plain(piece) for index, piece in enumerate(pieces))


def code(text: str) -> str:
    """Some code or a file name on one line."""
    text = encodable(printable(text))
    if not text or "`" in text or "|" in text or text != text.strip():
        return f"<code>{_plain(text)}</code>"
    return f"`{text}`"


def block(text: str, language: str) -> str:
    """Lines of code between fences that are longer than any run of backquotes in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}{'' if text.endswith(chr(10)) else chr(10)}{fence}\n"


def _plain(text: str) -> str:
    return _MARKUP.sub(lambda match: f"&#{ord(match.group())};", text)

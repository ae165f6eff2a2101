"""The frame of a page: its style and its script are part of it, and it loads nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape
from importlib.resources import files

from codemods.report.text import columns, encodable, printable

_PLACE = re.compile(r"\{\{(\w+)\}\}")
_CODE = re.compile(r"`([^`]*)`")


def page(title: str, body: str) -> str:
    """A whole page.

    Args:
        title: the title, as text.
        body: what stands in it, as HTML.
    """
    style, script = _read("page.css"), _read("page.js")
    values = {
        "body": body,
        "script": script,
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        "style": style,
        "title": text(title),
    }
    return _PLACE.sub(lambda match: values[match.group(1)], _read("page.html"))


def text(value: str) -> str:
    """A name or a sentence as HTML, on one line; what neither HTML nor a screen has becomes an escape."""
    return _escaped(printable(value))


def line(value: str) -> str:
    """A line of source as HTML, each character as wide as it was."""
    return _escaped(columns(value))


def prose(value: str) -> str:
    """A sentence in which code stands between backquotes, as HTML."""
    pieces = _CODE.split(value)
    return "".join(f"<code>{text(piece)}</code>" if index % 2 else text(piece) for index, piece in enumerate(pieces))


def _escaped(value: str) -> str:
    return escape(encodable(value))


def _read(name: str) -> str:
    return (files("codemods.report") / "templates" / name).read_text("utf-8")

"""Terminal output as people paste it, turned back into the lines that the program printed."""

from __future__ import annotations

import html
import re

LONGEST = 16_000_000
"""In bytes. Of a longer log the end is read: that is where a program stopped."""

_ESCAPE_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]")
_LOST_ESCAPE = re.compile(r"(?<![\w\])])\[(?:\d{1,3}(?:;\d{1,3})*)?m")
_INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u2060\ufeff]")
_WRITTEN_NEWLINE = re.compile(
    r"(?<!\\)(?:\\r)?\\n(?=\s|\\n|Traceback|File |The above|During|[\w.]*(?:Error|Exception)\b|[\"'}]|$)"
)
_WRITTEN_ESCAPE = re.compile(r"\\(?:u001[bB]|x1[bB]|033|e)(?=\[)")
_WRITTEN_PUNCTUATION = re.compile(r"\\u(20[0-9a-fA-F]{2})")
_GROUP_MARGIN = re.compile(r"^[ \t]*(?:\| ?|\+-[-+ \d]*$)", re.MULTILINE)
_MARKUP = re.compile(r"&(?:lt|gt|quot|amp|#39|#x27|#34);")
_HEADER = re.compile(r"^(?P<prefix>\S.{0,120}?)(?=Traceback \(most recent call last\)|  File \")", re.MULTILINE)
_ERROR = re.compile(r"Error|Exception|File \"")
_NUMBERED = re.compile(r"(\w{0,40}\d\w{0,40})")
_FRAME_OF_BOX = re.compile(r"^[ \t]*[│┃] ?(.*?)[ \t]*[│┃][ \t]*$", re.MULTILINE)
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " ", "\u2028": "\n"})
_MOST_PREFIXES = 20


def cleaned(data: bytes) -> str:
    """The text of a log or a paste, without colours, prefixes of log lines, quotation marks of mails and the like.

    Args:
        data: what was pasted, in any encoding and of any size.
    """
    text = _decoded(data[-LONGEST:])
    text = _ESCAPE_SEQUENCE.sub("", _WRITTEN_ESCAPE.sub("\x1b", text))
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("`", "'")
    text = _WRITTEN_PUNCTUATION.sub(lambda match: chr(int(match[1], 16)), text)
    if not text.isascii():
        text = text.translate(_QUOTES)
    text = _LOST_ESCAPE.sub("", _INVISIBLE.sub("", text))
    if _MARKUP.search(text):
        text = html.unescape(text)
    text, written = _WRITTEN_NEWLINE.subn("\n", text.replace("\\'", "'").replace('\\"', '"'))
    if written:
        text = text.replace("\\\\", "\\")  # It was the literal of a string, as in JSON.
    text = _without_prefixes(_FRAME_OF_BOX.sub(r"\1", text))
    return _GROUP_MARGIN.sub("", text) if "Exception Group Traceback" in text else text


def _decoded(data: bytes) -> str:
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):  # What PowerShell writes with `>`.
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace")


def _without_prefixes(text: str) -> str:
    """Cut what a logger put before each line: whatever stands before several lines of a traceback, but for digits."""
    shapes: set[str] = set()
    for match in _HEADER.finditer(text):
        if not _ERROR.search(match["prefix"]):
            shapes.add(_shape(match["prefix"]))
        if len(shapes) == _MOST_PREFIXES:
            break
    for shape in sorted(shapes, key=len, reverse=True):
        prefix = re.compile(rf"^(?:{shape})", re.MULTILINE)
        if len(prefix.findall(text)) > 1:
            text = prefix.sub("", text)
    return text


def _shape(prefix: str) -> str:
    words = _NUMBERED.split(prefix.rstrip())
    pattern = "".join(
        rf"{_NUMBERED.pattern[1:-1]}" if index % 2 else re.escape(word) for index, word in enumerate(words)
    )
    return rf"{pattern} ?"

"""A Python file as bytes and as text: encoding, byte order mark and line endings are kept as they are."""

from __future__ import annotations

import ast
import codecs
import io
import re
import tokenize
from collections.abc import Iterator
from typing import Protocol

from codemods.finding import Location

_LINE_END = re.compile(r"\r\n|\r|\n")


class SourceError(Exception):
    """The bytes are not text in the encoding that the file declares."""


class Positioned(Protocol):
    """What every statement and expression of ``ast`` has."""

    @property
    def lineno(self) -> int:
        """The first line, counted from 1."""

    @property
    def col_offset(self) -> int:
        """The column on it, in bytes of UTF-8."""

    @property
    def end_lineno(self) -> int | None:
        """The last line."""

    @property
    def end_col_offset(self) -> int | None:
        """The column after the end."""


class Source:
    """The text of a file, and how to turn it back into bytes.

    Args:
        path: the file, as it was named to the run.
        text: the decoded text without its byte order mark, line endings untouched.
        encoding: the declared encoding, ``utf-8`` if none is.
        byte_order_mark: whether the file begins with one.
    """

    def __init__(self, path: str, text: str, encoding: str = "utf-8", byte_order_mark: bool = False) -> None:
        self.path = path
        self.text = text
        self.encoding = encoding
        self.byte_order_mark = byte_order_mark
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    @classmethod
    def decode(cls, path: str, data: bytes) -> Source:
        """Read ``data`` in the encoding that it declares (PEP 263).

        Raises:
            SourceError: if the encoding is unknown or the bytes do not fit it.
        """
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        except (SyntaxError, UnicodeDecodeError) as error:
            raise SourceError(str(error)) from error
        mark = data.startswith(codecs.BOM_UTF8)
        if mark:
            data, encoding = data[len(codecs.BOM_UTF8) :], "utf-8"
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            row = data.count(b"\n", 0, error.start) + 1
            raise SourceError(f"line {row} is not {encoding} text ({error.reason})") from error
        except (LookupError, UnicodeError) as error:
            # Some codecs turn bytes into bytes, and some give no place.
            raise SourceError(f"{encoding} is not an encoding for text, or not that of this file") from error
        if text.encode(encoding) != data:
            raise SourceError(f"its bytes do not survive a round trip through {encoding}")
        return cls(path, text, encoding, mark)

    def with_text(self, text: str) -> Source:
        """The same file with another text."""
        return Source(self.path, text, self.encoding, self.byte_order_mark)

    def encode(self, text: str) -> bytes:
        """Turn a changed text into the bytes of this file.

        Raises:
            SourceError: if the declared encoding lacks a character of the text.
        """
        try:
            data = text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise SourceError(f"{self.encoding} cannot represent {text[error.start]!r}") from error
        return codecs.BOM_UTF8 + data if self.byte_order_mark else data

    @property
    def newline(self) -> str:
        """The line ending of the first line, ``\\n`` if there is none."""
        match = _LINE_END.search(self.text)
        return match.group() if match else "\n"

    @property
    def line_count(self) -> int:
        """How many lines the parser counts."""
        return len(self._starts)

    def line_start(self, row: int) -> int:
        """The offset of the first code point of a line, counted from 1; the end of the text past the last."""
        return self._starts[row - 1] if row <= len(self._starts) else len(self.text)

    def line(self, row: int) -> str:
        """A line with its line ending."""
        return self.text[self.line_start(row) : self.line_start(row + 1)]

    def offset(self, row: int, column: int) -> int:
        """The offset in code points of a place that ``ast`` gives as a line and UTF-8 bytes."""
        start = self.line_start(row)
        prefix = self.text[start : start + column]
        if prefix.isascii():
            return start + column
        return start + len(self.line(row).encode("utf-8")[:column].decode("utf-8"))

    def span(self, node: Positioned) -> tuple[int, int]:
        """The offsets of a node's first code point and of the one after its last."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def segment(self, node: Positioned) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def between(self, start: Location, end: Location) -> str:
        """The text from one place to another."""
        first, last = (self.line_start(place.row) + place.column - 1 for place in (start, end))
        return self.text[first:last]

    def location(self, offset: int) -> Location:
        """The line and column of an offset."""
        low, high = 0, len(self._starts)
        while high - low > 1:
            middle = (low + high) // 2
            if self._starts[middle] <= offset:
                low = middle
            else:
                high = middle
        return Location(low + 1, offset - self._starts[low] + 1)


def identifiers(text: str) -> Iterator[str]:
    """Everything in a text that could be read as a name, strings and comments included."""
    return (match.group() for match in re.finditer(r"[^\W\d]\w*", text))


def parse(source: Source) -> ast.Module:
    """Parse a file's text.

    Raises:
        SyntaxError: if it is not Python for the running interpreter (also for a NUL byte).
        RecursionError: if it is nested more deeply than the parser takes.
        MemoryError: likewise, from the parser of some Python versions.
    """
    try:
        return ast.parse(source.text, source.path)
    except ValueError as error:
        raise SyntaxError(str(error)) from error

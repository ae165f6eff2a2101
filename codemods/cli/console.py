"""Where a command prints: text and bytes, encoded and coloured as the stream wants them."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from typing import IO, Any, BinaryIO, TextIO

import click

from codemods.report.palette import PLAIN, Palette
from codemods.report.text import printable


class Failure(click.ClickException):
    """The run cannot go on; the message is one line that names the cause and the cure."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"error: {printable(self.message)}", file=file, err=True)


class Output:
    """One stream of bytes.

    Args:
        stream: where the bytes go.
        encoding: how text becomes bytes.
        palette: the colours for what is printed here.
        name: what the stream is called in messages.
    """

    def __init__(self, stream: BinaryIO, encoding: str, palette: Palette, name: str) -> None:
        self._stream = stream
        self._encoding = encoding
        self._name = name
        self.palette = palette

    def write(self, data: str | bytes) -> None:
        """Print some text or bytes.

        Raises:
            Failure: if the stream takes no more, for example because the disk is full.
        """
        with self._failing():
            self._stream.write(data if isinstance(data, bytes) else encoded(data, self._encoding))

    def flush(self) -> None:
        """Hand everything over.

        Raises:
            Failure: if the stream takes no more.
        """
        with self._failing():
            self._stream.flush()

    @contextlib.contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise  # Who reads the output has seen enough, as in `picklefix check | head`.
        except OSError as error:
            # What is buffered would be tried again when the interpreter ends, with a traceback.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
            raise Failure(
                f"cannot write to {self._name}: {error.strerror}; free some space or write elsewhere"
            ) from error


def encoded(text: str, encoding: str) -> bytes:
    """Text for a stream: file names go out as the bytes they are, what the encoding lacks as escapes."""
    try:
        return text.encode(encoding, "surrogateescape")
    except UnicodeEncodeError:
        return text.encode(encoding, "backslashreplace")


def standard(stream: TextIO | None, color: str, name: str) -> Output:
    """The output for one of the standard streams.

    Args:
        stream: ``sys.stdout`` or ``sys.stderr``.
        color: what ``--color`` says.
        name: what the stream is called in messages.

    Raises:
        Failure: if the stream is closed.
    """
    if stream is None:
        raise Failure(f"{name} is closed; redirect it to a file or to {os.devnull}")
    return Output(stream.buffer, stream.encoding or "utf-8", Palette(is_coloured(color, stream, os.environ)), name)


@contextlib.contextmanager
def to_file(path: str) -> Iterator[Output]:
    """An output into a new file, UTF-8 and never coloured.

    Raises:
        Failure: if the file cannot be written.
    """
    with contextlib.ExitStack() as stack:
        try:
            stream = stack.enter_context(open(path, "wb"))
        except OSError as error:
            raise Failure(f"{path}: cannot be written: {error.strerror}; choose another file") from error
        yield Output(stream, "utf-8", PLAIN, path)


def is_coloured(color: str, stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether to colour a stream: the option decides, then the environment, then whether it is a terminal."""
    if color != "auto":
        return color == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR") or environment.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


def standard_input() -> bytes:
    """All of standard input.

    Raises:
        Failure: if it is closed or cannot be read.
    """
    if sys.stdin is None:
        raise Failure("standard input is closed; give a path instead of -")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise Failure(f"cannot read standard input: {error.strerror}; give a path instead of -") from error

"""A change as a patch that plain ``git apply`` takes and that gives the new file byte for byte."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator

from codemods import git
from codemods.report.palette import PLAIN, Palette

_NEEDS_QUOTES = re.compile(rb'[\x00-\x1f\x7f"\\]')
_ESCAPES = {
    0x22: b'\\"',
    0x5C: b"\\\\",
    7: b"\\a",
    8: b"\\b",
    9: b"\\t",
    10: b"\\n",
    11: b"\\v",
    12: b"\\f",
    13: b"\\r",
}


def patch(name: str, before: bytes, after: bytes, palette: Palette = PLAIN) -> bytes:
    """The difference between two contents of a file, empty if there is none.

    Lines end at line feeds only, as they do for git: carriage returns and form feeds are content.

    Args:
        name: the file as git names it, from ``patch_name``.
        before: the old content.
        after: the new content.
        palette: the colours.
    """
    # Latin-1 gives each byte a character and back, whatever the file's own encoding is.
    old, new = (_lines(data.decode("latin-1")) for data in (before, after))
    hunks = [
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in list(difflib.unified_diff(old, new))[2:]
    ]
    if not hunks:
        return b""
    return b"".join([*_header(name, palette), *(coloured(line, palette).encode("latin-1") for line in hunks)])


def patch_name(path: str) -> str:
    """The name of a file in a patch: relative to the repository of the current folder if it lies in that, else to its
    own repository, else to the current folder; with slashes. Standard input is ``-``."""
    if path == "-":
        return path
    real = os.path.realpath(path)
    here = os.getcwd()
    for top in (git.root(here), git.root(os.path.dirname(real)), here, os.path.abspath(os.sep)):
        if top is not None and real.startswith(os.path.join(top, "")):
            return real[len(os.path.join(top, "")) :].replace(os.sep, "/")
    return os.path.basename(real)


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    return lines if lines[-1] else lines[:-1]


def _header(name: str, palette: Palette) -> Iterator[bytes]:
    old, new = (_quoted(side + os.fsencode(name)) for side in (b"a/", b"b/"))
    # With the first line git counts the name from the top of the work tree, in whichever folder it runs.
    # After a name with a space, a tabulator tells other programs where it ends.
    tabulator = b"\t" if b" " in old and not old.startswith(b'"') else b""
    for line in (b"diff --git %s %s" % (old, new), b"--- %s%s" % (old, tabulator), b"+++ %s%s" % (new, tabulator)):
        yield palette.heading(line.decode("latin-1")).encode("latin-1") + b"\n"


def _quoted(name: bytes) -> bytes:
    if not _NEEDS_QUOTES.search(name):
        return name
    return b'"%s"' % b"".join(
        _ESCAPES.get(byte, b"\\%03o" % byte if byte < 32 or byte == 127 else bytes([byte])) for byte in name
    )


def coloured(line: str, palette: Palette) -> str:
    """A line of a patch, with its line end, in the colours for what it does."""
    if not palette.enabled:
        return line
    style = {"@": palette.remark, "-": palette.removed, "+": palette.added}.get(line[0])
    return line if style is None else style(line.removesuffix("\n")) + "\n"

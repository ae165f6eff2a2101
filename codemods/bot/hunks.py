"""The parts of a file that a pull request shows: only there can a comment stand."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

CONTEXT_LINES = 3
"""How many unchanged lines git and the web pages show around a change."""


class Hunk(NamedTuple):
    """A run of lines that the diff shows, changed ones and those around them.

    Lines end at line feeds only, as they do for git, and are counted from 1.

    Args:
        first: the first line in the new file.
        last: the last one; less than ``first`` where the hunk shows no line of the new file.
        added: the lines that are new or changed.
        old_rows: for each unchanged line its number in the old file.
    """

    first: int
    last: int
    added: frozenset[int]
    old_rows: Mapping[int, int] = {}

    def holds(self, first: int, last: int) -> bool:
        """Whether all of some lines are shown."""
        return self.first <= first and last <= self.last


class Difference(NamedTuple):
    """What a change does to one file.

    Args:
        hunks: the parts of the new file that the diff shows.
        removed: the lines of the old file that are gone or changed.
    """

    hunks: tuple[Hunk, ...]
    removed: frozenset[int] = frozenset()

    @property
    def added(self) -> frozenset[int]:
        """The lines of the new file that are new or changed."""
        return frozenset(row for hunk in self.hunks for row in hunk.added)


def parse(patch: str) -> Difference:
    """Read the hunks of one file.

    Args:
        patch: unified hunks, with or without the header of the file.

    Raises:
        ValueError: if that is no patch.
    """
    start = 0 if patch.startswith("@@") else patch.find("\n@@") + 1
    if not patch.startswith("@@", start):
        return Difference(())
    try:
        # The file is known already, and its name may be anything: the parser gets a harmless one.
        files = PatchSet(io.StringIO(f"--- a/file\n+++ b/file\n{patch[start:]}", newline="\n"))
    except UnidiffParseError as error:
        raise ValueError(str(error)) from error
    hunks: list[Hunk] = []
    removed: set[int] = set()
    for hunk in files[0]:
        rows = [(line.source_line_no, line.target_line_no) for line in hunk]
        added = frozenset(new for old, new in rows if old is None and new is not None)
        removed |= {old for old, new in rows if new is None and old is not None}
        old_rows = {new: old for old, new in rows if old is not None and new is not None}
        hunks.append(Hunk(hunk.target_start, hunk.target_start + hunk.target_length - 1, added, old_rows))
    return Difference(tuple(hunks), frozenset(removed))


def of_new_file(data: bytes) -> Difference:
    """The one hunk that shows a file which did not exist before."""
    count = line_count(data)
    return Difference((Hunk(1, count, frozenset(range(1, count + 1))),) if count else ())


def line_count(data: bytes) -> int:
    """How many lines git counts."""
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def hunk_of(hunks: Sequence[Hunk], first: int, last: int) -> Hunk | None:
    """The hunk that shows all of some lines."""
    return next((hunk for hunk in hunks if hunk.holds(first, last)), None)

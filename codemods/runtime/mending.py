"""Makes the fixes that belong to one offender, and no others."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from codemods import edits
from codemods.engine import LARGEST_FILE
from codemods.finding import Finding, Safety
from codemods.project_style import style_for
from codemods.runtime.location import Clue, matching
from codemods.source import Source

_MOST_ROUNDS = 50


@dataclass(frozen=True)
class Mended:
    """What became of a file.

    Args:
        path: the file.
        before: its content.
        after: its content with the fixes made.
        fixed: the findings that are resolved.
    """

    path: str
    before: bytes
    after: bytes
    fixed: tuple[Finding, ...]


def mend(path: str, findings: Iterable[Finding], clue: Clue, *, unsafe_fixes: bool) -> Mended:
    """Make the fixes of the findings that a clue led to.

    Args:
        path: the file.
        findings: what was found in it.
        clue: how they were found, so that they are found again after a fix.
        unsafe_fixes: whether unsafe fixes are made.

    Raises:
        OSError: if the file cannot be read.
    """
    with open(path, "rb") as stream:
        before = stream.read(LARGEST_FILE)
    data, fixed = before, list[Finding]()
    source = Source.decode(path, data)
    pending = list(findings)
    # Fixes shift lines, and a function moves out of one scope at a time: the text of a line tells which is meant.
    lines = {_line(source, finding) for finding in pending}
    for _ in range(_MOST_ROUNDS):
        wanted = [item for item in pending if _is_wanted(item, unsafe_fixes) and _line(source, item) in lines]
        if not wanted:
            break
        assert wanted[0].fix is not None
        data = source.encode(edits.apply(source.text, wanted[0].fix.edits))
        fixed.append(wanted[0])
        source = Source.decode(path, data)
        pending = matching(path, data, clue)[1]
    return Mended(path, before, _laid_out(path, before, data) if fixed else before, tuple(fixed))


def _line(source: Source, finding: Finding) -> tuple[str, str]:
    return finding.code, source.line(finding.start.row).strip()


def _is_wanted(finding: Finding, unsafe_fixes: bool) -> bool:
    return finding.fix is not None and (unsafe_fixes or finding.fix.safety is Safety.SAFE)


def _laid_out(path: str, before: bytes, after: bytes) -> bytes:
    """The new content, formatted by black if black had nothing to say about the old one."""
    from codemods.rewrite import formatting  # Imported only here: black takes long to load.

    style = style_for(os.path.dirname(os.path.realpath(path)))
    source = Source.decode(path, after)
    if not formatting.is_clean(Source.decode(path, before).text, style):
        return after
    return source.encode(formatting.formatted(source.text, style) or source.text)

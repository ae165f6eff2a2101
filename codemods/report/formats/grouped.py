"""Findings below the name of their file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codemods.finding import FileError, FileResult, Finding, Location
from codemods.report.context import INVALID_SYNTAX, Context, Needs
from codemods.report.formats.concise import reason_left
from codemods.report.text import printable

FOR_PEOPLE = True
NEEDS = Needs.FINDINGS


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """A paragraph for each file with findings."""
    for result in results:
        rows = list(_rows(result, context))
        if not rows:
            continue
        width = max(len(_place(location)) for location, _ in rows)
        lines = [f"{context.palette.heading(printable(result.path))}:"]
        lines += [f"  {_place(location):>{width}} {text}" for location, text in rows]
        yield "\n".join(lines) + "\n\n"


def _rows(result: FileResult, context: Context) -> Iterator[tuple[Location, str]]:
    if result.error is not None and result.error.syntax:
        yield _error(result.error, context)
    for finding in result.findings:
        yield finding.start, _text(finding, context)


def _error(error: FileError, context: Context) -> tuple[Location, str]:
    return error.location or Location(1, 1), f"{context.palette.alarm(INVALID_SYNTAX)} {printable(error.message)}"


def _text(finding: Finding, context: Context) -> str:
    colours = context.palette
    mark = f" {colours.remark('[*]')}" if context.is_applied(finding) else ""
    reason = reason_left(finding, context)
    text = f"{colours.alarm(finding.code)}{mark} {printable(finding.message)}"
    return f"{text} {colours.faint(f'({reason})')}" if reason else text


def _place(location: Location) -> str:
    return f"{location.row}:{location.column}"

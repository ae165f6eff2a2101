"""Each finding with its source, the way to where it is pickled, and what is done about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codemods.finding import FileError, FileResult, Finding, Location
from codemods.report.context import Context, Needs, is_unsafe
from codemods.report.formats.concise import error_line, finding_line
from codemods.report.text import columns, printable, width
from codemods.source import Source, SourceError

FOR_PEOPLE = True
NEEDS = Needs.FINDINGS
_LINES_AROUND = 2


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The paragraphs of a report."""
    for result in results:
        source = _source(result) if result.findings or result.error else None
        if result.error is not None and result.error.syntax:
            yield _paragraph(error_line(result.path, result.error, context), _error_frame(source, result.error), [])
        for finding in result.findings:
            frame = _frame(source, finding.start, finding.end)
            yield _paragraph(finding_line(finding, context), frame, list(_notes(finding, context)))


def _paragraph(heading: str, frame: list[str], notes: list[str]) -> str:
    return "\n".join([heading, *frame, *notes]) + "\n\n"


def _notes(finding: Finding, context: Context) -> Iterator[str]:
    """What is known about a finding, one thing a line."""
    faint = context.palette.faint
    reach = finding.reach
    if reach.steps:
        yield faint("  way:")
        for step in reach.steps:
            place = f"{printable(step.path)}:{step.location.row}:{step.location.column}"
            yield f"    {place} {faint('->')} {printable(step.text)}"
    if reach.sink is not None:
        yield f"  {faint('pickled by:')} {printable(reach.sink)}"
    if finding.captures:
        taken = ", ".join(printable(capture.text) for capture in finding.captures)
        yield f"  {faint('takes along:')} {taken}"
    if finding.fix is not None:
        unsafe = " (unsafe: only with --unsafe-fixes)" if is_unsafe(finding) else ""
        yield f"  {faint('fix:')} {printable(finding.fix.title)}{unsafe}"
    if finding.refusal is not None:
        yield f"  {faint('reason:')} {finding.refusal.reason}"
        yield f"  {faint('advice:')} {printable(finding.refusal.advice)}"


def _source(result: FileResult) -> Source | None:
    try:
        return Source.decode(result.path, result.before)
    except SourceError:
        return None


def _error_frame(source: Source | None, error: FileError) -> list[str]:
    if error.location is None or error.location.row < 1:
        return []
    return _frame(source, error.location, Location(error.location.row, error.location.column + 1))


def _frame(source: Source | None, start: Location, end: Location) -> list[str]:
    """The lines around a place, with carets below what stands there on its first line."""
    if source is None or start.row > source.line_count:
        return []
    first = max(1, start.row - _LINES_AROUND)
    last = min(source.line_count, start.row + _LINES_AROUND)
    gutter = len(str(last))
    frame = [f"{'':{gutter}} |"]
    for row in range(first, last + 1):
        line = source.line(row).rstrip("\r\n")
        if line or first < row < last or row == start.row:
            frame.append(f"{row:{gutter}} | {columns(line)}".rstrip())
        if row == start.row:
            frame.append(f"{'':{gutter}} | {_carets(line, start, end)}")
    return [*frame, f"{'':{gutter}} |"]


def _carets(line: str, start: Location, end: Location) -> str:
    stop = end.column - 1 if end.row == start.row else len(line.rstrip())
    before = width(columns(line[: start.column - 1]))
    marked = width(columns(line[:stop])) - before
    return " " * before + "^" * max(1, marked)

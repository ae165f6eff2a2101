"""One finding a line: ``PATH:ROW:COLUMN: CODE [*] message``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codemods.finding import FileError, FileResult, Finding, Level
from codemods.report.context import INVALID_SYNTAX, Context, Needs
from codemods.report.text import printable

FOR_PEOPLE = True
_MOST_STEPS = 4
NEEDS = Needs.FINDINGS


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The lines of a report."""
    for result in results:
        if result.error is not None and result.error.syntax:
            yield error_line(result.path, result.error, context) + "\n"
        for finding in result.findings:
            yield f"{finding_line(finding, context)}{_way(finding, context)}\n"


def _way(finding: Finding, context: Context) -> str:
    """How what was found gets to where it is pickled, if it does."""
    steps = finding.reach.steps
    if finding.reach.level is not Level.SINK or not steps:
        return ""
    texts = [step.text for step in steps]
    if len(texts) > _MOST_STEPS:
        texts[_MOST_STEPS - 2 : -1] = ["…"]
    where = f"{steps[-1].path}:{steps[-1].location.row}"
    return context.palette.faint(f": {printable(' -> '.join(texts))} ({printable(where)})")


def finding_line(finding: Finding, context: Context) -> str:
    """A finding on one line, with ``[*]`` if ``migrate`` would resolve it, else why it would not."""
    colours = context.palette
    place = f"{printable(finding.path)}:{finding.start.row}:{finding.start.column}:"
    mark = f" {colours.remark('[*]')}" if context.is_applied(finding) else ""
    line = f"{colours.heading(place)} {colours.alarm(finding.code)}{mark} {printable(finding.message)}"
    reason = reason_left(finding, context)
    return f"{line} {colours.faint(f'({reason})')}" if reason else line


def reason_left(finding: Finding, context: Context) -> str:
    """Why ``migrate`` leaves a finding with the present options; empty if it does not."""
    if finding.refusal is not None:
        return f"declined: {finding.refusal.reason}"
    return "" if context.is_applied(finding) else "unsafe fix"


def error_line(path: str, error: FileError, context: Context) -> str:
    """A file that does not parse, as a finding."""
    where = f":{error.location.row}:{error.location.column}" if error.location else ""
    colours = context.palette
    return f"{colours.heading(f'{printable(path)}{where}:')} {colours.alarm(INVALID_SYNTAX)} {printable(error.message)}"

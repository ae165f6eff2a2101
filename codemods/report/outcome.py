"""What became of the findings in a file that was, or would be, rewritten: a line for each."""

from __future__ import annotations

from collections.abc import Iterator

from codemods.finding import FileResult
from codemods.report.context import Context
from codemods.report.formats.concise import error_line, finding_line
from codemods.report.text import printable


def outcome_lines(result: FileResult, verb: str, context: Context) -> Iterator[str]:
    """What was fixed where, and what remains and why.

    Args:
        result: the file.
        verb: ``fixed`` or ``would fix``.
        context: how the run was asked for.
    """
    colours = context.palette
    if result.error is not None and result.error.syntax:
        yield error_line(result.path, result.error, context)
    for finding in result.fixed:
        place = colours.heading(f"{printable(finding.path)}:{finding.start.row}:{finding.start.column}:")
        title = finding.fix.title if finding.fix is not None else finding.message
        yield f"{place} {colours.alarm(finding.code)} {colours.remark(f'{verb}:')} {printable(title)}"
    for finding in result.remaining:
        yield finding_line(finding, context)

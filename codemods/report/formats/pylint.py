"""``PATH:ROW: [CODE] message``, the lines of pylint's parseable output, which many programs read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codemods.finding import FileResult
from codemods.report.context import Context, Needs
from codemods.report.diagnostics import diagnostics
from codemods.report.text import printable

FOR_PEOPLE = False
NEEDS = Needs.FINDINGS


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The lines of a report."""
    for result in results:
        for found in diagnostics(result):
            yield f"{printable(found.file)}:{found.start.row}: [{found.code}] {printable(found.message)}\n"

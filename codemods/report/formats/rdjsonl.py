"""The diagnostic format of reviewdog, one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codemods.finding import FileResult
from codemods.report.context import Context, Needs
from codemods.report.diagnostics import diagnostics
from codemods.report.formats.rdjson import document
from codemods.report.json_text import dumps

FOR_PEOPLE = False
NEEDS = Needs.EDITS


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The lines, as soon as they are known."""
    for result in results:
        for diagnostic in diagnostics(result):
            yield f"{dumps(document(diagnostic))}\n"

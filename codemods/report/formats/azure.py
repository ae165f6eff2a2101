"""Logging commands of Azure Pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codemods.finding import FileResult
from codemods.report.context import Context, Needs
from codemods.report.diagnostics import Diagnostic, diagnostics

FOR_PEOPLE = False
NEEDS = Needs.FINDINGS

# As the library for tasks escapes them (azure-pipelines-task-lib, taskcommand.ts).
_DATA = str.maketrans({"%": "%AZP25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({"]": "%5D", ";": "%3B"})


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """A command for each finding."""
    for result in results:
        for found in diagnostics(result):
            yield f"##vso[task.logissue {_properties(found)}]{found.message.translate(_DATA)}\n"


def _properties(found: Diagnostic) -> str:
    values = {
        "type": found.severity,
        "sourcepath": found.file,
        "linenumber": str(found.start.row),
        "columnnumber": str(found.start.column),
        "code": found.code,
    }
    return "".join(f"{name}={value.translate(_PROPERTY)};" for name, value in values.items())

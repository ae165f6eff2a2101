"""The code quality report of GitLab: a JSON array."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from codemods.finding import FileResult, Location
from codemods.report.context import Context, Needs
from codemods.report.diagnostics import Diagnostic, diagnostics
from codemods.report.json_text import indented

FOR_PEOPLE = False
NEEDS = Needs.FINDINGS

_SEVERITIES = {"error": "major", "warning": "minor"}


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The array, one object after the other."""
    separator = "["
    for result in results:
        for diagnostic in diagnostics(result):
            yield f"{separator}\n{indented(_document(diagnostic), 2)}"
            separator = ","
    yield "[]\n" if separator == "[" else "\n]\n"


def _document(found: Diagnostic) -> dict[str, Any]:
    return {
        "check_name": found.code,
        "description": f"{found.code}: {found.message}",
        "fingerprint": found.fingerprint,
        "location": {
            "path": found.file,
            "positions": {"begin": _position(found.start), "end": _position(found.end)},
        },
        "severity": _SEVERITIES[found.severity],
    }


def _position(location: Location) -> dict[str, int]:
    return {"column": location.column, "line": location.row}

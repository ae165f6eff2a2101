"""The diagnostic format of reviewdog as one JSON object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from codemods.finding import FileResult, Location
from codemods.report.context import Context, Needs
from codemods.report.diagnostics import HOME_PAGE, Diagnostic, diagnostics
from codemods.report.json_text import dumps
from codemods.report.line_edits import line_edit
from codemods.report.patch import patch_name
from codemods.source import Source

FOR_PEOPLE = False
NEEDS = Needs.EDITS

_SOURCE = {"name": "picklefix", "url": HOME_PAGE}


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The object as one piece."""
    found = [document(diagnostic) for result in results for diagnostic in diagnostics(result)]
    yield dumps({"diagnostics": found, "severity": "WARNING", "source": _SOURCE}, indent=2) + "\n"


def document(found: Diagnostic) -> dict[str, Any]:
    """One diagnostic."""
    code = {"value": found.code} if found.url is None else {"url": found.url, "value": found.code}
    text = "\n".join(filter(None, [found.message, found.remark]))
    place = {
        "path": found.file,
        "range": {"end": _position(found.end, found.source), "start": _position(found.start, found.source)},
    }
    diagnostic = {
        "code": code,
        "location": place,
        "message": text,
        "severity": found.severity.upper(),
        "source": _SOURCE,
    }
    more = {"related_locations": _way(found), "suggestions": _suggestions(found)}
    return {**diagnostic, **{name: values for name, values in more.items() if values}}


def _way(found: Diagnostic) -> list[dict[str, Any]]:
    """The steps to where it is pickled, as places of whole lines."""
    steps = found.finding.reach.steps if found.finding is not None else ()
    return [
        {
            "location": {"path": patch_name(step.path), "range": {"start": {"line": step.location.row}}},
            "message": step.text,
        }
        for step in steps
    ]


def _suggestions(found: Diagnostic) -> list[dict[str, Any]]:
    """The fix as whole lines: reviewdog makes a comment of that range, and of no other form."""
    if found.finding is None or found.finding.fix is None or found.source is None:
        return []
    edit = line_edit(found.source, found.finding.fix.edits)
    return [{"range": {"end": {"line": edit.last}, "start": {"line": edit.first}}, "text": edit.suggestion}]


def _position(location: Location, source: Source | None) -> dict[str, int]:
    """A place; reviewdog counts columns in bytes of UTF-8."""
    before = "" if source is None else source.line(location.row)[: location.column - 1]
    return {"column": location.column - len(before) + len(before.encode("utf-8")), "line": location.row}

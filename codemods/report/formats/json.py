"""One JSON array of findings, in the shape that ruff writes and with the reach and the reason besides."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from codemods.finding import Capture, FileResult, Finding, Fix, Location, Reach
from codemods.report.context import Context, Needs
from codemods.report.diagnostics import Diagnostic, diagnostics
from codemods.report.json_text import indented
from codemods.source import Source

FOR_PEOPLE = False
NEEDS = Needs.EDITS


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The array, one object after the other."""
    separator = "["
    for result in results:
        for diagnostic in diagnostics(result):
            yield f"{separator}\n{indented(document(diagnostic), 2)}"
            separator = ","
    yield "[]\n" if separator == "[" else "\n]\n"


def document(diagnostic: Diagnostic) -> dict[str, Any]:
    """One object; a file that does not parse is a finding too."""
    finding = diagnostic.finding
    return {
        "captures": [] if finding is None else [_capture(capture) for capture in finding.captures],
        "cell": None,
        "code": diagnostic.name if finding is None else diagnostic.code,
        "end_location": _location(diagnostic.end),
        "filename": os.path.abspath(diagnostic.path),
        "fingerprint": diagnostic.fingerprint,
        "fix": _fix(finding.fix, diagnostic.source) if finding and finding.fix and diagnostic.source else None,
        "location": _location(diagnostic.start),
        "message": diagnostic.message,
        "name": diagnostic.name,
        "noqa_row": None if finding is None else diagnostic.start.row,
        "reach": None if finding is None else _reach(finding.reach),
        "reason": None if finding is None else _reason(finding),
        "severity": diagnostic.severity,
        "url": diagnostic.url,
    }


def _fix(fix: Fix, source: Source) -> dict[str, Any]:
    edits = [
        {
            "content": edit.text,
            "end_location": _location(source.location(edit.end)),
            "location": _location(source.location(edit.start)),
        }
        for edit in fix.edits
    ]
    return {"applicability": fix.safety.value, "edits": edits, "message": fix.title}


def _reason(finding: Finding) -> dict[str, str] | None:
    refusal = finding.refusal
    return None if refusal is None else {"advice": refusal.advice, "code": refusal.reason}


def _capture(capture: Capture) -> dict[str, object]:
    return {"name": capture.name, "types": list(capture.types)}


def _reach(reach: Reach) -> dict[str, Any]:
    steps = [
        {"filename": os.path.abspath(step.path), "location": _location(step.location), "text": step.text}
        for step in reach.steps
    ]
    return {"level": reach.level.name.lower(), "sink": reach.sink, "steps": steps}


def _location(location: Location) -> dict[str, int]:
    return {"column": location.column, "row": location.row}

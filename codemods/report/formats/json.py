"""One JSON array of findings, in the shape that ruff writes and with the reach and the reason besides."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any

from codemods.finding import FileError, FileResult, Finding, Fix, Level, Location, Reach
from codemods.report.context import Context
from codemods.source import Source

FOR_PEOPLE = False
WITH_EDITS = True
RULE_PAGES = "https://picklefix.readthedocs.io/rules/"


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The array, one object after the other."""
    separator = "["
    for result in results:
        for diagnostic in diagnostics(result):
            text = json.dumps(diagnostic, indent=2, sort_keys=True)
            yield f"{separator}\n" + "\n".join(f"  {line}" for line in text.splitlines())
            separator = ","
    yield "[]\n" if separator == "[" else "\n]\n"


def diagnostics(result: FileResult) -> Iterator[dict[str, Any]]:
    """The objects for one file; one that does not parse is a finding too."""
    if result.error is not None and result.error.syntax:
        yield _invalid_syntax(result.path, result.error)
    source = Source.decode(result.path, result.before) if result.findings else None
    for finding in result.findings:
        assert source is not None
        yield _finding(finding, source)


def _finding(finding: Finding, source: Source) -> dict[str, Any]:
    return {
        "cell": None,
        "code": finding.code,
        "end_location": _location(finding.end),
        "filename": os.path.abspath(finding.path),
        "fix": None if finding.fix is None else _fix(finding.fix, source),
        "location": _location(finding.start),
        "message": finding.message,
        "name": finding.name,
        "noqa_row": finding.start.row,
        "reach": _reach(finding.reach),
        "reason": (
            None if finding.refusal is None else {"advice": finding.refusal.advice, "code": finding.refusal.reason}
        ),
        "severity": "error" if finding.reach.level is Level.SINK else "warning",
        "url": RULE_PAGES + finding.name,
    }


def _invalid_syntax(path: str, error: FileError) -> dict[str, Any]:
    place = error.location or Location(1, 1)
    return {
        "cell": None,
        "code": "invalid-syntax",
        "end_location": _location(Location(place.row, place.column + 1)),
        "filename": os.path.abspath(path),
        "fix": None,
        "location": _location(place),
        "message": error.message,
        "name": "invalid-syntax",
        "noqa_row": None,
        "reach": None,
        "reason": None,
        "severity": "error",
        "url": None,
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


def _reach(reach: Reach) -> dict[str, Any]:
    steps = [
        {"filename": os.path.abspath(step.path), "location": _location(step.location), "text": step.text}
        for step in reach.steps
    ]
    return {"level": reach.level.name.lower(), "sink": reach.sink, "steps": steps}


def _location(location: Location) -> dict[str, int]:
    return {"column": location.column, "row": location.row}

"""What was found in a file, in a form that JSON can hold; edits are not kept."""

from __future__ import annotations

from typing import Any

from codemods.finding import Capture, FileResult, Finding, Fix, Level, Location, Reach, Refusal, Safety, Step


class NotAResultError(Exception):
    """A value does not stand for a result."""


def encoded(result: FileResult) -> list[Any] | None:
    """What was found in a file; None if that is nothing at all."""
    if not (result.findings or result.warnings or result.unfollowed):
        return None
    return [[_row(finding) for finding in result.findings], result.warnings, result.unfollowed]


def decoded(value: Any, path: str) -> FileResult:
    """The result that a value stands for, without the content of its file.

    Args:
        value: what :func:`encoded` gave, as it comes back from JSON.
        path: the file.

    Raises:
        NotAResultError: if it stands for none.
    """
    if value is None:
        return FileResult(path, b"", b"")
    try:
        rows, warnings, unfollowed = value
        findings = tuple(_finding(row, path) for row in rows)
        return FileResult(
            *(path, b"", b"", findings),
            remaining=findings,
            warnings=tuple((int(line), str(text)) for line, text in warnings),
            unfollowed=tuple(map(str, unfollowed)),
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise NotAResultError from error


def _row(finding: Finding) -> list[Any]:
    reach, fix, refusal = finding.reach, finding.fix, finding.refusal
    return [
        *(finding.code, finding.name, finding.message, _pair(finding.start), _pair(finding.end)),
        [int(reach.level), [[step.path, _pair(step.location), step.text] for step in reach.steps], reach.sink],
        None if fix is None else [fix.title, fix.safety.value],
        None if refusal is None else [refusal.reason, refusal.advice],
        finding.within,
        finding.header,
        [[capture.name, capture.types] for capture in finding.captures],
    ]


def _finding(row: Any, path: str) -> Finding:
    code, name, message, start, end, (level, steps, sink), fix, refusal, within, header, captures = row
    return Finding(
        *(str(code), str(name), str(message), path),
        Location(*start),
        Location(*end),
        Reach(Level(level), tuple(Step(str(where), Location(*place), str(text)) for where, place, text in steps), sink),
        None if fix is None else Fix(str(fix[0]), (), Safety(fix[1])),
        None if refusal is None else Refusal(*refusal),
        str(within),
        (int(header[0]), int(header[1])),
        tuple(Capture(str(name), tuple(map(str, types))) for name, types in captures),
    )


def _pair(location: Location) -> tuple[int, int]:
    return location.row, location.column

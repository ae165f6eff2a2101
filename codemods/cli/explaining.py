"""How an explained error is shown, to people and to programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from codemods.finding import Finding, Safety
from codemods.report.palette import Palette
from codemods.report.patch import patch, patch_name
from codemods.report.text import printable
from codemods.runtime.explanation import Explanation
from codemods.runtime.location import Place
from codemods.runtime.mending import Mended

_MOST_PLACES = 10


def text(
    explanation: Explanation, mended: Sequence[Mended], palette: Palette, *, applied: bool = False, hint: str
) -> Iterator[bytes]:
    """The explanation for people, piece by piece.

    Args:
        explanation: what is told.
        mended: the files with the fixes made.
        palette: the colours.
        applied: whether the fixes are written already.
        hint: what makes the change.
    """
    for line in _lines(explanation, mended, palette, applied):
        yield f"{line}\n".encode("utf-8", "surrogateescape")
    if mended and not applied:
        yield f"{palette.faint(f'{hint} makes this change:')}\n".encode()
        for item in mended:
            yield b"\n" + patch(patch_name(item.path), item.before, item.after, palette)


def document(explanation: Explanation, mended: Sequence[Mended], *, applied: bool) -> dict[str, Any]:
    """The explanation as the object of the JSON output."""
    diagnosis = explanation.diagnosis
    frames = [{"file": frame.file, "line": frame.line, "name": frame.name} for frame in diagnosis.frames]
    return {
        "kind": (
            explanation.located.kind
            if diagnosis.kind == "local_object" and explanation.located.kind
            else diagnosis.kind
        ),
        "qualname": diagnosis.qualname,
        "object": diagnosis.object,
        "module": diagnosis.module,
        "python": diagnosis.python,
        "message": diagnosis.message,
        "path": diagnosis.path,
        "attribute": diagnosis.attribute,
        "owner": diagnosis.owner,
        "method": diagnosis.method,
        "notes": list(diagnosis.notes),
        "what": explanation.what,
        "cure": explanation.cure,
        "frames": frames,
        "used": [_place(place) for place in explanation.located.used],
        "made": [_place(place) for place in explanation.located.made],
        "findings": [_finding(finding) for finding in explanation.located.findings],
        "reducer": explanation.reducer,
        "diff": "".join(
            patch(patch_name(item.path), item.before, item.after).decode("utf-8", "replace") for item in mended
        ),
        "applied": applied,
    }


def _lines(explanation: Explanation, mended: Sequence[Mended], palette: Palette, applied: bool) -> Iterator[str]:
    diagnosis, located = explanation.diagnosis, explanation.located
    if diagnosis.message:
        yield palette.heading(printable(diagnosis.message))
    yield f"{palette.alarm('what:')} {printable(explanation.what)}."
    if diagnosis.path:
        yield f"{palette.alarm('path:')} {printable(diagnosis.path)}"
    if located.used and located.used[-1].row and diagnosis.is_pickling:
        yield f"{palette.alarm('used:')} {_shown(located.used[-1])}"
    for place in located.made[:_MOST_PLACES]:
        yield f"{palette.alarm('made:')} {_shown(place)}"
    if len(located.made) > _MOST_PLACES:
        yield palette.faint(f"and in {len(located.made) - _MOST_PLACES} more places")
    if explanation.clue.places and not located.used:
        yield palette.faint(
            f"No file of the traceback is below {printable(explanation.project.root)}; "
            "name the project's folder with --root."
        )
    yield f"{palette.remark('cure:')} {printable(explanation.cure)}."
    yield from _finding_lines(explanation, mended, palette, applied)
    if explanation.reducer is not None:
        yield palette.remark("reducer, to be registered when your own module is imported:")
        yield from (f"    {line}".rstrip() for line in explanation.reducer.splitlines())


def _finding_lines(
    explanation: Explanation, mended: Sequence[Mended], palette: Palette, applied: bool
) -> Iterator[str]:
    fixed = {finding for item in mended for finding in item.fixed}
    for finding in explanation.located.findings[:_MOST_PLACES]:
        place = f"{printable(finding.path)}:{finding.start.row}:{finding.start.column}:"
        yield f"{palette.remark('rule:')} {place} {finding.code} {finding.name}"
        if finding in fixed:
            assert finding.fix is not None
            yield f"{palette.remark('fixed:' if applied else 'fix:')} {printable(finding.fix.title)}"
        elif finding.fix is not None and finding.fix.safety is Safety.UNSAFE:
            yield f"{palette.remark('fix:')} {printable(finding.fix.title)} (unsafe: only with --unsafe-fixes)"
        elif finding.refusal is not None:
            yield f"{palette.remark('not fixed:')} {printable(finding.refusal.advice)} ({finding.refusal.reason})"


def _shown(place: Place) -> str:
    return f"{printable(place.path)}:{place.row}: {printable(place.text)}"


def _place(place: Place) -> dict[str, Any]:
    return {"filename": place.path, "row": place.row, "text": place.text}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "filename": finding.path,
        "location": {"row": finding.start.row, "column": finding.start.column},
        "fix": (
            None if finding.fix is None else {"applicability": finding.fix.safety.value, "message": finding.fix.title}
        ),
        "reason": (
            None if finding.refusal is None else {"code": finding.refusal.reason, "advice": finding.refusal.advice}
        ),
    }

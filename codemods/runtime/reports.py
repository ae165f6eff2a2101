"""From what a watched process reports to what it means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from codemods.runtime.diagnosis import Diagnosis, diagnose
from codemods.runtime.tracebacks import Frame
from codemods.runtime.unpicklable import Unpicklable


def diagnoses(report: dict[str, Any]) -> Iterator[Diagnosis]:
    """What a report means: one diagnosis for each part that does not pickle.

    Args:
        report: the object that ``reporting`` wrote.
    """
    if "traceback" in report:
        diagnosis = diagnose(report["traceback"].encode())
        if diagnosis.is_pickling:
            yield diagnosis
        return
    frames = tuple(Frame(0, file, line, name, "") for file, line, name in report["used"])
    culprits = [Unpicklable(**culprit) for culprit in report["culprits"]]
    for culprit in culprits:
        yield of_culprit(culprit, frames)
    if not culprits:
        diagnosis = diagnose(report["error"].encode())
        if diagnosis.is_pickling:
            yield replace(diagnosis, frames=frames)


def of_culprit(culprit: Unpicklable, frames: tuple[Frame, ...] = ()) -> Diagnosis:
    """What a part that does not pickle means.

    Args:
        culprit: the part.
        frames: the lines of the program that led to its pickling.
    """
    diagnosis = diagnose(culprit.error.encode())
    if not diagnosis.is_pickling:
        # A method of the protocol failed, with an error of its own.
        diagnosis = replace(diagnosis, kind="state_error", message=culprit.error, object=culprit.type)
    made = (Frame(0, culprit.file, culprit.line, "", ""),) if culprit.file else ()
    return replace(
        diagnosis,
        path=str(culprit),
        qualname=culprit.name or diagnosis.qualname,
        owner=culprit.owner or None,
        attribute=culprit.attribute or None,
        frames=(*made, *frames),
    )

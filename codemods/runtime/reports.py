"""From what a watched process reports to what it means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from codemods.runtime.diagnosis import Diagnosis, diagnose
from codemods.runtime.tracebacks import Frame
from codemods.runtime.unpicklable import Unpicklable

_CARRIERS = ("concurrent.futures.", "multiprocessing.", "multiprocess.", "joblib.externals.")


def diagnoses(report: dict[str, Any], script: str = "") -> Iterator[Diagnosis]:
    """What a report means: one diagnosis for each part that does not pickle.

    Args:
        report: the object that ``reporting`` wrote.
        script: the program, in case no line of its own was running.
    """
    if "traceback" in report:
        diagnosis = diagnose(report["traceback"].encode())
        if diagnosis.is_pickling:
            yield diagnosis
        return
    frames = tuple(Frame(0, file, line, name, "") for file, line, name in report["used"])
    if script and not frames:
        frames = (Frame(0, script, 0, "", ""),)
    culprits = [Unpicklable(**culprit) for culprit in report["culprits"]]
    for culprit in culprits:
        found = of_culprit(culprit, frames)
        yield replace(found, kind="worker_result") if report["is_result"] else found
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
    # What only carries an object to another process is not to blame for it.
    is_carried = culprit.owner.startswith(_CARRIERS)
    return replace(
        diagnosis,
        path=str(culprit),
        qualname=culprit.name or diagnosis.qualname,
        owner=None if is_carried else culprit.owner or None,
        attribute=None if is_carried else culprit.attribute or None,
        frames=(*made, *frames),
    )

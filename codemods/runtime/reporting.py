"""What a watched process reports: one JSON object a line, appended to a file in one step."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from types import FrameType, TracebackType
from typing import Any

from codemods.runtime.reduction import Protocol
from codemods.runtime.search import search

_MOST_CULPRITS = 10
_MOST_FRAMES = 20
_OWN = os.path.dirname(__file__)
_LIBRARY = (os.path.join(os.path.dirname(os.__file__), ""), _OWN)


def report_failure(file: str, error: BaseException, obj: object, pickler: Any, *, copies: bool) -> None:
    """Report that an object did not pickle.

    Args:
        file: where the report goes.
        error: what was raised.
        obj: the object.
        pickler: the pickler, None for the functions of ``pickle`` and ``copy``.
        copies: whether it was copied, not pickled.
    """
    frames = list(_frames(sys._getframe(1)))
    culprits = [
        asdict(found) for found in islice(search(obj, _protocol(pickler, copies), _names(frames)), _MOST_CULPRITS)
    ]
    used = [(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name) for frame in frames if _is_own(frame)]
    text = "".join(traceback.format_exception_only(type(error), error))
    report = {"error": text, "culprits": culprits, "used": used[:_MOST_FRAMES][::-1], "pid": os.getpid()}
    _append(file, {**report, "is_result": any(_sends_result(frame) for frame in frames)})


def report_error(file: str, error: BaseException, trace: TracebackType | None) -> None:
    """Report an error that nothing caught.

    Args:
        file: where the report goes.
        error: what was raised.
        trace: its traceback.
    """
    text = "".join(traceback.format_exception(type(error), error, trace))
    _append(file, {"traceback": text, "pid": os.getpid()})


def _protocol(pickler: Any, copies: bool) -> Protocol:
    if pickler is None:
        return Protocol(copies=copies)
    # Attributes that a plain pickler does not have, or that are methods of its class which do nothing.
    return Protocol(
        table=getattr(pickler, "dispatch_table", None),
        override=getattr(pickler, "reducer_override", None),
        persistent_id=getattr(pickler, "persistent_id", None),
    )


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_OWN):
            yield frame
        frame = frame.f_back


def _is_own(frame: FrameType) -> bool:
    """Whether a frame belongs to the program, not to Python or to an installed package."""
    name = frame.f_code.co_filename
    if name.startswith("<"):
        return False
    is_installed = "site-packages" in name or "dist-packages" in name
    return not is_installed and not os.path.abspath(name).startswith(_LIBRARY)


def _sends_result(frame: FrameType) -> bool:
    """Whether a worker was sending what it had computed, through an executor or a pool."""
    code = frame.f_code
    return code.co_name == "_sendback_result" or (code.co_name == "worker" and code.co_filename.endswith("pool.py"))


def _names(frames: list[FrameType]) -> dict[int, str]:
    """What the program calls its objects where the failure happened, the innermost names first."""
    names: dict[int, str] = {}
    for frame in filter(_is_own, frames):
        for name, value in list(frame.f_locals.items()):
            if isinstance(name, str) and name.isidentifier() and not name.startswith("__"):
                names.setdefault(id(value), name)
    return names


def _append(file: str, report: dict[str, object]) -> None:
    data = json.dumps(report).encode() + b"\n"
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)

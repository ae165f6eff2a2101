"""Runs programs, each in a process of its own that is forked from this clean one.

Reads jobs from standard input and answers on standard output, both as pickles behind a length of four bytes. A job
is ``(text, data)``: the source of a module, and the pickle of what it built in another process, or None to build it.
"""

from __future__ import annotations

import asyncio  # noqa: F401  (what programs import is imported before the fork)
import collections  # noqa: F401
import contextlib  # noqa: F401
import dataclasses  # noqa: F401
import enum  # noqa: F401
import functools  # noqa: F401
import gc
import math  # noqa: F401
import operator  # noqa: F401
import os
import pickle
import select
import signal
import struct
import sys
import types
import typing  # noqa: F401
import warnings
from typing import Any, BinaryIO

import probing  # type: ignore[import-not-found]  # the folder of this script

TIMEOUT = 3.0
RECURSION = 300


def observe(text: str, data: bytes | None) -> dict[str, Any]:
    """Import a program, build or load its object, and observe it."""
    module = types.ModuleType(name_of(text, data))
    report: dict[str, Any] = {"stage": "import", "script": module.__name__ != "program"}
    sys.modules[module.__name__] = module
    if module.__name__ == "__mp_main__":
        sys.modules["__main__"] = module
    module.__dict__["__file__"] = "program.py"
    sys.setrecursionlimit(RECURSION)
    try:
        exec(compile(text, "program.py", "exec"), module.__dict__)
        report["import trace"] = probing.Probe().value(module.TRACE, 0)
        module.TRACE.clear()
        report["stage"] = "build"
        if data is None:
            built = module.build()
            report["build trace"] = probing.Probe().value(module.TRACE, 0)
            report["pickles"], report["data"] = dumps(built)
        else:
            built = pickle.loads(data)
        module.TRACE.clear()
        report["stage"] = "observe"
        probe = probing.Probe()
        report["observed"] = probe.value(module.observe(built))
        report["trace"] = probing.Probe().value(module.TRACE, 0)
        report["identities"] = probing.identities(probe.functions)
        report["stage"] = "done"
    except Exception as error:
        report["error"] = (type(error).__name__, str(error))
    return report


def name_of(text: str, data: bytes | None) -> str:
    """What a program is called: one with a main guard runs as a script, and is imported where its pickle is loaded."""
    if '__name__ == "__main__"' not in text and "__name__ == '__main__'" not in text:
        return "program"
    return "__main__" if data is None else "__mp_main__"


def dumps(built: Any) -> tuple[list[bool], bytes | None]:
    """Which parts of an object pickle, and the pickle of all of it if all do."""
    parts = built if isinstance(built, list) else [built]
    flags = [pickled(part) is not None for part in parts]
    return flags, pickled(built) if all(flags) else None


def pickled(value: Any) -> bytes | None:
    """The pickle of a value, None if it has none."""
    try:
        return pickle.dumps(value)
    except Exception:
        return None


def in_child(job: tuple[str, bytes | None]) -> bytes:
    """Run a job in a forked process and return its pickled report."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.setitimer(signal.ITIMER_REAL, TIMEOUT + 1)
        with open(os.devnull, "w") as nowhere, os.fdopen(writing, "wb") as stream:
            os.dup2(nowhere.fileno(), 1)
            warnings.simplefilter("ignore")
            stream.write(pickle.dumps(observe(*job)))
        os._exit(0)
    os.close(writing)
    pieces = []
    while True:
        ready, _, _ = select.select([reading], [], [], TIMEOUT)
        piece = os.read(reading, 1 << 16) if ready else b""
        if not ready:
            os.kill(child, signal.SIGKILL)
        if not piece:
            break
        pieces.append(piece)
    os.close(reading)
    os.waitpid(child, 0)
    return b"".join(pieces) if ready and pieces else pickle.dumps({"stage": "timeout", "script": False})


def read(stream: BinaryIO) -> bytes | None:
    """The next message, None at the end."""
    header = stream.read(4)
    if len(header) < 4:
        return None
    return stream.read(struct.unpack("!I", header)[0])


def write(stream: BinaryIO, data: bytes) -> None:
    """Send a message."""
    stream.write(struct.pack("!I", len(data)) + data)
    stream.flush()


def main() -> None:
    """Answer jobs until the input ends."""
    gc.disable()
    gc.freeze()
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    while (message := read(source)) is not None:
        write(target, in_child(pickle.loads(message)))


if __name__ == "__main__":
    main()

"""What a command costs: processor time and memory, those of the processes that it starts included."""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_NOT_STARTED = re.compile(r"^\w*(?:Import|ModuleNotFound)Error|No module named|[Uu]sage:|no such option|^Error:")
_SAFE = {"PYTHONSAFEPATH": "1"}
"""Modules are not looked for in the current folder: a corpus has some with names of the standard library."""


class Cost(NamedTuple):
    """What one run cost.

    Args:
        seconds: processor time of user and system, over all processes.
        megabytes: the peak of the largest process.
        status: the exit status.
    """

    seconds: float
    megabytes: float
    status: int


class Measured(NamedTuple):
    """The medians over some runs."""

    seconds: float
    megabytes: float
    runs: int


class CannotRunError(Exception):
    """A command ended as those do that cannot be started; the message is the end of what it said."""


def cost(command: Sequence[str], folder: Path, environment: dict[str, str]) -> Cost:
    """Run a command once.

    Args:
        command: the command and its arguments.
        folder: where it runs.
        environment: variables besides those of this process.

    Raises:
        CannotRunError: if it did not run.
    """
    log = folder / "benchmark.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **_SAFE, **environment}, stdout=subprocess.DEVNULL, stderr=stream
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    last = (log.read_text("utf-8", "replace").strip().splitlines() or ["no message"])[-1]
    # 1 and 2 tell of findings and of files that do not parse, as does 123 of black.
    if process.returncode not in (0, 1, 2, 123) or (process.returncode and _NOT_STARTED.search(last)):
        raise CannotRunError(f"exit status {process.returncode}: {last}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode)


def medians(runs: Sequence[Cost]) -> Measured:
    """The medians over some runs."""
    return Measured(
        statistics.median(run.seconds for run in runs), statistics.median(run.megabytes for run in runs), len(runs)
    )


def fresh_copy(corpus: Path, work: Path) -> Path:
    """A new copy of a corpus, which a command may change."""
    target = work / corpus.name
    if target.exists():
        shutil.rmtree(target)
    ignored = shutil.ignore_patterns("__pycache__", ".picklefix_cache")
    shutil.copytree(corpus, target, ignore=ignored)
    return target

"""The engine over many files: one after the other, or in a pool of processes where that pays."""

from __future__ import annotations

import os
import stat
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, ParamSpec, TypeVar

from codemods import engine
from codemods.finding import FileError, FileResult

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

# Starting fresh interpreters costs about as much as analysing this many bytes, or rewriting a tenth of them.
_POOL_PAYS = 500_000
_REWRITING_COSTS = 10
_STACK_BYTES = 256 * 1024 * 1024
_STACK_FRAMES = 20_000


class Job(NamedTuple):
    """What is to be done with one file.

    Args:
        path: the file, as it was named to the run.
        options: what the engine looks for.
        rewrite: whether fixes are made, or findings only reported.
    """

    path: str
    options: engine.Options
    rewrite: bool = False


def run(jobs: Sequence[Job], workers: int | None = None) -> Iterator[FileResult]:
    """Do all jobs; the results come in the order of the jobs, each as soon as it is there.

    Args:
        jobs: what is to be done.
        workers: how many processes work at most; as many as there are processors if left out.
    """
    workers = min(workers or processors(), len(jobs))
    if workers > 1 and _pool_pays(jobs):
        from codemods import pool  # Imported only here: a small run does without processes.

        if pool.is_safe():
            yield from pool.run_in_pool(jobs, workers)
            return
    yield from map(do, jobs)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def do(job: Job) -> FileResult:
    """Read a job's file and do the job; never raises for anything that is wrong with the file."""
    try:
        # Devices may never come to an end, and opening a pipe may never return.
        if not stat.S_ISREG(os.stat(job.path).st_mode):
            return _failed(job.path, "is not a regular file; use - to read standard input")
        with open(job.path, "rb") as stream:
            data = stream.read()
    except FileNotFoundError:
        return _failed(job.path, "there is no such file or folder; check the name")
    except OSError as error:
        return _failed(job.path, f"cannot be read: {error.strerror}; check the path and its permissions")
    except MemoryError:
        return _failed(job.path, "is too large for the memory; leave it out with --exclude")
    return do_bytes(job, data)


def do_bytes(job: Job, data: bytes) -> FileResult:
    """Do a job with the file's content at hand."""
    return with_deep_stack(_do, job, data)


def with_deep_stack(
    function: Callable[_Parameters, _Result], /, *arguments: _Parameters.args, **keywords: _Parameters.kwargs
) -> _Result:
    """Call a function where it may recurse deeply, as visitors do in nested code, and return what it returns."""
    outcome: list[_Result] = []
    failure: list[BaseException] = []

    def call() -> None:
        try:
            outcome.append(function(*arguments, **keywords))
        except BaseException as error:  # noqa: B036 -- raised again in the thread that asked
            failure.append(error)

    frames, stack_bytes = sys.getrecursionlimit(), threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(max(frames, _STACK_FRAMES))
    try:
        # A daemon, so that Ctrl-C need not wait for the file at hand.
        thread = threading.Thread(target=call, daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(stack_bytes)
        sys.setrecursionlimit(frames)
    if failure:
        raise failure[0]
    return outcome[0]


def _do(job: Job, data: bytes) -> FileResult:
    work = engine.fix if job.rewrite else engine.check
    try:
        return work(job.path, data, job.options)
    except (RecursionError, MemoryError):
        message = "is nested too deeply; split its longest expression, or leave it out with --exclude"
        return FileResult(job.path, data, data, error=FileError(message))
    except Exception as error:  # The one place that may: a fault of ours in one file must not end the run.
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
        message = f"internal error, {type(error).__name__} at {place}: {error}; it is unchanged, please report this"
        return FileResult(job.path, data, data, error=FileError(" ".join(message.split()), internal=True))


def _failed(path: str, message: str) -> FileResult:
    return FileResult(path, b"", b"", error=FileError(message))


def _pool_pays(jobs: Sequence[Job]) -> bool:
    total = 0
    for job in jobs:
        try:
            total += os.stat(job.path).st_size * (_REWRITING_COSTS if job.rewrite else 1)
        except OSError:
            continue
        if total > _POOL_PAYS:
            return True
    return False

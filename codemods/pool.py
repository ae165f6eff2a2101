"""Jobs in a pool of processes; a process that dies takes one file with it, not the run."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from codemods.finding import FileError, FileResult
from codemods.job import Job, do, slim

_LARGEST_CHUNK = 16
_SAFE_PATH = "PYTHONSAFEPATH"
_CHUNKS_AHEAD = 3  # for each worker: enough that none waits, few enough that results do not pile up


def run_in_pool(jobs: Sequence[Job], workers: int) -> Iterator[FileResult]:
    """Do all jobs in fresh interpreters; the results come in the order of the jobs.

    Args:
        jobs: what is to be done.
        workers: how many processes work.
    """
    chunks = deque(_chunks(jobs, workers))
    while chunks:
        done = 0
        try:
            for results in _in_order(chunks, workers):
                done += 1
                yield from results
        except BrokenProcessPool:
            pass
        for _ in range(done):
            chunks.popleft()
        # Only a process that worked on one of the next few chunks can have died: find out on which file.
        suspects = [chunks.popleft() for _ in range(min(len(chunks), workers * _CHUNKS_AHEAD))]
        yield from _one_by_one([job for chunk in suspects for job in chunk])


def _chunks(jobs: Sequence[Job], workers: int) -> Iterator[Sequence[Job]]:
    size = max(1, min(_LARGEST_CHUNK, len(jobs) // (workers * _CHUNKS_AHEAD)))
    return (jobs[start : start + size] for start in range(0, len(jobs), size))


def _in_order(chunks: Sequence[Sequence[Job]], workers: int) -> Iterator[list[FileResult]]:
    """The results of each chunk.

    Raises:
        BrokenProcessPool: if a process died.
    """
    with _pool(workers) as pool:
        pending: deque[Future[list[FileResult]]] = deque()
        for chunk in chunks:
            pending.append(_submit(pool, chunk))
            if len(pending) >= workers * _CHUNKS_AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _one_by_one(jobs: Sequence[Job]) -> Iterator[FileResult]:
    remaining = deque(jobs)
    while remaining:
        with _pool(1) as pool, contextlib.suppress(BrokenProcessPool):
            while remaining:
                result = _submit(pool, [remaining[0]]).result()
                remaining.popleft()
                yield from result
        if remaining:
            yield _died(remaining.popleft().path)


def _do_all(jobs: Sequence[Job]) -> list[FileResult]:
    return [slim(do(job)) for job in jobs]


def _died(path: str) -> FileResult:
    message = "internal error, the process that worked on it died; it is unchanged, please report this"
    return FileResult(path, b"", b"", error=FileError(message, internal=True))


def is_safe() -> bool:
    """Whether processes can be started without running the code that is to be rewritten.

    A fresh interpreter looks for modules in the current folder first, where a file could stand in for one of the
    standard library. That can be forbidden since Python 3.11, by a variable unless the environment is ignored.
    """
    return sys.version_info >= (3, 11) and bool(sys.flags.safe_path or not sys.flags.ignore_environment)


@contextlib.contextmanager
def _safe_path() -> Iterator[None]:
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


@contextlib.contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    others = set(multiprocessing.active_children())
    with _safe_path():
        pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
        try:
            yield pool
        except BaseException:
            # Whoever ended the run should not wait for the files at hand: they are read, never written, in there.
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, jobs: Sequence[Job]) -> Future[list[FileResult]]:
    """Hand over a chunk; this is where processes are started.

    They inherit blocked signals, so that Ctrl-C, which the terminal sends to all, ends the run and not the workers with
    a traceback each: they stop when the pool does.
    """
    if not hasattr(signal, "pthread_sigmask"):
        return pool.submit(_do_all, jobs)
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_do_all, jobs)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

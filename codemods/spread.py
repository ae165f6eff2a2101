"""Jobs on any executor of ``concurrent.futures``, be it on this machine or on a cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from itertools import groupby

from codemods.finding import FileResult
from codemods.job import Job, do, failed, read
from codemods.pool import run_in_pool
from codemods.project import Place
from codemods.remote import VERSIONS, OtherVersionError, Packed, Task, packed, work

_Future = Future[list[FileResult] | None]
_CHUNK = 16
_AHEAD = 64  # chunks: enough to keep a cluster busy, few enough that neither sources nor results pile up


def run_on(executor: Executor, jobs: Sequence[Job]) -> Iterator[FileResult]:
    """Do all jobs; the results come in the order of the jobs.

    A worker that dies costs at most the file that killed it: what it had to do is done again, one file at a time.

    Args:
        executor: where they are done.
        jobs: what is to be done, on files of this machine.

    Raises:
        OtherVersionError: if a worker has another version of picklefix or Python.
    """
    for place, group in groupby(jobs, lambda job: job.project):
        if place is None:
            yield from map(do, group)
        else:
            yield from _Run(executor, place, list(group)).results()


class _Run:
    """The jobs of one project.

    Args:
        executor: where they are done.
        place: where the project is.
        jobs: what is to be done.
    """

    def __init__(self, executor: Executor, place: Place, jobs: Sequence[Job]) -> None:
        self._executor = executor
        self._jobs = jobs
        self._project: Packed = packed(place, (job.path for job in jobs))
        self._digest = self._project.digest

    def results(self) -> Iterator[FileResult]:
        """The results, in order."""
        chunks = [self._jobs[start : start + _CHUNK] for start in range(0, len(self._jobs), _CHUNK)]
        yield from self._started(chunks[0], self._project)()  # Alone, so that not all who follow ask for the project.
        pending: deque[Callable[[], list[FileResult]]] = deque()
        for chunk in chunks[1:]:
            pending.append(self._started(chunk, None))
            if len(pending) >= _AHEAD:
                yield from pending.popleft()()
        while pending:
            yield from pending.popleft()()

    def _started(self, jobs: Sequence[Job], project: Packed | None) -> Callable[[], list[FileResult]]:
        """Hand over a chunk; what is returned waits for its results."""
        contents = [read(job.path) for job in jobs]
        tasks = [Task(job, data) for job, data in zip(jobs, contents, strict=True) if isinstance(data, bytes)]
        future = self._submitted(tasks, project)

        def finish() -> list[FileResult]:
            done = iter(self._finished(tasks, future))
            return [next(done) if isinstance(data, bytes) else data for data in contents]

        return finish

    def _submitted(self, tasks: Sequence[Task], project: Packed | None) -> _Future | None:
        """The future of some results; None if the executor takes nothing any more."""
        try:
            return self._executor.submit(work, tasks, VERSIONS, self._digest, project)
        except (BrokenExecutor, RuntimeError, OSError):
            return None

    def _finished(self, tasks: Sequence[Task], future: _Future | None) -> list[FileResult]:
        """The results of a chunk, whatever happens to the workers."""
        for project in (None, self._project):
            if future is None:
                return list(run_in_pool([task.job for task in tasks], 1))
            try:
                results = future.result()
            except OtherVersionError:
                raise
            except Exception as error:  # Each kind of executor has its own for a worker that is lost.
                return self._apart(tasks, error)
            if results is not None:
                return results
            # This worker has not seen the project; another one may have, and sending it takes longest.
            future = self._submitted(tasks, project)
        return self._finished(tasks, future)

    def _apart(self, tasks: Sequence[Task], error: Exception) -> list[FileResult]:
        """The results of a chunk that failed as a whole."""
        if len(tasks) > 1:
            return [result for task in tasks for result in self._finished([task], self._submitted([task], None))]
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        message = f"internal error, the worker was lost ({reason}); it is unchanged, please report this"
        return [failed(tasks[0].job.path, message, internal=True)]

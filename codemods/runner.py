"""The engine over many files: one after the other, or in a pool of processes where that pays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from codemods.finding import FileResult
from codemods.job import Job, do, slim

# Starting fresh interpreters costs about as much as analysing this many bytes, or rewriting a tenth of them.
_POOL_PAYS = 500_000
_REWRITING_COSTS = 10


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
    yield from (slim(do(job)) for job in jobs)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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

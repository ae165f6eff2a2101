"""A run that does only what no earlier run has done."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from codemods.cache import key
from codemods.cache.memory import Memory, Project
from codemods.cache.store import Store
from codemods.finding import FileResult
from codemods.job import Job
from codemods.options import Options
from codemods.project import Place


def run_remembering(
    jobs: Sequence[Job],
    run: Callable[[Sequence[Job]], Iterator[FileResult]],
    folder: str,
    failed: Callable[[OSError], None],
) -> Iterator[FileResult]:
    """The results of all jobs, in their order; those that are new are remembered once all are there.

    Args:
        jobs: what is to be done.
        run: does jobs, in their order.
        folder: the folder of the cache.
        failed: is told if nothing can be written there.
    """
    memories = _Memories(Store(folder, key.version(), key.program()))
    found = [memories.find(job) for job in jobs]
    missing = [job for job, result in zip(jobs, found, strict=True) if result is None]
    if missing:
        memories.look()
    new = run(missing)
    for job, result in zip(jobs, found, strict=True):
        if result is None:
            result = next(new)
            memories.add(job, result)
        elif result.findings:
            result = memories.with_content(job, result) or next(run([job]))
        yield result
    try:
        memories.save()
    except OSError as error:
        failed(error)


class _Memories:
    """The memory of each project and set of options that a run has to do with.

    Args:
        store: where documents are kept.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._names: dict[tuple[int, Place], str] = {}
        self._projects: dict[str, Project] = {}
        self._memories: dict[str, Memory] = {}
        self._folders: dict[str, str] = {}

    def find(self, job: Job) -> FileResult | None:
        memory = self._memory(job)
        return None if memory is None else memory.find(job, self._path(job))

    def with_content(self, job: Job, result: FileResult) -> FileResult | None:
        memory = self._memory(job)
        return None if memory is None else memory.with_content(job, self._path(job), result)

    def look(self) -> None:
        for project in self._projects.values():
            project.look()

    def add(self, job: Job, result: FileResult) -> None:
        memory = self._memory(job)
        if memory is not None:
            memory.add(job, self._path(job), result)

    def save(self) -> None:
        for memory in self._memories.values():
            memory.save()
        for project in self._projects.values():
            project.save()

    def _memory(self, job: Job) -> Memory | None:
        """Where the result of a job is remembered; None if it is not."""
        if job.project is None or job.options.with_notes:
            return None
        pair = id(job.options), job.project  # The jobs of a run share their options, and hashing these takes a while.
        name = self._names.get(pair)
        if name is None:
            name = self._names[pair] = self._added(job.options, job.project)
        return self._memories[name]

    def _added(self, options: Options, place: Place) -> str:
        place_key = key.place_key(place)
        if place_key not in self._projects:
            self._projects[place_key] = Project(self._store, place_key, place)
        name = f"{place_key}-{key.options_key(options, place)}"
        if name not in self._memories:
            self._memories[name] = Memory(self._store, name, self._projects[place_key])
        return name

    def _path(self, job: Job) -> str:
        """The path of a job's file, its folder without symbolic links."""
        folder, name = os.path.split(job.path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder or os.curdir)
        return os.path.join(self._folders[folder], name)

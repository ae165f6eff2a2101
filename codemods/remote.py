"""Jobs on machines that share no files with this one: sources and their project travel there, results come back.

The project of a file is packed once (:func:`packed`) and sent only where it is missing: :func:`work` says so if it has
never seen it. That needs nothing of an executor but that it runs functions, and a process that starts late, because
another one died, gets what it needs in the same way.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import threading
import zlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from codemods import __version__, engine
from codemods.analysis.project.project import Project
from codemods.finding import FileResult
from codemods.job import Job, do_bytes, read, slim
from codemods.project import Place, names_beside, project_files, shown_in

VERSIONS = f"picklefix {__version__} on Python {sys.version_info[0]}.{sys.version_info[1]}"
"""Both ends have to be the same: results are to be those of a run without workers."""
_FASTEST = 1
_one_at_a_time = threading.Lock()
"""Threads of a worker take turns: a job sets the stack and the recursion limit of its process."""


class OtherVersionError(Exception):
    """A worker has another version of picklefix or Python than this process."""


class Packed(NamedTuple):
    """All that jobs need to know of a project.

    Args:
        place: where it is, on the machine that sends it.
        files: the compressed content of its files by their real paths; None if they are too many to be known.
        beside: by folder, the names that files there may import without dots.
        real: the real paths of the files of the run, by the names that these have for the person.
    """

    place: Place
    files: dict[str, bytes] | None
    beside: dict[str, frozenset[str]]
    real: dict[str, str]

    @property
    def digest(self) -> str:
        """Names it among others."""
        found = hashlib.blake2b(repr((self.place, sorted(self.real.items()))).encode("utf-8", "surrogateescape"))
        for path, data in (self.files or {}).items():
            found.update(b"\0".join((os.fsencode(path), data)))
        return found.hexdigest()


class Task(NamedTuple):
    """A job and the content of its file."""

    job: Job
    data: bytes


def packed(place: Place, paths: Iterable[str]) -> Packed:
    """What jobs need to know of a project.

    Args:
        place: where it is.
        paths: the files of the run that belong to it, as they were named.
    """
    real = {path: os.path.realpath(path) for path in paths}
    found = project_files(place)
    contents = None if found is None else {path: data for path in found if isinstance(data := read(path), bytes)}
    return Packed(
        place,
        None if contents is None else {path: zlib.compress(data, _FASTEST) for path, data in contents.items()},
        {folder: names_beside(place, folder) for folder in {os.path.dirname(path) for path in real.values()}},
        real,
    )


def work(tasks: Sequence[Task], versions: str, digest: str, project: Packed | None) -> list[FileResult] | None:
    """Do jobs, on whatever machine this is.

    Args:
        tasks: what is to be done, all of it in one project.
        versions: what the process that asks has as ``VERSIONS``.
        digest: names the project.
        project: the project; None if this process may have it already.

    Returns:
        The results, without the content of files about which there is nothing to say; None if the project is missing.

    Raises:
        OtherVersionError: if the versions of the two processes differ.
    """
    if versions != VERSIONS:
        raise OtherVersionError(f"this is {versions}, but a worker has {VERSIONS}; install the same there")
    with _one_at_a_time:
        around = _KEPT.get(digest)
        if around is None:
            if project is None:
                return None
            _KEPT.clear()
            around = _KEPT[digest] = _Surroundings(project)
        results = [slim(do_bytes(task.job, task.data, around.of(task.job))) for task in tasks]
        if any(result.error is not None and not result.error.syntax for result in results):
            _KEPT.clear()  # What was being found out about the project may be half done.
        return results


class _Surroundings:
    """An unpacked project.

    Args:
        project: as it came.
    """

    def __init__(self, project: Packed) -> None:
        self._packed = project

    def of(self, job: Job) -> engine.Surroundings:
        folder = os.path.dirname(self._packed.real[job.path])
        names = self._packed.beside[folder]
        return engine.Surroundings(
            lambda: self._project, lambda name: name.startswith(".") or name.partition(".")[0] in names
        )

    @functools.cached_property
    def _project(self) -> Project:
        place, files = self._packed.place, self._packed.files
        return Project(
            *(place.root, tuple(files or ()), self._read, shown_in(place)),
            is_complete=files is not None,
            real=self._packed.real.__getitem__,
        )

    def _read(self, path: str) -> bytes:
        try:
            return zlib.decompress((self._packed.files or {})[path])
        except KeyError as error:
            raise FileNotFoundError(path) from error


_KEPT: dict[str, _Surroundings] = {}
"""The project that this process worked on last: sending it again takes longer than the files of a chunk do."""

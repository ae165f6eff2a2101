"""What is remembered of one project: its files, and the results for them under one set of options after another."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from typing import Any

from codemods.cache.encoding import NotAResultError, decoded, encoded
from codemods.cache.files import FileTable, content_hash
from codemods.cache.store import Store
from codemods.finding import FileResult
from codemods.job import Job, read
from codemods.project import Place, names_beside, project_files


class Project:
    """The files of a project.

    Args:
        store: where documents are kept.
        key: names the project.
        place: where it is.
    """

    def __init__(self, store: Store, key: str, place: Place) -> None:
        self._store = store
        self._name = f"files-{key}"
        self._place = place
        self.table = FileTable(_table(store.load(self._name), "files"))

    @functools.cached_property
    def _files(self) -> tuple[str, ...] | None:
        return project_files(self._place)

    def look(self) -> None:
        """Remember what it is like, before results are made that depend on it."""
        self.table.digest_of_all(self._files or ())

    @functools.cached_property
    def digest(self) -> str:
        """One hash of all files of the project."""
        return self.table.digest_of_all(self._files or ())

    @functools.cached_property
    def is_unchanged(self) -> bool:
        """Whether it still is as it was when it was asked for the hash; to be asked at the end of a run."""
        files = self._files or ()
        return project_files(self._place) == self._files and all(map(self.table.is_unchanged, files))

    def save(self) -> None:
        """Keep what is known.

        Raises:
            OSError: if that cannot be done.
        """
        if self.table.has_news:
            self._store.save(self._name, {"files": self.table.document()})


class Memory:
    """The results for the files of a project under one set of options.

    Args:
        store: where documents are kept.
        name: names the project and the options.
        project: its files.
    """

    def __init__(self, store: Store, name: str, project: Project) -> None:
        self._store = store
        self._name = f"results-{name}"
        self._project = project
        document = store.load(self._name)
        self._alone: dict[str, Any] = dict(_table(document, "alone"))
        """By path, the content hash and the absent names of a file that was sorted out by itself."""
        self._digest = document.get("digest")
        self._together: dict[str, Any] = dict(_table(document, "together"))
        """By path, the content hash, the name and the result of a file for which the others matter as well."""
        self._new: list[tuple[str, str, str | None, list[Any]]] = []
        """The path, the content hash, the absent names if only they matter, and the rest of a row for each result."""

    def find(self, job: Job, path: str) -> FileResult | None:
        """The result of a job, without the content of its file, if it is remembered and still holds.

        Args:
            job: the job.
            path: its file, as a real path.
        """
        digest = self._project.table.digest(path)
        if digest is None:
            return None
        row = self._alone.get(path)
        if isinstance(row, list) and len(row) == 2 and row[0] == digest and isinstance(row[1], str):
            assert job.project is not None
            if names_beside(job.project, os.path.dirname(path)).isdisjoint(row[1].split()):
                return FileResult(job.path, b"", b"")
        row = self._together.get(path)
        if isinstance(row, list) and len(row) == 3 and row[0] == digest and self._digest == self._project.digest:
            return _restored(job, *row[1:])
        return None

    def with_content(self, job: Job, path: str, result: FileResult) -> FileResult | None:
        """A result that was found with the content of its file; None if that is another by now."""
        data = read(job.path)
        if not isinstance(data, bytes) or content_hash(data) != self._project.table.digest(path):
            return None
        return result._replace(before=data, after=data)

    def add(self, job: Job, path: str, result: FileResult) -> None:
        """Remember the result of a job, unless it cannot be kept."""
        digest = self._project.table.digest(path)
        if digest is not None and result.error is None and not result.changed and not _needs_edits(job, result):
            absent = None if result.absent is None else " ".join(sorted(result.absent))
            self._new.append((path, digest, absent, [job.path, encoded(result)]))

    def save(self) -> None:
        """Keep the results that are sure to be those of the files as they are.

        Raises:
            OSError: if that cannot be done.
        """
        kept = False
        for path, digest, absent, row in self._new:
            if absent is not None:
                if self._project.table.is_unchanged(path):
                    self._alone[path] = [digest, absent]
                    kept = True
            elif self._project.is_unchanged and self._project.table.is_unchanged(path):
                if self._digest != self._project.digest:
                    self._digest, self._together = self._project.digest, {}
                self._together[path] = [digest, *row]
                kept = True
        if kept:
            alone = {path: row for path, row in self._alone.items() if os.path.lexists(path)}
            document = {"alone": alone, "digest": self._digest, "together": self._together}
            self._store.save(self._name, document)


def _restored(job: Job, name: Any, value: Any) -> FileResult | None:
    """The result of a job, from what was kept; None if that does not say all that is asked."""
    if value is None:
        return FileResult(job.path, b"", b"")
    if name != job.path:
        return None  # Messages name the file as it was named then.
    try:
        result = decoded(value, job.path)
    except NotAResultError:
        return None
    return None if _needs_edits(job, result) else result


def _needs_edits(job: Job, result: FileResult) -> bool:
    return bool(result.findings) and (job.rewrite or job.options.with_edits)


def _table(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = document.get(name)
    return found if isinstance(found, dict) else {}

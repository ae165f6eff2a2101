"""A whole pull request: what is said about it, in the order of importance."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from codemods.bot.changes import ChangedFile, Revisions
from codemods.bot.findings import Touched, moved_away, without_moved
from codemods.bot.hunks import Hunk
from codemods.bot.remarks import Remark, Writer
from codemods.finding import FileResult, Finding
from codemods.job import Job, do_bytes, with_deep_stack


@dataclass(frozen=True)
class Review:
    """All that is said about a pull request.

    Args:
        compared: the commits that it compares.
        remarks: the comments, the most important first.
        hunks: what the diff shows of each file.
        patch: all fixes together, for ``git apply``.
        failed: the files that could not be done.
    """

    compared: Revisions
    remarks: tuple[Remark, ...] = ()
    hunks: dict[str, tuple[Hunk, ...]] = field(default_factory=dict)
    patch: bytes = b""
    failed: tuple[FileResult, ...] = ()


def review(
    root: str,
    compared: Revisions,
    files: Sequence[ChangedFile],
    job_for: Callable[[str], Job | None],
) -> Review:
    """Look at what a pull request changes.

    Args:
        root: the work tree, from which other files of the project are read as far as the files have to do with them.
        compared: the commits.
        files: the files, from :func:`codemods.bot.changes.changed_files`.
        job_for: what is looked for in a file; None if it is left out.
    """
    failed: list[FileResult] = []
    looked_at: list[_Looked] = []
    for file, job in _wanted(root, files, job_for):
        assert file.after is not None
        result = do_bytes(job, file.after)
        if result.error is not None:
            failed.append(replace(result, path=file.path))
        elif (touched := Touched(file, result)).findings:
            looked_at.append(_Looked(file, result, touched, job))
    remarks: list[Remark] = []
    patches: list[bytes] = []
    away = with_deep_stack(_moved_away, root, files, looked_at)
    for item in looked_at:
        new = without_moved(item.touched, away)
        if new:
            found, patch = with_deep_stack(_written, item, new)
            remarks += found
            patches.append(patch)
    remarks.sort(key=lambda remark: (-remark.level, remark.replacement is None, remark.path, remark.row))
    hunks = {file.path: file.difference.hunks for file in files if file.after is not None}
    return Review(compared, tuple(remarks), hunks, b"".join(patches), tuple(failed))


class _Looked(NamedTuple):
    """A file in which the pull request touches findings."""

    file: ChangedFile
    result: FileResult
    touched: Touched
    job: Job


def _moved_away(root: str, files: Sequence[ChangedFile], looked_at: Sequence[_Looked]) -> Counter[tuple[str, str]]:
    if not looked_at:
        return Counter()
    return moved_away(root, files, [item.touched for item in looked_at], looked_at[0].job)


def _wanted(
    root: str, files: Sequence[ChangedFile], job_for: Callable[[str], Job | None]
) -> Iterator[tuple[ChangedFile, Job]]:
    for file in files:
        if file.after is not None and any(hunk.added for hunk in file.difference.hunks):
            job = job_for(file.path)
            if job is not None:
                yield file, job._replace(path=os.path.join(root, file.path), rewrite=False)


def _written(item: _Looked, new: Sequence[Finding]) -> tuple[list[Remark], bytes]:
    writer = Writer(item.file, item.result, item.touched, item.job)
    return writer.remarks(new), writer.patch(new)

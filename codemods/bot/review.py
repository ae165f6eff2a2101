"""A whole pull request: what is said about it, in the order of importance."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from codemods.bot.changes import ChangedFile, Revisions
from codemods.bot.findings import Moved, Touched, narrowed, source_rows
from codemods.bot.hunks import Hunk
from codemods.bot.remarks import Remark, Writer
from codemods.finding import FileResult, Finding
from codemods.job import Job, collector_at_rest, do_bytes, with_deep_stack
from codemods.portion import Portions


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
    remarks: list[Remark] = []
    patches: list[bytes] = []
    moved = Moved(root, files)
    for file, job in _wanted(root, files, job_for):
        result, found, patch = _looked_at(file, job, moved)
        if result.error is not None:
            failed.append(result._replace(path=file.path))
        remarks += found
        patches.append(patch)
    remarks.sort(key=lambda remark: (-remark.level, remark.replacement is None, remark.path, remark.row))
    hunks = {file.path: file.difference.hunks for file in files if file.after is not None}
    return Review(compared, tuple(remarks), hunks, b"".join(patches), tuple(failed))


def _looked_at(file: ChangedFile, job: Job, moved: Moved) -> tuple[FileResult, list[Remark], bytes]:
    """What was found in a file, what is said about that, and the patch."""
    assert file.after is not None
    portions: list[Portions] = []
    result = do_bytes(
        job, file.after, keep=lambda context, found: portions.append(Portions(context, found, job.options))
    )
    if result.error is not None or not result.findings:
        return result, [], b""
    touched = Touched(file, result)
    new = moved.without_moved(touched, job)
    if not new:
        return result, [], b""
    writer = Writer(file, result, touched, portions[0], job.options.unsafe_fixes)
    with collector_at_rest():
        return result, *with_deep_stack(_written, writer, new)


def _wanted(
    root: str, files: Sequence[ChangedFile], job_for: Callable[[str], Job | None]
) -> Iterator[tuple[ChangedFile, Job]]:
    for file in files:
        added = file.difference.added
        if file.after is not None and added:
            job = job_for(file.path)
            if job is not None:
                yield file, narrowed(job, os.path.join(root, file.path), source_rows(file.after, added))


def _written(writer: Writer, new: Sequence[Finding]) -> tuple[list[Remark], bytes]:
    return writer.remarks(new), writer.patch(new)

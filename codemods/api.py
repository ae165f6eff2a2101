"""The public functions on text and on files, without a command line."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor

from codemods import engine
from codemods.finding import FileResult, Finding
from codemods.job import Job, with_deep_stack
from codemods.project import place_of

_PATH = "<string>"


def check(text: str, options: engine.Options | None = None) -> tuple[Finding, ...]:
    """Find what pickle refuses in a module's text.

    Args:
        text: the source of one module.
        options: what is looked for; the defaults of the command line if left out.

    Raises:
        SyntaxError: if the text is not Python.
        ValueError: if it cannot be analysed for another reason, for example because it is nested too deeply.
    """
    return _done(with_deep_stack(engine.check, _PATH, text.encode(), options or engine.Options())).findings


def fix(text: str, options: engine.Options | None = None) -> str:
    """Rewrite a module's text so that its objects can be pickled.

    Args:
        text: the source of one module.
        options: what is rewritten; the defaults of the command line if left out.

    Raises:
        SyntaxError: if the text is not Python.
        ValueError: if it cannot be rewritten for another reason, for example because it is nested too deeply.
    """
    return _done(with_deep_stack(engine.fix, _PATH, text.encode(), options or engine.Options())).after.decode()


def check_files(
    paths: Iterable[str], options: engine.Options | None = None, executor: Executor | None = None
) -> Iterator[FileResult]:
    """Find what pickle refuses in files, with the projects around them.

    Args:
        paths: the files.
        options: what is looked for; the defaults of the command line if left out.
        executor: where the work is done, for example ``distributed.Client.get_executor()``; its workers need the same
            picklefix and Python, but no access to the files. Processes of this machine if left out.

    Returns:
        A result for each file, in order. What is wrong with a file is in its ``error``, never raised.

    Raises:
        OtherVersionError: if a worker of the executor has another version.
    """
    return _run(paths, options, executor, rewrite=False)


def fix_files(
    paths: Iterable[str], options: engine.Options | None = None, executor: Executor | None = None
) -> Iterator[FileResult]:
    """Rewrite files so that their objects can be pickled, in memory: ``after`` is what a result would be written as.

    Arguments, results and errors are those of :func:`check_files`.
    """
    return _run(paths, options, executor, rewrite=True)


def _run(
    paths: Iterable[str], options: engine.Options | None, executor: Executor | None, *, rewrite: bool
) -> Iterator[FileResult]:
    run = str(time.time_ns())
    jobs = [Job(path, options or engine.Options(), rewrite, place_of(path, run)) for path in paths]
    if executor is None:
        from codemods.runner import run as run_here  # Imported only here, as below: text needs neither.

        return run_here(jobs)
    from codemods.spread import run_on

    return run_on(executor, jobs)


def _done(result: FileResult) -> FileResult:
    if result.error is None:
        return result
    if result.error.syntax:
        raise SyntaxError(result.error.message)
    raise ValueError(result.error.message)

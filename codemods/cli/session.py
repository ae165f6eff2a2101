"""One run of a command on files: from the request to results, and messages on the way."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from codemods.cli.console import Failure, Output, standard, standard_input, to_file
from codemods.cli.request import STANDARD_INPUT, Request
from codemods.cli.work import Work
from codemods.discovery import Discovered, discover, is_left_out, is_missing
from codemods.finding import FileResult
from codemods.job import Job, do_bytes
from codemods.project import root_of
from codemods.report.context import Context
from codemods.report.text import plural, printable
from codemods.runner import run
from codemods.settings import Settings

if TYPE_CHECKING:
    from codemods.baseline import Baseline


CACHE_FOLDER = ".picklefix_cache"
CACHE_PAYS = 16
"""Fewer files are done in the time that looking them up takes."""


class Session:
    """What the commands on files have in common.

    Args:
        request: what the command line asks for.

    Attributes:
        baseline: the findings that are left out of the results.

    Raises:
        ConfigError: if a setting that was given cannot be used.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        self.configuration = request.configuration()
        self.baseline: Baseline | None = None
        self.messages = standard(sys.stderr, request.color, "standard error")

    @property
    def standard_input_name(self) -> str:
        """What the file on standard input is called."""
        return self.request.stdin_filename or STANDARD_INPUT

    def output(self) -> Output:
        """Where the command's result goes."""
        return standard(sys.stdout, self.request.color, "standard output")

    @contextlib.contextmanager
    def output_to(self, file: str | None) -> Iterator[Output]:
        """Where the command's result goes, complete in the end, if the person may choose a file for it.

        Raises:
            Failure: if it cannot be written.
        """
        with contextlib.nullcontext(self.output()) if file is None else to_file(file) as output:
            yield output
            output.flush()

    def context(self, output: Output) -> Context:
        """What a report on this run needs to know."""
        return Context(self.request.unsafe_fixes, output.palette)

    def discover(self) -> Discovered:
        """The files of the run.

        Raises:
            ConfigError: if a setting cannot be used.
            Failure: if there is nothing at any of the paths.
        """
        if not self.request.reads_standard_input and all(map(is_missing, self.request.paths)):
            paths = ", ".join(self.request.paths)
            raise Failure(f"{paths}: there is no such file or folder; check the name")
        discovered = discover(self.request.paths, self.configuration)
        for folder in discovered.empty:
            self.warn(f"no Python file in {folder}")
        self.note(plural(len(discovered.files), "file"))
        return discovered

    def settings(self) -> list[Settings]:
        """The settings that hold for the files of the run, each once; those of the current folder if there is none.

        Raises:
            ConfigError: if a setting cannot be used.
        """
        if self.request.reads_standard_input:
            return [self.configuration.for_file(self.standard_input_name)]
        found = dict.fromkeys(self.configuration.for_file(path) for path in self.discover().files)
        return list(found) or [self.configuration.for_folder(os.curdir)]

    def results(
        self, rewrite: bool = False, with_edits: bool = False, with_notes: bool = False
    ) -> Iterator[FileResult]:
        """The result for each file; errors are printed as they come.

        Args:
            rewrite: whether fixes are made, in memory.
            with_edits: whether fixes that are only reported come with their edits.
            with_notes: whether results come with notes on how processes are started.

        Raises:
            ConfigError: if a setting cannot be used.
        """
        work = Work(self.request, self.configuration, rewrite, with_edits, with_notes)
        if self.request.reads_standard_input:
            return self._announced(self._standard_input(work))
        discovered = self.discover()
        jobs = [work.job(path) for path in discovered.files]
        for settings in work.settings():
            self.note(f"settings from {settings.origin or 'no file'}")
        results = self._done(jobs, rewrite)
        if sys.stderr.isatty():
            from codemods.cli.progress import tracked  # Imported only here: nobody watches a run in a script.

            results = tracked(results, len(jobs))
        return self._announced(chain(discovered.unreadable, results))

    def _done(self, jobs: Sequence[Job], rewrite: bool) -> Iterator[FileResult]:
        """The result of each job, from an earlier run where that is known; rewriting adds no folder to a project."""
        do_all = functools.partial(run, workers=self.request.jobs) if self.request.executor is None else self._spread
        if self.request.no_cache or len(jobs) < CACHE_PAYS:
            return do_all(jobs)
        chosen = self.configuration.for_folder(os.curdir).cache_dir
        folder = chosen or os.path.join(root_of(self.request.paths[0]), CACHE_FOLDER)
        if rewrite and chosen is None and not os.path.isdir(folder):
            return do_all(jobs)
        from codemods.cache.run import run_remembering  # Imported only here: small runs do without.

        return run_remembering(jobs, do_all, folder, self._without_cache)

    def _spread(self, jobs: Sequence[Job]) -> Iterator[FileResult]:
        """The result of each job, done elsewhere."""
        from codemods.cluster import ExecutorError, executor_at  # Imported only here: few runs need it.
        from codemods.remote import OtherVersionError
        from codemods.spread import run_on

        assert self.request.executor is not None
        try:
            with executor_at(self.request.executor) as executor:
                yield from run_on(executor, jobs)
        except (ExecutorError, OtherVersionError) as error:
            raise Failure(f"--executor: {error}") from error

    def _without_cache(self, error: OSError) -> None:
        self.note(f"{error.filename}: cannot be written: {error.strerror}; the next run will not know these results")

    def job(self, path: str) -> Job:
        """How one file is rewritten.

        Raises:
            ConfigError: if a setting cannot be used.
        """
        return Work(self.request, self.configuration, rewrite=True).job(path)

    def say(self, message: str) -> None:
        """Print a line that is no part of the result."""
        self.messages.write(f"{printable(message)}\n")
        self.messages.flush()

    def warn(self, message: str) -> None:
        """Print a warning."""
        if not self.request.quiet:
            self._message(self.messages.palette.remark("warning:"), message)

    def warn_of_stale(self) -> None:
        """Say how many findings that the baseline accepts are gone."""
        if self.baseline is not None and (stale := self.baseline.stale()):
            path = self.baseline.path
            verb = "is" if stale == 1 else "are"
            self.warn(
                f"{path}: {plural(stale, 'accepted finding')} {verb} gone; write it anew with --write-baseline {path}"
            )

    def note(self, message: str) -> None:
        """Print what only matters to somebody who asks."""
        if self.request.verbose:
            self._message(self.messages.palette.faint("note:"), message)

    def error(self, message: str) -> None:
        """Print an error."""
        self._message(self.messages.palette.alarm("error:"), message)

    def _message(self, heading: str, message: str) -> None:
        self.messages.write(f"{heading} {printable(message)}\n")
        self.messages.flush()

    def _announced(self, results: Iterable[FileResult]) -> Iterator[FileResult]:
        for result in results:
            for text in result.unfollowed:
                self.note(text)
            if result.error is not None and not result.error.syntax:
                self.error(f"{result.path}: {result.error.message}")
            for row, message in result.warnings:
                self.warn(f"{result.path}:{row}: {message}")
            yield result if self.baseline is None else self._without_accepted(result, self.baseline)

    def _without_accepted(self, result: FileResult, baseline: Baseline) -> FileResult:
        from codemods.cli.accepted import without_accepted  # Imported only here: few runs have a baseline.

        return without_accepted(result, baseline, self.job)

    def _standard_input(self, work: Work) -> Iterator[FileResult]:
        data = standard_input()
        name = self.standard_input_name
        if self.request.stdin_filename is not None and is_left_out(name, self.configuration):
            yield FileResult(name, data, data)
        else:
            yield do_bytes(work.job(name), data)

"""``migrate --verify-with``: what makes a command fail that did not fail before is left as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codemods.cli import external
from codemods.cli.console import Failure
from codemods.cli.session import Session
from codemods.cli.trial import Trial
from codemods.edits import Edit
from codemods.finding import FileResult, Safety
from codemods.identity import identity
from codemods.job import Job, do_bytes
from codemods.minimising import guilty
from codemods.report.text import plural
from codemods.source import Source
from codemods.writing import WriteError

HELD_BACK = "held-back"
Unit = frozenset[str]
"""Fixes of one file, by their identities, that are made together or not at all."""


def write_verified(session: Session, results: Sequence[FileResult], command: str) -> list[FileResult]:
    """Write the rewritten files as far as a command goes on succeeding.

    Args:
        session: the run.
        results: what became of each file in memory.
        command: what the person gives to a shell to test the program.

    Returns:
        The results as they were written.

    Raises:
        Failure: if the command fails already before, or for no reason that can be found; then nothing is written.
    """
    changed = {result.path: result for result in results if result.changed}
    if not changed:
        return list(results)
    verifier = _Verifier(session, command)
    verifier.check_before()
    originals = {path: result.before for path, result in changed.items()}
    with Trial(originals, session.error) as trial:
        try:
            written = verifier.settle(trial, changed)
        except WriteError as error:
            raise Failure(f"{error}; every other file is as it was") from error
        trial.keep()
    return [written.get(result.path, result) for result in results]


class _Verifier:
    """Runs the command on one choice of fixes after the other.

    Args:
        session: the run.
        command: what is run.
    """

    def __init__(self, session: Session, command: str) -> None:
        self._session = session
        self._command = command
        self._failed: external.Run | None = None

    def check_before(self) -> None:
        """See that the command succeeds as long as nothing is written.

        Raises:
            Failure: if it does not.
        """
        run = self._run("before the change")
        if run.is_missing:
            raise Failure(f"cannot run `{self._command}` (status {run.status}); nothing was written: check its name")
        if run.status:
            self._show(run)
            raise Failure(
                f"`{self._command}` fails already before the change (status {run.status}); nothing was written: "
                "make it succeed first, or leave out --verify-with"
            )

    def settle(self, trial: Trial, changed: Mapping[str, FileResult]) -> dict[str, FileResult]:
        """Leave the files in a state in which the command succeeds, with as many fixes as can be.

        Raises:
            Failure: if it fails even without any.
            WriteError: if a file cannot be written.
        """
        written = dict(changed)

        def fails(paths: Sequence[str]) -> bool:
            trial.put({path: changed[path].after for path in paths})
            return self._fails(f"with {len(paths)} of {plural(len(changed), 'file')} rewritten")

        culprits = guilty(list(changed), fails)
        self._check_innocent(len(culprits) < len(changed) or not fails([]))
        done = [path for path in changed if path not in culprits]
        for path in sorted(culprits):
            written[path] = self._reduced(trial, {other: written[other].after for other in done}, changed[path])
            done.append(path)
        if culprits:
            self._name([written[path] for path in sorted(culprits)])
        return written

    def _reduced(self, trial: Trial, others: Mapping[str, bytes], result: FileResult) -> FileResult:
        """The result for a file without the fixes that make the command fail; it is written last.

        Args:
            trial: the files.
            others: what has been written to others already, with which the command succeeds.
            result: the file with all fixes.
        """
        job = self._session.job(result.path)
        units = fix_units(job, result)
        best = result

        def fails(kept: Sequence[Unit]) -> bool:
            nonlocal best
            held = frozenset[str]().union(*units) - frozenset[str]().union(*kept)
            best = do_bytes(job._replace(options=job.options._replace(held=held)), result.before)
            trial.put({**others, result.path: best.after})
            return self._fails(f"with {len(kept)} of {plural(len(units), 'fix', 'es')} in {result.path}")

        self._check_innocent(len(guilty(units, fails)) < len(units) or not fails([]))
        return best

    def _check_innocent(self, succeeds: bool) -> None:
        if not succeeds:
            raise Failure(
                f"`{self._command}` fails now although every file is as it was; nothing was written: "
                "give a command that always ends the same way"
            )

    def _name(self, reduced: Sequence[FileResult]) -> None:
        """Tell which fixes were left out, and what the command says about them."""
        if self._failed is not None:
            self._show(self._failed)
        self._session.say(f"`{self._command}` fails with these fixes, so they were left out:")
        for result in reduced:
            for finding in result.findings:
                if finding.refusal is not None and finding.refusal.reason == HELD_BACK:
                    self._session.say(
                        f"  {result.path}:{finding.start.row}:{finding.start.column}: {finding.code} {finding.message}"
                    )

    def _fails(self, state: str) -> bool:
        run = self._run(state)
        if run.status:
            self._failed = run
        return run.status != 0

    def _run(self, state: str) -> external.Run:
        run = external.run(self._command)
        outcome = f"ended with status {run.status}" if run.status else "succeeded"
        self._session.note(f"`{self._command}` {outcome} {state}")
        return run

    def _show(self, run: external.Run) -> None:
        for line in run.tail.splitlines():
            self._session.say(f"| {line}")


def fix_units(job: Job, result: FileResult) -> list[Unit]:
    """The fixes of a file in the order of the text; those that replace the same text depend on each other.

    Args:
        job: how the file is rewritten.
        result: what became of it.
    """
    options = job.options._replace(with_edits=True)
    found = do_bytes(Job(job.path, options, project=job.project), result.before).findings
    source = Source.decode(result.path, result.before)
    units: list[tuple[set[str], set[Edit]]] = []
    for finding in found:
        if finding.fix is None or (finding.fix.safety is Safety.UNSAFE and not options.unsafe_fixes):
            continue
        names = {identity(finding.code, source.between(finding.start, finding.end))}
        edits = {edit for edit in finding.fix.edits if edit.start < edit.end}
        for unit in [unit for unit in units if unit[0] & names or unit[1] & edits]:
            units.remove(unit)
            names, edits = names | unit[0], edits | unit[1]
        units.append((names, edits))
    return [frozenset(names) for names, _ in units]

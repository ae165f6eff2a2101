"""Results without what a baseline accepts: the findings, and what their fixes would change."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from codemods.baseline import Baseline
from codemods.finding import FileResult, Finding, Safety
from codemods.identity import identity
from codemods.job import Job, do_bytes, with_deep_stack
from codemods.passes import BrokenRewriteError
from codemods.portion import NoPortionError, Portions
from codemods.source import Source


def without_accepted(result: FileResult, baseline: Baseline, job: Callable[[str], Job]) -> FileResult:
    """A result as if what the baseline accepts were not there.

    Args:
        result: what became of a file.
        baseline: the accepted findings.
        job: how a file is rewritten, by its path.
    """
    left = baseline.without_accepted(result)
    if not left.accepted or not left.changed:
        return left
    return left._replace(after=_rewritten(job(result.path), left))


def _rewritten(job: Job, result: FileResult) -> bytes:
    """The file with the fixes of the findings that are left, and no others."""
    source = Source.decode(result.path, result.before)

    def name(finding: Finding) -> str:
        return identity(finding.code, source.between(finding.start, finding.end))

    held = frozenset(map(name, result.accepted))
    if not held.isdisjoint(map(name, result.findings)):
        # If they cannot be told apart because they depend on each other, those stay that read like an accepted one.
        with contextlib.suppress(NoPortionError, BrokenRewriteError):
            return with_deep_stack(_portion, job, result)
    return do_bytes(job._replace(options=job.options._replace(held=held)), result.before).after


def _portion(job: Job, result: FileResult) -> bytes:
    """The same where some findings that are left read like accepted ones, so that only their places tell them apart.

    Raises:
        NoPortionError: if they cannot be fixed alone.
        BrokenRewriteError: if that goes wrong.
    """
    kept: list[Portions] = []
    looking = job._replace(rewrite=False)
    do_bytes(looking, result.before, keep=lambda context, found: kept.append(Portions(context, found, job.options)))
    chosen = (Safety.SAFE, Safety.UNSAFE) if job.options.unsafe_fixes else (Safety.SAFE,)
    wanted = [finding for finding in result.findings if finding.fix is not None and finding.fix.safety in chosen]
    return kept[0].finished(kept[0].draft(wanted)) if wanted else result.before

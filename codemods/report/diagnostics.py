"""What formats for machines show: each finding, and each file that does not parse, in the same shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from codemods.finding import FileResult, Finding, Level, Location
from codemods.fingerprint import file_fingerprint, fingerprints
from codemods.report.context import INVALID_SYNTAX
from codemods.report.patch import patch_name
from codemods.source import Source

HOME_PAGE = "https://picklefix.readthedocs.io"
INVALID_SYNTAX_NAME = "invalid-syntax"


class Diagnostic(NamedTuple):
    """Something that is wrong.

    Args:
        code: the code of the rule.
        name: the name of the rule.
        message: what is wrong, in one sentence.
        path: the file, as it was named to the run.
        file: the file as the project names it: relative, with slashes.
        start: where it begins.
        end: the place after its end.
        severity: ``error`` where something is pickled for certain, or does not parse; else ``warning``.
        fingerprint: what tells it from all others although lines move.
        finding: the finding; None if the file does not parse.
        source: the text of the file; None if it does not parse.
    """

    code: str
    name: str
    message: str
    path: str
    file: str
    start: Location
    end: Location
    severity: str
    fingerprint: str
    finding: Finding | None = None
    source: Source | None = None

    @property
    def url(self) -> str | None:
        """The page on the rule."""
        return None if self.finding is None else rule_url(self.name)

    @property
    def remark(self) -> str:
        """What is done about it, or why nothing is and what to do by hand, as one line; empty if it does not parse."""
        if self.finding is None:
            return ""
        if self.finding.fix is not None:
            return f"fix ({self.finding.fix.safety.value}): {self.finding.fix.title}"
        assert self.finding.refusal is not None
        return f"declined ({self.finding.refusal.reason}): {self.finding.refusal.advice}"


def rule_url(name: str) -> str:
    """The page on a rule, by its name."""
    return f"{HOME_PAGE}/rules/{name}"


def diagnostics(result: FileResult) -> Iterator[Diagnostic]:
    """What is wrong in one file."""
    if result.error is not None and result.error.syntax:
        yield _invalid_syntax(result)
    if not result.findings:
        return
    file = patch_name(result.path)
    source = Source.decode(result.path, result.before)
    for finding, fingerprint in zip(result.findings, fingerprints(result, file), strict=True):
        yield Diagnostic(
            finding.code,
            finding.name,
            finding.message,
            finding.path,
            file,
            finding.start,
            finding.end,
            "error" if finding.reach.level is Level.SINK else "warning",
            fingerprint,
            finding,
            source,
        )


def _invalid_syntax(result: FileResult) -> Diagnostic:
    assert result.error is not None
    place = result.error.location or Location(1, 1)
    start = Location(max(1, place.row), max(1, place.column))
    end = Location(start.row, start.column + 1)
    file = patch_name(result.path)
    return Diagnostic(
        INVALID_SYNTAX,
        INVALID_SYNTAX_NAME,
        result.error.message,
        result.path,
        file,
        start,
        end,
        "error",
        file_fingerprint(INVALID_SYNTAX, file),
    )

"""Remarks in the shape that the other reports have."""

from __future__ import annotations

from collections.abc import Iterator

from codemods.bot.remarks import Remark
from codemods.finding import Level
from codemods.report.diagnostics import Diagnostic


def diagnostics(remark: Remark) -> Iterator[Diagnostic]:
    """The findings of a remark, without their edits: these are for the whole file, not for what the diff shows."""
    for finding, fingerprint in zip(remark.findings, remark.fingerprints, strict=True):
        severity = "error" if finding.reach.level is Level.SINK else "warning"
        plain = finding._replace(fix=finding.fix._replace(edits=())) if finding.fix is not None else finding
        places = (remark.path, remark.path, finding.start, finding.end)
        yield Diagnostic(finding.code, finding.name, finding.message, *places, severity, fingerprint, plain)

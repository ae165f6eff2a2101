"""What is said about a file: fixes as replacements of lines where that is possible, the rest in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codemods.bot.changes import ChangedFile
from codemods.bot.drafts import REFUSED, Draft, Drafter
from codemods.bot.findings import Touched
from codemods.bot.replacing import Replacement
from codemods.finding import FileResult, Finding, Level, Safety
from codemods.fingerprint import fingerprints
from codemods.portion import Portions
from codemods.report.patch import patch
from codemods.rewrite.layouts import USUAL, Layout


@dataclass(frozen=True)
class Remark:
    """One comment on a pull request.

    Args:
        path: the file in the repository.
        old_path: its name before the pull request.
        findings: what it is about: one finding, or several whose fixes need the same lines.
        fingerprints: what tells each finding from all others when lines move.
        row: the line that the comment stands at, the last one of a suggestion.
        replacement: the suggestion, if the fix fits into what the diff shows.
        layout: where the suggestion puts what it adds.
        patch: the whole fix as ``migrate`` would make it; empty if there is none, or a suggestion makes it.
        is_introduced: whether the pull request wrote what is found, rather than only lines inside it.
    """

    path: str
    old_path: str
    findings: tuple[Finding, ...]
    fingerprints: tuple[str, ...]
    row: int
    replacement: Replacement | None = None
    layout: Layout = USUAL
    patch: bytes = b""
    is_introduced: bool = True

    @property
    def level(self) -> Level:
        """How far the worst of the findings reaches."""
        return max(finding.reach.level for finding in self.findings)

    @property
    def is_applied(self) -> bool:
        """Whether ``migrate`` resolves the findings without being asked for more."""
        return all(finding.fix is not None and finding.fix.safety is Safety.SAFE for finding in self.findings)


class Writer:
    """Writes the remarks on one file.

    Args:
        file: the file, with a new content.
        result: what was found in that, without an error.
        touched: which of it the pull request touches.
        portions: writes portions of the fixes.
        unsafe_fixes: whether changes are suggested that may lose something.
    """

    def __init__(
        self, file: ChangedFile, result: FileResult, touched: Touched, portions: Portions, unsafe_fixes: bool
    ) -> None:
        assert file.after is not None
        self._file, self._after = file, file.after
        self._touched = touched
        self._portions = portions
        self._drafter = Drafter(portions, file.after, file.difference.hunks)
        self._unsafe_fixes = unsafe_fixes
        self._fingerprints = dict(zip(result.findings, fingerprints(result, file.path), strict=True))

    def remarks(self, findings: Sequence[Finding]) -> list[Remark]:
        """One remark for each finding or group of findings, in the order of the lines."""
        wanted = [finding for finding in findings if self._is_wanted(finding)]
        drafts = self._drafter.suggestions(wanted)
        suggested = {finding for draft in drafts for finding in draft.findings}
        remarks = [self._suggestion(draft) for draft in drafts]
        remarks += [self._comment(finding) for finding in findings if finding not in suggested]
        return sorted(remarks, key=lambda remark: remark.row)

    def patch(self, findings: Sequence[Finding]) -> bytes:
        """The patch that fixes as many findings as can be fixed together, as ``migrate`` does."""
        return self._patch([finding for finding in findings if self._is_wanted(finding)])

    def _is_wanted(self, finding: Finding) -> bool:
        return finding.fix is not None and (finding.fix.safety is Safety.SAFE or self._unsafe_fixes)

    def _suggestion(self, draft: Draft) -> Remark:
        return self._remark(draft.findings, draft.replacement.last, draft.replacement, draft.layout)

    def _comment(self, finding: Finding) -> Remark:
        return self._remark((finding,), self._touched.anchor(finding))

    def _remark(
        self,
        findings: tuple[Finding, ...],
        row: int,
        suggested: Replacement | None = None,
        layout: Layout = USUAL,
    ) -> Remark:
        prints = tuple(self._fingerprints[finding] for finding in findings)
        introduced = any(map(self._touched.is_introduced, findings))
        is_shown = suggested is None and introduced
        whole = self._patch([finding for finding in findings if finding.fix is not None]) if is_shown else b""
        return Remark(self._file.path, self._file.old_path, findings, prints, row, suggested, layout, whole, introduced)

    def _patch(self, findings: Sequence[Finding]) -> bytes:
        try:
            after = self._portions.finished(self._portions.draft(findings)) if findings else self._after
        except REFUSED:
            return b""
        return patch(self._file.path, self._after, after)

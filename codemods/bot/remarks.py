"""What is said about a file: fixes as replacements of lines where that is possible, the rest in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codemods import passes
from codemods.bot.changes import ChangedFile
from codemods.bot.findings import Touched
from codemods.bot.replacing import Replacement, replacement
from codemods.finding import FileResult, Finding, Level, Safety
from codemods.fingerprint import fingerprints
from codemods.portion import NoPortionError, Portions
from codemods.report.patch import patch
from codemods.rewrite.layouts import LAYOUTS, USUAL, Layout

READABLE = 50
"""Lines of a suggestion above which a layout with fewer is preferred: services show all of them as changed."""
_REFUSED = (NoPortionError, passes.BrokenRewriteError)


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


@dataclass(frozen=True)
class _Draft:
    """A suggestion while it is decided which findings go together."""

    findings: tuple[Finding, ...]
    replacement: Replacement
    layout: Layout

    def touches(self, other: _Draft) -> bool:
        """Whether two suggestions want the same lines."""
        mine, its = self.replacement, other.replacement
        return mine.first <= its.last and its.first <= mine.last

    def repeats(self, other: _Draft) -> bool:
        """Whether two suggestions import something into the same function."""
        nearby = self.layout.imports_nearby and other.layout.imports_nearby
        return nearby and self.findings[0].within == other.findings[0].within


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
        self._unsafe_fixes = unsafe_fixes
        self._fingerprints = dict(zip(result.findings, fingerprints(result, file.path), strict=True))

    def remarks(self, findings: Sequence[Finding]) -> list[Remark]:
        """One remark for each finding or group of findings, in the order of the lines."""
        wanted = [finding for finding in findings if self._is_wanted(finding)]
        groups = self._portions.together(wanted)
        # Black takes longest: it lays out what is left once it is clear what goes together.
        drafts = self._finished(self._together([draft for group in groups if (draft := self._draft(group))]))
        suggested = {finding for draft in drafts for finding in draft.findings}
        remarks = [self._suggestion(draft) for draft in drafts]
        remarks += [self._comment(finding) for finding in findings if finding not in suggested]
        return sorted(remarks, key=lambda remark: remark.row)

    def patch(self, findings: Sequence[Finding]) -> bytes:
        """The patch that fixes as many findings as can be fixed together, as ``migrate`` does."""
        return self._patch([finding for finding in findings if self._is_wanted(finding)])

    def _is_wanted(self, finding: Finding) -> bool:
        return finding.fix is not None and (finding.fix.safety is Safety.SAFE or self._unsafe_fixes)

    def _draft(
        self, findings: tuple[Finding, ...], layouts: Sequence[Layout] = LAYOUTS, finish: bool = False
    ) -> _Draft | None:
        """The best suggestion for some findings: in the first layout that fits and is readable, else in the first."""
        fitting = []
        for draft in self._drafts(findings, layouts, finish):
            if draft.replacement.size <= READABLE:
                return draft
            fitting.append(draft)
        return fitting[0] if fitting else None

    def _drafts(self, findings: tuple[Finding, ...], layouts: Sequence[Layout], finish: bool) -> Iterator[_Draft]:
        hunks = self._file.difference.hunks
        for layout in layouts:
            try:
                draft = self._portions.draft(findings, layout)
                found = replacement(self._after, draft, hunks)
                if found is not None and finish:
                    found = replacement(self._after, self._portions.finished(draft), hunks)
            except _REFUSED:
                continue
            if found is not None:
                yield _Draft(findings, found, layout)

    def _finished(self, drafts: Sequence[_Draft]) -> list[_Draft]:
        """The suggestions as they are made; what then wants the same lines as one before is given up."""
        done: list[_Draft] = []
        for draft in drafts:
            found = self._draft(draft.findings, [draft.layout], True) or self._draft(draft.findings, LAYOUTS, True)
            if found is not None and not any(map(found.touches, done)):
                done.append(found)
        return done

    def _together(self, drafts: list[_Draft]) -> list[_Draft]:
        """Suggestions no two of which want the same lines."""
        groups = _overlapping(drafts)
        while len(groups) < len(drafts):
            drafts = [draft for group in groups for draft in self._of_group(group)]
            groups = _overlapping(drafts)
        return self._without_repetitions(drafts)

    def _of_group(self, group: Sequence[_Draft]) -> list[_Draft]:
        """One suggestion for several that overlap; where they cannot be joined, as many as can, one after the other."""
        if len(group) == 1:
            return [*group]
        if joined := self._joined(*group):
            return [joined]
        kept = [group[0]]
        for draft in group[1:]:
            if not draft.touches(kept[-1]):
                kept.append(draft)
            elif joined := self._joined(kept[-1], draft):
                kept[-1] = joined
        return kept

    def _without_repetitions(self, drafts: list[_Draft]) -> list[_Draft]:
        """Suggestions that import something into one function become one, if that is readable."""
        done: list[_Draft] = []
        for draft in drafts:
            twin = next((item for item in done if item.repeats(draft)), None)
            joined = self._joined(twin, draft) if twin is not None else None
            others = [item for item in (*done, *drafts) if item not in (twin, draft)]
            if joined is None or joined.replacement.size > READABLE or any(map(joined.touches, others)):
                done.append(draft)
            else:
                done = [joined if item is twin else item for item in done]
        return done

    def _joined(self, *drafts: _Draft) -> _Draft | None:
        findings = dict.fromkeys(finding for draft in drafts for finding in draft.findings)
        return self._draft(tuple(sorted(findings, key=lambda finding: finding.start)))

    def _suggestion(self, draft: _Draft) -> Remark:
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
        except _REFUSED:
            return b""
        return patch(self._file.path, self._after, after)


def _overlapping(drafts: Sequence[_Draft]) -> list[list[_Draft]]:
    """The suggestions in groups: those of two groups want no lines in common."""
    groups: list[list[_Draft]] = []
    end = 0
    for draft in sorted(drafts, key=lambda draft: draft.replacement.first):
        if draft.replacement.first > end:
            groups.append([])
        groups[-1].append(draft)
        end = max(end, draft.replacement.last)
    return groups

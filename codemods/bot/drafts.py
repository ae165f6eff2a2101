"""Which fixes of a file go together, and in which layout, so that each suggestion fits into what the diff shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codemods import passes
from codemods.bot.hunks import Hunk
from codemods.bot.replacing import Replacement, replacement
from codemods.finding import Finding
from codemods.portion import NoPortionError, Portions
from codemods.rewrite.layouts import LAYOUTS, Layout

READABLE = 50
"""Lines of a suggestion above which a layout with fewer is preferred: services show all of them as changed."""
REFUSED = (NoPortionError, passes.BrokenRewriteError)
"""What is raised where some fixes cannot be written alone, or not in some layout."""


@dataclass(frozen=True)
class Draft:
    """A suggestion while it is decided which findings go together.

    Args:
        findings: what it fixes.
        replacement: the lines that it replaces.
        layout: where it puts what it adds.
    """

    findings: tuple[Finding, ...]
    replacement: Replacement
    layout: Layout

    def touches(self, other: Draft) -> bool:
        """Whether two suggestions want the same lines."""
        mine, its = self.replacement, other.replacement
        return mine.first <= its.last and its.first <= mine.last

    def repeats(self, other: Draft) -> bool:
        """Whether two suggestions import something into the same function."""
        nearby = self.layout.imports_nearby and other.layout.imports_nearby
        return nearby and self.findings[0].within == other.findings[0].within


class Drafter:
    """Drafts the suggestions for one file.

    Args:
        portions: writes portions of the fixes.
        after: the file as the pull request has it.
        hunks: what the diff shows of it.
    """

    def __init__(self, portions: Portions, after: bytes, hunks: Sequence[Hunk]) -> None:
        self._portions = portions
        self._after = after
        self._hunks = hunks

    def suggestions(self, findings: Sequence[Finding]) -> list[Draft]:
        """Suggestions for as many findings as possible, no two of which want the same lines.

        Args:
            findings: the findings, which have fixes that are wanted.
        """
        groups = self._portions.together(findings)
        # Black takes longest: it lays out what is left once it is clear what goes together.
        return self._finished(self._together([draft for group in groups if (draft := self._draft(group))]))

    def _draft(
        self, findings: tuple[Finding, ...], layouts: Sequence[Layout] = LAYOUTS, finish: bool = False
    ) -> Draft | None:
        """The best suggestion for some findings: in the first layout that fits and is readable, else in the first."""
        fitting = []
        for draft in self._drafts(findings, layouts, finish):
            if draft.replacement.size <= READABLE:
                return draft
            fitting.append(draft)
        return fitting[0] if fitting else None

    def _drafts(self, findings: tuple[Finding, ...], layouts: Sequence[Layout], finish: bool) -> Iterator[Draft]:
        for layout in layouts:
            try:
                draft = self._portions.draft(findings, layout)
                found = replacement(self._after, draft, self._hunks)
                if found is not None and finish:
                    found = replacement(self._after, self._portions.finished(draft), self._hunks)
            except REFUSED:
                continue
            if found is not None:
                yield Draft(findings, found, layout)

    def _finished(self, drafts: Sequence[Draft]) -> list[Draft]:
        """The suggestions as they are made; what then wants the same lines as one before is given up."""
        done: list[Draft] = []
        for draft in drafts:
            found = self._draft(draft.findings, [draft.layout], True) or self._draft(draft.findings, LAYOUTS, True)
            if found is not None and not any(map(found.touches, done)):
                done.append(found)
        return done

    def _together(self, drafts: list[Draft]) -> list[Draft]:
        """Suggestions no two of which want the same lines."""
        groups = _overlapping(drafts)
        while len(groups) < len(drafts):
            drafts = [draft for group in groups for draft in self._of_group(group)]
            groups = _overlapping(drafts)
        return self._without_repetitions(drafts)

    def _of_group(self, group: Sequence[Draft]) -> list[Draft]:
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

    def _without_repetitions(self, drafts: list[Draft]) -> list[Draft]:
        """Suggestions that import something into one function become one, if that is readable."""
        done: list[Draft] = []
        for draft in drafts:
            twin = next((item for item in done if item.repeats(draft)), None)
            joined = self._joined(twin, draft) if twin is not None else None
            others = [item for item in (*done, *drafts) if item not in (twin, draft)]
            if joined is None or joined.replacement.size > READABLE or any(map(joined.touches, others)):
                done.append(draft)
            else:
                done = [joined if item is twin else item for item in done]
        return done

    def _joined(self, *drafts: Draft) -> Draft | None:
        findings = dict.fromkeys(finding for draft in drafts for finding in draft.findings)
        return self._draft(tuple(sorted(findings, key=lambda finding: finding.start)))


def _overlapping(drafts: Sequence[Draft]) -> list[list[Draft]]:
    """The suggestions in groups: those of two groups want no lines in common."""
    groups: list[list[Draft]] = []
    end = 0
    for draft in sorted(drafts, key=lambda draft: draft.replacement.first):
        if draft.replacement.first > end:
            groups.append([])
        groups[-1].append(draft)
        end = max(end, draft.replacement.last)
    return groups

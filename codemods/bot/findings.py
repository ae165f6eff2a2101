"""Which findings a pull request is answerable for: those on lines that it adds or changes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable

from codemods.bot.changes import ChangedFile
from codemods.finding import FileResult, Finding
from codemods.job import Job, do_bytes
from codemods.source import Source

_Key = tuple[str, str]


class Touched:
    """The findings in a file that its change touches, and where they are for git.

    Args:
        file: the file.
        result: what was found in its new content.
    """

    def __init__(self, file: ChangedFile, result: FileResult) -> None:
        assert file.after is not None
        self._lines = file.after.split(b"\n")
        self._added = frozenset(row for hunk in file.difference.hunks for row in hunk.added)
        self.source = Source.decode(file.path, file.after) if result.findings else None
        self.findings = [finding for finding in result.findings if self._added & {*self.rows(finding)}]

    def rows(self, finding: Finding) -> range:
        """The lines of a finding, as git counts them."""
        assert self.source is not None
        return rows_of(self.source, finding)

    def anchor(self, finding: Finding) -> int:
        """The first line of a finding that the pull request adds or changes."""
        return min(self._added & {*self.rows(finding)})

    def is_introduced(self, finding: Finding) -> bool:
        """Whether the pull request wrote the line that a finding is named after, rather than only lines inside it."""
        return self.rows(finding).start in self._added

    def first_line(self, finding: Finding) -> bytes:
        """The text of a finding's first line, apart from white space."""
        return b" ".join(self._lines[self.rows(finding).start - 1].split())

    def is_whole(self, finding: Finding) -> bool:
        """Whether all lines of a finding are new."""
        return self._added >= {*self.rows(finding)}


def rows_of(source: Source, finding: Finding) -> range:
    """The lines of a finding, as git counts them: it does not end lines at a lone carriage return."""
    start, end = (source.line_start(place.row) + place.column - 1 for place in (finding.start, finding.end))
    first = source.text.count("\n", 0, start) + 1
    return range(first, first + source.text.count("\n", start, max(start, end - 1)) + 1)


def key_of(source: Source, finding: Finding) -> _Key:
    """What a finding and its copy elsewhere have in common: the rule and the text, apart from white space."""
    start, end = (source.line_start(place.row) + place.column - 1 for place in (finding.start, finding.end))
    first, last = (source.text.rfind("\n", 0, start) + 1, source.text.find("\n", end))
    text = source.text[first : last if last >= 0 else len(source.text)]
    return finding.code, " ".join(text.split())


def moved_away(root: str, files: Iterable[ChangedFile], touched: Iterable[Touched], job: Job) -> Counter[_Key]:
    """The findings that stood on lines which a pull request removes; where they turn up again, they were only moved.

    Args:
        root: the work tree.
        files: what the pull request changes.
        touched: what is found in it now; only what looks like that is looked for.
        job: what is looked for.
    """
    lines = {item.first_line(finding) for item in touched for finding in item.findings if item.is_whole(finding)}
    found: Counter[_Key] = Counter()
    for file in files:
        if lines & {b" ".join(line.split()) for line in _removed_lines(file)}:
            result = do_bytes(job._replace(path=os.path.join(root, file.old_path)), file.before)
            source = Source.decode(file.old_path, file.before) if result.findings else None
            for finding in result.findings:
                assert source is not None
                if file.after is None or file.difference.removed >= {*rows_of(source, finding)}:
                    found[key_of(source, finding)] += 1
    return found


def _removed_lines(file: ChangedFile) -> list[bytes]:
    lines = file.before.split(b"\n")
    return lines if file.after is None else [lines[row - 1] for row in file.difference.removed]


def without_moved(touched: Touched, away: Counter[_Key]) -> list[Finding]:
    """The findings of a file that were not there before; each that was is taken off the count."""
    kept = []
    for finding in touched.findings:
        assert touched.source is not None
        key = key_of(touched.source, finding)
        if away[key] and touched.is_whole(finding):
            away[key] -= 1
        else:
            kept.append(finding)
    return kept

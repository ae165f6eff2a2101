"""Which findings a pull request is answerable for: those on lines that it adds or changes."""

from __future__ import annotations

import functools
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from codemods.bot.changes import ChangedFile
from codemods.finding import FileResult, Finding
from codemods.job import Job, do_bytes
from codemods.source import Source

_Key = tuple[str, str]
_LONE_RETURN = re.compile(rb"\r(?!\n)")


class Touched:
    """The findings in a file that its change touches, and where they are for git.

    Args:
        file: the file.
        result: what was found in its new content.
    """

    def __init__(self, file: ChangedFile, result: FileResult) -> None:
        assert file.after is not None
        self._lines = file.after.split(b"\n")
        self._added = file.difference.added
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


class Moved:
    """Tells which findings were in other places before, or further up or down in their file, and only moved.

    Files are taken one after the other; what moved is counted, so that of two copies one is new.

    Args:
        root: the work tree.
        files: what the pull request changes.
    """

    def __init__(self, root: str, files: Sequence[ChangedFile]) -> None:
        self._root = root
        self._files = files
        self._looked_at: set[str] = set()
        self._away: Counter[_Key] = Counter()

    def without_moved(self, touched: Touched, job: Job) -> list[Finding]:
        """The findings in a file that were not there before.

        Args:
            touched: what is found in the file.
            job: what is looked for.
        """
        whole = {finding for finding in touched.findings if touched.is_whole(finding)}
        for path in {path for finding in whole for path in self._removed_from.get(touched.first_line(finding), ())}:
            self._look_at(path, job)
        return [finding for finding in touched.findings if finding not in whole or self._is_new(touched, finding)]

    def _is_new(self, touched: Touched, finding: Finding) -> bool:
        assert touched.source is not None
        key = key_of(touched.source, finding)
        if not self._away[key]:
            return True
        self._away[key] -= 1
        return False

    @functools.cached_property
    def _removed_from(self) -> dict[bytes, set[str]]:
        """The files that the pull request removes a line from, by the line's text apart from white space."""
        found: dict[bytes, set[str]] = {}
        for file in self._files:
            for line in _removed_lines(file):
                found.setdefault(b" ".join(line.split()), set()).add(file.old_path)
        return found

    def _look_at(self, path: str, job: Job) -> None:
        """Count what stood on the lines that are removed from a file."""
        if path in self._looked_at:
            return
        self._looked_at.add(path)
        file = next(file for file in self._files if file.old_path == path)
        rows = None if file.after is None else source_rows(file.before, file.difference.removed)
        result = do_bytes(narrowed(job, os.path.join(self._root, path), rows), file.before)
        source = Source.decode(path, file.before) if result.findings else None
        for finding in result.findings:
            assert source is not None
            if file.after is None or file.difference.removed >= {*rows_of(source, finding)}:
                self._away[key_of(source, finding)] += 1


def narrowed(job: Job, path: str, rows: frozenset[int] | None) -> Job:
    """A job for some lines of a file; None for all."""
    return job._replace(path=path, rewrite=False, options=job.options._replace(rows=rows))


def source_rows(data: bytes, rows: Iterable[int]) -> frozenset[int] | None:
    """The lines that git counts, as Python counts them; None if these are not the same."""
    return None if _LONE_RETURN.search(data) else frozenset(rows)


def _removed_lines(file: ChangedFile) -> list[bytes]:
    lines = file.before.split(b"\n")
    return lines if file.after is None else [lines[row - 1] for row in file.difference.removed]

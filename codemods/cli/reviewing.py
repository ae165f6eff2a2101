"""One file in ``picklefix review``: show a fix, ask, do what the answer says, look at the file anew."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field

import click

from codemods import engine
from codemods.cli.console import Output
from codemods.cli.decisions import Decisions
from codemods.cli.session import Session
from codemods.finding import FileResult, Finding
from codemods.fingerprint import fingerprints
from codemods.job import do, with_deep_stack
from codemods.report.context import Context, is_unsafe
from codemods.report.formats.full import render
from codemods.report.patch import coloured, patch, patch_name
from codemods.report.text import columns
from codemods.source import Source, SourceError, parse
from codemods.writing import WriteError
from codemods.writing import replace as replace_file

_HEADER_LINES = 3  # of a patch: the command, the old and the new name
HELP = """\
y  make this fix
n  leave it; it is not asked again before the review is finished
a  make this fix and all others in this file that are safe
e  make this fix, and edit the file before it is written
q  end the review here; the next one goes on where it ended
?  explain the keys
"""


class Ended(Exception):
    """The person wants no more questions."""


class _Unwritable(Exception):
    """A file takes no changes, so that there is no use in asking about it."""


@dataclass
class Review:
    """A review of one file after the other.

    Args:
        session: the run.
        decisions: what was turned down.
        output: where the questions go.
        ask: gives the key that the person presses; raises ``EOFError`` at the end of input.
        accepted: the paths of the files that were written, once for each fix.
        left: the findings that remain in the files that were looked at.
    """

    session: Session
    decisions: Decisions
    output: Output
    ask: Callable[[], str]
    accepted: list[str] = field(default_factory=list)
    left: dict[str, int] = field(default_factory=dict)

    def review(self, path: str) -> None:
        """Ask about each fix in a file.

        Raises:
            Ended: if the person ends the review.
        """
        with contextlib.suppress(_Unwritable):
            self._review(path)

    def _review(self, path: str) -> None:
        takes_all = False
        while True:
            result = self._look_at(path)
            self.left[path] = len(result.findings)
            if result.error is not None:
                self.session.error(f"{path}: {result.error.message}")
                return
            open_ones = self._open_ones(result)
            if not open_ones:
                return
            finding, fingerprint = open_ones[0]
            after = self._fixed(result, finding)
            if after == result.before:
                self._reject(fingerprint)
            elif takes_all and self._context.is_applied(finding):
                self._write(result, after)
            else:
                takes_all = self._decide(result, finding, fingerprint, after, len(open_ones)) or takes_all

    @property
    def _context(self) -> Context:
        return self.session.context(self.output)

    def _look_at(self, path: str) -> FileResult:
        job = self.session.job(path)
        return do(job._replace(rewrite=False, options=job.options._replace(with_edits=True)))

    def _open_ones(self, result: FileResult) -> list[tuple[Finding, str]]:
        """The findings that can be fixed and were not turned down, with their fingerprints."""
        known = fingerprints(result, os.path.relpath(result.path).replace(os.sep, "/"))
        found = zip(result.findings, known, strict=True)
        return [pair for pair in found if pair[0].fix is not None and pair[1] not in self.decisions]

    def _fixed(self, result: FileResult, finding: Finding) -> bytes:
        assert finding.fix is not None
        style = self.session.job(result.path).options.style
        try:
            return with_deep_stack(engine.apply, result.path, result.before, finding.fix, style)
        except ValueError as error:
            self.session.error(f"{result.path}: {error}; please report this")
            return result.before

    def _decide(self, result: FileResult, finding: Finding, fingerprint: str, after: bytes, count: int) -> bool:
        """Show a fix and do what the person says; gives whether all others in the file are to be made as well."""
        self._show(result, finding, after)
        unsafe = " It may change behaviour." if is_unsafe(finding) else ""
        question = f"Make this fix?{unsafe} ({count} left in this file) [y,n,a,e,q,?] "
        while True:
            match self._answer(question):
                case "y":
                    self._write(result, after)
                    return False
                case "a":
                    self._write(result, after)
                    return True
                case "n":
                    self._reject(fingerprint)
                    return False
                case "e":
                    edited = self._edited(result, after)
                    if edited is not None:
                        self._write(result, edited)
                        return False
                case "q":
                    raise Ended
                case _:
                    self._say(HELP)

    def _show(self, result: FileResult, finding: Finding, after: bytes) -> None:
        for piece in render([result._replace(findings=(finding,))], self._context):
            self.output.write(piece)
        encoding = Source.decode(result.path, result.before).encoding
        text = patch(patch_name(result.path), result.before, after).decode(encoding, "replace")
        # What stands in the file must not steer the terminal.
        lines = [columns(line.removesuffix("\r")) for line in text.removesuffix("\n").split("\n")]
        for line in lines[:_HEADER_LINES]:
            self.output.write(f"{self.output.palette.heading(line)}\n")
        for line in lines[_HEADER_LINES:]:
            self.output.write(coloured(f"{line}\n", self.output.palette))

    def _answer(self, question: str) -> str:
        self._say(self.output.palette.remark(question))
        try:
            key = self.ask()
        except EOFError:
            key = "q"
        self._say(f"{key if key.isprintable() else '?'}\n")
        return key

    def _say(self, text: str) -> None:
        self.output.write(text)
        self.output.flush()

    def _reject(self, fingerprint: str) -> None:
        try:
            self.decisions.reject(fingerprint)
        except OSError as error:
            self.session.warn(f"{self.decisions.path}: {error.strerror}; the next review will ask again")

    def _write(self, result: FileResult, after: bytes) -> None:
        try:
            replace_file(result.path, result.before, after)
            self.accepted.append(result.path)
        except WriteError as error:
            self.session.error(f"{result.path}: {error}")
            if self._look_at(result.path).before == result.before:
                raise _Unwritable from error

    def _edited(self, result: FileResult, after: bytes) -> bytes | None:
        """What the person makes of a rewritten file in an editor; None if that is not Python."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, os.path.basename(result.path))
            with open(path, "wb") as stream:
                stream.write(after)
            try:
                click.edit(filename=path)
                with open(path, "rb") as stream:
                    edited = stream.read()
                with_deep_stack(lambda: parse(Source.decode(result.path, edited)))
            except click.ClickException as error:
                self._say(f"{error.format_message()}\n")
            except OSError as error:
                self._say(f"the edited file cannot be read: {error.strerror}\n")
            except (SourceError, SyntaxError, RecursionError, MemoryError) as error:
                self._say(f"what was edited is not Python: {error}\n")
            else:
                return edited
        return None

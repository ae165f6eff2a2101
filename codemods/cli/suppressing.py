"""``check --add-ignore``: comments that suppress all that is found."""

from __future__ import annotations

import ast

from codemods import edits
from codemods.cli.console import Failure
from codemods.cli.session import Session
from codemods.finding import FileError, FileResult
from codemods.report.summary import Tally
from codemods.report.text import plural
from codemods.rules.unused_suppression import CODE
from codemods.source import Source, SourceError
from codemods.suppression.adding import PlaceError, additions
from codemods.writing import WriteError
from codemods.writing import replace as replace_file


def add_ignores(session: Session, reason: str) -> int:
    """Write comments beside all findings.

    Args:
        session: the run.
        reason: what the comments give as the reason.

    Returns:
        The exit status: 0 if nothing is found any more.

    Raises:
        Failure: if there is no file to write to, or the reason does not fit into a comment.
    """
    if session.request.reads_standard_input:
        raise Failure("--add-ignore writes to files; give paths instead of -")
    reason = reason.strip()
    if not reason.isprintable() or "#" in reason:
        raise Failure("--add-ignore: the reason must be one line without a number sign")
    output = session.output()
    tally = Tally(session.context(output))
    added = changed = 0
    for result in session.results():
        wanted: dict[tuple[int, int], list[str]] = {}
        for finding in result.findings:
            if finding.code != CODE:
                wanted.setdefault(finding.header, []).append(finding.code)
        try:
            if wanted:
                replace_file(result.path, result.before, _with_comments(result, wanted, reason))
                added, changed = added + len(wanted), changed + 1
            left = tuple(finding for finding in result.findings if finding.code == CODE)
            tally.add(result._replace(findings=left, remaining=left))
        except (PlaceError, SourceError, WriteError) as error:
            session.error(f"{result.path}: {error}")
            tally.add(result._replace(error=FileError(str(error))))
    if not session.request.quiet:
        output.write(f"Added {plural(added, 'comment')} to {plural(changed, 'file')}.\n")
    output.flush()
    return tally.status()


def _with_comments(result: FileResult, wanted: dict[tuple[int, int], list[str]], reason: str) -> bytes:
    """The bytes of a file with the comments in it.

    Raises:
        PlaceError: if there is no place for one.
        SourceError: if they would not be read as the comments that they are.
    """
    source = Source.decode(result.path, result.before)
    text = edits.apply(source.text, additions(source, wanted, reason))
    data = source.encode(text)
    # A comment on the first two lines may be read as the declaration of an encoding.
    if Source.decode(result.path, data).text != text or ast.dump(ast.parse(text)) != ast.dump(ast.parse(source.text)):
        raise SourceError("the comments would change the meaning of the file; choose another reason")
    return data

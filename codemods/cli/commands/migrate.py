"""``picklefix migrate``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from codemods import git
from codemods.cli.console import Failure, to_file
from codemods.cli.request import Request, file_command
from codemods.cli.session import Session
from codemods.finding import FileError, FileResult
from codemods.report.outcome import outcome_lines
from codemods.report.patch import patch, patch_name
from codemods.report.summary import Tally
from codemods.report.text import plural
from codemods.writing import WriteError
from codemods.writing import replace as replace_file

_NAMED = 3


@click.command()
@click.option("--allow-dirty", is_flag=True, help="Write files even if git does not hold their present content.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is left; errors still exit with 2.")
@click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with 1 if a file was changed.")
@click.option(
    "--backup-patch", type=click.Path(dir_okay=False), help="Write a patch that undoes it all into this file."
)
@click.option(
    "--verify-with",
    metavar="COMMAND",
    help="Run this command before and after; what makes it fail is found and left as it was.",
)
@file_command
def command(
    request: Request,
    allow_dirty: bool,
    exit_zero: bool,
    exit_non_zero_on_fix: bool,
    backup_patch: str | None,
    verify_with: str | None,
) -> int:
    """Rewrite files so that their objects can be pickled.

    Safe fixes are made, with --unsafe-fixes all. In a git repository, files with changes that are not committed are
    not touched, unless --allow-dirty is given. With - the rewritten text goes to standard output.
    PATH is a file, a folder, or - for standard input; the current folder if left out.

    \b
    Example:
      picklefix migrate src
      picklefix migrate --reach all --unsafe-fixes src/train.py
      picklefix migrate --backup-patch undo.patch src
      picklefix migrate --verify-with "python -m pytest -q" src
      picklefix migrate - < before.py > after.py
    """
    if verify_with is not None and request.reads_standard_input:
        raise click.UsageError("--verify-with needs files: it cannot go with -.")
    if verify_with is not None and not verify_with.strip():
        raise click.UsageError("--verify-with needs a command: an empty one proves nothing.")
    session = Session(request)
    results = list(session.results(rewrite=True))
    output = session.output()
    # The rewritten text has standard output for itself.
    report = session.messages if request.reads_standard_input else output
    tally = Tally(session.context(report))
    if request.reads_standard_input:
        output.write(results[0].after or results[0].before)
        output.flush()
    elif not allow_dirty:
        _refuse_dirty([result.path for result in results if result.changed])
    if backup_patch is not None:
        _write_backup(backup_patch, results)
    if verify_with is not None:
        from codemods.cli.verifying import write_verified  # Imported only here: few runs need it.

        results = write_verified(session, results, verify_with)
        written = iter(results)
        if backup_patch is not None:
            _write_backup(backup_patch, results)
    else:
        written = (
            result if request.reads_standard_input or not result.changed else _write(result, session)
            for result in results
        )
    for result in written:
        tally.add(result)
        for line in outcome_lines(result, "fixed", tally.context):
            report.write(f"{line}\n")
    if not request.quiet:
        report.write("".join(f"{sentence}\n" for sentence in tally.changes("Fixed")))
    report.flush()
    status = tally.status(would_change=exit_non_zero_on_fix)
    return 0 if exit_zero and status == 1 else status


def _refuse_dirty(paths: Sequence[str]) -> None:
    """Keep work that could not be got back.

    Raises:
        Failure: if git does not hold the present content of a file.
    """
    try:
        dirty = git.dirty(paths)
    except git.GitError as error:
        raise Failure(
            f"cannot ask git for uncommitted changes: {error}; --allow-dirty writes without asking"
        ) from error
    if dirty:
        more = ", …" if len(dirty) > _NAMED else ""
        names = ", ".join(dirty[:_NAMED]) + more
        changes = "uncommitted changes in " + plural(len(dirty), "file")
        raise Failure(f"{changes} ({names}); nothing was written: commit them first, or give --allow-dirty")


def _write_backup(path: str, results: Sequence[FileResult]) -> None:
    with to_file(path) as output:
        for result in results:
            if result.changed:
                output.write(patch(patch_name(result.path), result.after, result.before))
        output.flush()


def _write(result: FileResult, session: Session) -> FileResult:
    try:
        replace_file(result.path, result.before, result.after)
    except WriteError as error:
        session.error(f"{result.path}: {error}")
        failure = FileError(str(error))
        return result._replace(after=result.before, fixed=(), remaining=result.findings, error=failure)
    return result

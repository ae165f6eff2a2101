"""``picklefix diff``."""

from __future__ import annotations

import click

from codemods.cli.request import Request, file_command
from codemods.cli.session import Session
from codemods.report.outcome import outcome_lines
from codemods.report.patch import patch, patch_name
from codemods.report.summary import Tally


@click.command()
@click.option("-o", "--output-file", type=click.Path(dir_okay=False), help="Write the patch into this file.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever would change; errors still exit with 2.")
@file_command
def command(request: Request, output_file: str | None, exit_zero: bool) -> int:
    """Print the patch that migrate would write; change nothing.

    The patch goes to standard output, byte for byte what git apply needs; all else goes to standard error.
    PATH is a file, a folder, or - for standard input; the current folder if left out.

    \b
    Example:
      picklefix diff src
      picklefix diff --unsafe-fixes src > picklefix.patch
      picklefix diff src | git apply
    """
    session = Session(request)
    context = session.context(session.messages)
    tally = Tally(context)
    results = session.results(rewrite=True)
    with session.output_to(output_file) as output:
        for result in results:
            tally.add(result)
            if result.changed:
                output.write(patch(patch_name(result.path), result.before, result.after, output.palette))
            for line in outcome_lines(result, "would fix", context):
                session.messages.write(f"{line}\n")
    if not request.quiet:
        session.messages.write("".join(f"{sentence}\n" for sentence in tally.changes("Would fix")))
    session.messages.flush()
    status = tally.status(would_change=True)
    return 0 if exit_zero and status == 1 else status

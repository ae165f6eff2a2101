"""``picklefix review``."""

from __future__ import annotations

import os
import sys

import click

from codemods.cli.console import Failure
from codemods.cli.decisions import Decisions
from codemods.cli.request import Request, file_command
from codemods.cli.reviewing import Ended, Review
from codemods.cli.session import Session
from codemods.report.summary import Tally
from codemods.report.text import plural


@click.command()
@click.option("--start-over", is_flag=True, help="Ask again also what was turned down in a review that was ended.")
@file_command
def command(request: Request, start_over: bool) -> int:
    """Ask about each fix, with its diff, and make those that are accepted.

    Each finding that can be fixed is shown with the way to where it is pickled and with the change, unsafe ones too.
    What is accepted is written at once. A review that was ended goes on where it was. Git is not asked for uncommitted
    changes: nothing but what is shown is changed.

    \b
    Example:
      picklefix review src
      picklefix review --reach sink src/train.py
    """
    if request.reads_standard_input:
        raise click.UsageError("review needs files: it cannot read one from standard input.")
    if sys.stdin is None or not sys.stdin.isatty():
        raise Failure("review asks questions: run it in a terminal, or use check, diff and migrate")
    session = Session(request)
    output = session.output()
    decisions = Decisions(os.curdir)
    if start_over:
        decisions.forget()
    review = Review(session, decisions, output, click.getchar)
    tally = Tally(session.context(output))
    results = list(session.results())
    for result in results:
        tally.add(result)
    is_ended = False
    try:
        for result in results:
            if any(finding.fix for finding in result.findings) and not result.path.endswith(".pyi"):
                review.review(result.path)
    except Ended:
        is_ended = True
    else:
        decisions.forget()
    left = sum(review.left.get(result.path, len(result.findings)) for result in results)
    if not request.quiet:
        files = plural(len(set(review.accepted)), "file")
        output.write(f"Made {plural(len(review.accepted), 'change')} in {files}; {plural(left, 'finding')} left.\n")
        if is_ended:
            output.write("Run it again to go on.\n")
    output.flush()
    return 2 if tally.errors else int(bool(left or tally.invalid))

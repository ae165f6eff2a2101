"""``picklefix check``."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator

import click

from codemods.cli.console import encoded
from codemods.cli.request import Request, file_command
from codemods.cli.session import Session
from codemods.finding import FileResult
from codemods.report import format_names, load
from codemods.report.context import Needs
from codemods.report.summary import Tally
from codemods.settings import ConfigError, nearest


@click.command()
@click.option("--output-format", type=click.Choice(format_names()), help="How findings are shown.")
@click.option("-o", "--output-file", type=click.Path(dir_okay=False), help="Write the report into this file.")
@click.option("--statistics", is_flag=True, help="Count findings by rule instead of showing them.")
@click.option(
    "--report",
    type=click.Choice(["findings", "spawn"]),
    default="findings",
    show_default=True,
    help="What is reported: findings, or for each package whether it is ready for spawn and forkserver.",
)
@click.option("--show-files", is_flag=True, help="List the files that would be checked, and check none.")
@click.option("--show-settings", is_flag=True, help="Show the settings that hold for the files, and check none.")
@click.option("--baseline", type=click.Path(), help="Leave out the findings that this file accepts.")
@click.option("--write-baseline", type=click.Path(dir_okay=False), help="Accept all findings, in this file.")
@click.option("--add-ignore", metavar="REASON", help="Write comments that suppress all findings, with this reason.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found; errors still exit with 2.")
@file_command
def command(
    request: Request,
    output_format: str | None,
    output_file: str | None,
    statistics: bool,
    report: str,
    show_files: bool,
    show_settings: bool,
    baseline: str | None,
    write_baseline: str | None,
    add_ignore: str | None,
    exit_zero: bool,
) -> int:
    """Report what pickle would refuse; change nothing.

    PATH is a file, a folder, or - for standard input; the current folder if left out. Only --add-ignore writes to the
    files.

    \b
    Example:
      picklefix check src
      picklefix check --reach sink --output-format full src/train.py
      picklefix check --output-format html -o review.html
      picklefix check --report spawn src
      picklefix check --add-ignore "never sent to a process" src/menus.py
    """
    if statistics and report == "spawn":
        raise click.UsageError("--statistics counts findings; it cannot go with --report spawn.")
    session = Session(request)
    done = _accept(session, baseline, write_baseline, add_ignore)
    if done is not None:
        return done
    if show_files or show_settings:
        with session.output_to(output_file) as output:
            output.write(_files(session) if show_files else _settings(session))
        return 0
    work = _readiness if report == "spawn" else _statistics if statistics else _findings
    status = work(session, output_format or _configured_format(session), output_file)
    session.warn_of_stale()
    return 0 if exit_zero and status == 1 else status


def _accept(session: Session, baseline: str | None, write_baseline: str | None, add_ignore: str | None) -> int | None:
    """Accept findings where that is asked for; the exit status if nothing is to be reported."""
    if sum(value is not None for value in (baseline, write_baseline, add_ignore)) > 1:
        raise click.UsageError("--baseline, --write-baseline and --add-ignore exclude each other.")
    if add_ignore is not None:
        from codemods.cli.suppressing import add_ignores  # Imported only here, as below: few runs need it.

        return add_ignores(session, add_ignore)
    if write_baseline is not None:
        from codemods.cli import accepting

        return accepting.write(session, write_baseline)
    if baseline is not None:
        from codemods.cli import accepting

        session.baseline = accepting.load(baseline)
    return None


def _findings(session: Session, output_format: str, output_file: str | None) -> int:
    """Report each finding, and return the exit status."""
    module = load(output_format)
    results = session.results(rewrite=module.NEEDS is Needs.REWRITE, with_edits=module.NEEDS is Needs.EDITS)
    with session.output_to(output_file) as output:
        context = session.context(output)
        tally = Tally(context)
        for piece in module.render(_counted(results, tally), context):
            # What machines read is UTF-8, whatever a terminal would want.
            output.write(piece if module.FOR_PEOPLE or isinstance(piece, bytes) else encoded(piece, "utf-8"))
        if module.FOR_PEOPLE and not session.request.quiet:
            output.write("".join(f"{sentence}\n" for sentence in tally.checked()))
    return tally.status()


def _statistics(session: Session, output_format: str, output_file: str | None) -> int:
    """Report how often each rule finds something, and return the exit status."""
    from codemods.report.statistics import FORMS  # Imported only here: few runs need it.

    if output_format not in FORMS:
        raise click.UsageError(f"--statistics has no form in {output_format}; choose {', '.join(FORMS)}.")
    results = session.results()
    with session.output_to(output_file) as output:
        tally = Tally(session.context(output))
        deque(_counted(results, tally), maxlen=0)
        output.write(FORMS[output_format](tally))
    return tally.status()


def _readiness(session: Session, output_format: str, output_file: str | None) -> int:
    """Report on each package, and return the exit status."""
    from codemods.report import readiness  # Imported only here: few runs need it.
    from codemods.report.readiness.facts import readiness as facts

    if output_format not in readiness.FORMS:
        raise click.UsageError(f"--report spawn has no form in {output_format}; choose {', '.join(readiness.FORMS)}.")
    results = session.results(with_notes=True)
    with session.output_to(output_file) as output:
        tally = Tally(session.context(output))
        found = facts(_counted(results, tally))
        text = readiness.load(output_format).render(found)
        output.write(text if load(output_format).FOR_PEOPLE else encoded(text, "utf-8"))
    return max(tally.status(), int(not found.is_ready))


def _files(session: Session) -> bytes:
    return b"".join(os.fsencode(path) + b"\n" for path in session.discover().files)


def _settings(session: Session) -> str:
    from codemods.cli.settings_text import settings_text  # Imported only here: few runs need it.

    return "\n".join(map(settings_text, session.settings()))


def _configured_format(session: Session) -> str:
    settings = session.configuration.for_folder(os.curdir)
    known = list(format_names())
    if settings.output_format not in known:
        hint = nearest(settings.output_format, known)
        raise ConfigError(f"{settings.place('output-format')}unknown `output-format` {settings.output_format}{hint}")
    return settings.output_format


def _counted(results: Iterable[FileResult], tally: Tally) -> Iterator[FileResult]:
    for result in results:
        # Nothing is written, so that what a rewrite would resolve is there still.
        tally.add(result._replace(after=result.before, fixed=(), remaining=result.findings))
        yield result

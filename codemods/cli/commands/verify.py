"""``picklefix verify``."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click

from codemods.cli.console import Failure, standard
from codemods.git import GitError
from codemods.report.palette import Palette
from codemods.report.text import printable
from codemods.runtime.unpicklable import Unpicklable
from codemods.runtime.verification import Target, Verdict, Verifier, changed_targets, targets_of

_UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


@click.command()
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option("--changed", is_flag=True, help="Take what the last migration made: new functions and classes.")
@click.option("--call", metavar="TUPLE", default="", help='Call it on both sides with these arguments: "(1, 2)".')
@click.option("--python", default=sys.executable, help="The interpreter to import the project with.")
@click.option("--timeout", type=click.FloatRange(min=0.1), default=60.0, help="Seconds that one process may take.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="How it is told.")
@click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="When to colour the output."
)
def command(
    targets: tuple[str, ...], changed: bool, call: str, python: str, timeout: float, output_format: str, color: str
) -> None:
    """Prove that objects survive the way into a fresh process.

    This imports your modules and runs their code, unlike the commands that read it. TARGET is module:name or
    path/to/file.py:name. A function that needs no arguments is a factory: what it returns is verified. The object is
    pickled in one process, loaded in a fresh one, sent back and compared. Exit status: 0 if all survive, 1 if not, 2
    for errors.

    \b
    Example:
      picklefix verify train:make_dataset
      picklefix verify --call "([1, 2],)" train.py:collate
      picklefix verify --changed
    """
    chosen = _chosen(targets, changed)
    _check_arguments(call)
    verifier = Verifier(python, timeout, call)
    try:
        verdicts = [verifier.verify(target) for target in chosen]
    except OSError as error:
        raise Failure(f"{python}: cannot be run: {error.strerror}; check the path") from error
    output = standard(sys.stdout, color, "standard output")
    if output_format == "json":
        output.write(json.dumps([asdict(verdict) for verdict in verdicts], indent=2) + "\n")
    else:
        output.write("".join(f"{line}\n" for line in _lines(verdicts, output.palette)))
    output.flush()
    click.get_current_context().exit(int(any(verdict.problem for verdict in verdicts)))


def _chosen(names: Sequence[str], changed: bool) -> list[Target]:
    if not names and not changed:
        raise click.UsageError("name what to verify, as module:name, or give --changed.")
    try:
        return targets_of(names) + (list(changed_targets(".")) if changed else [])
    except ValueError as error:
        raise Failure(f"{error}; for example: train:make_dataset") from error
    except GitError as error:
        raise Failure(f"cannot ask git what has changed: {error}; name the targets instead") from error


def _check_arguments(text: str) -> None:
    try:
        is_tuple = not text or isinstance(ast.literal_eval(text), tuple)
    except (ValueError, SyntaxError):
        is_tuple = False
    if not is_tuple:
        raise Failure(f'--call {text}: is not a tuple of literals; for example: "(1, 2)"')


def _lines(verdicts: Sequence[Verdict], palette: Palette) -> Iterator[str]:
    width = max((len(verdict.target.name) for verdict in verdicts), default=0)
    for verdict in verdicts:
        name = printable(verdict.target.name).ljust(width)
        if verdict.problem is None:
            times = f"dump {verdict.dump_seconds * 1e3:8.2f} ms  load {verdict.load_seconds * 1e3:8.2f} ms"
            yield f"{palette.heading(name)}  {palette.added('ok')}  {_size(verdict.size):>9}  {times}"
        else:
            yield f"{palette.heading(name)}  {palette.alarm('failed')}  {printable(verdict.problem)}"
        for culprit in verdict.culprits:
            yield f"    {printable(str(Unpicklable(**culprit)))}"
        for part in verdict.carries:
            yield f"    carries {printable(part['part'])} {printable(part['type'])}, {_size(part['size'])}"
    if not verdicts:
        yield "Nothing to verify."


def _size(size: int) -> str:
    for unit, name in _UNITS:
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} B"

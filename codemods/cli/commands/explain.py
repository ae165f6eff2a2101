"""``picklefix explain``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

import click

from codemods.cli.console import Failure, standard, standard_input
from codemods.cli.explaining import document, text
from codemods.cli.request import STANDARD_INPUT
from codemods.runtime.diagnosis import diagnose
from codemods.runtime.explanation import explained
from codemods.runtime.mending import Mended
from codemods.runtime.transcript import LONGEST
from codemods.settings import ConfigError
from codemods.writing import WriteError, replace


@click.command()
@click.argument("file", type=click.Path(), default=STANDARD_INPUT, metavar="[FILE]")
@click.option("--root", type=click.Path(exists=True), default=".", help="The project that the error comes from.")
@click.option("--fix", is_flag=True, help="Make the fix.")
@click.option("--unsafe-fixes", is_flag=True, help="Show, and with --fix make, a fix that may change behaviour too.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="How it is told.")
@click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="When to colour the output."
)
def command(file: str, root: str, fix: bool, unsafe_fixes: bool, output_format: str, color: str) -> None:
    """Say what a pasted error means, where its cause is, and what mends it.

    FILE holds a traceback, a warning or a whole log; - or nothing reads it from standard input. Nothing of the project
    is imported or run. Exit status: 0 if pickling is not the problem or --fix has mended it, 1 if it is, 2 for errors.

    \b
    Example:
      picklefix explain error.txt
      python train.py 2>&1 | picklefix explain
      picklefix explain --root src --fix error.txt
    """
    try:
        explanation = explained(diagnose(_read(file)), root)
        mended = explanation.mended(unsafe_fixes=unsafe_fixes)
    except ConfigError as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise Failure(f"{error.filename}: cannot be read: {error.strerror}; check its permissions") from error
    applied = fix and bool(mended)
    if applied:
        _write(mended)
    output = standard(sys.stdout, color, "standard output")
    if output_format == "json":
        output.write(json.dumps(document(explanation, mended, applied=applied), indent=2) + "\n")
    else:
        for piece in text(explanation, mended, output.palette, applied=applied, hint="--fix"):
            output.write(piece)
    output.flush()
    click.get_current_context().exit(int(explanation.diagnosis.is_pickling and not applied))


def _read(file: str) -> bytes:
    if file == STANDARD_INPUT:
        return standard_input()
    try:
        with open(file, "rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - LONGEST))
            return stream.read(LONGEST)
    except OSError as error:
        raise Failure(f"{file}: cannot be read: {error.strerror}; check the name, or give - to paste it") from error


def _write(mended: Sequence[Mended]) -> None:
    for item in mended:
        try:
            replace(item.path, item.before, item.after)
        except WriteError as error:
            raise Failure(f"{item.path}: {error}") from error

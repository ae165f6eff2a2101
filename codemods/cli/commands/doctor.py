"""``picklefix doctor``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict

import click

from codemods.cli.console import standard
from codemods.report.palette import Palette
from codemods.runtime.examination import Examination, examine


@click.command()
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="How it is told.")
@click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="When to colour the output."
)
def command(output_format: str, color: str) -> None:
    """Say how processes start here and what libraries do about pickling.

    It tells of the environment in which picklefix itself is installed; no library is imported.

    \b
    Example:
      picklefix doctor
      picklefix doctor --output-format json
    """
    found = examine()
    output = standard(sys.stdout, color, "standard output")
    if output_format == "json":
        output.write(json.dumps(asdict(found), indent=2) + "\n")
    else:
        output.write("".join(f"{line}\n" for line in _lines(found, output.palette)))
    output.flush()


def _lines(found: Examination, palette: Palette) -> Iterator[str]:
    yield f"{palette.heading('Python')}        {found.python} on {found.system}"
    yield f"{palette.heading('start method')}  {found.start_method} ({', '.join(found.start_methods)} are there)"
    if found.changes:
        yield f"              {palette.alarm(found.start_method_of_3_14)} from Python 3.14 on: then what processes are"
        yield "              given is pickled; `picklefix trace --start-method spawn` shows what would fail"
    for library in found.libraries:
        yield f"{palette.heading(library.name)} {library.version}"
        for fact in library.facts:
            yield f"  - {fact}"
    if not found.libraries:
        yield "None of the libraries that picklefix knows is installed here."

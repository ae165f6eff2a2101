"""``picklefix tests``."""

from __future__ import annotations

import os
import sys

import click

from codemods.cli.console import Failure, standard
from codemods.config import Configuration
from codemods.discovery import discover
from codemods.report.text import plural
from codemods.runtime.candidates import Candidates, candidates
from codemods.runtime.suite import suite
from codemods.runtime.verification import module_of
from codemods.settings import ConfigError
from codemods.source import Source, SourceError, parse

_FILE = os.path.join("tests", "test_picklable.py")


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True), metavar="[PATH]...")
@click.option("-o", "--output-file", type=click.Path(dir_okay=False), default=_FILE, help="The file to write.")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
def command(paths: tuple[str, ...], output_file: str, force: bool) -> None:
    """Write a test file that proves that a project's objects can be pickled.

    The classes of data sets and modules below PATH, callable objects, and functions that are handed on are tested with
    pickle, with the pickler of multiprocessing, with deepcopy, and with spawned workers. The code is read, not run; the
    tests run it, with pytest. - as the file writes to standard output.

    \b
    Example:
      picklefix tests src
      picklefix tests -o tests/test_spawn.py src/train.py
      picklefix tests -o - src
    """
    try:
        files = discover(paths or (".",), Configuration(None, False, ())).files
    except ConfigError as error:
        raise Failure(str(error)) from error
    modules = [(*module_of(path), found) for path in files if (found := _candidates(path))]
    modules = [(folder, name, found) for folder, name, found in modules if _is_importable(name)]
    text = suite(modules, _FILE if output_file == "-" else output_file)
    if output_file == "-":
        output = standard(sys.stdout, "never", "standard output")
        output.write(text)
        output.flush()
        return
    _write(output_file, text, force)
    click.echo(f"{output_file}: tests for {plural(len(modules), 'module')}; run them with `pytest {output_file}`")


def _candidates(path: str) -> Candidates | None:
    if os.path.basename(path).startswith(("test_", "conftest", "setup")):
        return None
    try:
        with open(path, "rb") as stream:
            return candidates(parse(Source.decode(path, stream.read()))) or None
    except (OSError, SyntaxError, SourceError, RecursionError, MemoryError) as error:
        click.echo(f"warning: {path}: is left out: {' '.join(str(error).split())}", err=True)
        return None


def _is_importable(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def _write(path: str, text: str, force: bool) -> None:
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w" if force else "x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError as error:
        raise Failure(f"{path}: is there already; give --force to replace it, or another name with -o") from error
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {error.strerror}; choose another file with -o") from error

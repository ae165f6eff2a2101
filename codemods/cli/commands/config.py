"""``picklefix config``."""

from __future__ import annotations

import json
import os
import sys

import click

from codemods.catalog.described import described
from codemods.catalog.entries import Resource
from codemods.cli.console import Failure, standard
from codemods.cli.request import configuration, configuration_options
from codemods.settings import KEYS, ConfigError, FileIgnore, Glob, Kind, Settings


@click.command()
@click.argument("path", type=click.Path(), default=".")
@configuration_options
def command(path: str, config: tuple[str, ...], isolated: bool) -> None:
    """Show the settings that hold for a path, and where they come from.

    The output is TOML, as it could stand in pyproject.toml below [tool.picklefix].

    \b
    Example:
      picklefix config
      picklefix config src/train.py
      picklefix config --isolated
    """
    try:
        found = configuration(config, isolated, {})
        settings = found.for_folder(path) if os.path.isdir(path) else found.for_file(path)
    except ConfigError as error:
        raise Failure(str(error)) from error
    output = standard(sys.stdout, "never", "standard output")
    output.write(f"# {settings.origin or 'no configuration file'}\n")
    output.write("".join(f"{_line(key, settings)}\n" for key in KEYS))
    output.flush()


def _line(key: str, settings: Settings) -> str:
    """A key and its value; strings, numbers, flags and lists of strings are written as in JSON."""
    value = getattr(settings, key.replace("-", "_"))
    if value is None:
        return f"# {key} is not set"
    if KEYS[key] is Kind.TABLE:
        return f"{key} = {_table(value)}"
    if KEYS[key] is Kind.STATE_STYLE:
        value = value.value
    if KEYS[key] is Kind.RESOURCES:
        return f"{key} = [{', '.join(map(_resource, value))}]"
    if KEYS[key] is Kind.LIST:
        value = [item.pattern if isinstance(item, Glob) else item for item in value]
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


def _resource(entry: Resource) -> str:
    pairs = [("names", [entry.name]), *described(entry).items()]
    return "{" + ", ".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in pairs) + "}"


def _table(ignores: tuple[FileIgnore, ...]) -> str:
    rows = (
        f"{json.dumps('!' * ignore.negated + ignore.glob.pattern)} = {json.dumps(ignore.selectors)}"
        for ignore in ignores
    )
    return "{" + ", ".join(rows) + "}"

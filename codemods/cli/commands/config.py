"""``picklefix config``."""

from __future__ import annotations

import os
import sys

import click

from codemods.cli.console import Failure, standard
from codemods.cli.request import configuration, configuration_options
from codemods.cli.settings_text import settings_text
from codemods.settings import ConfigError


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
    if not os.path.exists(path):
        raise Failure(f"{path}: there is no such file or folder; check the name")
    try:
        found = configuration(config, isolated, {})
        settings = found.for_folder(path) if os.path.isdir(path) else found.for_file(path)
    except ConfigError as error:
        raise Failure(str(error)) from error
    output = standard(sys.stdout, "never", "standard output")
    output.write(settings_text(settings))
    output.flush()

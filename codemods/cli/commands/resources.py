"""``picklefix resources``."""

from __future__ import annotations

import difflib
import json
import os
import re
import sys
from collections.abc import Sequence

import click

from codemods.catalog.described import described
from codemods.catalog.entries import Resource, Restore
from codemods.catalog.loader import load
from codemods.cli.console import Failure, standard
from codemods.cli.request import configuration, configuration_options
from codemods.settings import ConfigError

_RESTORED = {
    Restore.REBUILD: "the expression that made it makes it again",
    Restore.REBUILD_WITH_STATE: "a new one would lack what it holds: left alone, with advice",
    Restore.REOPEN: "it is opened again so that nothing is truncated",
    Restore.BY_NAME: "it is looked up again under its name",
    Restore.NONE: "it is not made again while its owner is loaded",
    Restore.KEEP: "it pickles, and leaving it out would lose something",
}
_INTEREST = {"on": "reported in every class", "evidence": "reported where its owner is seen to be pickled"}


@click.command()
@click.argument("type_name", required=False, metavar="[TYPE]")
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How it is shown."
)
@configuration_options
def command(type_name: str | None, output_format: str, config: tuple[str, ...], isolated: bool) -> None:
    """List the types that do not pickle, and how each is restored.

    TYPE is a constructor, its last part, or a word of the error that pickle raises. What the key unpicklable-types of
    the configuration adds is listed too.

    \b
    Example:
      picklefix resources
      picklefix resources threading.Lock
      picklefix resources _io.TextIOWrapper
      picklefix resources --output-format json
    """
    try:
        settings = configuration(config, isolated, {}).for_folder(os.curdir)
    except ConfigError as error:
        raise Failure(str(error)) from error
    entries = load().with_resources(settings.unpicklable_types).all_resources()
    found = entries if type_name is None else _named(entries, type_name)
    output = standard(sys.stdout, "never", "standard output")
    if output_format == "json":
        output.write(json.dumps([{"name": entry.name, **described(entry)} for entry in found], indent=2) + "\n")
    elif type_name is None:
        output.write("".join(f"{entry.name}: {entry.restore.value}\n" for entry in found))
    else:
        output.write("\n".join(map(_text, found)))
    output.flush()


def _named(entries: Sequence[Resource], text: str) -> list[Resource]:
    """The entries of a name; if there are none, those of that last part, or whose errors name such a type."""
    word = re.compile(rf"(?<![\w.]){re.escape(text)}(?!\w)")
    for matches in (
        lambda entry: entry.name == text,
        lambda entry: entry.name.rpartition(".")[2] == text,
        lambda entry: bool(word.search(f"{entry.error} {entry.versions}")),
    ):
        if found := [entry for entry in entries if matches(entry)]:
            return found
    close = difflib.get_close_matches(text, [entry.name for entry in entries], n=1)
    hint = f"did you mean `{close[0]}`?" if close else "`picklefix resources` lists all that are known"
    raise Failure(f"unknown type `{text}`; {hint}")


def _text(entry: Resource) -> str:
    values = described(entry)
    values["restore"] = f"{entry.restore.value}: {_RESTORED[entry.restore]}"
    values["default"] = f"{values['default']}: {_INTEREST[str(values['default'])]}"
    lines = [f"  {key}: {_shown(value)}\n" for key, value in values.items()]
    return f"{entry.name}\n" + "".join(lines)


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return "yes" if value is True else str(value)

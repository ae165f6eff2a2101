"""``picklefix sinks``."""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Sequence

import click

from codemods.catalog.described import described_sink
from codemods.catalog.entries import Form, Sink, When
from codemods.catalog.loader import load
from codemods.cli.console import Failure, standard
from codemods.cli.request import configuration, configuration_options
from codemods.settings import ConfigError

_WHEN = {When.ALWAYS: "under every start method", When.SPAWN: "under spawn and forkserver"}
_FORMS = {
    Form.CALLABLE: "any callable",
    Form.FUNCTION: "a true function, no partial",
    Form.SOURCE: "a function whose source is read",
    Form.NOTHING: "no callable",
}


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How it is shown."
)
@configuration_options
def command(name: str | None, output_format: str, config: tuple[str, ...], isolated: bool) -> None:
    """List the calls that pickle, what of their arguments travels, and how.

    NAME is a call, as code imports it, or the last parts of its name. What the key sinks of the configuration adds is
    listed too.

    \b
    Example:
      picklefix sinks
      picklefix sinks torch.utils.data.DataLoader
      picklefix sinks Pool.map
      picklefix sinks --output-format json
    """
    try:
        settings = configuration(config, isolated, {}).for_folder(os.curdir)
    except ConfigError as error:
        raise Failure(str(error)) from error
    catalog = load().with_calls(settings.sinks, (), ())
    entries = catalog.all_sinks()
    found = entries if name is None else _named(entries, name, catalog.canonical(name))
    output = standard(sys.stdout, "never", "standard output")
    if output_format == "json":
        output.write(json.dumps([{"name": entry.name, **described_sink(entry)} for entry in found], indent=2) + "\n")
    elif name is None:
        output.write("".join(f"{entry.name}: {entry.serialiser.value}\n" for entry in found))
    else:
        output.write("\n".join(map(_text, found)))
    output.flush()


def _named(entries: Sequence[Sink], text: str, canonical: str) -> list[Sink]:
    """The entries of a name; if there are none, those that end in it."""
    exact = [entry for entry in entries if entry.name in (text, canonical)]
    if found := exact or [entry for entry in entries if entry.name.endswith(f".{text}")]:
        return found
    close = difflib.get_close_matches(text, [entry.name for entry in entries], n=1)
    hint = f"did you mean `{close[0]}`?" if close else "`picklefix sinks` lists all that are known"
    raise Failure(f"unknown sink `{text}`; {hint}")


def _text(entry: Sink) -> str:
    values = described_sink(entry)
    values["when"] = f"{entry.when.value}: {_WHEN[entry.when]}"
    values["accepts"] = f"{entry.accepts.value}: {_FORMS[entry.accepts]}"
    lines = [f"  {key}: {_shown(value)}\n" for key, value in values.items()]
    return f"{entry.name}\n" + "".join(lines)


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    if isinstance(value, dict):
        return " ".join(f"{key} {_shown(item)}" for key, item in value.items())
    return str(value)

"""``picklefix sinks``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from codemods.catalog.described import described_sink
from codemods.catalog.entries import Form, Sink, When
from codemods.catalog.loader import load
from codemods.cli.listing import as_json, in_full, listing_options, settings_here, unknown, write

_WHEN = {When.ALWAYS: "under every start method", When.SPAWN: "under spawn and forkserver"}
_FORMS = {
    Form.CALLABLE: "any callable",
    Form.FUNCTION: "a true function, no partial",
    Form.SOURCE: "a function whose source is read",
    Form.NOTHING: "no callable",
}


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@listing_options
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
    settings = settings_here(config, isolated)
    catalog = load().with_calls(settings.sinks, (), ())
    entries = catalog.all_sinks()
    found = entries if name is None else _named(entries, name, catalog.canonical(name))
    if output_format == "json":
        write(as_json(found, described_sink))
    elif name is None:
        write("".join(f"{entry.name}: {entry.serialiser.value}\n" for entry in found))
    else:
        write("\n".join(map(_text, found)))


def _named(entries: Sequence[Sink], text: str, canonical: str) -> list[Sink]:
    """The entries of a name; if there are none, those that end in it."""
    exact = [entry for entry in entries if entry.name in (text, canonical)]
    if found := exact or [entry for entry in entries if entry.name.endswith(f".{text}")]:
        return found
    raise unknown("sink", text, entries, "sinks")


def _text(entry: Sink) -> str:
    values = described_sink(entry)
    values["when"] = f"{entry.when.value}: {_WHEN[entry.when]}"
    values["accepts"] = f"{entry.accepts.value}: {_FORMS[entry.accepts]}"
    return in_full(entry.name, values)

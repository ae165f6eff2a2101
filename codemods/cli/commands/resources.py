"""``picklefix resources``."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from codemods.catalog.described import described
from codemods.catalog.entries import Resource, Restore
from codemods.catalog.loader import load
from codemods.cli.listing import as_json, in_full, listing_options, settings_here, unknown, write

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
@listing_options
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
    settings = settings_here(config, isolated)
    entries = load().with_resources(settings.unpicklable_types).all_resources()
    found = entries if type_name is None else _named(entries, type_name)
    if output_format == "json":
        write(as_json(found, described))
    elif type_name is None:
        write("".join(f"{entry.name}: {entry.restore.value}\n" for entry in found))
    else:
        write("\n".join(map(_text, found)))


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
    raise unknown("type", text, entries, "resources")


def _text(entry: Resource) -> str:
    values = described(entry)
    values["restore"] = f"{entry.restore.value}: {_RESTORED[entry.restore]}"
    values["default"] = f"{values['default']}: {_INTEREST[str(values['default'])]}"
    return in_full(entry.name, values)

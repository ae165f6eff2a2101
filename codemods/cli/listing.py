"""What the commands that list a catalog have in common."""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import click

from codemods.cli.console import Failure, standard
from codemods.cli.request import configuration, configuration_options
from codemods.settings import ConfigError, Settings


class Named(Protocol):
    """An entry of a catalog."""

    @property
    def name(self) -> str:
        """What it is about."""


_Entry = TypeVar("_Entry", bound=Named)


def listing_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say what is listed, and how."""
    forms = click.Choice(["text", "json"])
    shown = click.option("--output-format", type=forms, default="text", show_default=True, help="How it is shown.")
    return shown(configuration_options(function))


def settings_here(config: tuple[str, ...], isolated: bool) -> Settings:
    """The settings of the current folder.

    Raises:
        Failure: if they cannot be used.
    """
    try:
        return configuration(config, isolated, {}).for_folder(os.curdir)
    except ConfigError as error:
        raise Failure(str(error)) from error


def as_json(found: Iterable[_Entry], described: Callable[[_Entry], Mapping[str, object]]) -> str:
    """Entries as a JSON array."""
    return json.dumps([{"name": entry.name, **described(entry)} for entry in found], indent=2) + "\n"


def in_full(name: str, values: Mapping[str, object]) -> str:
    """All that an entry says, a line each."""
    return f"{name}\n" + "".join(f"  {key}: {_shown(value)}\n" for key, value in values.items())


def unknown(kind: str, text: str, entries: Sequence[Named], command: str) -> Failure:
    """The failure for a name that no entry has.

    Args:
        kind: what the entries are.
        text: what was asked for.
        entries: what there is.
        command: the command that lists them.
    """
    parts = text.count(".") + 1
    names = sorted((entry.name for entry in entries), key=len, reverse=True)  # Of the same last parts the shortest.
    known = {".".join(name.split(".")[-parts:]): name for name in names} | {name: name for name in names}
    close = difflib.get_close_matches(text, known, n=1)
    hint = f"did you mean `{known[close[0]]}`?" if close else f"`picklefix {command}` lists all that are known"
    return Failure(f"unknown {kind} `{text}`; {hint}")


def write(text: str) -> None:
    """Print it.

    Raises:
        Failure: if standard output takes no more.
    """
    output = standard(sys.stdout, "never", "standard output")
    output.write(text)
    output.flush()


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    if isinstance(value, dict):
        return " ".join(f"{key} {_shown(item)}" for key, item in value.items())
    return "yes" if value is True else str(value)

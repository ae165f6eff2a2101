"""Parts of the names in the catalogs, read without parsing them: enough for whoever only sorts files out."""

from __future__ import annotations

import functools
import re
from importlib import resources

_NAME = re.compile(r"""['"]([A-Za-z_][\w.]*)(?:\([^'"]*)?['"]""")
_LISTED = re.compile(r"^(?:names|calls) = \[(.*?)\]", re.MULTILINE | re.DOTALL)
_ALIASES = re.compile(r"^\[aliases\]$(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
_ALIAS = re.compile(r"""^['"]?([\w.]+)['"]? = ['"]([\w.]+)['"]""", re.MULTILINE)


@functools.cache
def resource_names() -> frozenset[tuple[str, str]]:
    """The first and the last part of the name of each constructor whose objects do not pickle, or not as they are.

    The first part of a builtin is empty.
    """
    entries = [entry for entry in _entries("resources.toml") if "restore = 'keep'" not in entry]
    found = {(name.partition(".")[0] if "." in name else "", name.rpartition(".")[2]) for name in _names(entries)}
    for other, known in _ALIAS.findall("".join(_ALIASES.findall(_text("sinks.toml")))):
        first, own = other.partition(".")[0], known.partition(".")[0]
        found |= {(first, last) for listed, last in found if listed == own}
        found |= {(first, other.rpartition(".")[2]) for listed, last in found if known.rpartition(".")[2] == last}
    return frozenset(found)


@functools.cache
def starter_names() -> frozenset[str]:
    """The last part of the name of each API that starts processes."""
    entries = [entry for entry in _entries("sinks.toml") if "when = 'spawn'" in entry]
    return frozenset(name.rpartition(".")[2] for name in _names(entries))


def _entries(name: str) -> list[str]:
    return _text(name).split("\n[[")


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def _names(entries: list[str]) -> list[str]:
    return [name for entry in entries for text in _LISTED.findall(entry) for name in _NAME.findall(text)]

"""Parts of the names in the catalogs, read without parsing them: enough for whoever only sorts files out."""

from __future__ import annotations

import functools
import pkgutil
import re

_NAME = re.compile(r"""['"]([A-Za-z_][\w.]*)(?:\([^'"]*)?['"]""")
_LISTED = re.compile(r"^(?:names|calls) = \[(.*?)\]", re.MULTILINE | re.DOTALL)
_ALIAS = re.compile(r"""^['"]?([\w.]+)['"]? = ['"]([\w.]+)['"]""", re.MULTILINE)


@functools.cache
def resource_names() -> frozenset[tuple[str, str]]:
    """The first and the last part of the name of each constructor whose objects do not pickle, or not as they are.

    The first part of a builtin is empty.
    """
    entries = [entry for entry in _entries("resources.toml") if "restore = 'keep'" not in entry]
    of_module: dict[str, set[str]] = {}
    for name in _names(entries):
        of_module.setdefault(name.partition(".")[0] if "." in name else "", set()).add(name.rpartition(".")[2])
    listed = set().union(*of_module.values())
    aliases = _text("sinks.toml").partition("\n[aliases]\n")[2].partition("\n[")[0]
    for other, known in _ALIAS.findall(aliases):
        names = of_module.setdefault(other.partition(".")[0], set())
        names |= of_module.get(known.partition(".")[0], set())
        if known.rpartition(".")[2] in listed:
            names.add(other.rpartition(".")[2])
            listed.add(other.rpartition(".")[2])
    return frozenset((first, last) for first, names in of_module.items() for last in names)


@functools.cache
def starter_names() -> frozenset[str]:
    """The last part of the name of each API that starts processes."""
    entries = [entry for entry in _entries("sinks.toml") if "when = 'spawn'" in entry]
    return frozenset(name.rpartition(".")[2] for name in _names(entries))


def _entries(name: str) -> list[str]:
    return _text(name).split("\n[[")


def _text(name: str) -> str:
    # importlib.resources would do too, but takes longer to import than most files take to be checked.
    return (pkgutil.get_data(__package__, name) or b"").decode()


def _names(entries: list[str]) -> list[str]:
    return [name for entry in entries for text in _LISTED.findall(entry) for name in _NAME.findall(text)]

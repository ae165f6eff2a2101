"""Settings as text: TOML, as it could stand in pyproject.toml below [tool.picklefix]."""

from __future__ import annotations

import json

from codemods.catalog.described import described, described_base, described_consumer, described_sink
from codemods.catalog.entries import Base, Consumer, Resource, Sink
from codemods.settings import KEYS, FileIgnore, Glob, Kind, Settings

_NOTES = {"preview": "  # turns on rules that are on trial; this version has none"}


def settings_text(settings: Settings) -> str:
    """The file that settings come from, as a comment, and each of them on a line."""
    lines = (f"{_line(key, settings)}{_NOTES.get(key, '')}\n" for key in KEYS)
    return f"# {settings.origin or 'no configuration file'}\n{''.join(lines)}"


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
    if KEYS[key] is Kind.ENTRIES:
        return f"{key} = [{', '.join(text for entry in value for text in _entry(entry))}]"
    if KEYS[key] is Kind.LIST:
        value = [item.pattern if isinstance(item, Glob) else item for item in value]
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


def _resource(entry: Resource) -> str:
    return _inline({"names": [entry.name], **described(entry)})


def _entry(entry: Sink | Consumer | Base) -> list[str]:
    if isinstance(entry, Consumer):
        return [_inline(table) for table in described_consumer(entry)]
    return [_inline(described_sink(entry) if isinstance(entry, Sink) else described_base(entry))]


def _inline(table: object) -> str:
    """A value as TOML writes it on one line."""
    if isinstance(table, dict):
        return "{" + ", ".join(f"{key} = {_inline(value)}" for key, value in table.items()) + "}"
    if isinstance(table, list):
        return f"[{', '.join(map(_inline, table))}]"
    return json.dumps(table, ensure_ascii=False)


def _table(ignores: tuple[FileIgnore, ...]) -> str:
    rows = (
        f"{json.dumps('!' * ignore.negated + ignore.glob.pattern)} = {json.dumps(ignore.selectors)}"
        for ignore in ignores
    )
    return "{" + ", ".join(rows) + "}"

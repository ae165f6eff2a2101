"""What can be configured: every key, its kind and its default, wherever the value comes from."""

from __future__ import annotations

import enum
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from codemods.style import StateStyle

if TYPE_CHECKING:  # Most projects have no entries of their own.
    from codemods.catalog.entries import Base, Consumer, Resource, Sink


class ConfigError(Exception):
    """A setting cannot be used; the message is one line that names where it stands."""


ALL = "ALL"
"""The selector of all rules."""


class Kind(enum.Enum):
    """The type of a key's value; the value is its name in messages."""

    FLAG = "true or false"
    NUMBER = "a whole number above 0"
    TEXT = "a string"
    LIST = "a list of strings"
    TABLE = "a table of lists of strings"
    RESOURCES = "a list of names and tables"
    ENTRIES = "a list of entries of the catalog"
    PATH = "a path"
    STATE_STYLE = "one of " + ", ".join(style.value for style in StateStyle)


KEYS: Mapping[str, Kind] = {
    "select": Kind.LIST,
    "ignore": Kind.LIST,
    "extend-select": Kind.LIST,
    "fixable": Kind.LIST,
    "unfixable": Kind.LIST,
    "extend-safe-fixes": Kind.LIST,
    "extend-unsafe-fixes": Kind.LIST,
    "per-file-ignores": Kind.TABLE,
    "extend-per-file-ignores": Kind.TABLE,
    "exclude": Kind.LIST,
    "extend-exclude": Kind.LIST,
    "force-exclude": Kind.FLAG,
    "respect-gitignore": Kind.FLAG,
    "target-version": Kind.TEXT,
    "required-version": Kind.TEXT,
    "output-format": Kind.TEXT,
    "cache-dir": Kind.PATH,
    "file-timeout": Kind.NUMBER,
    "line-length": Kind.NUMBER,
    "sinks": Kind.ENTRIES,
    "consumers": Kind.ENTRIES,
    "bases": Kind.ENTRIES,
    "unpicklable-types": Kind.RESOURCES,
    "state-style": Kind.STATE_STYLE,
    "preview": Kind.FLAG,
}


_FLAGS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


class Glob(NamedTuple):
    """A pattern in the syntax of .gitignore, and the folder that it counts from."""

    folder: str
    pattern: str


class FileIgnore(NamedTuple):
    """Selectors that are ignored in the files that a pattern matches (or, negated, in all others)."""

    glob: Glob
    selectors: tuple[str, ...]
    negated: bool


_EXCLUDED_FOLDERS = (
    *(".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox"),
    *(".pants.d", ".picklefix_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", "__pypackages__", "_build"),
    *("buck-out", "build", "dist", "node_modules", "site-packages", "venv"),
)
DEFAULT_EXCLUDES = tuple(Glob("", name) for name in _EXCLUDED_FOLDERS)


class Settings(NamedTuple):
    """The settings that hold for the files of one folder; each field is the key of the same name.

    Args:
        origin: the file that they come from, None for the defaults.
        overridden: the keys that the command line gives.
    """

    origin: str | None = None
    overridden: frozenset[str] = frozenset()
    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    fixable: tuple[str, ...] = (ALL,)
    unfixable: tuple[str, ...] = ()
    extend_safe_fixes: tuple[str, ...] = ()
    extend_unsafe_fixes: tuple[str, ...] = ()
    per_file_ignores: tuple[FileIgnore, ...] = ()
    extend_per_file_ignores: tuple[FileIgnore, ...] = ()
    exclude: tuple[Glob, ...] = DEFAULT_EXCLUDES
    extend_exclude: tuple[Glob, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    target_version: str | None = None
    required_version: str | None = None
    output_format: str = "concise"
    cache_dir: str | None = None
    file_timeout: int = 600
    line_length: int | None = None
    sinks: tuple[Sink, ...] = ()
    consumers: tuple[Consumer, ...] = ()
    bases: tuple[Base, ...] = ()
    unpicklable_types: tuple[Resource, ...] = ()
    state_style: StateStyle = StateStyle.GETSTATE
    preview: bool = False

    def place(self, key: str) -> str:
        """The beginning of a message on one of these settings: the file, if it comes from one."""
        return f"{os.path.relpath(self.origin)}: " if self.origin and key not in self.overridden else ""

    def layered(self, values: Mapping[str, Any]) -> Settings:
        """These settings with others on top, keys as in ``KEYS``.

        A key replaces what was there; an ``extend-`` key adds to it. ``select`` starts the selection anew.
        """
        changes: dict[str, Any] = {}
        if "select" in values:
            changes.update(ignore=(), extend_select=())
        for key, value in values.items():
            name = key.replace("-", "_")
            changes[name] = changes.get(name, getattr(self, name)) + value if key.startswith("extend-") else value
        return self._replace(**changes)


def known_key(name: str) -> str:
    """The key that a name stands for; dashes and underscores are the same.

    Raises:
        ConfigError: if there is none; the message names the nearest one.
    """
    key = name.replace("_", "-")
    if key in KEYS:
        return key
    raise ConfigError(f"unknown key `{name}`{nearest(key, KEYS)}")


def nearest(name: str, known: Mapping[str, object] | list[str]) -> str:
    """The end of a message that offers the known name which is most like this one."""
    import difflib  # Imported only here: most runs have no mistake in a name.

    matches = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean `{matches[0]}`?" if matches else f"; known are {', '.join(known)}"


def parse(key: str, text: str) -> object:
    """The value that a text stands for in a file that knows strings only, such as setup.cfg."""
    text = text.strip()
    match KEYS[key]:
        case Kind.LIST:
            return [item for item in map(str.strip, re.split(r"[,\n]", text)) if item]
        case Kind.TABLE:
            lines = [line for line in text.splitlines() if line.strip()]
            if not all(":" in line for line in lines):
                return text
            rows = (line.rpartition(":") for line in lines)
            return {glob.strip(): re.split(r"[,\s]+", codes.strip()) for glob, _, codes in rows}
        case Kind.RESOURCES:
            from codemods.catalog.lines import resource_table  # Imported only here: most projects have no such setting.

            return [resource_table(line) for line in map(str.strip, text.splitlines()) if line]
        case Kind.ENTRIES:
            from codemods.catalog.lines import entry_table

            return [entry_table(key, line) for line in map(str.strip, text.splitlines()) if line]
        case Kind.FLAG:
            return _FLAGS.get(text.lower(), text)
        case Kind.NUMBER:
            return int(text) if text.isdecimal() else text
        case Kind.TEXT | Kind.PATH | Kind.STATE_STYLE:
            return text


def conform(key: str, value: object, folder: str) -> object:
    """A value as ``Settings`` holds it.

    Args:
        key: the key, as in ``KEYS``.
        value: what was read.
        folder: the folder that patterns count from.

    Raises:
        ConfigError: if the value is not of the key's kind.
    """
    kind = KEYS[key]
    match kind, value:
        case Kind.LIST, list() if all(isinstance(item, str) for item in value):
            if key in ("exclude", "extend-exclude"):
                return tuple(Glob(folder, pattern) for pattern in value)
            return tuple(value)
        case Kind.TABLE, dict() if all(_is_list(item) for item in value.values()):
            return tuple(_file_ignore(folder, glob, selectors) for glob, selectors in value.items())
        case Kind.TEXT, str() if key == "target-version" and not re.fullmatch(r"py3[0-9]{1,2}", value):
            raise ConfigError(f"`target-version` must be a version such as py310, not {value!r}")
        case (Kind.FLAG, bool()) | (Kind.TEXT, str()):
            return value
        case Kind.PATH, str() if value and "\0" not in value:
            return os.path.join(folder, os.path.expanduser(value))
        case Kind.RESOURCES, list():
            return _resources(key, value)
        case Kind.ENTRIES, list():
            return _entries(key, value)
        case Kind.STATE_STYLE, str() if value in {style.value for style in StateStyle}:
            return StateStyle(value)
        case Kind.NUMBER, int() if not isinstance(value, bool) and value > 0:
            return value
    raise ConfigError(f"`{key}` must be {kind.value}, not {value!r}")


def _resources(key: str, entries: list[object]) -> tuple[Resource, ...]:
    from codemods.catalog.loader import resources_of  # Imported only here: most projects have no such setting.
    from codemods.catalog.tables import CatalogError

    try:
        return resources_of(entries, f"`{key}`")
    except CatalogError as error:
        raise ConfigError(str(error)) from error


def _entries(key: str, entries: list[object]) -> tuple[Sink, ...] | tuple[Consumer, ...] | tuple[Base, ...]:
    from codemods.catalog import loader  # Imported only here: most projects have no such setting.
    from codemods.catalog.tables import CatalogError

    origin = f"`{key}`"
    try:
        if key == "sinks":
            return loader.sinks_of(entries, origin)
        return loader.bases_of(entries, origin) if key == "bases" else loader.consumers_of(entries, origin)
    except CatalogError as error:
        raise ConfigError(str(error)) from error


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _file_ignore(folder: str, pattern: str, selectors: list[str]) -> FileIgnore:
    return FileIgnore(Glob(folder, pattern.removeprefix("!")), tuple(selectors), pattern.startswith("!"))

"""What can be configured: every key, its kind and its default, wherever the value comes from."""

from __future__ import annotations

import enum
import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from codemods.catalog.entries import Resource
from codemods.style import StateStyle


class ConfigError(Exception):
    """A setting cannot be used; the message is one line that names where it stands."""


class Kind(enum.Enum):
    """The type of a key's value; the value is its name in messages."""

    FLAG = "true or false"
    NUMBER = "a whole number above 0"
    TEXT = "a string"
    LIST = "a list of strings"
    TABLE = "a table of lists of strings"
    RESOURCES = "a list of names and tables"
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
    "line-length": Kind.NUMBER,
    "sinks": Kind.LIST,
    "unpicklable-types": Kind.RESOURCES,
    "state-style": Kind.STATE_STYLE,
    "preview": Kind.FLAG,
}


# Known already, so that one configuration serves several versions; whoever sets them is told.
WITHOUT_EFFECT = ("sinks",)


_TARGET = re.compile(r"py3[0-9]{1,2}")
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
    *(".pants.d", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", "__pypackages__", "_build", "buck-out"),
    *("build", "dist", "node_modules", "site-packages", "venv"),
)
DEFAULT_EXCLUDES = tuple(Glob("", name) for name in _EXCLUDED_FOLDERS)


class Settings(NamedTuple):
    """The settings that hold for the files of one folder; each field is the key of the same name.

    Args:
        origin: the file that they come from, None for the defaults.
    """

    origin: str | None = None
    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    fixable: tuple[str, ...] = ("ALL",)
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
    line_length: int | None = None
    sinks: tuple[str, ...] = ()
    unpicklable_types: tuple[Resource, ...] = ()
    state_style: StateStyle = StateStyle.GETSTATE
    preview: bool = False

    @property
    def place(self) -> str:
        """The beginning of a message on one of these settings: the file, if they come from one."""
        return f"{os.path.relpath(self.origin)}: " if self.origin else ""

    def set_without_effect(self) -> list[str]:
        """The keys that were set although this version does nothing with them."""
        default = Settings()
        names = {key: key.replace("-", "_") for key in WITHOUT_EFFECT}
        return [key for key, name in names.items() if getattr(self, name) != getattr(default, name)]

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
            return [_resource(line) for line in map(str.strip, text.splitlines()) if line]
        case Kind.FLAG:
            return _FLAGS.get(text.lower(), text)
        case Kind.NUMBER:
            return int(text) if text.isdecimal() else text
        case Kind.TEXT | Kind.STATE_STYLE:
            return text


def _resource(line: str) -> dict[str, object]:
    """The table that a line such as ``library.Client, library.connect: rebuild on type`` stands for."""
    names, _, words = line.partition(":")
    table: dict[str, object] = {"names": [name.strip() for name in names.split(",")]}
    for word in words.split():
        if word in ("type", "setup", "view"):
            table[word] = True
        else:
            table["default" if word in ("on", "evidence") else "restore"] = word
    return table


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
        case Kind.TEXT, str() if key == "target-version" and not _TARGET.fullmatch(value):
            raise ConfigError(f"`target-version` must be a version such as py310, not {value!r}")
        case (Kind.FLAG, bool()) | (Kind.TEXT, str()):
            return value
        case Kind.RESOURCES, list():
            return _resources(key, value)
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


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _file_ignore(folder: str, pattern: str, selectors: list[str]) -> FileIgnore:
    return FileIgnore(Glob(folder, pattern.removeprefix("!")), tuple(selectors), pattern.startswith("!"))

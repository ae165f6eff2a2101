"""The text of configuration files. Loading the parsers takes longer than most runs need; so import this late."""

from __future__ import annotations

import configparser
import sys
from collections.abc import Mapping
from typing import Any

from codemods.settings import ConfigError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def toml(text: str) -> dict[str, Any]:
    """The tables of a TOML document.

    Raises:
        ConfigError: if it is not well formed; the message is one line.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(" ".join(str(error).split())) from error
    except RecursionError as error:
        raise ConfigError("is nested too deeply") from error


def tool_table(text: str, name: str) -> dict[str, Any] | None:
    """The table ``[tool.name]`` of a TOML document, None if it has none.

    Raises:
        ConfigError: if the document is not well formed.
    """
    tools = toml(text).get("tool")
    table = tools.get(name) if isinstance(tools, Mapping) else None
    return dict(table) if isinstance(table, Mapping) else None


def ini_section(text: str, names: tuple[str, ...]) -> dict[str, Any] | None:
    """The first section there is of several names, in a document like setup.cfg; None if there is none.

    Raises:
        ConfigError: if the document is not well formed; the message is one line.
    """
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ConfigError(" ".join(str(error).split())) from error
    return next((dict(parser[name]) for name in names if parser.has_section(name)), None)

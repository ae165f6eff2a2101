"""How the project around a file has black lay out its code."""

from __future__ import annotations

import functools
import os
from typing import Any

from codemods.settings import ConfigError
from codemods.style import Style


@functools.lru_cache(maxsize=1024)
def style_for(folder: str) -> Style:
    """The settings of black in the nearest pyproject.toml that has some, its defaults if none has.

    Args:
        folder: the folder of the code, as an absolute path.
    """
    table = _black_table(os.path.join(folder, "pyproject.toml"))
    if table is not None:
        return _style(table)
    parent = os.path.dirname(folder)
    if parent == folder or any(os.path.exists(os.path.join(folder, mark)) for mark in (".git", ".hg")):
        return Style()
    return style_for(parent)


def _black_table(path: str) -> dict[str, Any] | None:
    """What a file says about black; a file that cannot be read says nothing, as black itself will complain of it."""
    from codemods import config_text  # Imported only here, for the reason that it gives.

    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as stream:
            data = stream.read()
        return config_text.tool_table(data.decode(), "black") if b"black" in data else None
    except (OSError, UnicodeDecodeError, ConfigError):
        return None


def _style(table: dict[str, Any]) -> Style:
    default = Style()
    length = table.get("line-length", table.get("line_length"))
    targets = table.get("target-version", table.get("target_version"))
    return Style(
        line_length=length if isinstance(length, int) and length > 0 else default.line_length,
        skip_string_normalization=_is_set(table, "skip-string-normalization"),
        skip_magic_trailing_comma=_is_set(table, "skip-magic-trailing-comma"),
        preview=_is_set(table, "preview"),
        target_versions=frozenset(map(str, targets)) if isinstance(targets, list) else default.target_versions,
    )


def _is_set(table: dict[str, Any], key: str) -> bool:
    return table.get(key, table.get(key.replace("-", "_"))) is True

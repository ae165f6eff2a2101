"""The catalog of error messages, ``wordings.toml``, compiled."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Wording:
    """A message.

    Args:
        kind: what it means; ``local``, ``named`` and ``resource`` depend on what it names.
        errors: the classes of exceptions whose message it is, none for a warning.
        pattern: matches the message from its beginning.
        python: the versions that say it so, for example ``3.14+``.
        needs: what the traceback must show besides.
        name: what is to blame, where the message does not say it.
    """

    kind: str
    errors: tuple[str, ...]
    pattern: re.Pattern[str]
    python: str = ""
    needs: str = ""
    name: str = ""


@dataclass(frozen=True)
class Kind:
    """What a message means.

    Args:
        what: what happened, in one sentence, with ``{object}`` for what is to blame.
        cure: what to do about it.
        rules: the names of the rules that mend it.
        library: what to do where the object belongs to somebody else's code.
    """

    what: str
    cure: str
    rules: tuple[str, ...] = ()
    library: str = ""


@functools.cache
def wordings() -> tuple[Wording, ...]:
    """All messages, the more specific ones first."""
    return tuple(
        Wording(
            entry["kind"],
            tuple(entry["errors"]),
            re.compile(entry["text"].replace(" ", r"\s+"), re.DOTALL),
            entry.get("python", ""),
            entry.get("needs", ""),
            entry.get("name", ""),
        )
        for entry in _data()["wordings"]
    )


@functools.cache
def kinds() -> Mapping[str, Kind]:
    """What the kinds mean; all kinds of resources share one."""
    return {
        name: Kind(entry["what"], entry["cure"], tuple(entry.get("rules", ())), entry.get("library", ""))
        for name, entry in _data()["kinds"].items()
    }


@functools.cache
def _data() -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("wordings.toml").read_text("utf-8"))

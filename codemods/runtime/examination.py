"""What this interpreter and its libraries do about pickling and starting processes."""

from __future__ import annotations

import multiprocessing
import platform
import re
import sys
from dataclasses import dataclass
from importlib import metadata, resources
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_METHODS = {"linux": "forkserver", "darwin": "spawn", "win32": "spawn"}


@dataclass(frozen=True)
class Library:
    """An installed library.

    Args:
        name: its distribution.
        version: its version.
        facts: what is known of it.
    """

    name: str
    version: str
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Examination:
    """What was found.

    Args:
        python: the version of Python, and which one it is.
        system: the operating system.
        start_method: how processes start unless the program chooses.
        start_method_of_3_14: the same on Python 3.14 and later.
        start_methods: all that there are.
        libraries: those that are installed and known.
    """

    python: str
    system: str
    start_method: str
    start_method_of_3_14: str
    start_methods: tuple[str, ...]
    libraries: tuple[Library, ...]

    @property
    def changes(self) -> bool:
        """Whether the same program starts its processes in another way on Python 3.14."""
        return self.start_method != self.start_method_of_3_14


def examine() -> Examination:
    """Look at the running interpreter; no library is imported."""
    available = tuple(multiprocessing.get_all_start_methods())
    # The first is the default: see get_all_start_methods in the documentation of multiprocessing.
    later = _METHODS.get(sys.platform, "forkserver")
    return Examination(
        f"{platform.python_version()} ({platform.python_implementation()})",
        platform.platform(terse=True),
        available[0],
        later,
        available,
        tuple(_libraries()),
    )


def _libraries() -> list[Library]:
    facts: dict[str, list[dict[str, str]]] = {}
    for fact in _catalog():
        facts.setdefault(fact["library"], []).append(fact)
    found = []
    for name, known in facts.items():
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
        found.append(Library(name, version, tuple(fact["text"] for fact in known if _holds(fact, version))))
    return found


def _holds(fact: dict[str, str], version: str) -> bool:
    own = _numbers(version)
    return _numbers(fact.get("from", "0")) <= own and ("until" not in fact or own < _numbers(fact["until"]))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version.partition("+")[0])[:3])


def _catalog() -> list[dict[str, Any]]:
    text = resources.files(__package__).joinpath("libraries.toml").read_text("utf-8")
    facts: list[dict[str, Any]] = tomllib.loads(text)["facts"]
    return facts

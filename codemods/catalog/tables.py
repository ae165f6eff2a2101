"""Typed reading of TOML tables, with errors that name the file, the entry, the key, and what was probably meant."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from codemods.catalog.entries import Literal, Missing

_Choice = TypeVar("_Choice", bound=enum.Enum)


class CatalogError(ValueError):
    """A catalog, or the user's addition to it, is not understood."""


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a message: the known word that ``word`` is nearest to, or all of them."""
    import difflib  # Imported only here: most runs have no mistake in a name.

    known = sorted(known)
    close = difflib.get_close_matches(word, known, n=1)
    return f", did you mean {close[0]!r}?" if close else f", known are {', '.join(map(repr, known))}"


class Table:
    """One table, read key by key.

    Args:
        place: the file that it stands in and the tables that it is part of, for messages.
        raw: its keys and values, as the TOML parser gave them.
        known: the keys that it may have.

    Raises:
        CatalogError: if it has other keys.
    """

    def __init__(self, place: tuple[str, ...], raw: Mapping[str, object], known: tuple[str, ...]) -> None:
        self.place = place
        self.raw = raw
        for key in raw:
            if key not in known:
                raise self.error(key, f"is not a known key{nearest(key, known)}")

    def error(self, key: str, problem: str) -> CatalogError:
        """An error about one key of this table."""
        return CatalogError(": ".join((*self.place, key, problem)))

    def string(self, key: str, *, required: bool = False) -> str:
        """The string of a key, empty if it is absent.

        Raises:
            CatalogError: if it is not a string, or absent though required.
        """
        value = self.raw.get(key, "")
        if not isinstance(value, str):
            raise self.error(key, f"{value!r} is not a string")
        if required and not value:
            raise self.error(key, "is missing")
        return value

    def strings(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        """The strings of a key's array.

        Raises:
            CatalogError: if it is not an array of strings, or empty though required.
        """
        value = self.raw.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(key, f"{value!r} is not an array of strings")
        if required and not value:
            raise self.error(key, "is missing")
        return tuple(value)

    def flag(self, key: str) -> bool:
        """The boolean of a key, false if it is absent.

        Raises:
            CatalogError: if it is something else.
        """
        value = self.raw.get(key, False)
        if not isinstance(value, bool):
            raise self.error(key, f"{value!r} is not true or false")
        return value

    def string_map(self, key: str) -> dict[str, str]:
        """The table of strings under a key.

        Raises:
            CatalogError: if it is something else.
        """
        value = self.raw.get(key, {})
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            raise self.error(key, f"{value!r} is not a table of strings")
        return dict(value)

    def choice(self, key: str, choices: type[_Choice], default: _Choice | None = None) -> _Choice:
        """The member of ``choices`` whose value the key has; ``default`` if it is absent.

        Raises:
            CatalogError: if it is no such value, or absent without a default.
        """
        if key not in self.raw and default is not None:
            return default
        value = self.string(key, required=True)
        try:
            return choices(value)
        except ValueError:
            known = [member.value for member in choices]
            raise self.error(key, f"unknown value {value!r}{nearest(value, known)}") from None

    def literals(self, key: str) -> tuple[Literal, ...]:
        """The strings, numbers and booleans of a key's array.

        Raises:
            CatalogError: if it is something else.
        """
        value = self.raw.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, (str, int, float)) for item in value):
            raise self.error(key, f"{value!r} is not an array of strings, numbers or booleans")
        return tuple(value)

    def default(self, key: str) -> Literal | Missing:
        """The string, number or boolean of a key, ``Missing.ABSENT`` if it is absent.

        Raises:
            CatalogError: if it is something else.
        """
        value = self.raw.get(key, Missing.ABSENT)
        if not isinstance(value, (str, int, float, Missing)):
            raise self.error(key, f"{value!r} is not a string, number or boolean")
        return value

    def tables(self, key: str, known: tuple[str, ...], shorthand: str | None = None) -> Iterator[Table]:
        """The tables of a key's array.

        Args:
            key: the key.
            known: the keys that each of them may have.
            shorthand: the key, with an array of names, that a lone string may stand for instead of a table.

        Raises:
            CatalogError: if it is something else.
        """
        value = self.raw.get(key, [])
        if not isinstance(value, list):
            raise self.error(key, f"{value!r} is not an array of tables")
        for number, item in enumerate(value, 1):
            raw = {shorthand: [item]} if shorthand and isinstance(item, str) else item
            if not isinstance(raw, dict):
                raise self.error(key, f"{raw!r} is not a table")
            names = raw.get(shorthand or "")
            label = names[0] if isinstance(names, list) and names else f"number {number}"
            yield Table((*self.place, f"{key} {label}"), raw, known)

"""What is said about a pull request, in one format per module; each has ``render(review, most)``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Protocol, cast

from codemods.bot.review import Review


class Payload(Protocol):
    """A module that renders a review."""

    def render(self, review: Review, most: int) -> Iterator[str]:
        """The review, with so many comments at most."""


def payload_names() -> tuple[str, ...]:
    """The names of all formats."""
    return tuple(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))


def load(name: str) -> Payload:
    """The format of a name, which must be one of ``payload_names()``."""
    return cast(Payload, importlib.import_module(f"{__name__}.{name.replace('-', '_')}"))

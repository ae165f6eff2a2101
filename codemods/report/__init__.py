"""What a run found, in one format per module; nothing here prints.

A format is a module of this package, named like the format with underscores for dashes, with a function
``render(results, context)`` that yields the report piece by piece while the results come in.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from typing import Protocol, cast

from codemods.finding import FileResult
from codemods.report.context import Context, Needs


class Format(Protocol):
    """A module that renders a report."""

    #: Whether people read it in a terminal: then it is followed by a summary, and may be coloured. Else it is UTF-8.
    FOR_PEOPLE: bool
    #: What it shows beyond the findings.
    NEEDS: Needs

    def render(self, results: Iterable[FileResult], context: Context) -> Iterator[str] | Iterator[bytes]:
        """The report on some results."""


def format_names() -> tuple[str, ...]:
    """The names of all formats."""
    modules = pkgutil.iter_modules(importlib.import_module(f"{__name__}.formats").__path__)
    return tuple(module.name.replace("_", "-") for module in modules)


def load(name: str) -> Format:
    """The format of a name, which must be one of ``format_names()``."""
    return cast(Format, importlib.import_module(f"{__name__}.formats.{name.replace('-', '_')}"))

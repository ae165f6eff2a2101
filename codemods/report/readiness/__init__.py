"""Whether packages work under spawn and forkserver, in one format per module.

A format is a module of this package with a function ``render(report)`` that returns the report as text.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Protocol, cast

from codemods.report.readiness.facts import Readiness

FORMS: Mapping[str, str] = {
    "concise": "text",
    "full": "text",
    "grouped": "text",
    "json": "json",
    "markdown": "markdown",
    "html": "html",
}
"""The module for each output format that the report can take."""


class Form(Protocol):
    """A module that renders the report."""

    def render(self, report: Readiness) -> str:
        """The report as text."""


def load(output_format: str) -> Form:
    """The module for an output format, which must be one of ``FORMS``."""
    return cast(Form, importlib.import_module(f"{__name__}.{FORMS[output_format]}"))

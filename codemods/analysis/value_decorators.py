"""Functions that are made to be decorators: what they return replaces a function or class of a module."""

from __future__ import annotations

from codemods.analysis.value_statements import Statements


def mark_decorators(walker: Statements) -> None:
    """Set ``decorates`` of the functions of a walked file."""

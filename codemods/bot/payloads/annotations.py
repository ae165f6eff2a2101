"""Workflow commands of GitHub Actions: what is left when a token may not write."""

from __future__ import annotations

from collections.abc import Iterator

from codemods.bot.diagnosed import diagnostics
from codemods.bot.review import Review
from codemods.report.formats.github import commands


def render(review: Review, most: int) -> Iterator[str]:
    """A command for each finding; GitHub shows no more than its own limit, so that there is no other."""
    yield from commands([diagnostic for remark in review.remarks for diagnostic in diagnostics(remark)])

"""The whole review as one document, for a job summary."""

from __future__ import annotations

from collections.abc import Iterator

from codemods.bot.bodies import summary
from codemods.bot.review import Review
from codemods.report.markdown import block

_LONGEST_PATCH = 500_000
"""Characters; GitHub takes a summary of a megabyte."""


def render(review: Review, most: int) -> Iterator[str]:
    """The document: every finding, and the patch."""
    yield f"## picklefix\n\n{summary(review, review.remarks)}\n"
    if review.patch and len(review.patch) <= _LONGEST_PATCH:
        shown = block(review.patch.decode("utf-8", "replace"), "diff")
        yield f"\n<details><summary>All fixes as one patch</summary>\n\n{shown}\n</details>\n"

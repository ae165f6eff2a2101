"""The page of all reasons for which something is declined."""

from __future__ import annotations

import itertools

from codemods.catalog.reasons import explanations

_INTRODUCTION = """# Reasons

picklefix declines where a rewrite could change what the program computes, or could not be shown to help. Such a finding
keeps its place in the report, with one of these codes. `--output-format full` shows the advice for the case at hand,
`picklefix rule CODE` prints what stands here.

A finding that stays is no error in itself: under `fork`, or where the object is never pickled, the program works. See
[what a fix promises](how/promises.md) for why these lines are drawn where they are.
"""


def pages() -> dict[str, str]:
    """The text of the page by its path."""
    text = _INTRODUCTION
    for topic, entries in itertools.groupby(explanations().items(), key=lambda entry: entry[1].topic):
        text += f"\n## {topic}\n"
        for code, explanation in entries:
            text += "\n" + explanation.markdown(code, "###", "python")
    return {"reasons.md": text}

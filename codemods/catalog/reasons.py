"""The long form of each reason code: what it means and what a person can do by hand."""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Explanation:
    """What a reason code means.

    Args:
        topic: the kind of thing that it is about, for example ``Captured variables``.
        means: what stands in the way, in Markdown.
        by_hand: what to do, in Markdown.
        example: code that is declined for this reason; empty if there is none.
        instead: the same code written so that it is not; empty if there is none.
    """

    topic: str
    means: str
    by_hand: str
    example: str = ""
    instead: str = ""

    def markdown(self, code: str, heading: str = "#", fence: str = "") -> str:
        """The explanation as a document.

        Args:
            code: the reason code.
            heading: the mark of its heading.
            fence: the language of its code blocks; they are indented if it is empty.
        """
        parts = [f"{heading} {code}", self.means, f"By hand: {self.by_hand}"]
        for title, text in (("Declined:", self.example), ("Instead:", self.instead)):
            if text:
                parts += [title, f"```{fence}\n{text}```" if fence else _indented(text)]
        return "\n\n".join(part.strip("\n") for part in parts) + "\n"


@functools.cache
def explanations() -> Mapping[str, Explanation]:
    """The explanations by reason code, in the order of the file."""
    text = resources.files("codemods.catalog").joinpath("reasons.toml").read_text("utf-8")
    return {
        code: Explanation(topic, **{key.replace("-", "_"): value.lstrip("\n") for key, value in entry.items()})
        for topic, entries in tomllib.loads(text).items()
        for code, entry in entries.items()
    }


def _indented(text: str) -> str:
    return "".join(f"    {line}" if line.strip() else line for line in text.splitlines(keepends=True))

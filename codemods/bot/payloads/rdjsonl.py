"""The diagnostic format of reviewdog, one JSON object a line, with suggestions that fit into the diff."""

from __future__ import annotations

from collections.abc import Iterator

from codemods.bot.diagnosed import diagnostics
from codemods.bot.review import Review
from codemods.report.formats.rdjson import document
from codemods.report.json_text import dumps


def render(review: Review, most: int) -> Iterator[str]:
    """The lines; the first finding of a group carries the suggestion for all of it."""
    for remark in review.remarks[:most]:
        for index, diagnostic in enumerate(diagnostics(remark)):
            described = {**document(diagnostic), "suggestions": []}
            change = remark.replacement if index == 0 else None
            if change is not None:
                place = {"end": {"line": change.last}, "start": {"line": change.first}}
                described["suggestions"] = [{"range": place, "text": change.bare_text}]
            yield f"{dumps(described)}\n"

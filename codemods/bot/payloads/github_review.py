"""The body of a request that makes a review on GitHub.

The rules are those of https://docs.github.com/rest/pulls/reviews: a range lies in one hunk of the new side, a single
line has no ``start_line``, and one comment that breaks a rule has the whole review refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from codemods.bot.bodies import comment_body, fits, suggestion_body, summary
from codemods.bot.hunks import hunk_of
from codemods.bot.remarks import Remark
from codemods.bot.review import Review
from codemods.report.json_text import dumps


def render(review: Review, most: int) -> Iterator[str]:
    """The object as one piece."""
    yield dumps(document(review, *chosen(review, most)), indent=2) + "\n"


def document(review: Review, said: Sequence[dict[str, Any]], rest: Sequence[Remark]) -> dict[str, Any]:
    """The review with some comments."""
    return {
        "body": summary(review, rest),
        "comments": list(said),
        "commit_id": review.compared.head,
        "event": "COMMENT",
    }


def chosen(review: Review, most: int) -> tuple[list[dict[str, Any]], list[Remark]]:
    """The comments that are made, the most important ones, and what is left for the summary."""
    said: list[dict[str, Any]] = []
    rest: list[Remark] = []
    for remark in review.remarks:
        comment = comment_on(review, remark) if len(said) < most else None
        if comment is None:
            rest.append(remark)
        else:
            said.append(comment)
    return said, rest


def comment_on(review: Review, remark: Remark) -> dict[str, Any] | None:
    """The comment for a remark; None if GitHub would not take it, or it is not worth a comment."""
    if any("\ud800" <= character <= "\udfff" for character in remark.path):
        return None  # A name that is not UTF-8 cannot be said in JSON.
    hunks = review.hunks.get(remark.path, ())
    change = remark.replacement
    if change is not None and hunk_of(hunks, change.first, change.last) is not None:
        body = suggestion_body(remark, "suggestion")
        if fits(body):
            comment = {"body": body, "line": change.last, "path": remark.path, "side": "RIGHT"}
            return comment if change.first == change.last else {**comment, **_start(change.first)}
    body = comment_body(remark)
    if not remark.is_introduced or not fits(body) or hunk_of(hunks, remark.row, remark.row) is None:
        return None
    return {"body": body, "line": remark.row, "path": remark.path, "side": "RIGHT"}


def _start(first: int) -> dict[str, Any]:
    return {"start_line": first, "start_side": "RIGHT"}

"""The discussions of a merge request on GitLab, as a JSON array of bodies of requests.

A suggestion says how many lines above and below the commented one it replaces, at most a hundred each way
(https://docs.gitlab.com/user/project/merge_requests/reviews/suggestions/).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codemods.bot.bodies import comment_body, fits, suggestion_body
from codemods.bot.hunks import hunk_of
from codemods.bot.remarks import Remark
from codemods.bot.review import Review
from codemods.report.json_text import dumps

MOST_LINES = 100
"""Lines that a suggestion replaces above the commented line."""


def render(review: Review, most: int) -> Iterator[str]:
    """The array as one piece."""
    yield dumps(chosen(review, most)[0], indent=2) + "\n"


def chosen(review: Review, most: int) -> tuple[list[dict[str, Any]], list[Remark]]:
    """The discussions that are opened, the most important ones, and what is left for the summary."""
    said: list[dict[str, Any]] = []
    rest: list[Remark] = []
    for remark in review.remarks:
        discussion = discussion_on(review, remark) if len(said) < most else None
        if discussion is None:
            rest.append(remark)
        else:
            said.append(discussion)
    return said, rest


def discussion_on(review: Review, remark: Remark) -> dict[str, Any] | None:
    """The discussion for a remark; None if GitLab would not take it, or it is not worth one."""
    change = remark.replacement
    if change is not None and change.last - change.first <= MOST_LINES:
        body = suggestion_body(remark, f"suggestion:-{change.last - change.first}+0")
        if fits(body):
            return {"body": body, "position": _position(review, remark, change.last)}
    body = comment_body(remark)
    return (
        {"body": body, "position": _position(review, remark, remark.row)}
        if remark.is_introduced and fits(body)
        else None
    )


def _position(review: Review, remark: Remark, row: int) -> dict[str, Any]:
    """Where a discussion stands; of a line that the merge request does not change, GitLab wants the old number too."""
    position = {
        "base_sha": review.compared.base,
        "head_sha": review.compared.head,
        "new_line": row,
        "new_path": remark.path,
        "old_path": remark.old_path,
        "position_type": "text",
        "start_sha": review.compared.base,
    }
    hunk = hunk_of(review.hunks.get(remark.path, ()), row, row)
    if hunk is not None and row not in hunk.added:
        position["old_line"] = hunk.old_rows[row]
    return position

"""Taking directives out of comments again."""

from __future__ import annotations

from collections.abc import Iterator

from codemods.edits import Edit
from codemods.source import Source
from codemods.suppression.directives import Directive, Selector
from codemods.suppression.table import Unused


def removal(source: Source, unused: Unused) -> tuple[Edit, ...]:
    """The edits that take what is unused out of a comment; other remarks in the comment stay.

    Args:
        source: the file.
        unused: what is of no use.
    """
    directive = unused.directive
    if not unused.is_whole:
        return tuple(_selectors(directive, unused.selectors))
    ends = [directive, directive.partner] if directive.partner is not None else [directive]
    return tuple(_whole(source, end) for end in ends)


def _selectors(directive: Directive, unwanted: tuple[Selector, ...]) -> Iterator[Edit]:
    """Each selector goes with what separates it from the one before it that stays, else from the next one."""
    kept_end: int | None = None
    all_of_them = directive.selectors
    for index, selector in enumerate(all_of_them):
        end = selector.start + len(selector.text)
        if selector not in unwanted:
            kept_end = end
        elif kept_end is None:
            yield Edit(selector.start, all_of_them[index + 1].start, "")
        else:
            before = all_of_them[index - 1]
            yield Edit(before.start + len(before.text), end, "")


def _whole(source: Source, directive: Directive) -> Edit:
    comment = directive.comment
    start, end = directive.start, directive.end
    comment_end = comment.start + len(comment.text)
    line_start = source.line_start(comment.row)
    has_rest = source.text[end:comment_end].strip() != ""
    if start == comment.start and has_rest:
        while source.text[end].isspace():
            end += 1
        return Edit(start, end, "")
    if not has_rest:
        end = comment_end
    if start == comment.start and not source.text[line_start:start].strip():
        return Edit(line_start, source.line_start(comment.row + 1), "")
    while source.text[start - 1] in " \t\f":
        start -= 1
    return Edit(start, end, "")

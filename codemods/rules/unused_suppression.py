"""A comment that suppresses findings where there are none.

## What it does
Finds `# picklefix: ignore[…]`, `disable[…]` and `file-ignore[…]` comments, and codes of picklefix in `# noqa: …`
comments, that suppress nothing, and removes them. A bare `# noqa` may be meant for other tools and is left alone.

## Why
A suppression that is no longer needed hides the next finding on that line.

## Example
    def double(x):  # picklefix: ignore[nested-function] moved in the next release
        return 2 * x

## Use instead
    def double(x):
        return 2 * x

## Fix safety
Safe: only comments change. A suppression counts as used if any rule finds something there that it is about, at whatever
`--reach` and whether the rule is selected or not.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass

from codemods.finding import Level, Reach
from codemods.rewrite.change import Change
from codemods.rules import all_rules, rule
from codemods.rules.context import Context, Found
from codemods.source import Source
from codemods.suppression.removal import removal
from codemods.suppression.table import Unused

CODE = "PKL901"


@rule(CODE, ast.Module)
def unused_suppression(context: Context, node: ast.AST) -> Iterator[Found]:
    if not any(directive.is_about_findings for directive in context.suppressions.directives):
        return
    source = context.model.source
    for unused in context.suppressions.unused(_all_that_could_be_found(context)):
        rules = ", ".join(f"`{selector.text}`" for selector in unused.selectors) or "any rule"
        message = f"the suppression of {rules} is not needed: nothing is found there"
        title = "Remove the comment" if unused.is_whole else f"Remove {rules} from the comment"
        yield Found(
            _Remark.of(source, unused),
            message,
            Reach(Level.LOCAL),
            title,
            functools.partial(_write, source, unused),
        )


def _write(source: Source, unused: Unused) -> Change:
    return Change(removal(source, unused))


def _all_that_could_be_found(context: Context) -> Iterator[tuple[tuple[int, int], str]]:
    """Where something is found that reaches however far, suppressed or not, and by which rule."""
    model = context.model
    wide = Context(model, Level.LOCAL, context.style, always_wrap_views=True, suppressions=context.suppressions)
    for other in all_rules():
        if other.code != CODE:
            for node_type in other.node_types:
                for node in model.nodes.get(node_type, ()):
                    for found in other.find(wide, node):
                        assert isinstance(found.node, ast.AST)
                        yield context.rows(found.node), other.code


@dataclass(frozen=True)
class _Remark:
    """Where a remark in a comment stands, as nodes of ``ast`` say it: columns are bytes in UTF-8."""

    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int

    @classmethod
    def of(cls, source: Source, unused: Unused) -> _Remark:
        row = unused.directive.comment.row
        start = source.line_start(row)
        first, last = (
            len(source.text[start:offset].encode("utf-8")) for offset in (unused.directive.start, unused.directive.end)
        )
        return cls(row, first, row, last)

"""Suppressions of code that moves go along with it."""

from __future__ import annotations

from codemods.source import Source
from codemods.suppression.directives import Directive, Kind
from codemods.suppression.table import Suppressions


def carried(
    source: Source,
    suppressions: Suppressions,
    text: str,
    origin: int,
    above: int,
    header: tuple[int, int] | None,
    indent: str = "",
) -> str:
    """A definition with the comments that suppress findings in it where it comes from.

    Comments above a definition and inside it are a part of its text. What is added is a block around it for one that
    it leaves, and the remarks beside the statement that a lambda stood in.

    Args:
        source: the file that it comes from.
        suppressions: what comments in that file say.
        text: the definition at its new place, ending with a line ending.
        origin: the offset of where it stood; negative for what stood nowhere.
        above: the offset of the line that it goes above.
        header: for a part of a statement, the lines of that statement's header, the first and the last.
        indent: what its lines begin with.
    """
    if origin < 0 or not suppressions.directives:
        return text
    newline = source.newline
    for directive in suppressions.directives:
        beside = directive.kind in (Kind.NOQA, Kind.IGNORE)
        if header is not None and beside and directive.covers_rows(*header):
            text = f"{text.removesuffix(newline)}  {source.text[directive.start : directive.end]}{newline}"
    for block in suppressions.blocks_left(source.location(origin).row, source.location(above).row, len(indent)):
        rules = _list(block)
        text = f"{indent}# picklefix: disable{rules}{newline}{text}{indent}# picklefix: enable{rules}{newline}"
    return text


def _list(directive: Directive) -> str:
    return f"[{', '.join(selector.text for selector in directive.selectors)}]" if directive.selectors else ""

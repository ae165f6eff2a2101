"""Which findings of a file are suppressed by comments in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from codemods.source import Source
from codemods.suppression.comments import comments
from codemods.suppression.directives import Directive, Kind, Selector, directives_of

_MAY_SAY_SOMETHING = re.compile(
    r"#\s*(?:noqa\b(?![ \t]*:[ \t]*(?:(?!PKL)[A-Z]+[0-9]+[, \t]*)+$)|picklefix\s*:)", re.IGNORECASE | re.MULTILINE
)
"""Most files hold nothing of the kind, or only codes of other tools: they need not be split into tokens."""
_OUR_CODE = re.compile(r"PKL[0-9]*")


@dataclass(frozen=True)
class Unused:
    """What could be taken out of a directive without anything being found.

    Args:
        directive: the directive.
        selectors: those of its selectors that suppress nothing; all of them, or none, mean the whole directive.
    """

    directive: Directive
    selectors: tuple[Selector, ...]

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the directive is of use."""
        return self.selectors == self.directive.selectors


@dataclass(frozen=True)
class Suppressions:
    """The directives of a file.

    Args:
        directives: what its comments say, in order.
        warnings: what is wrong with them, each with its line.
        names: the name of each rule by its code.
    """

    directives: tuple[Directive, ...] = ()
    warnings: tuple[tuple[int, str], ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Source, names: Mapping[str, str]) -> Suppressions:
        """The directives in a file's comments.

        Args:
            source: the file.
            names: the name of each rule by its code.
        """
        if not _MAY_SAY_SOMETHING.search(source.text):
            return NO_SUPPRESSIONS
        known = frozenset(names) | frozenset(names.values())
        found: list[Directive] = []
        warnings: list[tuple[int, str]] = []
        for comment in comments(source, _MAY_SAY_SOMETHING):
            for item in directives_of(comment, known):
                if isinstance(item, Directive):
                    found.append(item)
                else:
                    warnings.append((comment.row, str(item)))
        paired, lonely = _paired(found)
        warnings += [(end.comment.row, "`# picklefix: enable` ends nothing that begins in its block") for end in lonely]
        return cls(tuple(paired), tuple(sorted(warnings)), names)

    @property
    def skips_file(self) -> bool:
        """Whether the whole file is left out."""
        return any(directive.kind is Kind.SKIP_FILE for directive in self.directives)

    def covers(self, rows: tuple[int, int], code: str) -> bool:
        """Whether a rule is suppressed for a statement whose header is on these lines, the first and the last."""
        name = self.names.get(code, "")
        return any(directive.covers_rows(*rows) and directive.selects(code, name) for directive in self.directives)

    def unused(self, found: Iterable[tuple[tuple[int, int], str]]) -> Iterator[Unused]:
        """The directives, or parts of them, that suppress nothing.

        Args:
            found: for everything that could be found in the file the lines of its header, and the rule's code.
        """
        found = set(found)
        for directive in self.directives:
            codes = {code for rows, code in found if directive.covers_rows(*rows)}
            if (
                directive.kind in (Kind.IGNORE, Kind.DISABLE, Kind.FILE_IGNORE)
                and not directive.selectors
                and not codes
            ):
                yield Unused(directive, ())
            useless = tuple(
                selector
                for selector in directive.selectors
                if self._is_ours(directive, selector)
                and not any(selector.selects(code, self.names.get(code, "")) for code in codes)
            )
            if useless and directive.kind is not Kind.ENABLE:
                yield Unused(directive, useless)

    def blocks_left(self, origin: int, place: int, column: int) -> list[Directive]:
        """The blocks that code leaves when it moves.

        Args:
            origin: the line that it stands on, counted from 1.
            place: the line that it moves above.
            column: how far it is indented there; what is indented less than a block ends it.
        """
        return [
            directive
            for directive in self.directives
            if directive.kind is Kind.DISABLE
            and directive.covers_rows(origin, origin)
            and (not directive.comment.row < place <= directive.last_row or column < directive.comment.column)
        ]

    def _is_ours(self, directive: Directive, selector: Selector) -> bool:
        is_shared = directive.kind is Kind.NOQA
        return not is_shared or _OUR_CODE.match(selector.text) is not None or selector.text in self.names.values()


NO_SUPPRESSIONS = Suppressions()


def _paired(found: Iterable[Directive]) -> tuple[list[Directive], list[Directive]]:
    """The directives, in which each block knows its end, and the ends that belong to no block."""
    result: list[Directive] = []
    lonely: list[Directive] = []
    for directive in found:
        if directive.kind is Kind.DISABLE:
            directive = replace(directive, last_row=directive.comment.block_end)
        if directive.kind is Kind.ENABLE:
            begun = [index for index, block in enumerate(result) if _is_ended_by(block, directive)]
            for index in begun:
                result[index] = replace(result[index], last_row=directive.comment.row, partner=directive)
            if not begun:
                lonely.append(directive)
        result.append(directive)
    return result, lonely


def _is_ended_by(block: Directive, end: Directive) -> bool:
    texts = {selector.text for selector in end.selectors}
    return (
        block.kind is Kind.DISABLE
        and block.partner is None
        and block.comment.column == end.comment.column
        and end.comment.row <= block.last_row
        and (not texts or texts == {selector.text for selector in block.selectors})
    )

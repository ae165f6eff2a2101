"""What comments say to picklefix: ``# noqa``, ``# picklefix: ignore[…]`` and their like."""

from __future__ import annotations

import enum
import itertools
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from codemods.suppression.comments import Comment

_PIECE = re.compile(r"(?:^|(?<=\s))#(?=\s*[A-Za-z])")
"""Where one of several remarks in a comment begins; ``#12`` is a part of a reason."""
_NOQA = re.compile(r"#\s*noqa\b(?P<colon>\s*:)?", re.IGNORECASE)
_OWN = re.compile(r"#\s*picklefix\s*:\s*(?P<kind>[\w-]*)\s*(?:\[(?P<list>[^\]]*)\])?")
_ITEM = re.compile(r"[^\s,]+")
_CODE = re.compile(r"[A-Z]+[0-9]+|PKL")
_MEANT = re.compile(r"\bPKL\d*\b", re.IGNORECASE)


BLOCK_MARK = re.compile(r"#\s*picklefix\s*:\s*(?:disable|enable)\b")
"""A comment in which a block begins or ends: it stays where it is when code beside it moves."""
IGNORE_MARK = re.compile(r"#\s*picklefix\s*:\s*ignore\b")
"""A comment that goes wherever the statement below it goes."""


class Kind(enum.Enum):
    """What a directive does; the values are what is written."""

    NOQA = "noqa"
    IGNORE = "ignore"
    DISABLE = "disable"
    ENABLE = "enable"
    FILE_IGNORE = "file-ignore"
    SKIP_FILE = "skip-file"


@dataclass(frozen=True)
class Selector:
    """A code, the beginning of one, or a name, as it is written in a comment.

    Args:
        text: what is written.
        start: its offset in the file.
    """

    text: str
    start: int

    def selects(self, code: str, name: str) -> bool:
        """Whether it means a rule."""
        return code.startswith(self.text) or self.text == name


@dataclass(frozen=True)
class Directive:
    """One remark that a comment makes to picklefix.

    Args:
        kind: what it does.
        selectors: the rules that it means; empty for all.
        comment: where it is written.
        start: the offset of its ``#``.
        end: the offset after its reason.
        last_row: the last line that it is about, for a block.
        partner: what ends the block, if something does before the code around it ends.
    """

    kind: Kind
    selectors: tuple[Selector, ...]
    comment: Comment
    start: int
    end: int
    last_row: int = 0
    partner: Directive | None = None

    @property
    def is_about_findings(self) -> bool:
        """Whether it is something else than a ``# noqa`` that may be there for other tools, or a whole file."""
        return self.kind is not Kind.SKIP_FILE and (self.kind is not Kind.NOQA or self.selectors != ())

    def selects(self, code: str, name: str) -> bool:
        """Whether it means a rule."""
        return not self.selectors or any(selector.selects(code, name) for selector in self.selectors)

    def covers_rows(self, first: int, last: int) -> bool:
        """Whether it is about a statement whose header is on these lines."""
        comment = self.comment
        match self.kind:
            case Kind.NOQA:
                return not comment.is_alone and first <= comment.row <= last
            case Kind.IGNORE:
                return first <= (comment.next_row if comment.is_alone else comment.row) <= last
            case Kind.DISABLE:
                return comment.row <= first <= self.last_row
            case Kind.FILE_IGNORE | Kind.SKIP_FILE:
                return True
            case Kind.ENABLE:
                return False


class DirectiveError(Exception):
    """A comment that seems meant for picklefix does nothing, or more than it says; the message tells which."""

    def __init__(self, message: str, directive: Directive | None = None) -> None:
        super().__init__(message)
        self.directive = directive


def directives_of(comment: Comment, known: Collection[str]) -> Iterator[Directive | DirectiveError]:
    """What a comment says, and what is wrong with it.

    Args:
        comment: the comment.
        known: the codes and names of all rules.
    """
    starts = [match.start() for match in _PIECE.finditer(comment.text)]
    for start, end in itertools.pairwise([*starts, len(comment.text)]):
        text = comment.text[start:end].rstrip()
        try:
            if own := _OWN.match(text):
                yield _own(comment, start, text, own, known)
            elif noqa := _NOQA.match(text):
                directive = _noqa(comment, start, text, noqa, known)
                if directive is not None:
                    yield directive
        except DirectiveError as error:
            if error.directive is not None:
                yield error.directive
            yield error


def _own(comment: Comment, start: int, text: str, match: re.Match[str], known: Collection[str]) -> Directive:
    kinds = {kind.value: kind for kind in Kind if kind is not Kind.NOQA}
    kind = kinds.get(match["kind"])
    if kind is None:
        raise DirectiveError(f"`# picklefix: {match['kind']}` means nothing; known are {', '.join(kinds)}")
    if kind is not Kind.IGNORE and not comment.is_alone:
        raise DirectiveError(f"`# picklefix: {kind.value}` has no effect here; give it a line of its own")
    offset = comment.start + start
    items = [(item.group(), item.start()) for item in _ITEM.finditer(match["list"] or "")]
    if match["list"] is not None and not items:
        raise DirectiveError(f"`{match.group()}` names no rule and has no effect")
    for item, _ in items:
        if not _is_known(item, known):
            raise DirectiveError(f"`{item}` is no rule, so `{match.group()}` has no effect")
    selectors = tuple(Selector(item, offset + match.start("list") + at) for item, at in items)
    return Directive(kind, selectors, comment, offset, offset + len(text))


def _noqa(comment: Comment, start: int, text: str, match: re.Match[str], known: Collection[str]) -> Directive | None:
    offset = comment.start + start
    end = offset + len(text)
    rest = text[match.end() :]
    if match["colon"] is None:
        directive = Directive(Kind.NOQA, (), comment, offset, end)
        if _MEANT.match(rest.lstrip()):
            raise DirectiveError("`# noqa` without a colon is about all rules; write `# noqa: CODE`", directive)
        return directive
    selectors: list[Selector] = []
    for item in _ITEM.finditer(rest):
        if not _CODE.fullmatch(item.group()) and item.group() not in known:
            break
        selectors.append(Selector(item.group(), offset + match.end() + item.start()))
    if not selectors and _MEANT.match(rest.lstrip()):
        raise DirectiveError("`# noqa` has no effect: codes are written in capitals")
    directive = Directive(Kind.NOQA, tuple(selectors), comment, offset, end)
    useful = directive if any(_is_known(selector.text, known) for selector in selectors) else None
    for selector in selectors:
        if _MEANT.fullmatch(selector.text) and not _is_known(selector.text, known):
            raise DirectiveError(f"`{selector.text}` is no rule, and has no effect in `# noqa`", useful)
    return useful


def _is_known(selector: str, known: Collection[str]) -> bool:
    return any(name == selector or (selector[:1].isupper() and name.startswith(selector)) for name in known)

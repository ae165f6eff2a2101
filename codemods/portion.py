"""A portion of what ``migrate`` would do to a file: the fixes of some findings, in one layout or another."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from codemods import passes
from codemods.edits import Edit
from codemods.finding import Finding, Location
from codemods.options import Options
from codemods.rewrite.change import Change, IslandError, edits_of
from codemods.rewrite.class_layouts import NoSuchLayoutError
from codemods.rewrite.layouts import USUAL, Layout, Place, laid_out
from codemods.rules import Rule
from codemods.rules.context import Context, Found
from codemods.source import Source, SourceError

_Pair = tuple[Rule, Found]
_Key = tuple[str, Location]


class NoPortionError(Exception):
    """The findings cannot be fixed alone, or not in this layout."""


class Portions:
    """One file, analysed once, of which any portion can be written.

    Args:
        context: its analyses, as :func:`codemods.engine.check` gives them away.
        found: what was found with them.
        options: what was looked for.
    """

    def __init__(self, context: Context, found: Iterable[_Pair], options: Options) -> None:
        self._source = context.model.source
        self._options = options
        self._context = context
        written = [(rule, _written_once(item)) for rule, item in found]
        self._found = [(_key(pair, self._source), pair) for pair in written]

    def together(self, findings: Sequence[Finding]) -> list[tuple[Finding, ...]]:
        """The findings in groups: what one class gets methods for is fixed at once."""
        pairs = dict(self._found)
        groups: dict[object, list[Finding]] = {}
        for finding in findings:
            methods = _change_of(pairs[finding.code, finding.start]).methods
            groups.setdefault(methods.owner if methods is not None else finding, []).append(finding)
        return [tuple(group) for group in groups.values()]

    def draft(self, findings: Iterable[Finding], layout: Layout = USUAL) -> bytes:
        """The file with some findings fixed, and nothing else, before it is formatted.

        Args:
            findings: the findings, which have fixes.
            layout: where the fixes put what they add.

        Raises:
            NoPortionError: if that cannot be done.
            BrokenRewriteError: if a rewrite went wrong.
        """
        keys = {(finding.code, finding.start) for finding in findings}
        doubtful: set[_Key] = set()
        source, context, found = self._source, self._context, self._found
        if layout.imports_nearby and not any(_change_of(pair).imports for key, pair in found if key in keys):
            raise NoPortionError  # That is another layout already.
        while keys or doubtful:
            there = [pair for key, pair in found if key in keys or key in doubtful]
            writing = _Layouts(context, layout, self._context.model.identifiers)
            wanted = [writing.laid_out(pair) for pair in there if pair[1].write is not None]
            chosen, changes = passes.choose(source, wanted)
            if not chosen and (keys or there):
                raise NoPortionError
            if not chosen:
                break
            edits = edits_of(context.model, changes, context.suppressions)
            done = {_key(pair, source) for pair in chosen}
            # What is left as it stands may have had to wait for something that it needs.
            pending = [item for item in zip(chosen, changes, strict=True) if not _is_touched(item[0], source, edits)]
            if layout.place is not Place.ABOVE and any(change.methods is None for _, change in pending):
                raise NoPortionError  # What it needs would stand where it is not looked for.
            before, source = source, passes.applied(context, changes)
            keys = {(code, _moved(start, before, source, edits)) for code, start in keys - done}
            waiting = {_key(pair, before) for pair, _ in pending}
            doubtful = {(code, _moved(start, before, source, edits)) for code, start in waiting}
            if keys or doubtful:
                context, found = self._looked_at_again(source, keys | doubtful)
        return self._encoded(source.text)

    def _looked_at_again(self, source: Source, keys: Collection[_Key]) -> tuple[Context, list[tuple[_Key, _Pair]]]:
        """The analyses of the file with some fixes made, and what is found at what is left."""
        options = self._options._replace(rows=frozenset(start.row for _, start in keys))
        context = passes.context_for(source, options, self._context.model.project)
        return context, [(_key(pair, source), pair) for pair in passes.find(context, options)]

    def finished(self, draft: bytes) -> bytes:
        """A draft formatted by black if the file was, and sure to compile.

        Raises:
            NoPortionError: if it does not compile.
        """
        from codemods.rewrite import formatting

        text = Source.decode(self._source.path, draft).text
        if self._is_clean:
            text = formatting.formatted(text, self._options.style) or text
        try:
            compile(text, self._source.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise NoPortionError from error
        return self._encoded(text)

    @functools.cached_property
    def _is_clean(self) -> bool:
        from codemods.rewrite import formatting

        return formatting.is_clean(self._source.text, self._options.style)

    def _encoded(self, text: str) -> bytes:
        try:
            return self._source.encode(text)
        except SourceError as error:
            raise NoPortionError from error


def _written_once(found: Found) -> Found:
    """What is found, with a change that is worked out once for all layouts."""
    return found if found.write is None else replace(found, write=functools.cache(found.write))


def _change_of(pair: _Pair) -> Change:
    """What is done about a finding; nothing if there is no fix, or a rewrite goes wrong."""
    write = pair[1].write
    try:
        return write() if write is not None else Change(())
    except IslandError:
        return Change(())  # Whoever makes the change will be told.


def _key(pair: _Pair, source: Source) -> _Key:
    rule, found = pair
    return rule.code, source.location(source.span(found.node)[0])


def _is_touched(pair: _Pair, source: Source, edits: Sequence[Edit]) -> bool:
    start, end = source.span(pair[1].node)
    return any(edit.start < end and start < max(edit.end, edit.start + 1) for edit in edits)


class _Layouts:
    """Lays out changes that are made at once; what several of them add to one class stands in one place.

    Args:
        context: the file.
        layout: where things go.
        taken: the names that the file used by itself.
    """

    def __init__(self, context: Context, layout: Layout, taken: Collection[str]) -> None:
        self._context = context
        self._taken = taken
        self._layout = layout
        self._places: dict[ast.ClassDef, ast.stmt] = {}

    def laid_out(self, pair: _Pair) -> _Pair:
        """What was found, with a change that is laid out."""
        rule, found = pair
        write = found.write
        if self._layout == USUAL or write is None:
            return pair

        def other() -> Change:
            change, context = write(), self._context
            beside = self._beside(found, change)
            try:
                return laid_out(context.model, change, self._layout, self._taken, beside, context.suppressions)
            except NoSuchLayoutError as error:
                raise NoPortionError from error

        return rule, replace(found, write=other)

    def _beside(self, found: Found, change: Change) -> ast.stmt | None:
        """The statement of a class next to which its new methods stand: the one with the first finding."""
        if change.methods is None:
            return None
        body, row = change.methods.owner.body, found.node.lineno
        around = (statement for statement in body if statement.lineno <= row <= (statement.end_lineno or row))
        return self._places.setdefault(change.methods.owner, next(around, body[-1]))


def _moved(start: Location, before: Source, after: Source, edits: Sequence[Edit]) -> Location:
    """Where a place is once edits are made.

    Raises:
        NoPortionError: if the text there was replaced.
    """
    offset = before.line_start(start.row) + start.column - 1
    if any(edit.start <= offset < edit.end for edit in edits):
        raise NoPortionError
    shift = sum(len(edit.text) - (edit.end - edit.start) for edit in dict.fromkeys(edits) if edit.end <= offset)
    return after.location(offset + shift)

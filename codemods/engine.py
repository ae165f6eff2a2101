"""One file: find, fix what may be fixed, and check the result. Nothing is read or written here."""

from __future__ import annotations

import ast
import bisect
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from codemods import edits
from codemods.analysis.guards.start_methods import start_method_notes
from codemods.analysis.model import Model, Neighbours
from codemods.analysis.reasons import refusal
from codemods.analysis.tree import Tree
from codemods.catalog.entries import Resource
from codemods.catalog.loader import Catalog, load
from codemods.finding import FileError, FileResult, Finding, Fix, Level, Location, Refusal, Safety
from codemods.identity import identity
from codemods.rewrite.change import Change, IslandError, edits_of, is_compatible
from codemods.rules import Rule, all_rules, rule_names
from codemods.rules.context import Context, Found
from codemods.source import Source, SourceError, parse
from codemods.style import StateStyle, Style
from codemods.suppression.table import MAY_BE_SKIPPED, NO_SUPPRESSIONS, Suppressions
from codemods.triage import Interests, is_of_interest

GATE = re.compile(
    rb"lambda|def|class|tuple|Enum|Flag|TypedDict|keys|values|items|multiprocessing|ProcessPool|num_workers"
    rb"|PKL|picklefix"
)
"""A file with none of these words holds nothing that any rule looks for; it need only parse."""
LARGEST_FILE = 10_000_000
"""In bytes. Analysis takes some three hundred times that in memory, and such files are written by programs."""
MOST_PASSES = 200
"""Nested functions move one level a pass; a file that needs more is not written by people."""


@dataclass(frozen=True)
class Options:
    """What a run looks for and what it changes.

    Args:
        reach: the lowest level that is reported and rewritten.
        unsafe_fixes: whether unsafe fixes are made as well.
        select: the codes of the rules that run.
        style: how code is laid out that is written in files which follow it already.
        views: ``always`` makes lists of all views of dicts that are stored, ``escaping`` of those that may be pickled.
        resources: what does not pickle, besides what the catalog lists.
        state_style: how classes arrange to be pickled that hold such things.
        neighbours: the other files of the project, which are read as far as names are imported from them.
        with_edits: whether ``check`` works out the edits of each fix, which costs more than knowing that there is one.
        with_notes: whether it also looks for what files ask of the start method of processes.
        with_suppressed: whether comments that suppress findings are passed over.
        unfixable: the codes of the rules that report and do not rewrite.
        trusted: the codes of the rules whose unsafe fixes count as safe.
        distrusted: the codes of the rules whose safe fixes count as unsafe.
        held: what is not rewritten although it could be, as :func:`codemods.identity.identity` tells it.
    """

    reach: Level = Level.STATE
    unsafe_fixes: bool = False
    select: frozenset[str] = field(default_factory=lambda: frozenset(rule.code for rule in all_rules()))
    style: Style = Style()
    views: str = "escaping"
    with_edits: bool = False
    with_notes: bool = False
    with_suppressed: bool = False
    unfixable: frozenset[str] = frozenset()
    trusted: frozenset[str] = frozenset()
    distrusted: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    resources: tuple[Resource, ...] = ()
    state_style: StateStyle = StateStyle.GETSTATE
    neighbours: Neighbours | None = None


def check(path: str, data: bytes, options: Options) -> FileResult:
    """Find what pickle refuses in a file, and change nothing.

    Args:
        path: the file's name, for messages.
        data: its bytes.
        options: what to look for.
    """
    result, findings, _ = _read(path, data, options)
    return replace(result, findings=findings, remaining=findings)


def fix(path: str, data: bytes, options: Options) -> FileResult:
    """Find what pickle refuses in a file, and make the fixes that the options allow.

    Args:
        path: the file's name, for messages.
        data: its bytes.
        options: what to look for and what to change.
    """
    result, findings, found = _read(path, data, options)
    if result.error is not None or not any(_is_wanted(item, options) for item in found):
        return replace(result, findings=findings, remaining=findings)
    try:
        return _fix(replace(result, findings=findings), options)
    except BrokenRewriteError as broken:
        error = FileError(f"left alone, because of a fault of picklefix: {broken}; please report it", internal=True)
        return replace(result, findings=findings, remaining=findings, error=error)


def apply(path: str, data: bytes, fix: Fix, style: Style) -> bytes:
    """Make one fix, and nothing that could be done after it.

    Args:
        path: the file's name, for messages.
        data: its bytes.
        fix: the fix, which came with its edits.
        style: how the file is laid out.

    Raises:
        ValueError: if that goes wrong, which is a fault of picklefix.
    """
    source = Source.decode(path, data)
    try:
        return _finished(source, edits.apply(source.text, fix.edits), style)
    except BrokenRewriteError as broken:
        raise ValueError(str(broken)) from broken


class BrokenRewriteError(Exception):
    """A rewrite went wrong: the file keeps its bytes."""


def _read(path: str, data: bytes, options: Options) -> tuple[FileResult, tuple[Finding, ...], list[Found]]:
    """The findings in a file, or the reason why there are none."""
    unread = FileResult(path, data, data)
    if len(data) > LARGEST_FILE:
        size = f"{len(data) / 1e6:.0f} MB"
        message = (
            f"is too large to be analysed ({size}, at most {LARGEST_FILE / 1e6:.0f} MB); leave it out with --exclude"
        )
        return replace(unread, error=FileError(message)), (), []
    try:
        source = Source.decode(path, data)
        if MAY_BE_SKIPPED.search(data) and not options.with_suppressed and _suppressions(source, options).skips_file:
            return unread, (), []
        if not GATE.search(data) and not (options.with_notes and b"fork" in data):
            parse(source)
            return unread, (), []
        tree = Tree(source)
        if not options.with_notes and not is_of_interest(tree, _interests(path, options)):
            return unread, (), []
        context = context_for(source, options, tree)
        found = find(context, options)
        unread = replace(unread, warnings=context.suppressions.warnings)
        findings = tuple(finding_of(context, rule, item, options.with_edits) for rule, item in found)
        notes = tuple(start_method_notes(context.model)) if options.with_notes else ()
        return replace(unread, notes=notes), findings, [item for _, item in found]
    except SourceError as error:
        return replace(unread, error=FileError(f"cannot be decoded: {error}; fix its encoding declaration")), (), []
    except SyntaxError as error:
        where = Location(error.lineno or 1, error.offset or 1)
        return replace(unread, error=FileError(f"does not parse: {error.msg}", where, syntax=True)), (), []
    except (RecursionError, MemoryError):
        message = "is nested too deeply to be analysed; exclude it, or split its longest expressions"
        return replace(unread, error=FileError(message)), (), []


def _interests(path: str, options: Options) -> Interests:
    neighbours = options.neighbours
    is_own = functools.partial(neighbours.may_define, path) if neighbours is not None else None
    return Interests(options.reach is Level.LOCAL, bool(options.resources), is_own)


def context_for(source: Source, options: Options, tree: Tree | None = None) -> Context:
    return Context(
        Model(source, _catalog(options.resources), options.neighbours, tree),
        options.reach,
        options.style,
        always_wrap_views=options.views == "always",
        suppressions=_suppressions(source, options),
        unfixable=options.unfixable,
        held=options.held,
        state_style=options.state_style,
        unsafe_fixes=options.unsafe_fixes,
    )


def _suppressions(source: Source, options: Options) -> Suppressions:
    return NO_SUPPRESSIONS if options.with_suppressed else Suppressions.of(source, rule_names())


@functools.lru_cache(maxsize=8)
def _catalog(resources: tuple[Resource, ...]) -> Catalog:
    return load().with_resources(resources) if resources else load()


def find(context: Context, options: Options) -> list[tuple[Rule, Found]]:
    found: list[tuple[Rule, Found]] = []
    for rule in all_rules():
        if rule.code in options.select:
            for node_type in rule.node_types:
                for node in context.model.nodes.get(node_type, ()):
                    found.extend(
                        (rule, _judged(context, rule, item, options))
                        for item in rule.find(context, node)
                        if not context.is_suppressed(item.node, rule.code)
                    )
    return sorted(found, key=lambda pair: (pair[1].node.lineno, pair[1].node.col_offset))


def _judged(context: Context, rule: Rule, found: Found, options: Options) -> Found:
    """What a rule found, as the settings and the person see it."""
    if found.write is None:
        return found
    if rule.code in options.unfixable:
        return _left(found, refusal("unfixable", name=rule.name))
    if options.held and identity(rule.code, context.model.source.segment(found.node)) in options.held:
        return _left(found, refusal("held-back", name=rule.name))
    if rule.code in options.trusted:
        return replace(found, safety=Safety.SAFE)
    return replace(found, safety=Safety.UNSAFE) if rule.code in options.distrusted else found


def _left(found: Found, why: Refusal) -> Found:
    return Found(found.node, found.message, found.reach, refusal=why)


def finding_of(context: Context, rule: Rule, found: Found, with_edits: bool) -> Finding:
    start, end = context.place(found.node)
    fix = None
    if found.write is not None:
        change = tuple(edits_of(context.model, [found.write()], context.suppressions)) if with_edits else ()
        fix = Fix(found.title, change, found.safety)
    path = context.model.source.path
    within, header = "", (start.row, start.row)
    if isinstance(found.node, ast.AST):
        within, header = context.model.names_around(found.node), context.rows(found.node)
    return Finding(
        rule.code, rule.name, found.message, path, start, end, found.reach, fix, found.refusal, within, header
    )


def _is_wanted(found: Found, options: Options) -> bool:
    return found.write is not None and (found.safety is Safety.SAFE or options.unsafe_fixes)


def _fix(unfixed: FileResult, options: Options) -> FileResult:
    """Go round until no fix is left: a fix that touches another one waits for its turn."""
    path, data = unfixed.path, unfixed.before
    source = Source.decode(path, data)
    fixed: list[Finding] = []
    remaining = unfixed.findings
    for _ in range(MOST_PASSES):
        context = context_for(source, options)
        found = find(context, options)
        remaining = tuple(finding_of(context, rule, item, False) for rule, item in found)
        chosen, changes = choose(source, [(rule, item) for rule, item in found if _is_wanted(item, options)])
        if not changes:
            break
        fixed.extend(finding_of(context, rule, item, False) for rule, item in chosen)
        source = applied(context, changes)
    else:
        raise BrokenRewriteError(f"the fixes do not come to an end after {MOST_PASSES} rounds")
    return replace(
        unfixed,
        after=_finished(Source.decode(path, data), source.text, options.style),
        fixed=tuple(fixed),
        remaining=remaining,
    )


def _finished(source: Source, text: str, style: Style) -> bytes:
    """The bytes of a file with its new text, laid out, if it compiles."""
    text = _laid_out(source.text, text, style)
    try:
        compile(text, source.path, "exec", dont_inherit=True)
        return source.encode(text)
    except (SyntaxError, ValueError, SourceError) as error:
        raise BrokenRewriteError(f"the result would not compile ({error})") from error


def choose(source: Source, wanted: Sequence[tuple[Rule, Found]]) -> tuple[list[tuple[Rule, Found]], list[Change]]:
    """Fixes that do not touch each other; those inside others come first, so that the others find simpler code."""
    chosen: list[tuple[Rule, Found]] = []
    changes: list[Change] = []
    starts: list[int] = []  # of the edits, in order
    for rule, item in sorted(wanted, key=lambda pair: (pair[1].node.end_lineno, pair[1].node.end_col_offset)):
        assert item.write is not None
        start, end = source.span(item.node)
        if item.is_replaced and bisect.bisect_left(starts, end) > bisect.bisect_right(starts, start):
            continue  # Something inside is changed already: do not write all of it anew to find that out.
        try:
            change = item.write()
        except IslandError as error:
            raise BrokenRewriteError(str(error)) from error
        if is_compatible(change, changes):
            chosen.append((rule, item))
            changes.append(change)
            for edit in change.edits:
                bisect.insort(starts, edit.start)
    return chosen, changes


def applied(context: Context, changes: Sequence[Change]) -> Source:
    """The file with changes made, if it still parses."""
    source = context.model.source
    text = edits.apply(source.text, edits_of(context.model, changes, context.suppressions))
    try:
        ast.parse(text, source.path)
    except (SyntaxError, ValueError) as error:
        raise BrokenRewriteError(f"a rewrite does not parse ({error})") from error
    return replace(source, text=text)


def _laid_out(before: str, after: str, style: Style) -> str:
    """The new text, formatted by black if black had nothing to say about the old one."""
    from codemods.rewrite import formatting

    if not formatting.is_clean(before, style):
        return after
    return formatting.formatted(after, style) or after

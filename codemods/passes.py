"""The passes over one file: ask the rules, choose fixes that go together, make them, and ask again.

Everything that the analyses and rewrites need is imported with this module; the engine asks for it only where a file
may hold something of interest.
"""

from __future__ import annotations

import ast
import bisect
import functools
from collections.abc import Callable, Sequence
from dataclasses import replace

from codemods import edits
from codemods.analysis.guards.start_methods import start_method_notes
from codemods.analysis.model import Model
from codemods.analysis.project.project import Project
from codemods.analysis.reasons import refusal
from codemods.analysis.tree import Tree
from codemods.catalog.entries import Resource
from codemods.catalog.loader import Catalog, load
from codemods.finding import FileError, FileResult, Finding, Fix, Refusal, Safety
from codemods.identity import identity
from codemods.narrowing import Narrowing
from codemods.options import Entries, Options
from codemods.rewrite.change import Change, IslandError, Taken, edits_of
from codemods.rules import Rule, all_rules, rule_names
from codemods.rules.context import Context, Found
from codemods.source import Source, SourceError
from codemods.style import Style
from codemods.suppression.table import NO_SUPPRESSIONS, Suppressions

Keep = Callable[[Context, list[tuple[Rule, Found]]], None]
"""Takes the analyses of a file, and what was found with them."""

MOST_PASSES = 200
"""Nested functions move one level a pass; a file that needs more is not written by people."""


class BrokenRewriteError(Exception):
    """A rewrite went wrong: the file keeps its bytes."""


def context_for(source: Source, options: Options, project: Project | None, tree: Tree | None = None) -> Context:
    return Context(
        Model(source, _catalog(options.entries, options.resources), tree, project),
        options.reach,
        options.style,
        always_wrap_views=options.views == "always",
        suppressions=suppressions_of(source, options),
        unfixable=options.unfixable,
        held=options.held,
        state_style=options.state_style,
        unsafe_fixes=options.unsafe_fixes,
    )


def suppressions_of(source: Source, options: Options) -> Suppressions:
    return NO_SUPPRESSIONS if options.with_suppressed else Suppressions.of(source, rule_names())


@functools.lru_cache(maxsize=8)
def _catalog(entries: Entries, resources: tuple[Resource, ...]) -> Catalog:
    catalog = load().with_calls(*entries) if any(entries) else load()
    return catalog.with_resources(resources) if resources else catalog


def find(context: Context, options: Options) -> list[tuple[Rule, Found]]:
    found: list[tuple[Rule, Found]] = []
    narrowing = Narrowing(context.model, options.rows)
    for rule in all_rules():
        if options.select is None or rule.code in options.select:
            for node_type in rule.node_types:
                for node in narrowing.nodes(node_type):
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
        *(rule.code, rule.name, found.message, path, start, end, found.reach, fix, found.refusal, within, header),
        found.captures,
    )


def is_wanted(found: Found, options: Options) -> bool:
    return found.write is not None and (found.safety is Safety.SAFE or options.unsafe_fixes)


def check(
    tree: Tree, unread: FileResult, options: Options, project: Project | None, keep: Keep | None = None
) -> FileResult:
    """What is found in a file.

    Args:
        tree: the parsed file.
        unread: the result if nothing were found.
        options: what to look for.
        project: the files around it; None to look at this one alone.
        keep: is given what the result was made of.
    """
    return _looked_at(tree, unread, options, project, keep)[0]


def _looked_at(
    tree: Tree, unread: FileResult, options: Options, project: Project | None, keep: Keep | None = None
) -> tuple[FileResult, list[Found]]:
    context = context_for(tree.source, options, project, tree)
    found = find(context, options)
    if keep is not None:
        keep(context, found)
    findings = tuple(finding_of(context, rule, item, options.with_edits) for rule, item in found)
    around = context.model.neighbourhood
    result = unread._replace(
        findings=findings,
        remaining=findings,
        warnings=context.suppressions.warnings,
        notes=tuple(start_method_notes(context.model)) if options.with_notes else (),
        unfollowed=around.failures() if around is not None and options.with_failures else (),
    )
    return result, [item for _, item in found]


def fix(tree: Tree, unread: FileResult, options: Options, project: Project | None) -> FileResult:
    """What is found in a file, and the file with the fixes that the options allow.

    Args:
        tree: the parsed file.
        unread: the result if nothing were found.
        options: what to look for and what to change.
        project: the files around it; None to look at this one alone.
    """
    result, found = _looked_at(tree, unread, options, project)
    if not any(is_wanted(item, options) for item in found):
        return result
    try:
        return _fixed(tree.source, result, options, project)
    except BrokenRewriteError as broken:
        error = FileError(f"left alone, because of a fault of picklefix: {broken}; please report it", internal=True)
        return result._replace(error=error)


def _fixed(original: Source, unfixed: FileResult, options: Options, project: Project | None) -> FileResult:
    """Go round until no fix is left: a fix that touches another one waits for its turn."""
    source = original
    fixed: list[Finding] = []
    remaining = unfixed.findings
    for _ in range(MOST_PASSES):
        context = context_for(source, options, project)
        found = find(context, options)
        remaining = tuple(finding_of(context, rule, item, False) for rule, item in found)
        chosen, changes = choose(source, [(rule, item) for rule, item in found if is_wanted(item, options)])
        if not changes:
            break
        fixed.extend(finding_of(context, rule, item, False) for rule, item in chosen)
        source = applied(context, changes)
    else:
        raise BrokenRewriteError(f"the fixes do not come to an end after {MOST_PASSES} rounds")
    after = finished(original, source.text, options.style)
    return unfixed._replace(after=after, fixed=tuple(fixed), remaining=remaining)


def applied_alone(source: Source, fix: Fix, style: Style) -> bytes:
    """The bytes of a file with one fix made.

    Raises:
        BrokenRewriteError: if the result would not compile.
    """
    return finished(source, edits.apply(source.text, fix.edits), style)


def finished(source: Source, text: str, style: Style) -> bytes:
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
    taken = Taken()
    starts: list[int] = []  # of the edits, in order
    for rule, item in sorted(wanted, key=_from_inside):
        assert item.write is not None
        start, end = source.span(item.node)
        if item.is_replaced and bisect.bisect_left(starts, end) > bisect.bisect_right(starts, start):
            continue  # Something inside is changed already: do not write all of it anew to find that out.
        try:
            change = item.write()
        except IslandError as error:
            raise BrokenRewriteError(str(error)) from error
        if taken.leaves(change):
            taken.add(change)
            chosen.append((rule, item))
            changes.append(change)
            for edit in change.edits:
                bisect.insort(starts, edit.start)
    return chosen, changes


def _from_inside(pair: tuple[Rule, Found]) -> tuple[int, int, int, int]:
    """What puts nodes in order so that each comes after those inside it, also where both end at the same place."""
    node = pair[1].node
    return node.end_lineno or node.lineno, node.end_col_offset or 0, -node.lineno, -node.col_offset


def applied(context: Context, changes: Sequence[Change]) -> Source:
    """The file with changes made, if it still parses."""
    source = context.model.source
    text = edits.apply(source.text, edits_of(context.model, changes, context.suppressions))
    try:
        ast.parse(text, source.path)
    except (SyntaxError, ValueError) as error:
        raise BrokenRewriteError(f"a rewrite does not parse ({error})") from error
    return source.with_text(text)


def _laid_out(before: str, after: str, style: Style) -> str:
    """The new text, formatted by black if black had nothing to say about the old one."""
    from codemods.rewrite import formatting

    if not formatting.is_clean(before, style):
        return after
    return formatting.formatted(after, style) or after

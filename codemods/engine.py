"""One file: find, fix what may be fixed, and check the result. Nothing is read or written here."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from codemods.analysis.tree import Tree
from codemods.finding import FileError, FileResult, Fix, Level, Location
from codemods.source import Source, SourceError, parse
from codemods.style import StateStyle, Style
from codemods.triage import Interests, is_of_interest

if TYPE_CHECKING:  # What a file without anything of interest is spared.
    from codemods.analysis.model import Neighbours
    from codemods.analysis.project.project import Project
    from codemods.catalog.entries import Base, Consumer, Resource, Sink

GATE = re.compile(
    rb"lambda|def|class|tuple|Enum|Flag|TypedDict|keys|values|items|multiprocessing|ProcessPool|num_workers"
    rb"|PKL|picklefix"
)
"""A file with none of these words holds nothing that any rule looks for; it need only parse."""
LARGEST_FILE = 10_000_000
"""In bytes. Analysis takes some three hundred times that in memory, and such files are written by programs."""
_MAY_BE_SKIPPED = re.compile(rb"#\s*picklefix\s*:\s*skip-file")
"""Without this, no comment says that a file is left out as a whole."""


class Entries(NamedTuple):
    """Entries of a catalog that a project has of its own; each field is a table of the catalog."""

    sinks: tuple[Sink, ...] = ()
    consumers: tuple[Consumer, ...] = ()
    bases: tuple[Base, ...] = ()


@dataclass(frozen=True)
class Options:
    """What a run looks for and what it changes.

    Args:
        reach: the lowest level that is reported and rewritten.
        unsafe_fixes: whether unsafe fixes are made as well.
        select: the codes of the rules that run; None for all.
        style: how code is laid out that is written in files which follow it already.
        views: ``always`` makes lists of all views of dicts that are stored, ``escaping`` of those that may be pickled.
        entries: what is known of calls and classes, besides what the catalog lists.
        resources: what does not pickle, besides what the catalog lists.
        state_style: how classes arrange to be pickled that hold such things.
        neighbours: the other files of the project, which are read as far as names are imported from them.
        with_edits: whether ``check`` works out the edits of each fix, which costs more than knowing that there is one.
        with_notes: whether it also looks for what files ask of the start method of processes.
        with_failures: whether it also says where values could not be followed any further.
        with_suppressed: whether comments that suppress findings are passed over.
        unfixable: the codes of the rules that report and do not rewrite.
        trusted: the codes of the rules whose unsafe fixes count as safe.
        distrusted: the codes of the rules whose safe fixes count as unsafe.
        held: what is not rewritten although it could be, as :func:`codemods.identity.identity` tells it.
    """

    reach: Level = Level.STATE
    unsafe_fixes: bool = False
    select: frozenset[str] | None = None
    style: Style = Style()
    views: str = "escaping"
    with_edits: bool = False
    with_notes: bool = False
    with_failures: bool = False
    with_suppressed: bool = False
    unfixable: frozenset[str] = frozenset()
    trusted: frozenset[str] = frozenset()
    distrusted: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    resources: tuple[Resource, ...] = ()
    entries: Entries = Entries()
    state_style: StateStyle = StateStyle.GETSTATE
    neighbours: Neighbours | None = None


def check(path: str, data: bytes, options: Options, project: Callable[[], Project] | None = None) -> FileResult:
    """Find what pickle refuses in a file, and change nothing.

    Args:
        path: the file's name, for messages.
        data: its bytes.
        options: what to look for.
        project: opens the project around it, if something leads there; None to look at this file alone.
    """
    return _done(path, data, options, project, rewrite=False)


def fix(path: str, data: bytes, options: Options, project: Callable[[], Project] | None = None) -> FileResult:
    """Find what pickle refuses in a file, and make the fixes that the options allow.

    Args:
        path: the file's name, for messages.
        data: its bytes.
        options: what to look for and what to change.
        project: opens the project around it, if something leads there; None to look at this file alone.
    """
    return _done(path, data, options, project, rewrite=True)


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
    from codemods import passes

    try:
        return passes.applied_alone(Source.decode(path, data), fix, style)
    except passes.BrokenRewriteError as broken:
        raise ValueError(str(broken)) from broken


def _done(
    path: str, data: bytes, options: Options, project: Callable[[], Project] | None, *, rewrite: bool
) -> FileResult:
    """The result for a file, or the reason why there is none."""
    unread = FileResult(path, data, data)
    if len(data) > LARGEST_FILE:
        size = f"{len(data) / 1e6:.0f} MB"
        message = (
            f"is too large to be analysed ({size}, at most {LARGEST_FILE / 1e6:.0f} MB); leave it out with --exclude"
        )
        return replace(unread, error=FileError(message))
    try:
        tree = _tree_of_interest(Source.decode(path, data), data, options)
        if tree is None:
            return unread
        from codemods import passes  # Imported only here: most files never need it, and it takes longer than they do.

        work = passes.fix if rewrite else passes.check
        return work(tree, unread, options, project() if project is not None else None)
    except SourceError as error:
        return replace(unread, error=FileError(f"cannot be decoded: {error}; fix its encoding declaration"))
    except SyntaxError as error:
        where = Location(error.lineno or 1, error.offset or 1)
        return replace(unread, error=FileError(f"does not parse: {error.msg}", where, syntax=True))
    except (RecursionError, MemoryError):
        message = "is nested too deeply to be analysed; exclude it, or split its longest expressions"
        return replace(unread, error=FileError(message))


def _tree_of_interest(source: Source, data: bytes, options: Options) -> Tree | None:
    """The parsed file, if the rules have to look at it.

    Raises:
        SyntaxError: if it does not parse, even where nothing in it could be of interest.
    """
    if _MAY_BE_SKIPPED.search(data) and not options.with_suppressed:
        from codemods import passes

        if passes.suppressions_of(source, options).skips_file:
            return None
    if options.with_notes:
        return Tree(source)
    if not GATE.search(data):
        parse(source)
        return None
    tree = Tree(source)
    return tree if is_of_interest(tree, _interests(source.path, options)) else None


def _interests(path: str, options: Options) -> Interests:
    neighbours = options.neighbours
    is_own = functools.partial(neighbours.may_define, path) if neighbours is not None else None
    return Interests(options.reach is Level.LOCAL, bool(options.resources or options.entries.bases), is_own)

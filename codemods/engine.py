"""One file: find, fix what may be fixed, and check the result. Nothing is read or written here."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from codemods.analysis.tree import Tree
from codemods.finding import FileError, FileResult, Fix, Level, Location
from codemods.options import Entries as Entries
from codemods.options import Options as Options
from codemods.source import Source, SourceError, parse
from codemods.style import Style
from codemods.triage import is_of_interest

if TYPE_CHECKING:  # What a file without anything of interest is spared.
    from codemods.analysis.project.project import Project
    from codemods.passes import Keep

GATE = re.compile(
    rb"lambda|def|class|tuple|Enum|Flag|TypedDict|keys|values|items|multiprocessing|ProcessPool|num_workers"
    rb"|PKL|picklefix"
)
"""A file with none of these words holds nothing that any rule looks for; it need only parse."""
LARGEST_FILE = 10_000_000
"""In bytes. Analysis takes some three hundred times that in memory, and such files are written by programs."""
_SKIPPING = b"skip-file"
"""Without this, no comment says that a file is left out as a whole."""


class Surroundings(NamedTuple):
    """What is around a file.

    Args:
        open: opens its project, which takes finding all files of it.
        may_define: whether the project may define an imported name, with leading dots if it is relative; told without
            that.
    """

    open: Callable[[], Project]
    may_define: Callable[[str], bool]

    def noting(self, absent: set[str]) -> Surroundings:
        """The same, with a note of the names that are looked for and not defined, without what follows the first dot.

        Args:
            absent: where the names are noted.
        """

        def may_define(name: str) -> bool:
            found = self.may_define(name)
            if not found:
                absent.add(name.partition(".")[0])
            return found

        return self._replace(may_define=may_define)


def check(
    path: str, data: bytes, options: Options, around: Surroundings | None = None, keep: Keep | None = None
) -> FileResult:
    """Find what pickle refuses in a file, and change nothing.

    Args:
        path: the file's name, for messages.
        data: its bytes.
        options: what to look for.
        around: its project, which is opened if something leads there; None to look at this file alone.
        keep: is given the analyses that the findings were made with, if the rules looked at the file.
    """
    return _done(path, data, options, around, keep=keep)


def fix(path: str, data: bytes, options: Options, around: Surroundings | None = None) -> FileResult:
    """Find what pickle refuses in a file, and make the fixes that the options allow.

    Args:
        path: the file's name, for messages.
        data: its bytes.
        options: what to look for and what to change.
        around: its project, which is opened if something leads there; None to look at this file alone.
    """
    return _done(path, data, options, around, rewrite=True)


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
    path: str,
    data: bytes,
    options: Options,
    around: Surroundings | None,
    *,
    rewrite: bool = False,
    keep: Keep | None = None,
) -> FileResult:
    """The result for a file, or the reason why there is none."""
    unread = FileResult(path, data, data)
    if len(data) > LARGEST_FILE:
        size = f"{len(data) / 1e6:.0f} MB"
        message = (
            f"is too large to be analysed ({size}, at most {LARGEST_FILE / 1e6:.0f} MB); leave it out with --exclude"
        )
        return unread._replace(error=FileError(message))
    absent: set[str] = set()
    try:
        tree = _tree_of_interest(Source.decode(path, data), data, options, around and around.noting(absent))
        if tree is None:
            return unread._replace(absent=frozenset(absent))
        from codemods import passes  # Imported only here: most files never need it, and it takes longer than they do.

        project = around.open() if around is not None else None
        if rewrite:
            return passes.fix(tree, unread, options, project)
        return passes.check(tree, unread, options, project, keep)
    except SourceError as error:
        return unread._replace(error=FileError(f"cannot be decoded: {error}; fix its encoding declaration"))
    except SyntaxError as error:
        where = Location(error.lineno or 1, error.offset or 1)
        return unread._replace(error=FileError(f"does not parse: {error.msg}", where, syntax=True))
    except (RecursionError, MemoryError):
        message = "is nested too deeply to be analysed; exclude it, or split its longest expressions"
        return unread._replace(error=FileError(message))


def _tree_of_interest(source: Source, data: bytes, options: Options, around: Surroundings | None) -> Tree | None:
    """The parsed file, if the rules have to look at it.

    Raises:
        SyntaxError: if it does not parse, even where nothing in it could be of interest.
    """
    if _SKIPPING in data and not options.with_suppressed:
        from codemods import passes

        if passes.suppressions_of(source, options).skips_file:
            return None
    if options.with_notes:
        return Tree(source)
    if not GATE.search(data):
        parse(source)
        return None
    tree = Tree(source)
    is_own = around.may_define if around is not None else None
    is_local, is_configured = options.reach is Level.LOCAL, bool(options.resources or options.entries.bases)
    return tree if is_of_interest(tree, local=is_local, configured=is_configured, is_own=is_own) else None

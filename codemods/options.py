"""What a run asks of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codemods.finding import Level
from codemods.style import StateStyle, Style

if TYPE_CHECKING:  # Types alone: most runs have no such entries, and importing them takes time.
    from codemods.catalog.entries import Base, Consumer, Resource, Sink


class Entries(NamedTuple):
    """Entries of a catalog that a project has of its own; each field is a table of the catalog."""

    sinks: tuple[Sink, ...] = ()
    consumers: tuple[Consumer, ...] = ()
    bases: tuple[Base, ...] = ()


class Options(NamedTuple):
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
        with_edits: whether ``check`` works out the edits of each fix, which costs more than knowing that there is one.
        with_notes: whether it also looks for what files ask of the start method of processes.
        with_failures: whether it also says where values could not be followed any further.
        with_suppressed: whether comments that suppress findings are passed over.
        unfixable: the codes of the rules that report and do not rewrite.
        trusted: the codes of the rules whose unsafe fixes count as safe.
        distrusted: the codes of the rules whose safe fixes count as unsafe.
        held: what is not rewritten although it could be, as :func:`codemods.identity.identity` tells it.
        rows: the lines that are looked at, counted from 1; what is found elsewhere may be left out. None for all.
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
    rows: frozenset[int] | None = None

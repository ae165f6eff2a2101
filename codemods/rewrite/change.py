"""Changes as data, and how several of them become the edits of one file."""

from __future__ import annotations

import ast
import bisect
import itertools
from collections.abc import Iterable
from dataclasses import dataclass

from codemods.analysis.model import Model
from codemods.edits import Edit, overlaps
from codemods.rewrite.imports import import_edit
from codemods.rewrite.placement import missing_blank_lines
from codemods.rewrite.suppressions import carried
from codemods.suppression.table import NO_SUPPRESSIONS, Suppressions


class IslandError(Exception):
    """A piece of text cannot be rewritten although the analysis says so: a fault of picklefix."""


@dataclass(frozen=True)
class Definition:
    """A definition that goes to the top level.

    Args:
        above: the offset of the line that it stands above.
        order: where it came from, an offset; definitions of one place keep that order.
        text: the definition, ending with a line ending; equal texts are added once, above all that need them.
        header: for what was a part of a statement, the lines of that statement's header, the first and the last.
    """

    above: int
    order: int
    text: str
    header: tuple[int, int] | None = None


@dataclass(frozen=True)
class Methods:
    """Methods that a class gets.

    Args:
        owner: the class.
        lines: the methods, without the indentation of the class.
        edit: the edit that adds them, one of those of the change.
    """

    owner: ast.ClassDef
    lines: tuple[str, ...]
    edit: Edit


@dataclass(frozen=True)
class Change:
    """What a fix does to a file: all of it, or nothing.

    Args:
        edits: replacements of text.
        definitions: definitions that are added to the module.
        imports: import statements that are added to the module.
        methods: the methods among what the edits add, if they could stand elsewhere in their class as well.
    """

    edits: tuple[Edit, ...]
    definitions: tuple[Definition, ...] = ()
    imports: frozenset[str] = frozenset()
    methods: Methods | None = None


class Taken:
    """The edits of changes that touch nothing of one another; the very same edit may stand in several."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []
        """In order, so that only neighbours can overlap."""

    def leaves(self, change: Change) -> bool:
        """Whether a change touches nothing that the others touch."""
        return not any(self._is_touched(edit) for edit in change.edits)

    def add(self, change: Change) -> None:
        """Add a change for which there is room."""
        for edit in change.edits:
            bisect.insort(self._edits, edit)

    def _is_touched(self, edit: Edit) -> bool:
        number = bisect.bisect_left(self._edits, edit)
        after = self._edits[number : number + 1]
        if after == [edit]:
            return False
        return any(overlaps(edit, other) for other in (*self._edits[max(number - 1, 0) : number], *after))


def _in_order(definitions: Iterable[Definition]) -> list[Definition]:
    first: dict[str, Definition] = {}
    for definition in sorted(definitions, key=lambda definition: (definition.above, definition.order)):
        first.setdefault(definition.text, definition)
    return list(first.values())


def edits_of(model: Model, changes: Iterable[Change], suppressions: Suppressions = NO_SUPPRESSIONS) -> list[Edit]:
    """The edits that make compatible changes, in the order in which they have to be made.

    Args:
        model: the file.
        changes: the changes.
        suppressions: what comments of the file say; definitions take along what they say about them.
    """
    changes = list(changes)
    newline = model.source.newline
    imports = [import_edit(model, text) for text in sorted({text for change in changes for text in change.imports})]
    definitions = _in_order(definition for change in changes for definition in change.definitions)
    added: list[Edit] = []
    for above, group in itertools.groupby(definitions, key=lambda definition: definition.above):
        texts = (carried(model.source, suppressions, item.text, item.order, above, item.header) for item in group)
        text = "".join(text + 2 * newline for text in texts)
        has_import = any(edit.start == above for edit in imports)
        lead = "" if has_import else newline * missing_blank_lines(model.source, above)
        added.append(Edit(above, above, lead + text))
    return [*imports, *added, *dict.fromkeys(edit for change in changes for edit in change.edits)]

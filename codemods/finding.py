"""What a run says: findings, their fixes, and the result for one file. Plain, frozen, picklable data."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # Types alone, as most files need no edit.
    from codemods.edits import Edit


class Safety(enum.Enum):
    """How far a fix may be trusted; the values are those of the JSON output."""

    SAFE = "safe"
    UNSAFE = "unsafe"


class Level(enum.IntEnum):
    """How far an origin is seen to flow; each level includes those above it in number."""

    LOCAL = 0
    STATE = 1
    SINK = 2


class Location(NamedTuple):
    """A place in a file: line and column, both counted from 1, the column in code points."""

    row: int
    column: int


class Step(NamedTuple):
    """One step of the way from an origin to where it is pickled.

    Args:
        path: the file, as it was named to the run.
        location: where the step stands.
        text: what happens there, for example ``passed to DataLoader(collate_fn=)``.
    """

    path: str
    location: Location
    text: str


class Reach(NamedTuple):
    """How far an origin flows, and the shortest way there.

    Args:
        level: the highest level reached.
        steps: the way, from the origin to the sink or the state that holds it; empty for a local origin.
        sink: the dotted name of the API that pickles, where the level is ``SINK``.
    """

    level: Level
    steps: tuple[Step, ...] = ()
    sink: str | None = None


class Fix(NamedTuple):
    """A change that resolves a finding: all of its edits are made, or none.

    Args:
        title: what the fix does, in one sentence.
        edits: the changes of the file, which do not overlap.
        safety: whether ``migrate`` applies it without being asked for more.
    """

    title: str
    edits: tuple[Edit, ...]
    safety: Safety = Safety.SAFE


class Refusal(NamedTuple):
    """Why something is left alone.

    Args:
        reason: a stable code such as ``rebound-after-capture``.
        advice: a sentence that tells the person what to do by hand.
    """

    reason: str
    advice: str


class Capture(NamedTuple):
    """Something that is pickled along with a function that captures it.

    Args:
        name: its name in the function.
        types: what it is known to be: dotted names, ``class X`` for a class itself, ``function f``; may be empty.
    """

    name: str
    types: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """It and its types, for people."""
        return f"{self.name} ({' or '.join(self.types)})" if self.types else self.name


class Finding(NamedTuple):
    """Something that pickle refuses, and what is done about it.

    Exactly one of ``fix`` and ``refusal`` is given.

    Args:
        code: the rule's code, for example ``PKL101``.
        name: the rule's name in kebab case, for example ``nested-function``.
        message: what was found, in one sentence.
        path: the file, as it was named to the run.
        start: where the origin begins.
        end: the place after its end.
        reach: how far it flows.
        fix: the change that resolves it.
        refusal: why there is none.
        within: the functions and classes around the origin, outermost first, joined by dots; empty at the top level.
        captures: what the fixed function takes along into its pickle.
        header: the first and the last line on which a comment stands beside it, those of its statement's header.
    """

    code: str
    name: str
    message: str
    path: str
    start: Location
    end: Location
    reach: Reach
    fix: Fix | None = None
    refusal: Refusal | None = None
    within: str = ""
    header: tuple[int, int] = (0, 0)
    captures: tuple[Capture, ...] = ()


class NoteKind(enum.Enum):
    """What a file asks of the start method of processes."""

    FORK = "fork-only"
    """Something that works with fork only."""
    SETTING = "start-method"
    """A choice that holds for the whole program."""
    INHERITED = "inherited-global"
    """A variable whose value only a forked child has."""


class Note(NamedTuple):
    """Something that is not pickled, but matters for how processes are started.

    Args:
        kind: what it is.
        message: what was found, in one sentence.
        path: the file, as it was named to the run.
        start: where it stands.
    """

    kind: NoteKind
    message: str
    path: str
    start: Location


class FileError(NamedTuple):
    """A file that could not be done.

    Args:
        message: one line that names the cause and the cure.
        location: where, if the file has a place to point to.
        internal: True where the fault is picklefix's own.
        syntax: True where the file does not parse (exit status 1 rather than 2).
    """

    message: str
    location: Location | None = None
    internal: bool = False
    syntax: bool = False


class FileResult(NamedTuple):
    """What became of one file.

    Args:
        path: the file, as it was named to the run.
        before: its bytes, empty if it could not be read.
        after: its bytes once the chosen fixes are made; equal to ``before`` if there are none.
        findings: what was found in the file as it was.
        fixed: the findings among them that ``after`` resolves, and those that came to light on the way.
        remaining: the findings in the file as it would be.
        error: set if the file was left alone because something went wrong.
        unfollowed: where values could not be followed any further, if that was asked for: a sentence each.
        notes: what the file asks of the start method of processes, if that was asked for.
        warnings: what is wrong with comments that suppress findings, each with its line.
        absent: the names that imports of the file would find if the project defined them, where the result depends on
            nothing else outside of the file; None where it may depend on any file of the project.
        accepted: what a baseline has left out of ``findings``.
    """

    path: str
    before: bytes
    after: bytes
    findings: tuple[Finding, ...] = ()
    fixed: tuple[Finding, ...] = ()
    remaining: tuple[Finding, ...] = ()
    error: FileError | None = None
    notes: tuple[Note, ...] = ()
    unfollowed: tuple[str, ...] = ()
    warnings: tuple[tuple[int, str], ...] = ()
    absent: frozenset[str] | None = None
    accepted: tuple[Finding, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the fixes change the file."""
        return self.before != self.after

"""The place in a growing control-flow graph that evaluation has reached, and what surrounds it."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from codemods.analysis.control.graph import ControlGraph, Effect

Place = int
Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


class Jump(enum.Enum):
    """The ways to leave a suite."""

    FALL_THROUGH = enum.auto()
    RAISE = enum.auto()
    RETURN = enum.auto()
    BREAK = enum.auto()
    CONTINUE = enum.auto()


@dataclass
class Frame:
    """A construct around the current place that exceptions and jumps meet on their way out.

    Args:
        landing: the block where an exception from inside arrives, None if it leaves the scope and nothing happens.
    """

    landing: int | None

    def meet(self, cursor: ControlCursor, jump: Jump) -> bool:
        """Do what a return, break or continue causes here; tell whether it ends here."""
        return False


@dataclass
class LoopFrame(Frame):
    """The body of a loop.

    Args:
        following: the block where the next iteration begins.
        breaks: the blocks that end in a ``break``.
    """

    following: int
    breaks: list[int] = field(default_factory=list)

    def meet(self, cursor: ControlCursor, jump: Jump) -> bool:
        if jump is Jump.BREAK:
            self.breaks.append(cursor.current)
        elif jump is Jump.CONTINUE:
            cursor.connect(cursor.current, self.following)
        return jump is not Jump.RETURN


@dataclass
class WithFrame(Frame):
    """The body of a ``with`` statement: each way out calls ``__exit__``."""

    def meet(self, cursor: ControlCursor, jump: Jump) -> bool:
        cursor.may_raise()
        return False


@dataclass
class HandlerFrame(Frame):
    """The body of ``except ... as name``: each way out unbinds the name."""

    name: str

    def meet(self, cursor: ControlCursor, jump: Jump) -> bool:
        cursor.unbind(self.name)
        return False


@dataclass
class FinallyCopy:
    """A copy of a ``finally`` suite: where it begins, and the ways that go on after it."""

    entry: int
    jumps: list[Jump] = field(default_factory=list)


@dataclass
class FinallyFrame(Frame):
    """The part of a ``try`` statement that its ``finally`` suite protects.

    Args:
        shared: make one copy of the suite serve all ways through it, instead of one copy for each.
        copies: the copies by the way that goes through them, or by None if they share one.
    """

    shared: bool
    copies: dict[Jump | None, FinallyCopy] = field(default_factory=dict)

    def entry(self, cursor: ControlCursor, jump: Jump) -> int:
        """Where the copy of the suite begins that a way out runs through."""
        key = None if self.shared else jump
        copy = self.copies.get(key)
        if copy is None:
            copy = self.copies[key] = FinallyCopy(cursor.graph.new_block())
        if jump not in copy.jumps:
            copy.jumps.append(jump)
        return copy.entry

    def meet(self, cursor: ControlCursor, jump: Jump) -> bool:
        cursor.connect(cursor.current, self.entry(cursor, jump))
        return True


class ControlCursor(ast.NodeVisitor):
    """Appends to the graph of one scope, in the order of evaluation.

    Args:
        scope: the scope whose names count.
        passes_on: whether a context manager, given as an expression, surely does not swallow exceptions.
    """

    def __init__(self, scope: Scope, passes_on: Callable[[ast.expr], bool]) -> None:
        self.scope = scope
        self.passes_on = passes_on
        self.graph = ControlGraph()
        self.current = self.graph.new_block()
        self.frames: list[Frame] = []
        self.blocks: list[int] = []  # of the places
        self.places: dict[ast.AST, tuple[Place, ...]] = {}
        self.ends: dict[ast.AST, tuple[Place, ...]] = {}
        self.names: dict[str, None] = {}
        self.foreign: set[str] = set()
        self.volatile: set[str] = set()
        self.deferred: set[ast.AST] = set()
        self.hidden: frozenset[str] = frozenset()
        self.class_bodies: list[set[str]] = []
        self.defers = False
        # Elsewhere a name that is not bound yet may still be found in an outer scope or among the builtins.
        self.uses_prove = isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))

    @property
    def landing(self) -> int | None:
        """Where an exception raised here is handled."""
        return self.frames[-1].landing if self.frames else None

    def connect(self, source: int, target: int) -> None:
        """Let control pass from the end of one block to another."""
        self.graph.successors[source].append(target)

    def join(self, sources: Iterable[int]) -> int:
        """Go on in a new block, behind all of ``sources``; without any it is dead code."""
        self.current = self.graph.new_block()
        for source in sources:
            self.connect(source, self.current)
        return self.current

    def advance(self) -> int:
        """Go on in a new block behind the current one."""
        return self.join((self.current,))

    def jump(self, jump: Jump) -> None:
        """Leave the current place for good; what follows it is dead code."""
        if jump is Jump.RAISE:
            if self.landing is not None:
                self.connect(self.current, self.landing)
        else:
            frames = self.frames
            for depth in reversed(range(len(frames))):
                self.frames = frames[:depth]
                if frames[depth].meet(self, jump):
                    break
            self.frames = frames
        self.join(())

    def may_raise(self) -> None:
        """Take into account that an exception may be raised here."""
        landing = self.landing
        if landing is None:
            return
        if self._changes_names() or self.graph.landings[self.current] not in (None, landing):
            self.advance()
        self.graph.landings[self.current] = landing

    def mark(self, node: ast.AST) -> None:
        """Remember this place as one where ``node`` is evaluated."""
        self._settle()
        self._remember(node)

    def mark_end(self, node: ast.stmt) -> None:
        """Remember this place as one where ``node`` has bound its names."""
        self._settle()
        self.ends[node] = (*self.ends.get(node, ()), self._new_place())

    def mark_name(self, node: ast.Name) -> None:
        """Remember the place of a name that is read: a block of its own for each would be wasteful."""
        if self._changes_names():
            self.advance()
        self._remember(node)

    def bind(self, name: str) -> None:
        """Bind a name, if it is a name of the scope and not of a class body or comprehension inside it."""
        if self._owns(name):
            self._add(Effect.BIND, name)
            if self.defers:
                self.volatile.add(name)

    def unbind(self, name: str) -> None:
        """Unbind a name, if it is one of the scope."""
        if self._owns(name):
            self._add(Effect.UNBIND, name)

    def use(self, name: str) -> None:
        """Read a name: if that succeeds, and the name is local to a function, the name is bound."""
        if self.uses_prove and not self.class_bodies:
            self.graph.effects.setdefault(self.current, []).append((Effect.USE, name))

    def declare(self, name: str) -> None:
        """Make a name one of the scope without binding it."""
        if self._owns(name):
            self.names[name] = None

    def bind_any(self) -> None:
        """Bind whatever a star import may bring."""
        self.graph.effects.setdefault(self.current, []).append((Effect.BIND_ANY, "*"))

    def _owns(self, name: str) -> bool:
        if name in self.hidden:
            return False
        return not self.class_bodies or name in self.class_bodies[-1]

    def _add(self, effect: Effect, name: str) -> None:
        self.names[name] = None
        self.graph.effects.setdefault(self.current, []).append((effect, name))

    def _settle(self) -> None:
        """Begin a block in which nothing has happened yet."""
        if self.current in self.graph.effects or self.graph.landings[self.current] is not None:
            self.advance()

    def _remember(self, node: ast.AST) -> None:
        self.places[node] = (*self.places.get(node, ()), self._new_place())
        if self.defers:
            self.deferred.add(node)

    def _new_place(self) -> Place:
        self.blocks.append(self.current)
        return len(self.blocks) - 1

    def _changes_names(self) -> bool:
        effects = self.graph.effects.get(self.current, ())
        return any(effect is not Effect.USE for effect, _ in effects)

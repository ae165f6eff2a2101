"""Decides whether a captured variable can be frozen where a closure is created.

A function, module, class body or lambda becomes a graph of blocks. An edge leads wherever control may go, also through
exceptions, which everything but a constant may raise, through ``finally`` suites, and out of ``with`` statements, which
may swallow exceptions. Two facts follow for each name at each place: whether it is bound on every way there,
and whether it is bound again or unbound on any way on from there.

Only what the scope itself does is seen. Whoever asks has to know about assignments from elsewhere: ``nonlocal`` and
``global`` in nested functions, other modules, ``exec``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable

from codemods.analysis.control.compound import ScopeFlow
from codemods.analysis.control.cursor import Place, Scope
from codemods.analysis.control.graph import Facts, solve

# So many names are looked at together: enough for nearly every scope, few enough for the largest to stay small.
_GROUP_SIZE = 256


class ControlFlow:
    """Where each name of one scope is bound, unbound and where nested definitions are created, as a graph.

    The places that can be asked about are

    - every statement: before it begins, and whether a name is bound also when the body of a ``class`` has run;
    - every lambda, call and comprehension: when its value has been made;
    - every name that is read.

    Lambdas in a comprehension and definitions in a class body count among the places of the scope around it. A node
    that is evaluated at several places (a ``finally`` suite runs after each way out of its ``try``) gets the answer
    that holds for all of them. At a place that is never reached, every name is bound and none rebound. A node that
    is no place of this scope, or whose time of evaluation is unknown, gets the cautious answers.

    Args:
        flow: the scope's flow, completely run.
    """

    def __init__(self, flow: ScopeFlow) -> None:
        self._flow = flow
        self._order = flow.graph.order()
        self._reached = frozenset(self._order)
        self._names = [name for name in flow.names if name not in flow.foreign]
        self._group_of = {name: position // _GROUP_SIZE for position, name in enumerate(self._names)}
        self._facts: dict[int, Facts] = {}

    @classmethod
    def of(cls, node: Scope, passes_on: Callable[[ast.expr], bool] = lambda manager: False) -> ControlFlow:
        """Follow the control flow of a scope.

        Args:
            node: what opens the scope.
            passes_on: whether a context manager, given as an expression, surely does not swallow exceptions.

        Raises:
            RecursionError: if the scope is nested too deeply.
        """
        flow = ScopeFlow(node, passes_on)
        flow.run()
        return cls(flow)

    def is_reachable(self, at: ast.AST) -> bool:
        """Whether a node may ever be evaluated."""
        places = self._flow.places.get(at)
        return places is None or any(self._flow.blocks[place] in self._reached for place in places)

    def is_definitely_bound(self, name: str, at: ast.AST) -> bool:
        """Whether a name of this scope is bound whenever ``at`` is evaluated.

        Args:
            name: a name; one that the scope does not bind itself, or declares ``global`` or ``nonlocal``, never is.
            at: a node evaluated in this scope.
        """
        places = self._flow.places.get(at)
        if places is None or name not in self._group_of:
            return False
        if isinstance(at, ast.ClassDef):
            places += self._flow.ends.get(at, ())
        facts, blocks = self._facts_about(name), self._flow.blocks
        if not all(facts.bound[blocks[place]] & facts.bits[name] for place in places):
            return False
        # The body of a generator expression may run at any later time.
        return at not in self._flow.deferred or not self.may_be_rebound_after(name, at)

    def may_be_rebound_after(self, name: str, at: ast.AST) -> bool:
        """Whether a name may be bound, deleted or unbound after ``at`` has been evaluated.

        Before a statement its own bindings are still to come; so is, for a ``def`` or ``class``, that of its own name.

        Args:
            name: a name; for one that the scope does not own the answer is yes.
            at: a node evaluated in this scope.
        """
        return self._may_be_rebound(name, self._flow.places.get(at))

    def may_be_rebound_after_binding(self, name: str, statement: ast.stmt) -> bool:
        """Whether a name may be bound, deleted or unbound after an assignment or definition is complete.

        This is the question to ask about a function's own name, or a later sibling's.

        Args:
            name: a name that the statement binds.
            statement: an assignment, ``def`` or ``class`` of this scope.
        """
        return self._may_be_rebound(name, self._flow.ends.get(statement))

    def may_be_followed_by(self, at: ast.AST, later: ast.AST, without: Collection[ast.AST] = ()) -> bool:
        """Whether ``later`` may be evaluated after ``at`` has been; for one and the same node, once more.

        Args:
            at: a node evaluated in this scope.
            later: likewise; for one that is no place of this scope the answer is yes.
            without: assignments and definitions; ways on which one of them has bound its names do not count.
        """
        starts, ends = self._flow.places.get(at), self._flow.places.get(later)
        if starts is None or ends is None:
            return True
        goals = self._by_block(ends)
        stops = self._by_block(place for node in without for place in self._flow.ends.get(node, ()))
        pending = [(block, start) for block, places in self._by_block(starts).items() for start in places]
        seen: set[int] = set()
        while pending:
            block, start = pending.pop()
            # The places of a block are numbered in the order of evaluation.
            stop = min((place for place in stops.get(block, ()) if place > start), default=len(self._flow.blocks))
            if any(start < place < stop for place in goals.get(block, ())):
                return True
            if stop == len(self._flow.blocks):
                following = set(self._flow.graph.targets(block)) - seen
                seen |= following
                pending += [(target, -1) for target in following]
        return False

    def _by_block(self, places: Iterable[Place]) -> dict[int, list[Place]]:
        """Group places by their block, leaving out what is never reached."""
        found: dict[int, list[Place]] = {}
        for place in places:
            block = self._flow.blocks[place]
            if block in self._reached:
                found.setdefault(block, []).append(place)
        return found

    def _may_be_rebound(self, name: str, places: tuple[Place, ...] | None) -> bool:
        if places is None or name not in self._group_of or name in self._flow.volatile:
            return True
        facts, blocks = self._facts_about(name), self._flow.blocks
        return any(facts.rebound[blocks[place]] & facts.bits[name] for place in places)

    def _facts_about(self, name: str) -> Facts:
        group = self._group_of[name]
        if group not in self._facts:
            names = self._names[group * _GROUP_SIZE : (group + 1) * _GROUP_SIZE]
            self._facts[group] = solve(self._flow.graph, self._order, names)
        return self._facts[group]

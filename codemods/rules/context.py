"""What a rule gets and what it gives."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from dataclasses import dataclass

from codemods.analysis.classes.factories import FactoryPlanner
from codemods.analysis.classes.global_names import GlobalNames
from codemods.analysis.classes.local import ClassPlanner
from codemods.analysis.functions.captures import Origin
from codemods.analysis.functions.closures import ClosurePlanner
from codemods.analysis.functions.decorators import Decorators
from codemods.analysis.functions.hoists import Group
from codemods.analysis.model import Model
from codemods.analysis.reasons import refusal
from codemods.analysis.state.holders import Holders
from codemods.analysis.staying import stays
from codemods.analysis.views.plans import ViewPlanner
from codemods.finding import Level, Location, Reach, Refusal, Safety
from codemods.rewrite.change import Change
from codemods.rewrite.names import Namer
from codemods.style import StateStyle, Style


class Context:
    """One file as the rules see it.

    Args:
        model: its analyses.
        level: origins that reach less far than this are of no interest.
        style: how code is laid out that a fix writes.
        always_wrap_views: whether every view that is stored becomes a list.
        state_style: how classes arrange to be pickled that hold what pickle refuses.
        unsafe_fixes: whether changes are made that may lose something.
    """

    def __init__(
        self,
        model: Model,
        level: Level,
        style: Style,
        *,
        always_wrap_views: bool = False,
        state_style: StateStyle = StateStyle.GETSTATE,
        unsafe_fixes: bool = False,
    ) -> None:
        self.model = model
        self.level = level
        self.style = style
        self.always_wrap_views = always_wrap_views
        self.state_style = state_style
        self.unsafe_fixes = unsafe_fixes
        self.namer = Namer(model)

    @functools.cached_property
    def closures(self) -> ClosurePlanner:
        """Decides how nested functions move."""
        return ClosurePlanner(self.model, self.namer.name_for)

    @functools.cached_property
    def decorators(self) -> Decorators:
        """The decorators of the file and what they put in place of functions."""
        return Decorators(self.model)

    @functools.cached_property
    def global_names(self) -> GlobalNames:
        """Hands out names at the top level that are free."""
        return GlobalNames(self.model)

    @functools.cached_property
    def classes(self) -> ClassPlanner:
        """Decides how local classes move."""
        return ClassPlanner(self.model, self.global_names, self.namer.local_class_name_for)

    @functools.cached_property
    def views(self) -> ViewPlanner:
        """Decides what becomes of views of dicts."""
        return ViewPlanner(self.model, self.always_wrap_views)

    @functools.cached_property
    def holders(self) -> Holders:
        """The classes of the file and what they hold that pickle refuses."""
        return Holders(self.model)

    @functools.cached_property
    def factories(self) -> FactoryPlanner:
        """Decides what becomes of calls that make classes."""
        return FactoryPlanner(self.model, self.global_names, self.namer.local_class_name_for)

    def reach(self, origin: ast.AST) -> Reach | None:
        """How far an origin flows; None where that is of no interest."""
        if self.level > Level.LOCAL and not isinstance(origin, ast.Call) and stays(self.model, origin):
            return None
        reach = self.model.flow.reach(origin)
        return reach if reach.level >= self.level else None

    def plan(self, origin: Origin) -> Group | Refusal:
        """How a function moves to the top level, or why it stays.

        A function that is pickled only as part of another one, which stays, would move for nothing.
        """
        group = self.closures.plan(origin)
        if isinstance(group, Refusal) or self.level is Level.LOCAL:
            return group
        for holder in self.model.flow.holders(origin):
            if isinstance(self.closures.plan(holder), Refusal):
                return refusal("held-by-declined", name=getattr(holder, "name", "a lambda"))
        return group

    def place(self, node: ast.expr | ast.stmt) -> tuple[Location, Location]:
        """Where a node begins, and the place after its end."""
        start, end = self.model.source.span(node)
        return self.model.source.location(start), self.model.source.location(end)


@dataclass(frozen=True)
class Found:
    """Something that a rule found.

    Exactly one of ``write`` and ``refusal`` is given.

    Args:
        node: where.
        message: what, in one sentence.
        reach: how far it flows.
        title: what the change does, in one sentence.
        write: makes the change; it is called only if the change is wanted.
        safety: whether the change is made without being asked for more.
        refusal: why there is no change.
        is_replaced: whether the change replaces the whole node, and with it all that could be changed inside.
    """

    node: ast.expr | ast.stmt
    message: str
    reach: Reach
    title: str = ""
    write: Callable[[], Change] | None = None
    safety: Safety = Safety.SAFE
    refusal: Refusal | None = None
    is_replaced: bool = False

"""What a rule gets and what it gives."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from codemods.analysis.classes.factories import FactoryPlanner
from codemods.analysis.classes.global_names import GlobalNames
from codemods.analysis.classes.local import ClassPlanner
from codemods.analysis.functions.captures import Origin
from codemods.analysis.functions.closures import ClosurePlanner
from codemods.analysis.functions.decorators import Decorators
from codemods.analysis.functions.hoists import Group
from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused, refusal
from codemods.analysis.scopes import FUNCTIONS
from codemods.analysis.state.holders import Holders
from codemods.analysis.staying import stays
from codemods.analysis.views.plans import ViewPlanner
from codemods.finding import Capture, Level, Location, Reach, Refusal, Safety
from codemods.identity import identity
from codemods.rewrite.change import Change
from codemods.rewrite.names import Namer
from codemods.source import Positioned
from codemods.style import StateStyle, Style
from codemods.suppression.headers import header_rows
from codemods.suppression.table import NO_SUPPRESSIONS, Suppressions

_RULES: tuple[tuple[tuple[type[ast.AST], ...], str], ...] = (
    (FUNCTIONS, "PKL101"),
    ((ast.Lambda,), "PKL102"),
    ((ast.ClassDef,), "PKL105"),
)
"""The rule that moves a definition to the top level."""


class Context:
    """One file as the rules see it.

    Args:
        model: its analyses.
        level: origins that reach less far than this are of no interest.
        style: how code is laid out that a fix writes.
        always_wrap_views: whether every view that is stored becomes a list.
        suppressions: what comments in the file say.
        unfixable: the codes of the rules that report and do not rewrite.
        held: what is left as it is for another reason, as :func:`codemods.identity.identity` tells it.
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
        suppressions: Suppressions = NO_SUPPRESSIONS,
        unfixable: AbstractSet[str] = frozenset(),
        held: AbstractSet[str] = frozenset(),
        state_style: StateStyle = StateStyle.GETSTATE,
        unsafe_fixes: bool = False,
    ) -> None:
        self.model = model
        self.level = level
        self.style = style
        self.always_wrap_views = always_wrap_views
        self.suppressions = suppressions
        self.unfixable = unfixable
        self.held = held
        self.state_style = state_style
        self.unsafe_fixes = unsafe_fixes
        self.namer = Namer(model)

    @functools.cached_property
    def closures(self) -> ClosurePlanner:
        """Decides how nested functions move."""
        return ClosurePlanner(self.model, self.namer.name_for, self.check_free)

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
        return ClassPlanner(self.model, self.global_names, self.namer.local_class_name_for, self.check_free)

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

    def rows(self, node: ast.AST) -> tuple[int, int]:
        """The lines on which a comment stands beside a node."""
        return header_rows(self.model.source, self.model.parents, node)

    def is_suppressed(self, node: Positioned, code: str) -> bool:
        """Whether a comment says that a rule is of no concern at a node."""
        if not self.suppressions.directives or not isinstance(node, ast.AST):
            return False
        return self.suppressions.covers(self.rows(node), code)

    def check_free(self, node: ast.AST, code: str | None = None) -> None:
        """Refuse to rewrite what is to stay as it is, also as a part of something else.

        Args:
            node: what would be rewritten.
            code: the rule that would do it; the one for such a definition if left out.

        Raises:
            Refused: if a comment, the settings or the person say so.
        """
        if not (self.suppressions.directives or self.unfixable or self.held):
            return
        assert isinstance(node, (ast.expr, ast.stmt))
        code = code or next(code for kinds, code in _RULES if isinstance(node, kinds))
        name = getattr(node, "name", ast.unparse(node).partition("\n")[0])
        if self.is_suppressed(node, code):
            raise Refused("suppressed", name=name)
        if code in self.unfixable:
            raise Refused("unfixable", name=name)
        if self.held and identity(code, self.model.source.segment(node)) in self.held:
            raise Refused("held-back", name=name)

    def place(self, node: Positioned) -> tuple[Location, Location]:
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
        captures: what the changed function takes along into its pickle.
        is_replaced: whether the change replaces the whole node, and with it all that could be changed inside.
    """

    node: Positioned
    message: str
    reach: Reach
    title: str = ""
    write: Callable[[], Change] | None = None
    safety: Safety = Safety.SAFE
    refusal: Refusal | None = None
    is_replaced: bool = False
    captures: tuple[Capture, ...] = ()

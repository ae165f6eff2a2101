"""Which state methods a class needs, or why it gets none."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused, refusal
from codemods.analysis.scopes import FUNCTIONS, Function
from codemods.analysis.state.attributes import is_named, self_name
from codemods.analysis.state.classes import STATE_METHODS, Class
from codemods.analysis.state.elsewhere import check_elsewhere
from codemods.analysis.state.existing import Existing, existing_methods
from codemods.analysis.state.handled import copies_itself, is_arranged, is_registered, keeps_state_elsewhere, leaves_out
from codemods.analysis.state.holders import Candidate, Holders
from codemods.analysis.state.parts import Drop, Part, PartPlanner
from codemods.analysis.state.shapes import Form, check_others, check_shape, form_of
from codemods.finding import Refusal, Safety

ClosureNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Call


@dataclass(frozen=True)
class StatePlan:
    """The state methods of a class.

    Args:
        node: the class.
        form: where the state comes from.
        parts: what happens to the attributes, in the order in which they are made again.
        instance: what the methods call the instance.
        is_guarded: whether assignment to attributes has to go around the class's own rules.
        is_annotated: whether its methods have annotations.
        needs_setstate: whether ``__setstate__`` is needed though nothing is made again.
        keeps_copies: whether ``copy.copy`` has to go on sharing what the state leaves out.
        safety: whether the plan may be carried out unasked.
        existing: the methods that the class has already.
    """

    node: ast.ClassDef
    form: Form
    parts: tuple[Part, ...]
    instance: str
    is_guarded: bool = False
    is_annotated: bool = False
    needs_setstate: bool = False
    keeps_copies: bool = False
    safety: Safety = Safety.SAFE
    existing: Existing = Existing()


@dataclass(frozen=True, eq=False)
class Verdict:
    """What becomes of one attribute: a plan for its class, or a refusal."""

    candidate: Candidate
    outcome: StatePlan | Refusal


class StatePlanner(Holders):
    """Plans the state methods of the classes of a file.

    Args:
        model: the file.
        obstacle_of: says why a nested function, or a view, cannot be made to pickle; None if it can.
        gives_up: whether attributes that cannot be made again are None after loading.
    """

    def __init__(
        self, model: Model, obstacle_of: Callable[[ClosureNode], Refusal | None], gives_up: bool = False
    ) -> None:
        super().__init__(model)
        self.obstacle_of = obstacle_of
        self.gives_up = gives_up
        self._verdicts: dict[Class, list[Verdict]] = {}
        self._obstacles: dict[Class, Refusal | None] = {}

    def verdicts(self, found: Class) -> list[Verdict]:
        """What becomes of each attribute; either all of them can be mended or the class is left alone."""
        if found not in self._verdicts:
            self._verdicts[found] = self._decide(found)
        return self._verdicts[found]

    def _decide(self, found: Class) -> list[Verdict]:
        candidates = self.unhandled(found)
        outcomes: list[StatePlan | Refusal] = []
        parts: list[Part] = []
        planner = PartPlanner(self.model, self.family(found), self.resources, candidates, self.gives_up)
        for candidate in candidates:
            try:
                parts.append(planner.plan(candidate))
            except Refused as error:
                outcomes.append(error.refusal)
            else:
                outcomes.append(_PENDING)
        whole: StatePlan | Refusal | None = self._obstacle(found) if candidates else _PENDING
        if whole is None:
            try:
                whole = self._plan(found, tuple(parts))
            except Refused as error:
                whole = error.refusal
        return [
            Verdict(candidate, whole if outcome is _PENDING else outcome)
            for candidate, outcome in zip(candidates, outcomes, strict=True)
        ]

    def plan_for(self, found: Class, parts: tuple[Part, ...]) -> StatePlan | None:
        """The methods that leave other attributes out of the state; None if they cannot be written, or not yet."""
        if self.unhandled(found) or is_arranged(self.family(found)) or is_registered(self.model, found):
            return None
        try:
            return self._plan(found, parts) if self._obstacle(found) is None else None
        except Refused:
            return None

    def restores_plainly(self, found: Class) -> bool:
        """Whether all of an instance is in its ``__dict__``, which holds nothing that pickle refuses."""
        family = self.family(found)
        if self.unhandled(found) or is_arranged(family) or is_registered(self.model, found) or self.obstacle(found):
            return False
        has_methods = any(isinstance(base, Class) and base.bound & set(STATE_METHODS) for base in family.order)
        return not has_methods and not keeps_state_elsewhere(family) and form_of(self, family) is Form.DICTIONARY

    def obstacle(self, found: Class) -> Refusal | None:
        """Why instances of exactly this class would not pickle whatever is done about the others."""
        if found not in self._obstacles:
            self._obstacles[found] = None
            self._obstacles[found] = self._first_obstacle(found)
        return self._obstacles[found]

    def _first_obstacle(self, found: Class) -> Refusal | None:
        for base in self.classes.order(found) or []:
            if not isinstance(base, Class):
                continue
            candidates = self.unhandled(base)
            planner = PartPlanner(self.model, self.family(base), self.resources, candidates, self.gives_up)
            for candidate in candidates:
                try:
                    planner.plan(candidate)
                except Refused as error:
                    return refusal("other-attribute", name=candidate.key, what=error.refusal.advice)
            for method in base.methods.values():
                if (closure := self._lasting_closure(method)) is not None:
                    return refusal("other-attribute", name=closure[0], what=closure[1].advice)
            for store in self.attributes.of(base):
                other = self.classes.named(store.value.func) if isinstance(store.value, ast.Call) else None
                inner = self.obstacle(other) if other is not None and other is not found else None
                if inner is not None and not leaves_out(self.family(base), store.attribute):
                    return refusal("other-attribute", name=store.attribute, what=inner.advice)
        return None

    def _lasting_closure(self, method: Function) -> tuple[str, Refusal] | None:
        """A function inside a method that is kept in the instance and cannot be made to pickle."""
        name = self_name(method)
        for node in ast.walk(method):
            if node is method or not isinstance(node, (ast.Lambda, ast.Call, *FUNCTIONS)) or name is None:
                continue
            if isinstance(node, ast.Call) and not is_view_call(node):
                continue
            notes = self.model.flow.found(node).notes
            if any(_is_about(note.node, name) for note in notes) and (reason := self.obstacle_of(node)) is not None:
                return getattr(node, "name", ast.unparse(node).partition("\n")[0]), reason
        return None

    def _obstacle(self, found: Class) -> Refusal | None:
        """Why nothing is gained by mending a class, if none of those of which instances are made can be mended."""
        heirs = self.classes.heirs(found)
        made = {self.classes.named(call.func) for call in self.constructions.get(found, ())}
        relevant = [heir for heir in heirs if heir in made] or [found]
        obstacles = [self.obstacle(heir) for heir in relevant]
        return None if any(obstacle is None for obstacle in obstacles) else obstacles[0]

    def _plan(self, found: Class, parts: tuple[Part, ...]) -> StatePlan:
        family = self.family(found)
        check_shape(self.classes, family)
        existing = existing_methods(self.model, found)
        form = form_of(self, family)
        if form is Form.SLOTS and existing != Existing():
            raise Refused("own-state-methods", name="__getstate__")
        check_others(self, family, form)
        check_elsewhere(self.model, family, (part.key for part in parts))
        if form is Form.SLOTS and any(part.drop not in (Drop.ALWAYS, Drop.IF_PRESENT) for part in parts):
            raise Refused("slots-generated")
        is_copied = copies_itself(self.model, family)
        safety = max((part.safety for part in parts), key=lambda each: each is Safety.UNSAFE)
        can_copy = form is Form.DICTIONARY and not keeps_state_elsewhere(family)
        if is_copied and not can_copy:
            safety = Safety.UNSAFE
        constructor = found.methods.get("__init__")
        return StatePlan(
            found.node,
            form,
            parts,
            (self_name(constructor) if constructor else None) or "self",
            any("__setattr__" in base.bound or base.is_frozen for base in family.members),
            any(method.returns is not None for method in found.methods.values()),
            any("__getattr__" in base.bound for base in family.members),
            is_copied and can_copy,
            safety,
            existing,
        )


_PENDING = Refusal("", "")


def is_view_call(node: ast.Call) -> bool:
    """Whether a call may make a view of a dict."""
    return isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "values", "items") and not node.args


def _is_about(node: ast.AST, name: str) -> bool:
    """Whether a step of a value's way stores it in an attribute of the instance, or in what one holds."""
    return any(isinstance(inner, ast.Attribute) and is_named(inner.value, name) for inner in ast.walk(node))

"""Which state methods a class needs, or why it gets none."""

from __future__ import annotations

import ast
import builtins
import enum
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused, refusal
from codemods.analysis.scopes import FUNCTIONS, Function, mangle
from codemods.analysis.state_arguments import Passed, passed_to_classes
from codemods.analysis.state_attributes import Attributes, Store, is_named, self_name
from codemods.analysis.state_classes import Class, Classes, is_plain_base, own_protocol
from codemods.analysis.state_existing import Existing, existing_methods
from codemods.analysis.state_family import Family
from codemods.analysis.state_handled import copies_itself, is_arranged, is_registered, keeps_state_elsewhere, leaves_out
from codemods.analysis.state_parts import Candidate, Drop, Part, PartPlanner
from codemods.analysis.state_resources import Made, Resources, alternatives, derived_from, is_parameter
from codemods.finding import Refusal, Safety

ClosureNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Call
_STATE_METHODS = ("__getstate__", "__setstate__")


class Form(enum.Enum):
    """Where the state comes from."""

    DICTIONARY = "dictionary"
    COOPERATIVE = "cooperative"
    """From the next class in the order of lookup."""
    SLOTS = "slots"


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


class StatePlanner:
    """Plans the state methods of the classes of a file.

    Args:
        model: the file.
        obstacle_of: says why a nested function, or a view, cannot be made to pickle; None if it can.
    """

    def __init__(self, model: Model, obstacle_of: Callable[[ClosureNode], Refusal | None]) -> None:
        self.model = model
        self.obstacle_of = obstacle_of
        self.classes = Classes(model)
        self.attributes = Attributes(model)
        self.resources = Resources(model)
        self._families: dict[Class, Family] = {}
        self._verdicts: dict[Class, list[Verdict]] = {}
        self._obstacles: dict[Class, Refusal | None] = {}

    def family(self, found: Class) -> Family:
        """A class with its bases and heirs."""
        if found not in self._families:
            self._families[found] = Family(self.model, self.classes, self.attributes, found)
        return self._families[found]

    def candidates(self, found: Class) -> list[Candidate]:
        """The attributes of a class that hold something that pickle refuses, in the order in which they are set."""
        candidates: dict[str, Candidate] = {}
        for store in sorted(self.attributes.of(found), key=_initialiser_first):
            if store.value is None or store.attribute in candidates:
                continue
            for value in alternatives(store.value):
                made = self._made(found, store, value, candidates)
                if made is not None:
                    candidates[store.attribute] = Candidate(store.attribute, store, value, made)
                    break
        for store in self.attributes.contents(found):
            if store.value is not None and store.attribute not in candidates:
                made = self.resources.made_by(store.value)
                if made is not None:
                    candidates[store.attribute] = Candidate(store.attribute, store, store.value, made)
        return list(candidates.values())

    def _made(self, found: Class, store: Store, value: ast.expr, known: dict[str, Candidate]) -> Made | None:
        """What pickle refuses of what a store sets, which may be the object of another attribute."""
        if store.factory:
            return self.resources.made_by(ast.copy_location(ast.Call(value, [], []), value))
        made = self.resources.made_by(value)
        if made is None and isinstance(value, ast.Attribute) and store.method is not None:
            other = known.get(mangle(value.attr, found.name))
            return other.made if other is not None and is_named(value.value, self_name(store.method) or "") else None
        if made is None and store.method is not None and (owner := _owner_of(value)) is not None:
            other = known.get(mangle(owner.attr, found.name))
            is_own = is_named(owner.value, self_name(store.method) or "")
            return derived_from(value, other.made) if other is not None and is_own else None
        if made is None and isinstance(value, ast.Name) and store.method is not None:
            for passed in self.passed:
                is_own = self.family(passed.owner).method("__init__") is store.method
                if is_own and passed.parameter == value.id and is_parameter(store.method, value.id):
                    return replace(passed.made, passed=True)
        return made

    @functools.cached_property
    def passed(self) -> list[Passed]:
        """The resources that are seen to be passed to classes."""
        return passed_to_classes(self.model, self.classes, self.resources)

    def unhandled(self, found: Class) -> list[Candidate]:
        """Those of the candidates that the class's own pickling methods do not take care of."""
        family = self.family(found)
        candidates = self.candidates(found)
        if not candidates or is_arranged(family) or is_registered(self.model, found):
            return []
        return [candidate for candidate in candidates if not leaves_out(family, candidate.key)]

    def verdicts(self, found: Class) -> list[Verdict]:
        """What becomes of each attribute; either all of them can be mended or the class is left alone."""
        if found not in self._verdicts:
            self._verdicts[found] = self._decide(found)
        return self._verdicts[found]

    def _decide(self, found: Class) -> list[Verdict]:
        candidates = self.unhandled(found)
        outcomes: list[StatePlan | Refusal] = []
        parts: list[Part] = []
        planner = PartPlanner(self.model, self.family(found), self.resources, candidates)
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
        has_methods = any(isinstance(base, Class) and base.bound & set(_STATE_METHODS) for base in family.order)
        return not has_methods and not keeps_state_elsewhere(family) and self._form(family) is Form.DICTIONARY

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
            planner = PartPlanner(self.model, self.family(base), self.resources, candidates)
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
        self._check_shape(family)
        existing = existing_methods(self.model, found)
        form = self._form(family)
        if form is Form.SLOTS and existing != Existing():
            raise Refused("own-state-methods", name="__getstate__")
        self._check_others(family, form)
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

    def _check_shape(self, family: Family) -> None:
        """Refuse classes whose instances are not pickled through a state that methods could change."""
        head = family.head
        if self.classes.order(head) is None:
            raise Refused("base-keeps-state", name=head.name)
        for heir in family.heirs:
            for base in self.classes.order(heir) or []:
                if isinstance(base, str) and keeps_own_state(base):
                    raise Refused("base-keeps-state", name=base.rpartition(".")[2])
                if isinstance(base, Class) and base.has_generated_slots:
                    raise Refused("slots-generated")
        if any("__getattribute__" in member.bound for member in family.members):
            raise Refused("attribute-access", name="__getattribute__")
        if any(base in ("dict", "list") for base in family.order):
            for name in ("__setitem__", "append", "extend"):
                if any(name in member.bound for member in family.members):
                    raise Refused("base-keeps-state", name=head.name)

    def _form(self, family: Family) -> Form:
        if any(member.slots or member.has_odd_slots for member in family.members):
            return Form.SLOTS
        for heir in family.heirs:
            order = self.classes.order(heir) or [heir]
            after = order[order.index(family.head) + 1 :] if family.head in order else []
            for base in after:
                if not isinstance(base, str):
                    if heir is not family.head or self.unhandled(base) or base.bound & set(_STATE_METHODS):
                        return Form.COOPERATIVE
                elif not is_plain_base(base):
                    return Form.COOPERATIVE
        return Form.DICTIONARY

    def _check_others(self, family: Family, form: Form) -> None:
        """Refuse where the methods of another class would come first, and not hand on."""
        if form is Form.SLOTS:
            self._check_slots(family)
        for heir in family.heirs:
            if heir is not family.head and own_protocol(heir):
                continue
            order = self.classes.order(heir) or [heir]
            position = order.index(family.head)
            for base in order[:position]:
                if isinstance(base, str):
                    if not is_plain_base(base):
                        continue
                    continue
                for name in _STATE_METHODS:
                    if name in base.bound and not _hands_on(base, name):
                        raise Refused("state-without-super", name=f"{base.name}.{name}")
                if base is not heir and own_protocol(base):
                    raise Refused("state-without-super", name=base.name)

    def _check_slots(self, family: Family) -> None:
        """Refuse slots that cannot be walked over by name."""
        for member in family.members:
            if member.has_odd_slots or any(
                name.startswith("__") and not name.endswith("__") for name in member.slots or ()
            ):
                raise Refused("slots-generated")
            if member.bound & set(_STATE_METHODS):
                raise Refused("own-state-methods", name="__getstate__")
            if member is not family.head and self.unhandled(member):
                raise Refused("slots-generated")
        for heir in family.heirs:
            for base in self.classes.order(heir) or []:
                if isinstance(base, str) and not is_plain_base(base):
                    raise Refused("slots-generated")

    @functools.cached_property
    def constructions(self) -> dict[Class, list[ast.Call]]:
        """The calls that make instances of each class, or of an heir of it."""
        found: dict[Class, list[ast.Call]] = {}
        for node in self.model.nodes.get(ast.Call, ()):
            assert isinstance(node, ast.Call)
            made = self.classes.named(node.func) or self._nested(node.func)
            for base in (self.classes.order(made) or [made]) if made is not None else []:
                if isinstance(base, Class):
                    found.setdefault(base, []).append(node)
        return found

    def _nested(self, node: ast.expr) -> Class | None:
        """The class inside a class that an attribute means by its name."""
        if not isinstance(node, ast.Attribute):
            return None
        named = [found for found in self.classes if found.name == node.attr]
        is_inner = len(named) == 1 and isinstance(self.model.parents[named[0].node], ast.ClassDef)
        return named[0] if is_inner else None

    def unpicklable_bases(self, found: Class) -> Iterator[str]:
        """The bases of a class whose instances never pickle."""
        if not (found.bound & {"__reduce__", "__reduce_ex__", "__getstate__"}):
            for base in found.bases:
                if isinstance(base, str) and base:
                    resource = self.model.catalog.resource(base)
                    if resource is not None and resource.is_type:
                        yield base


_PENDING = Refusal("", "")


def keeps_own_state(base: str) -> bool:
    """Whether instances of a class of the standard library are pickled in a way of their own."""
    if is_plain_base(base):
        return False
    name = base.removeprefix("builtins.")
    known = getattr(builtins, name, None)
    if isinstance(known, type):
        return True
    return base.partition(".")[0] in ("collections", "enum") or base in ("typing.NamedTuple", "threading.Thread")


def _owner_of(node: ast.expr) -> ast.Attribute | None:
    """The attribute that an expression takes an item of, or calls a method of."""
    owner: ast.expr | None = None
    if isinstance(node, ast.Subscript):
        owner = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner = node.func.value
    return owner if isinstance(owner, ast.Attribute) else None


def is_view_call(node: ast.Call) -> bool:
    """Whether a call may make a view of a dict."""
    return isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "values", "items") and not node.args


def _is_about(node: ast.AST, name: str) -> bool:
    """Whether a step of a value's way stores it in an attribute of the instance, or in what one holds."""
    return any(isinstance(inner, ast.Attribute) and is_named(inner.value, name) for inner in ast.walk(node))


def _hands_on(found: Class, name: str) -> bool:
    """Whether a state method calls that of the next class."""
    method = found.methods.get(name)
    return method is not None and any(isinstance(node, ast.Name) and node.id == "super" for node in ast.walk(method))


def _initialiser_first(store: Store) -> tuple[bool, int, int]:
    is_late = store.method is not None and store.method.name != "__init__"
    return is_late, store.node.lineno, store.node.col_offset

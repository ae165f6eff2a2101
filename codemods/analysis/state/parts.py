"""What happens to one attribute while its owner is pickled: left out, replaced, made again."""

from __future__ import annotations

import ast
import enum
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import Function, mangle
from codemods.analysis.state.arguments import is_passed
from codemods.analysis.state.family import Family
from codemods.analysis.state.files import Reopening, reopening
from codemods.analysis.state.helpers import can_be_called_again
from codemods.analysis.state.holders import Candidate
from codemods.analysis.state.initialisers import Initialiser, Initialisers, is_attribute_of
from codemods.analysis.state.presence import is_always_set, is_made_on_demand
from codemods.analysis.state.resources import GENERATOR, MODULE, Made, Resources, alternatives
from codemods.analysis.state.uses import check_uses, is_only_looked_into, locals_used_otherwise
from codemods.catalog.entries import Restore
from codemods.finding import Safety

_SIGNALS = frozenset({"threading.Semaphore", "threading.BoundedSemaphore"})
_DATABASES = frozenset({"sqlite3.connect", "sqlite3.dbapi2.connect", "sqlite3.Connection"})


class Drop(enum.Enum):
    """What the state holds instead of the attribute."""

    ALWAYS = "always"
    """Nothing."""
    UNLESS_NONE = "unless-none"
    """Nothing, but None where the attribute is None."""
    IF_INSTANCE = "if-instance"
    """Nothing where the attribute is of the type that does not pickle, else its value."""
    IF_PRESENT = "if-present"
    """None where there is such an attribute."""
    TO_NONE = "to-none"
    """None, and nothing is made again until it is needed."""
    CARRIED = "carried"
    """Something that it is made again from."""


@dataclass(frozen=True)
class Part:
    """What happens to one attribute.

    Args:
        key: the attribute, as the state has it.
        name: the attribute, as it is written inside the class.
        drop: what the state holds instead.
        value: the expression that makes it again, empty where nothing does.
        carried: the expression that the state holds instead.
        kind: the type that is dropped, an expression.
        after: the lines that follow, if any; they may name the ``{handle}`` and what is ``{carried}``.
        imports: import statements that it needs.
        safety: whether that may be done unasked.
        remark: what a comment says about it.
        is_named: whether it is found again under its name, so that copies share it.
    """

    key: str
    name: str
    drop: Drop
    value: str = ""
    carried: str = ""
    kind: str = ""
    after: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    safety: Safety = Safety.SAFE
    remark: str = ""
    is_named: bool = False


_MEANT_OTHERWISE = frozenset({"set-from-outside", "varying-attribute"})
"""Reasons to leave an attribute alone that may hold something that pickles."""


class PartPlanner:
    """Plans the attributes of one class.

    Args:
        model: the file.
        family: the class.
        resources: recognises what pickle refuses.
        candidates: the attributes of the class that hold such things.
        gives_up: whether attributes that cannot be made again are None after loading.
    """

    def __init__(
        self,
        model: Model,
        family: Family,
        resources: Resources,
        candidates: Sequence[Candidate],
        gives_up: bool = False,
    ) -> None:
        self.model = model
        self.family = family
        self.resources = resources
        self.candidates = candidates
        self.gives_up = gives_up
        dropped = frozenset(candidate.key for candidate in candidates)
        self.initialisers = Initialisers(model, family, resources, dropped)

    def plan(self, candidate: Candidate) -> Part:
        """What happens to one attribute.

        Raises:
            Refused: if nothing sound can be done with it, or nothing at all where giving up is allowed.
        """
        try:
            return self._sound(candidate)
        except Refused as error:
            if not self.gives_up or error.refusal.reason in _MEANT_OTHERWISE:
                raise
            return self._given_up(candidate)

    def _given_up(self, candidate: Candidate) -> Part:
        is_choice = candidate.made.passed or isinstance(candidate.store.value, (ast.BoolOp, ast.IfExp))
        if is_choice and (part := self._own_one(candidate)) is not None:
            return part
        drop = Drop.TO_NONE if is_always_set(self.family, candidate.key) else Drop.IF_PRESENT
        if any(member.slots is not None for member in self.family.members):
            drop = Drop.IF_PRESENT
        remark = (
            f"`{self.family.written(candidate.key)}` is None once this is loaded: make it again where it is needed."
        )
        part = self._part(candidate, drop, Initialiser(""), safety=Safety.UNSAFE)
        return replace(part, remark=remark)

    def _own_one(self, candidate: Candidate) -> Part | None:
        """A new object in place of one that may have been passed in, where that can be made."""
        if candidate.made.inside or candidate.made.resource.restore is not Restore.REBUILD:
            return None
        try:
            found = self.initialisers.again(candidate.made.node, candidate.store.method)
        except Refused:
            return None
        drop = Drop.ALWAYS if is_always_set(self.family, candidate.key) else Drop.IF_PRESENT
        return self._part(candidate, drop, found, safety=Safety.UNSAFE)

    def _sound(self, candidate: Candidate) -> Part:
        key, made = candidate.key, candidate.made
        if not candidate.store.cached and self.family.is_managed(key):
            raise Refused("attribute-access", name=self.family.written(key))
        if key in self.family.attributes.foreign:
            raise Refused("set-from-outside", name=key)
        if made.resource.name not in ("module", "generator"):
            check_uses(self.model, self.family, self.resources, key, made)
        if candidate.store.inside:
            raise Refused("inside-container", name=f"self.{self.family.written(key)}", what=made.resource.name)
        if not key.isidentifier():
            raise Refused("set-from-outside", name=key)
        if made.passed:
            raise Refused("passed-in", name=f"self.{self.family.written(key)}")
        if candidate.store.cached:
            return self._cached(candidate)
        if candidate.store.method is None and is_passed(self.model, self.family.classes, self.family.head, key):
            raise Refused("passed-in", name=f"self.{self.family.written(key)}")
        others = self._others(candidate)
        has_none = any(isinstance(other, ast.Constant) and other.value is None for other in others)
        unknown = [other for other in others if not (isinstance(other, ast.Constant) and other.value is None)]
        restore = Restore.BY_NAME if made.by_name else made.resource.restore
        if restore in (Restore.NONE, Restore.REBUILD_WITH_STATE):
            return self._on_demand(candidate, has_none and not unknown)
        if made.inside and self.resources.holds_names(made.node) and is_only_looked_into(self.family, key):
            part = self._part(candidate, Drop.ALWAYS, self.initialisers.again(candidate.origin, candidate.store.method))
            return replace(part, is_named=True)
        if made.inside or made.resource is GENERATOR:
            raise self._refusal(candidate)
        if has_none and not unknown and is_made_on_demand(self.model, self.family, key):
            return self._part(candidate, Drop.TO_NONE, Initialiser(""))
        drop = self._drop(candidate, has_none, unknown)
        if restore is Restore.BY_NAME:
            return self._by_name(candidate, drop)
        if restore is Restore.REOPEN:
            return self._reopened(candidate, drop)
        return self._rebuilt(candidate, drop)

    def _cached(self, candidate: Candidate) -> Part:
        """A cached property makes its value again when it is read."""
        stores = self.family.stores(candidate.key)
        if candidate.made.resource.restore is Restore.REBUILD_WITH_STATE or not all(store.cached for store in stores):
            raise self._refusal(candidate)
        return self._part(candidate, Drop.ALWAYS, Initialiser(""))

    def _others(self, candidate: Candidate) -> list[ast.expr | None]:
        """The other values that the attribute may have; None stands for one that is not known."""
        others: list[ast.expr | None] = []
        for store in self.family.stores(candidate.key):
            if store.deletes:
                continue
            if store.value is None:
                others.append(None)
                continue
            if store.factory:
                continue
            for value in alternatives(store.value):
                if value is candidate.origin:
                    continue
                made = self._made(value)
                if made is None:
                    others.append(value)
                elif made.resource is not candidate.made.resource or not self._same(value, candidate):
                    raise Refused("several-initialisers", name=f"self.{self.family.written(candidate.key)}")
        return others

    def _made(self, value: ast.expr) -> Made | None:
        return self.resources.made_by(value) or self._alias(value)

    def _alias(self, value: ast.expr) -> Made | None:
        """The resource of another attribute that a value refers to."""
        name = self.family.instance_name(self.family.head.methods.get("__init__"))
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == name:
            key = mangle(value.attr, self.family.head.name)
            return next((other.made for other in self.candidates if other.key == key), None)
        return None

    def _same(self, value: ast.expr, candidate: Candidate) -> bool:
        return ast.dump(value) == ast.dump(candidate.origin)

    def _drop(self, candidate: Candidate, has_none: bool, unknown: Sequence[ast.expr | None]) -> Drop:
        is_constant = all(other is not None and self._is_something_else(other) for other in unknown)
        if unknown and not is_constant and candidate.store.value is not candidate.origin:
            raise Refused("passed-in", name=f"self.{self.family.written(candidate.key)}")
        if unknown and not (is_constant and self._kind(candidate)):
            raise Refused("varying-attribute", name=f"self.{self.family.written(candidate.key)}")
        is_always = is_always_set(self.family, candidate.key)
        if unknown or has_none:
            if not is_always:
                raise Refused("varying-attribute", name=f"self.{self.family.written(candidate.key)}")
            return Drop.IF_INSTANCE if unknown else Drop.UNLESS_NONE
        return Drop.ALWAYS if is_always else Drop.IF_PRESENT

    def _is_something_else(self, value: ast.expr) -> bool:
        """Whether an expression surely gives nothing that pickle refuses: a literal, or an object of a class."""
        if isinstance(value, ast.Call):
            name = self.model.dotted_name(value.func) or ""
            is_standard = name.partition(".")[0] in sys.stdlib_module_names
            return is_standard or self.family.classes.named(value.func) is not None
        return isinstance(value, (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set))

    def _kind(self, candidate: Candidate) -> str:
        """An expression for the type of the resource."""
        node = candidate.made.node
        if candidate.made.by_name or not isinstance(node, ast.Call) or candidate.made.helper is not None:
            return ""
        constructor = self.model.source.segment(node.func)
        if candidate.made.resource.is_type:
            return constructor
        is_lock = candidate.made.resource.name in ("threading.Lock", "threading.RLock")
        return f"type({constructor}())" if is_lock else ""

    def _refusal(self, candidate: Candidate) -> Refused:
        made = candidate.made
        what = made.resource.name
        if made.inside:
            return Refused("inside-container", name=f"self.{self.family.written(candidate.key)}", what=what)
        if made.resource.restore is Restore.REBUILD_WITH_STATE:
            note = made.resource.note or "keep what it holds in a form that pickles"
            return Refused("holds-state", name=what, what=note)
        note = made.resource.note or "make it where it is needed"
        return Refused("not-made-again", name=what, what=note)

    def _on_demand(self, candidate: Candidate, may_be_none: bool) -> Part:
        """None is enough where each user looks whether it is there and makes it."""
        if not may_be_none or not is_made_on_demand(self.model, self.family, candidate.key):
            raise self._refusal(candidate)
        if candidate.made.resource.restore is Restore.REBUILD_WITH_STATE:
            raise self._refusal(candidate)
        return self._part(candidate, Drop.TO_NONE, Initialiser(""))

    def _initialiser(self, candidate: Candidate) -> Initialiser:
        """How the value is made again from the expression that made it first."""
        node, method = candidate.origin, candidate.store.method
        if isinstance(node, ast.Name) and candidate.made.node is not node:
            assert method is not None
            if locals_used_otherwise(self.model, method, node):
                raise Refused("shared-resource", name=node.id)
            node = candidate.made.node
        return self.initialisers.again(node, method, is_view=candidate.made.resource.is_view)

    def _rebuilt(self, candidate: Candidate, drop: Drop) -> Part:
        made, store = candidate.made, candidate.store
        if made.helper is not None:
            if not can_be_called_again(made.home or self.model, self.family, made.helper):
                raise Refused("made-by-helper", name=made.helper.name)
            self.initialisers.helper_call = made.node
        if made.resource.name.startswith("*."):
            self.initialisers.helper_call = made.node
        if alias := self._twin(candidate):
            return self._part(candidate, drop, Initialiser(f"{self._instance(store.method)}.{alias}"))
        if isinstance(made.node, ast.Call) and not store.factory:
            self._check_arguments(made, made.node)
        if made.helper is not None and made.resource.name in _SIGNALS | _DATABASES:
            raise Refused("made-by-helper", name=made.helper.name)
        if isinstance(store.value, ast.BoolOp):
            raise Refused("passed-in", name=f"self.{self.family.written(candidate.key)}")
        found = self._initialiser(candidate)
        if store.factory:
            found.text += "()"
        safety = Safety.SAFE
        if made.resource.name in _DATABASES and isinstance(made.node, ast.Call):
            is_literal = bool(made.node.args) and isinstance(made.node.args[0], ast.Constant)
            safety = Safety.SAFE if is_literal else Safety.UNSAFE
        return self._part(candidate, drop, found, safety=safety)

    def _check_arguments(self, made: Made, node: ast.Call) -> None:
        first = node.args[0] if node.args else node.keywords[0].value if node.keywords else None
        if made.resource.name in _SIGNALS and isinstance(first, ast.Constant) and first.value == 0:
            raise Refused("holds-state", name=made.resource.name, what="keep what it counts in the state")
        if made.resource.name in _DATABASES and '":memory:"' in self.model.source.text.replace("'", '"'):
            raise Refused("holds-state", name=made.resource.name, what="keep its content, or use a file")

    def _twin(self, candidate: Candidate) -> str | None:
        """The name of an attribute that holds the very same object and is made again before this one."""
        value = candidate.store.value
        if self._alias(candidate.origin) is not None and isinstance(candidate.origin, ast.Attribute):
            return candidate.origin.attr
        for other in self.candidates:
            if other is candidate:
                return None
            is_same_local = other.made.node is candidate.made.node
            if other.store.value is value or is_same_local:
                return self.family.written(other.key)
        return None

    def _by_name(self, candidate: Candidate, drop: Drop) -> Part:
        made, method = candidate.made, candidate.store.method
        if made.helper is not None:
            return self._rebuilt(candidate, drop)
        if made.resource is not MODULE and not made.by_name:
            if (
                not isinstance(made.node, ast.Call)
                or self.model.dotted_name(made.node.func) != "importlib.import_module"
            ):
                raise Refused("not-made-again", name=made.resource.name, what="import it by its name")
            if drop is not Drop.ALWAYS:
                raise Refused("varying-attribute", name=f"self.{self.family.written(candidate.key)}")
            carried = f"{self._instance(method)}.{self.family.written(candidate.key)}.__name__"
            constructor = self.initialisers.again(made.node.func, method)
            return self._part(candidate, Drop.CARRIED, constructor, carried=carried)
        if (
            made.by_name
            and isinstance(made.node, ast.Name)
            and isinstance(candidate.store.value, (ast.BoolOp, ast.IfExp))
        ):
            raise Refused("varying-attribute", name=f"self.{self.family.written(candidate.key)}")
        if is_attribute_of(candidate.origin, self._instance(method)):
            # The body of the class keeps it under this name.
            found = Initialiser(self.model.source.segment(candidate.origin))
        else:
            found = self.initialisers.again(candidate.origin, method)
        return replace(self._part(candidate, drop, found), is_named=True)

    def _reopened(self, candidate: Candidate, drop: Drop) -> Part:
        if candidate.made.helper is not None:
            raise Refused("made-by-helper", name=candidate.made.helper.name)
        if self._twin(candidate) is not None or not isinstance(candidate.made.node, ast.Call):
            raise Refused("varying-attribute", name=f"self.{self.family.written(candidate.key)}")
        if candidate.made.resource.name == "pathlib.Path.open":
            self.initialisers.opened_path = candidate.made.node
        found = self._initialiser(candidate)
        plan: Reopening = reopening(self.model, self.family, candidate.key, candidate.made, found.text)
        found.text = plan.text
        if not plan.keeps_position and not plan.may_be_closed:
            return self._part(candidate, drop, found)
        if drop is not Drop.ALWAYS:
            raise Refused("varying-attribute", name=f"self.{self.family.written(candidate.key)}")
        handle = f"{self._instance(candidate.store.method)}.{self.family.written(candidate.key)}"
        after: tuple[str, ...]
        if not plan.keeps_position:
            carried, after = f"{handle}.closed", ("if {carried}:", "    {handle}.close()")
        elif not plan.may_be_closed:
            carried, after = f"{handle}.tell()", ("{handle}.seek({carried})",)
        else:
            carried = f"None if {handle}.closed else {handle}.tell()"
            after = ("if {carried} is None:", "    {handle}.close()", "else:", "    {handle}.seek({carried})")
        return self._part(candidate, Drop.CARRIED, found, carried=carried, after=after)

    def _instance(self, method: Function | None) -> str:
        return self.family.instance_name(method) or "self"

    def _part(
        self,
        candidate: Candidate,
        drop: Drop,
        found: Initialiser,
        carried: str = "",
        after: tuple[str, ...] = (),
        safety: Safety = Safety.SAFE,
    ) -> Part:
        return Part(
            candidate.key,
            self.family.written(candidate.key),
            drop,
            found.text,
            carried,
            self._kind(candidate) if drop is Drop.IF_INSTANCE else "",
            after,
            tuple(found.imports),
            safety,
        )

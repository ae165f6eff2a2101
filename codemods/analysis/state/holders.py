"""Which classes hold something that pickle refuses, and in which attributes."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from codemods.analysis.model import Model
from codemods.analysis.scopes import mangle
from codemods.analysis.state.arguments import Passed, passed_to_classes
from codemods.analysis.state.attributes import Attributes, Store, is_named, self_name
from codemods.analysis.state.classes import Class, Classes
from codemods.analysis.state.elsewhere import is_arranged_elsewhere
from codemods.analysis.state.family import Family
from codemods.analysis.state.handled import is_arranged, is_registered, leaves_out
from codemods.analysis.state.resources import Made, Resources, alternatives, derived_from, is_parameter
from codemods.catalog.entries import Restore


@dataclass(frozen=True, eq=False)
class Candidate:
    """An attribute that holds something that pickle refuses.

    Args:
        key: the attribute.
        store: the first place that sets it so.
        origin: the part of the stored expression that gives it; for a factory, the factory.
        made: what it holds.
    """

    key: str
    store: Store
    origin: ast.expr
    made: Made


class Holders:
    """The classes of a file and what they hold.

    Args:
        model: the file.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.classes = Classes(model)
        self.attributes = Attributes(model)
        self.resources = Resources(model)
        self._families: dict[Class, Family] = {}

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
        if (entry := self.model.catalog.attribute(store.attribute)) is not None:
            is_none = isinstance(value, ast.Constant) and value.value is None
            return None if is_none or entry.restore is Restore.KEEP else Made(entry, value)
        if store.factory:
            return self.resources.made_by(ast.copy_location(ast.Call(value, [], []), value))
        made = self.resources.made_by(value)
        if made is None and isinstance(value, ast.Attribute) and store.method is not None:
            other = known.get(mangle(value.attr, found.name))
            if not is_named(value.value, self_name(store.method) or ""):
                return None
            return other.made if other is not None else self._of_class(found, value)
        if made is None and self._opens_path(found, value):
            resource = self.model.catalog.resource("pathlib.Path.open")
            return Made(resource, value) if resource is not None else None
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

    def _opens_path(self, found: Class, node: ast.expr) -> bool:
        """Whether an expression is ``path.open(...)`` where the path is known to be one."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "open":
            return False
        values: list[ast.expr | None] = [node.func.value]
        if isinstance(node.func.value, ast.Attribute) and isinstance(node.func.value.value, ast.Name):
            stores = self.family(found).stores(mangle(node.func.value.attr, found.name))
            values = [store.value for store in stores]
        return bool(values) and all(
            isinstance(value, ast.Call) and self.model.dotted_name(value.func) == "pathlib.Path" for value in values
        )

    def _of_class(self, found: Class, node: ast.Attribute) -> Made | None:
        """What the body of a class keeps under a name that no instance has of its own."""
        family = self.family(found)
        if family.stores(mangle(node.attr, found.name)):
            return None
        owners = [base for base in family.order if isinstance(base, Class) and node.attr in base.bound]
        made = self.resources.in_class_body(owners[0].node, node.attr) if owners else None
        return replace(made, node=node, by_name=True) if made is not None else None

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
        if is_arranged_elsewhere(self.model, family):
            return []
        return [candidate for candidate in candidates if not leaves_out(family, candidate.key)]

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


def _owner_of(node: ast.expr) -> ast.Attribute | None:
    """The attribute that an expression takes an item of, or calls a method of."""
    owner: ast.expr | None = None
    if isinstance(node, ast.Subscript):
        owner = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner = node.func.value
    return owner if isinstance(owner, ast.Attribute) else None


def _initialiser_first(store: Store) -> tuple[bool, int, int]:
    is_late = store.method is not None and store.method.name != "__init__"
    return is_late, store.node.lineno, store.node.col_offset

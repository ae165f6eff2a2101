"""Classes of other files that the instances of a class of this file belong to as well."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import mangle
from codemods.analysis.state.attributes import Attributes
from codemods.analysis.state.classes import PROTOCOL, STATE_METHODS, Class, Classes, hands_on
from codemods.analysis.state.family import Family

_MOST_CLASSES = 200


class Elsewhere(NamedTuple):
    """A class of another file.

    Args:
        model: the file.
        classes: its classes.
        found: the class.
    """

    model: Model
    classes: Classes
    found: Class


def bases_elsewhere(model: Model, family: Family) -> Iterator[Elsewhere]:
    """The classes of other files of the project that the members of a family derive from."""
    pending = [(model, node) for member in family.members for node in member.node.bases]
    for _ in range(_MOST_CLASSES):
        if not pending:
            return
        home, node = pending.pop()
        other = _class_of(home, node.value if isinstance(node, ast.Subscript) else node)
        if other is not None:
            yield other
            pending.extend((other.model, base) for base in _all_bases(other))


def is_arranged_elsewhere(model: Model, family: Family) -> bool:
    """Whether a base in another file decides itself how instances are reduced."""
    return any(bool(PROTOCOL & other.found.bound) for other in bases_elsewhere(model, family))


def check_elsewhere(model: Model, family: Family, keys: Iterable[str]) -> None:
    """Refuse state methods that would not go together with classes of other files.

    Args:
        model: the file.
        family: the class that gets the methods.
        keys: the attributes that they leave out.
    """
    for base in bases_elsewhere(model, family):
        if base.found.slots or base.found.has_odd_slots or base.found.has_generated_slots:
            raise Refused("related-elsewhere", name=base.found.name, what="has slots")
        getter = base.found.methods.get("__getstate__")
        if getter is not None and any(isinstance(node, ast.Return) and _is_no_dict(node) for node in ast.walk(getter)):
            raise Refused("related-elsewhere", name=base.found.name, what="has a state that is not a dict")
    names = set(keys)
    for heir in _heirs_elsewhere(model, family):
        _check_heir(heir, names)


def _check_heir(heir: Elsewhere, keys: set[str]) -> None:
    found = heir.found
    if PROTOCOL & found.bound:
        return
    if found.slots or found.has_odd_slots or found.has_generated_slots:
        raise Refused("related-elsewhere", name=found.name, what="has slots")
    for name in STATE_METHODS:
        if name in found.bound and not hands_on(found, name):
            raise Refused("state-without-super", name=f"{found.name}.{name}")
    if any(mangle(store.attribute, found.name) in keys for store in Attributes(heir.model).of(found)):
        raise Refused("related-elsewhere", name=found.name, what="sets the attribute itself")
    if "__init__" in found.bound and not hands_on(found, "__init__"):
        raise Refused("related-elsewhere", name=found.name, what="does not call super().__init__()")


def _heirs_elsewhere(model: Model, family: Family) -> Iterator[Elsewhere]:
    """The classes of other files that derive from the head of a family, or from an heir of it."""
    pending = [(model, heir.name) for heir in family.heirs if isinstance(model.parents[heir.node], ast.Module)]
    seen = {(model.path, name) for _, name in pending}
    while pending and len(seen) < _MOST_CLASSES:
        home, name = pending.pop()
        for other in home.with_base(name):
            classes = Classes(other)
            direct = [item for item in classes if any(_means(other, node, home, name) for node in item.node.bases)]
            for found in (heir for item in direct for heir in classes.heirs(item)):
                key = (other.path, found.name)
                if key not in seen:
                    seen.add(key)
                    yield Elsewhere(other, classes, found)
                    pending.append((other, found.name))


def _means(model: Model, node: ast.expr, home: Model, name: str) -> bool:
    """Whether a base is a certain class of another file."""
    found = model.definition(node.value if isinstance(node, ast.Subscript) else node)
    return found is not None and (found.module.path, found.name) == (home.path, name)


def _class_of(model: Model, node: ast.expr) -> Elsewhere | None:
    found = model.definition(node)
    if found is None or len(found.nodes) != 1 or not isinstance(found.nodes[0], ast.ClassDef):
        return None
    other = model.home(found)
    bindings = [binding for _, binding in other.scopes.module.all_bindings(found.name)]
    if len(bindings) != 1 or not isinstance(bindings[0], ast.ClassDef):
        return None
    classes = Classes(other)
    return Elsewhere(other, classes, classes.of(bindings[0]))


def _all_bases(other: Elsewhere) -> Iterator[ast.expr]:
    """The bases of a class, and those of its bases in the same file."""
    for base in other.classes.order(other.found) or [other.found]:
        if isinstance(base, Class):
            yield from base.node.bases


def _is_no_dict(node: ast.Return) -> bool:
    return isinstance(node.value, (ast.Tuple, ast.List, ast.Constant))

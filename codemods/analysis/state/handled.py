"""What a class already does about its pickling, and about copies of its instances."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function
from codemods.analysis.state.attributes import self_name
from codemods.analysis.state.classes import Base, Class, is_plain_base, own_protocol
from codemods.analysis.state.family import Family

_ARRANGED = frozenset(
    {f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "EnumMeta", "EnumType")}
    | {"type", "abc.ABCMeta", "builtins.type", "collections.defaultdict"}
)
_WHOLE_STATE = frozenset({"__dict__", "__getstate__"})


def is_arranged(family: Family) -> bool:
    """Whether the class, or a base, decides itself how its instances are reduced: enums by name, say."""
    return any(bool(own_protocol(base)) if isinstance(base, Class) else base in _ARRANGED for base in family.order)


def is_registered(model: Model, found: Class) -> bool:
    """Whether a reducer is registered for the class in this file."""
    for node in model.nodes.get(ast.Call, ()):
        assert isinstance(node, ast.Call)
        if (
            node.args
            and isinstance(node.args[0], ast.Name)
            and node.args[0].id == found.name
            and model.dotted_name(node.func) == "copyreg.pickle"
        ):
            return True
    return False


def leaves_out(family: Family, attribute: str) -> bool:
    """Whether the state methods that the class has leave an attribute out, or may do so."""
    getters = list(_getters(family))
    return any(_leaves_out(method, family, attribute) for method in getters)


def _getters(family: Family) -> Iterator[Function]:
    for base in family.order:
        if isinstance(base, Class) and "__getstate__" in base.methods:
            yield base.methods["__getstate__"]


def _leaves_out(method: Function, family: Family, attribute: str) -> bool:
    names = {attribute, family.written(attribute)}
    for node in ast.walk(method):
        if isinstance(node, ast.Constant) and node.value in names:
            return True
        if isinstance(node, ast.keyword) and node.arg in names:
            return True
    return not is_plain_getstate(method)


def is_plain_getstate(method: Function) -> bool:
    """Whether a ``__getstate__`` starts from everything and then names what it changes, one by one."""
    starts = any(isinstance(node, ast.Attribute) and node.attr in _WHOLE_STATE for node in ast.walk(method))
    loops = any(
        isinstance(node, (ast.For, ast.While, ast.DictComp, ast.comprehension, ast.If, ast.Lambda))
        for node in ast.walk(method)
    )
    calls_helper = any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "self"
        for node in ast.walk(method)
    )
    return starts and not loops and not calls_helper


def copies_itself(model: Model, family: Family) -> bool:
    """Whether shallow copies are seen to be made of something that may be an instance of the class."""
    if any("__copy__" in member.bound for member in family.members):
        return False
    named = (*model.nodes.get(ast.Name, ()), *model.nodes.get(ast.Attribute, ()))
    return any(
        isinstance(node, (ast.Name, ast.Attribute))
        and getattr(node, "attr", "copy") == "copy"
        and model.dotted_name(node) == "copy.copy"
        and not _copies_another(model, family, node)
        for node in named
    )


def _copies_another(model: Model, family: Family, copier: ast.expr) -> bool:
    """Whether what is copied is the ``self`` of a class that has nothing to do with the family."""
    call = model.parents[copier]
    if not isinstance(call, ast.Call) or call.func is not copier:
        return False  # Whoever gets the function may copy anything.
    argument = call.args[0] if call.args else None
    for outer in model.ancestors(call):
        around = model.parents.get(outer)
        if isinstance(outer, FUNCTIONS) and isinstance(around, ast.ClassDef):
            is_instance = isinstance(argument, ast.Name) and argument.id == self_name(outer)
            return is_instance and all(member.node is not around for member in family.members)
    return False


def keeps_state_elsewhere(family: Family, bases: Iterable[Base] | None = None) -> bool:
    """Whether an instance is more than its ``__dict__``, so that copying that is not enough for a copy.

    Args:
        family: the class.
        bases: those of its bases that may do so; all by default.
    """
    return any(
        isinstance(base, str) and (base in ("dict", "list") or not is_plain_base(base))
        for base in (family.order if bases is None else bases)
    ) or any("__new__" in member.bound for member in family.members)

"""Mistakes in state methods that are written by hand."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemods.analysis.scopes import FUNCTIONS, Function
from codemods.analysis.state.attributes import is_dictionary, is_named, self_name
from codemods.analysis.state.classes import Class
from codemods.analysis.state.family import Family
from codemods.analysis.state.plan import StatePlanner
from codemods.analysis.state.presence import is_always_set

_MODULES = frozenset({"torch.nn.Module", "torch.nn.modules.module.Module"})
_CHANGES = frozenset({"pop", "popitem", "clear", "update", "setdefault", "append", "remove", "extend", "insert"})


@dataclass(frozen=True)
class Mistake:
    """Something that a state method gets wrong.

    Args:
        node: the method.
        reason: the reason code.
        name: what it is about.
        removal: the statement or call that takes a key out of the state.
        key: that key.
    """

    node: ast.stmt | ast.expr
    reason: str
    name: str
    removal: ast.Delete | ast.Call | None = None
    key: str = ""


def mistakes(planner: StatePlanner, found: Class) -> Iterator[Mistake]:
    """The mistakes in the state methods of a class."""
    family = planner.family(found)
    getter, setter = found.methods.get("__getstate__"), found.methods.get("__setstate__")
    if getter is not None:
        yield from _in_getter(family, getter)
    if setter is not None:
        yield from _in_setter(family, setter)
    if getter is not None and setter is None:
        yield from _never_restored(family, getter)
    if (reducer := found.methods.get("__reduce__")) is not None:
        yield from _in_reducer(planner, family, reducer)
    if (copier := found.methods.get("__deepcopy__")) is not None:
        yield from _in_copier(copier)
    if (finder := found.methods.get("__getattr__")) is not None:
        yield from _in_finder(family, finder)


def _in_getter(family: Family, getter: Function) -> Iterator[Mistake]:
    instance, head = self_name(getter), family.head
    if instance is None:
        return
    if head.slots and "__dict__" not in head.slots and not _has_dictionary(family):
        node = next((node for node in ast.walk(getter) if _is_dictionary_of(node, instance)), None)
        if node is not None:
            yield Mistake(getter, "slots-without-dict", head.name)
            return
    if _forgets_super(family, getter, "__getstate__"):
        yield Mistake(getter, "forgets-super", f"{head.name}.__getstate__")
    state = _state_variable(getter)
    if state is None:
        return
    name, value = state
    is_live = is_dictionary(value) or (_is_super_call(value) and not _has_base_method(family, "__getstate__"))
    for node in ast.walk(getter):
        key = _removed_key(node, name)
        if is_live and (key is not None or _is_stored_item(node, name)):
            yield Mistake(getter, "live-state", name)
            return
        if key is not None and _is_submodule(family, key):
            yield Mistake(getter, "may-be-absent", key)
            return
        if key is not None and not is_always_set(family, key):
            assert isinstance(node, (ast.Delete, ast.Call))
            is_simple = not isinstance(node, ast.Delete) or len(node.targets) == 1
            yield Mistake(getter, "may-be-absent", key, node if is_simple else None, key)
            return
        if _changes_inside(node, name):
            yield Mistake(getter, "live-state", name)
            return


def _in_setter(family: Family, setter: Function) -> Iterator[Mistake]:
    instance, head = self_name(setter), family.head
    if _forgets_super(family, setter, "__setstate__"):
        yield Mistake(setter, "forgets-super", f"{head.name}.__setstate__")
        return
    calls = [statement for statement in setter.body if "super().__setstate__" in ast.unparse(statement)]
    if not calls or instance is None or not _is_foreign(family):
        return
    for statement in setter.body[: setter.body.index(calls[0])]:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Attribute) and is_named(target.value, instance) for target in statement.targets
        ):
            yield Mistake(setter, "restored-too-early", ast.unparse(statement.targets[0]))
            return


def _never_restored(family: Family, getter: Function) -> Iterator[Mistake]:
    """Attributes that are taken out of the state and are there no more after loading, though they are used."""
    state = _state_variable(getter)
    if state is None or _has_base_method(family, "__setstate__"):
        return
    for node in ast.walk(getter):
        key = _removed_key(node, state[0], any_pop=True)
        if key is None or any(key in base.bound for base in family.order if isinstance(base, Class)):
            continue
        if any("__getattr__" in base.bound for base in family.order if isinstance(base, Class)):
            continue
        if any(method.name not in ("__init__", "__getstate__") for method, _ in family.reads(key)):
            yield Mistake(getter, "never-restored", key)
            return


def _in_reducer(planner: StatePlanner, family: Family, reducer: Function) -> Iterator[Mistake]:
    instance = self_name(reducer)
    for node in ast.walk(reducer):
        if not isinstance(node, ast.Return) or not isinstance(node.value, ast.Tuple) or len(node.value.elts) < 2:
            continue
        arguments = node.value.elts[1]
        if not isinstance(arguments, ast.Tuple):
            continue
        is_short = len(node.value.elts) == 2 and bool(arguments.elts) and bool(planner.attributes.of(family.head))
        if is_short and all(isinstance(element, ast.Constant) for element in arguments.elts):
            yield Mistake(reducer, "reduced-to-constants", family.head.name)
        refused = {candidate.key for candidate in planner.candidates(family.head)}
        for element in arguments.elts:
            if (
                isinstance(element, ast.Attribute)
                and is_named(element.value, instance or "")
                and element.attr in refused
            ):
                yield Mistake(reducer, "reduced-to-resource", f"{instance}.{element.attr}")


def _in_copier(copier: Function) -> Iterator[Mistake]:
    positional = [*copier.args.posonlyargs, *copier.args.args]
    memo = positional[1].arg if len(positional) > 1 else None
    for node in ast.walk(copier):
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in ("copy.deepcopy", "deepcopy")
            and len(node.args) < 2
            and not node.keywords
        ):
            yield Mistake(copier, "memo-forgotten", memo or "memo")
            return


def _in_finder(family: Family, finder: Function) -> Iterator[Mistake]:
    """A ``__getattr__`` that needs an attribute which is not there yet while the object is loaded."""
    instance = self_name(finder)
    if instance is None or any(
        isinstance(base, Class) and base.bound & {"__setstate__", "__reduce__", "__reduce_ex__"}
        for base in family.order
    ):
        return
    if any(isinstance(node, (ast.If, ast.Try, ast.IfExp)) for node in ast.walk(finder)):
        return
    for node in ast.walk(finder):
        if (
            isinstance(node, ast.Attribute)
            and is_named(node.value, instance)
            and not node.attr.startswith("__")
            and family.stores(node.attr)
            and not any(isinstance(base, Class) and node.attr in base.bound for base in family.order)
        ):
            yield Mistake(finder, "recursion-on-load", f"{instance}.{node.attr}")
            return


def _has_dictionary(family: Family) -> bool:
    return any(not isinstance(base, Class) or base.slots is None for base in family.order)


def _is_foreign(family: Family) -> bool:
    return any(base in _MODULES or (isinstance(base, str) and base.startswith("torch.nn.")) for base in family.order)


def _is_submodule(family: Family, key: str) -> bool:
    """Whether an attribute of a torch module holds another module, which torch keeps elsewhere."""
    if not _is_foreign(family):
        return False
    return any(
        isinstance(store.value, ast.Call) and (family.model.dotted_name(store.value.func) or "").startswith("torch.nn.")
        for store in family.stores(key)
    )


def _forgets_super(family: Family, method: Function, name: str) -> bool:
    """Whether a state method leaves out that of a base which has one."""
    if any(isinstance(node, ast.Name) and node.id == "super" for node in ast.walk(method)):
        return False
    named = [base for base in family.order[1:] if isinstance(base, Class) and name in base.methods]
    if any(f"{base.name}.{name}" in ast.unparse(method) for base in named):
        return False
    return bool(named) or (name == "__setstate__" and _is_foreign(family))


def _has_base_method(family: Family, name: str) -> bool:
    return any(isinstance(base, Class) and name in base.bound for base in family.order[1:])


def _state_variable(getter: Function) -> tuple[str, ast.expr] | None:
    """The variable that holds the state, with what it is first bound to."""
    returns = [node for node in getter.body if isinstance(node, ast.Return)]
    if len(returns) != 1 or not isinstance(returns[0].value, ast.Name):
        return None
    for statement in getter.body:
        if isinstance(statement, ast.Assign) and is_named(statement.targets[0], returns[0].value.id):
            return returns[0].value.id, statement.value
    return None


def _is_dictionary_of(node: ast.AST, instance: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "__dict__" and is_named(node.value, instance)


def _is_super_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__getstate__"


def _removed_key(node: ast.AST, state: str, *, any_pop: bool = False) -> str | None:
    """The key that a statement takes out of the state, failing if it is not there."""
    if isinstance(node, ast.Delete):
        for target in node.targets:
            if (
                isinstance(target, ast.Subscript)
                and is_named(target.value, state)
                and isinstance(target.slice, ast.Constant)
            ):
                return str(target.slice.value)
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "pop"
        and is_named(node.func.value, state)
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and (any_pop or len(node.args) == 1)
    ):
        return str(node.args[0].value)
    return None


def _is_stored_item(node: ast.AST, state: str) -> bool:
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return is_named(node.value, state)
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _CHANGES
        and is_named(node.func.value, state)
    )


def _changes_inside(node: ast.AST, state: str) -> bool:
    """Whether a statement changes an object in the state that the live instance holds as well."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
        inner = node.func.value
        return isinstance(inner, ast.Subscript) and is_named(inner.value, state)
    if isinstance(node, ast.Delete):
        return any(
            isinstance(target, ast.Subscript)
            and isinstance(target.value, ast.Subscript)
            and is_named(target.value.value, state)
            for target in node.targets
        )
    return False


def has_state_methods(found: Class) -> bool:
    """Whether a class has a method that this module looks at."""
    names = ("__getstate__", "__setstate__", "__reduce__", "__deepcopy__", "__getattr__")
    return any(isinstance(found.methods.get(name), FUNCTIONS) for name in names)

"""What is done with a resource after it was made: whatever a new one would lack, or somebody else would share."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import Function
from codemods.analysis.state.family import Family
from codemods.analysis.state.resources import Made, Resources
from codemods.analysis.syntax import own_nodes

_PER_THREAD = frozenset({"threading.local", "_thread._local"})
_KEEPING_METHODS = frozenset({"append", "add", "extend", "insert", "setdefault", "update", "put", "appendleft"})


def check_uses(model: Model, family: Family, resources: Resources, attribute: str, made: Made) -> None:
    """Refuse a resource that is configured after it was made, or that is handed to another object.

    Raises:
        Refused: naming what is done with it.
    """
    for node in _reads_anywhere(model, family, attribute):
        parent = model.parents[node]
        if isinstance(parent, ast.Attribute) and made.resource.name not in _PER_THREAD:
            if not isinstance(parent.ctx, ast.Load):
                raise Refused("configured-later", name=ast.unparse(parent))
            if parent.attr in made.resource.changes:
                raise Refused("configured-later", name=ast.unparse(parent))
        if model.dotted_name(node) is None and family.classes.named(node.value) is None:
            _check_sharing(model, resources, node)
    if made.resource.changes:
        _check_changes(family, made)
    if made.resource.setup:
        _check_setup(model, family, attribute)


def _reads_anywhere(model: Model, family: Family, attribute: str) -> Iterator[ast.Attribute]:
    """The reads of an attribute of that name on any object."""
    names = {attribute, family.written(attribute)}
    for node in model.nodes.get(ast.Attribute, ()):
        assert isinstance(node, ast.Attribute)
        if node.attr in names and isinstance(node.ctx, ast.Load):
            yield node


def _check_sharing(model: Model, resources: Resources, node: ast.Attribute) -> None:
    """Refuse where the object is put into something else that lives on."""
    inner: ast.AST = node
    parent = model.parents[node]
    while isinstance(parent, (ast.keyword, ast.Starred, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.IfExp)):
        inner, parent = parent, model.parents[parent]
    if isinstance(parent, ast.Call) and inner is not parent.func:
        function = parent.func
        if resources.constructor(function) is not None:
            return
        if isinstance(function, ast.Attribute) and function.attr in _KEEPING_METHODS:
            raise Refused("shared-resource", name=ast.unparse(node))
        if _is_kept(model, parent):
            raise Refused("shared-resource", name=ast.unparse(node))
    elif (
        isinstance(parent, ast.Assign)
        and any(not isinstance(target, ast.Name) for target in parent.targets)
        and not (_is_own(parent.value) and all(_is_own(target) for target in parent.targets))
    ):
        raise Refused("shared-resource", name=ast.unparse(node))


def _is_own(target: ast.expr) -> bool:
    return isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"


def _is_kept(model: Model, call: ast.Call) -> bool:
    """Whether what a call returns is stored in an attribute or container, or returned."""
    inner: ast.AST = call
    for outer in model.ancestors(call):
        if isinstance(outer, ast.Assign):
            return any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in outer.targets)
        if isinstance(outer, (ast.AnnAssign, ast.AugAssign)):
            return not isinstance(outer.target, ast.Name)
        if isinstance(outer, ast.Return):
            return _looks_like_class(call.func)
        if isinstance(outer, ast.Call) and isinstance(outer.func, ast.Attribute) and inner is not outer.func:
            return outer.func.attr in _KEEPING_METHODS
        if isinstance(outer, ast.stmt):
            return False
        inner = outer
    return False


def _looks_like_class(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name[:1].isupper()


def _check_changes(family: Family, made: Made) -> None:
    """Refuse where a member calls one of the methods, perhaps through a local variable, that change the object."""
    for _, method in family.methods():
        for node in ast.walk(method):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in made.resource.changes
            ):
                raise Refused("configured-later", name=ast.unparse(node.func))


def _check_setup(model: Model, family: Family, attribute: str) -> None:
    """Refuse where the code that makes the object goes on to set it up."""
    for store in family.stores(attribute):
        if store.method is None:
            continue
        names = {attribute, family.written(attribute)}
        for node in own_nodes(store.method):
            if (
                isinstance(node, ast.Attribute)
                and node.attr in names
                and isinstance(node.ctx, ast.Load)
                and isinstance(model.parents[node], (ast.Attribute, ast.Call, ast.keyword))
            ):
                raise Refused("configured-later", name=ast.unparse(node))
        if isinstance(store.value, ast.Name):
            raise Refused("configured-later", name=store.value.id)


def locals_used_otherwise(model: Model, method: Function, name: ast.Name) -> bool:
    """Whether a local variable that holds the resource is used for more than being stored on the instance."""
    scope = model.scopes.of_node[method]
    for use in scope.uses(name.id):
        parent = model.parents[use]
        if (
            isinstance(parent, ast.Assign)
            and parent.value is use
            and all(isinstance(target, ast.Attribute) for target in parent.targets)
        ):
            continue
        if isinstance(parent, ast.withitem):
            continue
        return True
    return False


def is_iterated(model: Model, family: Family, attribute: str) -> bool:
    """Whether a file is read line by line, during which it cannot tell its position."""
    for _, node in family.reads(attribute):
        parent = model.parents[node]
        if isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node:
            return True
        if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and node in parent.args:
            return True
    return False


def is_only_looked_into(family: Family, attribute: str) -> bool:
    """Whether a container is never changed, nor handed to anybody who might change it.

    Args:
        family: the class that holds it.
        attribute: where.
    """
    return family.is_stable(attribute) and all(
        _looks_into(family.model.parents[node], node) for node in _reads_anywhere(family.model, family, attribute)
    )


def _looks_into(parent: ast.AST, node: ast.Attribute) -> bool:
    if isinstance(parent, ast.Attribute):
        return parent.attr in ("get", "index", "count", "items", "keys", "values")
    if isinstance(parent, ast.Subscript):
        return parent.value is node and isinstance(parent.ctx, ast.Load)
    return isinstance(parent, (ast.Compare, ast.For, ast.comprehension))


def is_closed_anywhere(model: Model, family: Family, attribute: str) -> bool:
    """Whether a file is closed while its owner lives on."""
    return any(
        isinstance(parent := model.parents[node], ast.withitem)
        or (isinstance(parent, ast.Attribute) and parent.attr in ("close", "__exit__"))
        for node in _reads_anywhere(model, family, attribute)
    )

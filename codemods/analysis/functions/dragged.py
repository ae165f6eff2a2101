"""What a function takes along once it is pickled with its captures bound to it."""

from __future__ import annotations

import ast

from codemods.analysis.functions.hoists import Group, Hoist
from codemods.analysis.model import Model, is_method
from codemods.analysis.scopes import FUNCTIONS, Scope
from codemods.analysis.values.definitions import Class, Function
from codemods.analysis.values.types import ClassItself, Tag
from codemods.finding import Capture


def dragged(model: Model, group: Group) -> tuple[Capture, ...]:
    """The captures that are bound to the functions of a group, in the order in which they are.

    Args:
        model: the file.
        group: the functions that move together.
    """
    found = (_capture(model, hoist, name) for hoist in group for name in hoist.captures)
    return tuple(dict.fromkeys(found))


def _capture(model: Model, hoist: Hoist, name: str) -> Capture:
    around = model.scopes.around[hoist.origin]
    owner = model.scopes.of_node[hoist.origin].captures().get(name) or around.resolve(name)
    instance = _class_of_instance(owner, name)
    return Capture(name, (instance,) if instance else _types(model, owner, name))


def _class_of_instance(owner: Scope, name: str) -> str:
    """The class whose instance a name is, where it is the first parameter of a method."""
    if not (is_method(owner) and isinstance(owner.node, FUNCTIONS)) or owner.parent is None:
        return ""
    arguments = owner.node.args
    first = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)][:1]
    decorators = {node.id for node in owner.node.decorator_list if isinstance(node, ast.Name)}
    if first != [name] or "staticmethod" in decorators or not isinstance(owner.parent.node, ast.ClassDef):
        return ""
    title = owner.parent.node.name
    return f"class {title}" if "classmethod" in decorators else title


def _types(model: Model, owner: Scope, name: str) -> tuple[str, ...]:
    return tuple(sorted(set(map(_text, model.flow.types_of_variable(name, owner)))))


def _text(tag: Tag) -> str:
    if isinstance(tag, Function):
        return "function" if isinstance(tag.node, ast.Lambda) else f"function {tag.name}"
    if isinstance(tag, ClassItself):
        return f"class {tag.record.node.name}"
    return tag.node.name if isinstance(tag, Class) else tag.lstrip(".")

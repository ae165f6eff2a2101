"""Resources that reach an instance from outside: as arguments of its class, or set by other code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS
from codemods.analysis.state.attributes import self_name
from codemods.analysis.state.classes import Class, Classes
from codemods.analysis.state.resources import Made, Resources

_TUPLES = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})


@dataclass(frozen=True, eq=False)
class Passed:
    """A resource that is an argument in a call of a class.

    Args:
        owner: the class.
        parameter: the parameter or field that gets it.
        made: the resource.
        node: the argument.
    """

    owner: Class
    parameter: str
    made: Made
    node: ast.expr


def passed_to_classes(model: Model, classes: Classes, resources: Resources) -> list[Passed]:
    """All resources that are seen to be passed to classes of the file."""
    found: list[Passed] = []
    for node in model.nodes.get(ast.Call, ()):
        assert isinstance(node, ast.Call)
        owner = classes.named(node.func) or _next_class(model, classes, node)
        if owner is None or not (node.args or node.keywords):
            continue
        for parameter, argument in _arguments(classes, owner, node):
            made = resources.made_by(argument)
            if made is not None and not made.by_name:
                found.append(Passed(owner, parameter, made, argument))
    return found


def _next_class(model: Model, classes: Classes, call: ast.Call) -> Class | None:
    """The class of the file whose constructor ``super().__init__(...)`` calls, as far as the class itself tells."""
    if ast.unparse(call.func) != "super().__init__":
        return None
    around = next((outer for outer in model.ancestors(call) if isinstance(outer, ast.ClassDef)), None)
    order = (classes.order(classes.of(around)) or [])[1:] if around is not None else []
    return next((base for base in order if isinstance(base, Class) and "__init__" in base.methods), None)


def _arguments(classes: Classes, owner: Class, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    positional = _parameters(classes, owner)
    for name, argument in zip(positional, call.args, strict=False):
        if isinstance(argument, ast.Starred):
            break
        yield name, argument
    for keyword in call.keywords:
        if keyword.arg is not None:
            yield keyword.arg, keyword.value


def _parameters(classes: Classes, owner: Class) -> list[str]:
    """The names of the positional parameters of a class."""
    for base in classes.order(owner) or [owner]:
        if isinstance(base, Class) and "__init__" in base.methods:
            arguments = base.methods["__init__"].args
            return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)][1:]
    lineage = [base for base in classes.order(owner) or [owner] if isinstance(base, Class)]
    names = (
        statement.target.id
        for base in reversed(lineage)
        for statement in base.node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    )
    return list(dict.fromkeys(names))


def is_passed(model: Model, classes: Classes, owner: Class, parameter: str) -> bool:
    """Whether a call of a class, or of an heir, is seen to give one of its fields."""
    for node in model.nodes.get(ast.Call, ()):
        assert isinstance(node, ast.Call)
        made = classes.named(node.func)
        if made is not None and owner in (classes.order(made) or [made]):
            if any(isinstance(argument, ast.Starred) for argument in node.args):
                return True
            if any(name == parameter for name, _ in _arguments(classes, made, node)):
                return True
    return False


def is_tuple(owner: Class) -> bool:
    """Whether instances of a class are tuples whose elements cannot be left out."""
    return any(base in _TUPLES for base in owner.bases)


def set_from_outside(model: Model, classes: Classes, resources: Resources) -> Iterator[tuple[ast.Attribute, Made]]:
    """Resources that are set on local objects by code that is not one of their methods."""
    for statement in model.nodes.get(ast.Assign, ()):
        assert isinstance(statement, ast.Assign)
        for target in statement.targets:
            if (
                not isinstance(target, ast.Attribute)
                or _is_own(model, target)
                or not _is_object(model, classes, target.value)
            ):
                continue
            made = resources.made_by(statement.value)
            if made is not None and isinstance(made.node, ast.Call) and not made.by_name:
                yield target, made


def _is_own(model: Model, target: ast.Attribute) -> bool:
    """Whether an attribute is one of the instance whose method it stands in."""
    return isinstance(target.value, ast.Name) and any(
        isinstance(outer, FUNCTIONS)
        and isinstance(model.parents[outer], ast.ClassDef)
        and self_name(outer) == target.value.id
        for outer in model.ancestors(target)
    )


def _is_object(model: Model, classes: Classes, node: ast.expr) -> bool:
    """Whether an expression is a local variable that is neither a class nor a module."""
    if not isinstance(node, ast.Name) or node.id in ("cls", "mcs", "klass") or classes.named(node) is not None:
        return False
    bindings = [binding for _, binding in model.scopes.around[node].resolve(node.id).all_bindings(node.id)]
    imports = (ast.Import, ast.ImportFrom, ast.ClassDef, *FUNCTIONS)
    return bool(bindings) and not any(isinstance(binding, imports) for binding in bindings)

"""Definitions that can move: their annotations, defaults and names mean the same at the top of the module."""

from __future__ import annotations

import ast

from codemods.analysis import inspection
from codemods.analysis.functions.captures import Origin
from codemods.analysis.functions.hoists import Default
from codemods.analysis.model import Model
from codemods.analysis.movable import is_movable
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS, Scope, mangle
from codemods.analysis.syntax import defaults, parameters

_BINDING_EXPRESSIONS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


def check_shape(model: Model, origin: Origin) -> None:
    """Refuse a function whose definition cannot move, whatever it captures.

    Raises:
        Refused: with the reason.
    """
    scope = model.scopes.of_node[origin]
    anchor = model.top_level_statement(origin)
    if isinstance(origin, FUNCTIONS):
        if getattr(origin, "type_params", None):
            raise Refused("generic-function")
        if origin.decorator_list:
            raise Refused("decorator-runs-per-call")
        if origin.name in model.scopes.around[origin].global_names:
            raise Refused("unsupported-syntax", name=f"global {origin.name}")
        if ">>> " in (ast.get_docstring(origin) or ""):
            raise Refused("docstring-test")
        _check_annotations(model, origin, anchor)
    elif any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)) for node in ast.walk(origin)):
        raise Refused("unsupported-syntax", name="yield in a lambda")
    _check_private_names(model, origin, scope)
    inspection.check_surroundings(model, scope)


def _check_annotations(model: Model, origin: ast.FunctionDef | ast.AsyncFunctionDef, anchor: ast.stmt) -> None:
    if model.scopes.has_lazy_annotations:
        return
    for annotation in [*(parameter.annotation for parameter in parameters(origin.args)), origin.returns]:
        if annotation is not None and not is_movable(model, annotation, anchor, annotation=True):
            raise Refused("annotation-evaluated-per-call", name=ast.unparse(annotation))


def evaluated_defaults(model: Model, origin: Origin) -> list[Default]:
    """The defaults that mean something else at the top level.

    Raises:
        Refused: if the module looks at signatures, where the default of a positional parameter would show.
    """
    anchor = model.top_level_statement(origin)
    for parameter, value in defaults(origin.args):
        if any(isinstance(node, _BINDING_EXPRESSIONS) for node in ast.walk(value)):
            raise Refused("definition-time-default", name=parameter.arg)
    keyword_only = set(origin.args.kwonlyargs)
    found = [
        Default(parameter.arg, value, parameter in keyword_only)
        for parameter, value in defaults(origin.args)
        if not is_movable(model, value, anchor)
    ]
    if inspection.SIGNATURE_NAMES & model.identifiers:
        for default in found:
            if not default.is_keyword_only:
                raise Refused("definition-time-default", name=default.parameter)
    return found


def _check_private_names(model: Model, origin: Origin, scope: Scope) -> None:
    """Private names are written out when they leave their class; an f-string that shows one cannot be."""
    if scope.private_class is None:
        return
    for node in ast.walk(origin):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if mangle(name, scope.private_class) != name and model.is_shown(node):
            raise Refused("name-shown", name=name)

"""What runs when a class statement runs: would it come to the same if it ran once, at import?"""

from __future__ import annotations

import ast

from codemods.analysis.classes.bases import check_bases, check_decorators
from codemods.analysis.classes.repeatable import is_repeatable, makes_container
from codemods.analysis.model import Model
from codemods.analysis.movable import is_movable
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS, Function, Scope
from codemods.analysis.syntax import defaults, parameters

_METHOD_DECORATORS = frozenset(
    {
        "abc.abstractmethod",
        "classmethod",
        "contextlib.asynccontextmanager",
        "contextlib.contextmanager",
        "enum.member",
        "enum.nonmember",
        "enum.property",
        "functools.cached_property",
        "property",
        "staticmethod",
        "types.DynamicClassAttribute",
        "typing.final",
        "typing.no_type_check",
        "typing.overload",
        "typing.override",
        "typing_extensions.override",
    }
)
_ACCESSORS = frozenset({"getter", "setter", "deleter"})


def check_definition(model: Model, node: ast.ClassDef, anchor: ast.stmt) -> None:
    """Refuse a class whose definition gives another class each time it runs, or has effects of its own.

    Args:
        model: the file.
        node: the class.
        anchor: the top-level statement that it would stand above.

    Raises:
        Refused: naming the part that speaks against it.
    """
    check_bases(model, node, anchor)
    check_decorators(model, node, anchor)
    scope = model.scopes.of_node[node]
    for name in scope.global_names | scope.nonlocal_names:
        raise Refused("class-body-runs", name=name)
    if ">>> " in (ast.get_docstring(node) or ""):
        raise Refused("docstring-test")
    for statement in node.body:
        _check_statement(model, statement, scope, anchor)


def _check_statement(model: Model, statement: ast.stmt, body: Scope, anchor: ast.stmt) -> None:
    if isinstance(statement, FUNCTIONS):
        _check_method(model, statement, body, anchor)
    elif isinstance(statement, ast.ClassDef):
        check_definition(model, statement, anchor)
    elif isinstance(statement, ast.If) and is_repeatable(model, statement.test, body, anchor):
        for inner in (*statement.body, *statement.orelse):
            _check_statement(model, inner, body, anchor)
    elif not all(is_repeatable(model, part, body, anchor) for part in _evaluated(model, statement, anchor)):
        raise Refused("class-body-runs", name=ast.unparse(statement).partition("\n")[0])


def _evaluated(model: Model, statement: ast.stmt, anchor: ast.stmt) -> list[ast.expr]:
    """The expressions that a plain statement evaluates.

    Raises:
        Refused: for a statement that does more than to bind names of the class.
    """
    if isinstance(statement, ast.Pass):
        return []
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return []
    if isinstance(statement, ast.Assign) and all(_is_plain_target(target) for target in statement.targets):
        return [statement.value]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        _check_annotation(model, statement.annotation, anchor)
        return [statement.value] if statement.value is not None else []
    raise Refused("class-body-runs", name=ast.unparse(statement).partition("\n")[0])


def _is_plain_target(target: ast.expr) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(_is_plain_target(element) for element in target.elts)
    return isinstance(target, ast.Name)


def _check_method(model: Model, method: Function, body: Scope, anchor: ast.stmt) -> None:
    for decorator in method.decorator_list:
        if not _is_plain_decorator(model, decorator, body, anchor):
            raise Refused("class-decorator", name=ast.unparse(decorator))
    for _, default in defaults(method.args):
        if makes_container(model, default) or not is_repeatable(model, default, body, anchor):
            raise Refused("class-body-runs", name=f"def {method.name}(… = {ast.unparse(default)})")
    if ">>> " in (ast.get_docstring(method) or ""):
        raise Refused("docstring-test")
    for annotation in [*(parameter.annotation for parameter in parameters(method.args)), method.returns]:
        if annotation is not None:
            _check_annotation(model, annotation, anchor)


def _check_annotation(model: Model, annotation: ast.expr, anchor: ast.stmt) -> None:
    if not model.scopes.has_lazy_annotations and not is_movable(model, annotation, anchor, annotation=True):
        raise Refused("annotation-evaluated-per-call", name=ast.unparse(annotation))


def _is_plain_decorator(model: Model, decorator: ast.expr, body: Scope, anchor: ast.stmt) -> bool:
    if isinstance(decorator, ast.Attribute) and decorator.attr in _ACCESSORS:
        return isinstance(decorator.value, ast.Name) and body.binds(decorator.value.id)
    name = model.dotted_name(decorator)
    return name in _METHOD_DECORATORS and is_movable(model, decorator, anchor)

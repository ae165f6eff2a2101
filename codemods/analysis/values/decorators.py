"""Functions that are made to be decorators: what they return replaces a function or class of a module.

A decorator takes a function or class and returns it, or a function or class that closes over it. A decorator factory
returns nothing but decorators. Code elsewhere is taken to apply them with ``@``; the calls of this file are followed
anyway.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codemods.analysis.scopes import FUNCTIONS, Scope, ScopeTree, mangle
from codemods.analysis.syntax import own_nodes
from codemods.analysis.values.definitions import Function
from codemods.analysis.values.names import spelled
from codemods.analysis.values.statements import Statements

_NAMES_OF_OBJECTS = frozenset({"__class__", "__dict__"})
_INSPECTORS = frozenset({"wraps", "update_wrapper", "signature", "iscoroutinefunction", "isfunction", "isclass"})

_CONVENTIONAL = frozenset(
    {"fn", "f", "func", "function", "method", "meth", "wrapped", "cls", "klass", "callback", "handler", "coro"}
    | {"view", "test_case"}
)
"""What the parameter of a decorator is called."""

_STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def mark_decorators(walker: Statements, applied: frozenset[Function]) -> None:
    """Set ``decorates`` of the functions of a walked file, and note which of their results may wrap methods.

    Args:
        walker: the walked file.
        applied: the functions that the file itself uses as decorators.
    """
    shapes = _Shapes(walker.scopes, frozenset(function.node for function in applied))
    makers = {function.parent for function in walker.functions} | {record.parent for record in walker.classes}
    for function in walker.functions:
        if function in makers and function.exposed and not isinstance(function.node, ast.Lambda):
            function.decorates = shapes.makes_decorators(function.node) or (
                shapes.is_decorator(function.node, function.bound)
                and (function in applied or shapes.hides_signature(function.node))
            )
        applied_elsewhere = function.exposed or (function.parent is not None and function.parent.decorates)
        is_decorator = applied_elsewhere and shapes.is_decorator(function.node, function.bound)
        if is_decorator and shapes.takes_anything(function.node):
            walker.graph.use(function.returned, "wrapper")


class _Shapes:
    """Questions about the form of functions."""

    def __init__(self, scopes: ScopeTree, applied: frozenset[ast.AST]) -> None:
        self.scopes = scopes
        self.applied = applied

    def makes_decorators(self, node: _Definition) -> bool:
        """Whether all that a function returns is a decorator, or the result of one."""
        results = [result for result in _results(node) if not self._is_foreign(result, node)]
        return bool(results) and all(self._is_decorator_value(result, node) for result in results)

    def _is_foreign(self, result: ast.expr, node: _Definition) -> bool:
        """Whether a result is made by something elsewhere: it says nothing for or against."""
        return isinstance(result, ast.Call) and self._nested(result.func, node) is None

    def _is_decorator_value(self, result: ast.expr, node: _Definition) -> bool:
        if isinstance(result, ast.IfExp):
            return all(self._is_decorator_value(part, node) for part in (result.body, result.orelse))
        if isinstance(result, ast.Lambda):
            return self.is_decorator(result, bound=False)
        if isinstance(result, ast.Call):
            result = result.func
        inner = self._nested(result, node)
        return isinstance(inner, FUNCTIONS) and (self.is_decorator(inner, bound=False) or self.makes_decorators(inner))

    def is_decorator(self, node: _Definition, bound: bool) -> bool:
        """Whether a function takes one function or class, and returns it or something that closes over it."""
        parameter = _only_parameter(node, bound)
        if parameter is None:
            return False
        results = list(_results(node))
        if not results or not all(self._is_result(result, node, parameter) for result in results):
            return False
        return node in self.applied or self._is_used_as_callable(node, parameter)

    def hides_signature(self, node: _Definition) -> bool:
        """Whether what a decorator returns takes any arguments, as wrappers of unknown functions do."""
        for result in _results(node):
            inner = self._nested(result, node)
            if isinstance(inner, ast.ClassDef):
                return True
            if isinstance(inner, FUNCTIONS) and (inner.args.vararg or inner.args.kwarg or has_wraps(inner)):
                return True
        return False

    def takes_anything(self, node: _Definition) -> bool:
        """Whether what a decorator returns takes any positional arguments, so that ``self`` may be one of them."""
        inner = (result if isinstance(result, ast.Lambda) else self._nested(result, node) for result in _results(node))
        functions = (function for function in inner if isinstance(function, (*FUNCTIONS, ast.Lambda)))
        return any(function.args.vararg is not None and not has_wraps(function) for function in functions)

    def _is_result(self, result: ast.expr, node: _Definition, parameter: str) -> bool:
        if isinstance(result, ast.IfExp):
            return all(self._is_result(part, node, parameter) for part in (result.body, result.orelse))
        if isinstance(result, ast.Name) and result.id == parameter:
            return True
        if isinstance(result, ast.Lambda):
            return self._closes_over(result, node, parameter)
        if isinstance(result, ast.Call):
            if any(self._is_result(part, node, parameter) for part in result.args):
                return True
            result = result.func
        inner = self._nested(result, node)
        return inner is not None and self._closes_over(inner, node, parameter)

    def _nested(self, result: ast.expr, node: _Definition) -> ast.AST | None:
        """The function or class inside ``node`` that an expression names."""
        if not isinstance(result, ast.Name):
            return None
        bindings = self.scopes.of_node[node].bindings.get(result.id, [])
        return next((binding for binding in bindings if isinstance(binding, (*FUNCTIONS, ast.ClassDef))), None)

    def _closes_over(self, inner: ast.AST, node: _Definition, parameter: str) -> bool:
        if isinstance(inner, ast.ClassDef) and any(_is_name(base, parameter) for base in inner.bases):
            return True
        owner = self.scopes.of_node[node]
        return self.scopes.of_node[inner].captures().get(mangle(parameter, owner.private_class)) is owner

    def _is_used_as_callable(self, node: _Definition, parameter: str) -> bool:
        """Whether a function treats its parameter as a function or class."""
        owner = self.scopes.of_node[node]
        if len(owner.bindings[mangle(parameter, owner.private_class)]) > 1:
            return False
        if parameter in _CONVENTIONAL or _is_callable_annotation(node, parameter):
            return True
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        for part in (part for statement in body for part in ast.walk(statement)):
            if any(self._means(name, owner) for name in _callable_uses(part, parameter)):
                return True
        return False

    def _means(self, node: ast.Name, owner: Scope) -> bool:
        return self.scopes.around[node].resolve(node.id) is owner


def _callable_uses(node: ast.AST, parameter: str) -> Iterator[ast.Name]:
    """The names that a node treats as functions or classes, among those of a parameter."""
    candidates: Iterable[ast.expr] = ()
    if isinstance(node, ast.Call):
        last = getattr(node.func, "attr", getattr(node.func, "id", ""))
        decorating = last in _INSPECTORS or isinstance(node.func, ast.Call)
        candidates = (node.func, *(node.args if decorating else ()))
    elif isinstance(node, ast.Attribute) and node.attr.startswith("__") and node.attr not in _NAMES_OF_OBJECTS:
        candidates = (node.value,)
    elif isinstance(node, ast.ClassDef):
        candidates = node.bases
    for candidate in candidates:
        if isinstance(candidate, ast.Name) and candidate.id == parameter:
            yield candidate


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def has_wraps(node: _Definition) -> bool:
    """Whether a function takes the name of another one by ``functools.wraps``."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    names = [decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in decorators]
    return any(spelled(name).rpartition(".")[2] == "wraps" for name in names)


def is_renamed(function: _Function, maker: _Function) -> bool:
    """Whether a function takes the name of another one, by its decorators or by a call in the function around it.

    Args:
        function: the nested function.
        maker: the function that it is defined in, which may call ``update_wrapper(function, …)`` or
            ``wraps(…)(function)``.
    """
    return has_wraps(function) or any(_renames(node, function.name) for node in own_nodes(maker))


def _renames(node: ast.AST, name: str) -> bool:
    if not isinstance(node, ast.Call) or not node.args:
        return False
    first = node.args[0]
    is_wraps = isinstance(node.func, ast.Call) and spelled(node.func.func).rpartition(".")[2] == "wraps"
    is_update = spelled(node.func).rpartition(".")[2] == "update_wrapper"
    return (is_wraps or is_update) and isinstance(first, ast.Name) and first.id == name


def _is_callable_annotation(node: _Definition, parameter: str) -> bool:
    for argument in (*node.args.posonlyargs, *node.args.args):
        if argument.arg == parameter and argument.annotation is not None:
            annotation = argument.annotation
            outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
            return spelled(outer).rpartition(".")[2] in ("Callable", "Type", "type")
    return False


def _only_parameter(node: _Definition, bound: bool) -> str | None:
    """The parameter that a decorator gets its function in."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args][1 if bound else 0 :]
    if not positional or any(default is None for default in arguments.kw_defaults):
        return None
    required = len(positional) - len(arguments.defaults)
    return positional[0].arg if required <= 1 else None


def _results(node: _Definition) -> Iterator[ast.expr]:
    """What a function returns, ``None`` left out."""
    if isinstance(node, ast.Lambda):
        yield node.body
        return
    pending: list[ast.AST] = list(node.body)
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Return):
            if part.value is not None and not (isinstance(part.value, ast.Constant) and part.value.value is None):
                yield part.value
        elif isinstance(part, _STATEMENTS) and not isinstance(part, (*FUNCTIONS, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(part))

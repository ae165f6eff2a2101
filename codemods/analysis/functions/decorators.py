"""The decorators of a file: what each of them puts in place of the function it is given, and where they are applied."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass

from codemods.analysis.functions.decorator_shapes import (
    are_functions,
    is_importable,
    is_only_argument,
    is_partial_of,
    returned_values,
)
from codemods.analysis.functions.registries import keeps_argument, keeps_constructor_argument
from codemods.analysis.guards.main_guard import sole_binding
from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function, ScopeKind
from codemods.analysis.values.decorators import is_renamed

NAME_KEEPING = frozenset(
    {
        "abc.abstractmethod",
        "classmethod",
        "contextlib.asynccontextmanager",
        "contextlib.contextmanager",
        "functools.cache",
        "functools.lru_cache",
        "staticmethod",
        "types.coroutine",
        "typing.final",
        "typing.no_type_check",
    }
)
"""Decorators whose result is found under the name of the function that they are given."""


@dataclass(frozen=True)
class Layer:
    """One decorator of a function.

    Args:
        expression: the decorator as it is written; the called name, where a function is decorated by an assignment.
        maker: the function of this file that is called with the decorated one.
    """

    expression: ast.expr
    maker: Function | None


@dataclass(frozen=True)
class Decorated:
    """A function with decorators, and these from the inside.

    Args:
        function: the function, at the top level of the module or of a class.
        layers: its decorators in the order in which they are applied.
        is_named: whether what they make is all that the function's name ever leads to.
    """

    function: Function
    layers: tuple[Layer, ...]
    is_named: bool


@dataclass(frozen=True)
class Wrapper:
    """A function that a decorator returns in place of the decorated one.

    Args:
        node: the function.
        maker: the decorator that it is defined in.
        parameter: the parameter of the decorator that is the decorated function.
        has_wraps: whether it takes over the name of the decorated function.
        decorated: the functions that it stands for.
    """

    node: Function | ast.Lambda
    maker: Function
    parameter: str
    has_wraps: bool
    decorated: tuple[Decorated, ...]


class Decorators:
    """The decorators of a file and their wrappers.

    Args:
        model: the file.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._known: dict[Function, tuple[Wrapper, ...]] = {}

    @functools.cached_property
    def decorated(self) -> tuple[Decorated, ...]:
        """The decorated functions at the top level of the module and of its classes."""
        return tuple(self._find_decorated())

    @functools.cached_property
    def wrappers(self) -> dict[ast.AST, Wrapper]:
        """The wrappers of the decorators that are applied in the file, by their nodes."""
        found: dict[ast.AST, Wrapper] = {}
        for maker in dict.fromkeys(layer.maker for item in self.decorated for layer in item.layers):
            if maker is not None:
                found.update((wrapper.node, wrapper) for wrapper in self._wrappers_of(maker))
        return found

    @functools.cached_property
    def parts(self) -> frozenset[ast.AST]:
        """The functions that decorators of the file are made of: a name leads to what they return, not to them."""
        makers = {layer.maker for item in self.decorated for layer in item.layers if layer.maker is not None}
        return frozenset(self.wrappers) | makers

    def hiding_layer(self, decorated: Decorated) -> Layer | None:
        """The first decorator of a function whose result may not be found under the function's name."""
        return next((layer for layer in decorated.layers if not self._keeps_name(layer)), None)

    def misnamed(self, call: ast.Call) -> Function | None:
        """The function whose name a wrapper takes over that a call makes, although that name leads to the function.

        Args:
            call: a call of a decorator, such as ``self.area = logged(area)``.
        """
        if not isinstance(call.func, ast.Name) or not call.args or not isinstance(call.args[0], ast.Name):
            return None
        maker, function = self.function_named(call.func), self.function_named(call.args[0])
        if maker is None or function is None or not self._is_global(function):
            return None
        wrappers = self._wrappers_of(maker)
        return function if wrappers and all(wrapper.has_wraps for wrapper in wrappers) else None

    def is_kept(self, decorated: Decorated) -> bool:
        """Whether the innermost decorator keeps a function as it was, although its name leads to something else."""
        innermost = decorated.layers[0]
        if innermost.maker is not None:
            parameter = self.parameter(innermost.maker)
            is_wrapped = parameter is not None and bool(self._wrappers_of(innermost.maker))
            return is_wrapped and keeps_argument(self.model, innermost.maker, parameter or "")
        called = innermost.expression
        if not isinstance(called, ast.Name) or not self._is_global(decorated.function):
            return False
        made = sole_binding(self.model, called.id)
        return isinstance(made, ast.ClassDef) and keeps_constructor_argument(made)

    def _is_global(self, function: Function) -> bool:
        return self.model.scopes.around[function].kind is ScopeKind.MODULE

    def parameter(self, maker: Function) -> str | None:
        """The parameter that a decorator gets the decorated function by, if it is never rebound."""
        first = [*maker.args.posonlyargs, *maker.args.args][:1]
        scope = self.model.scopes.of_node[maker]
        if not first or len(list(scope.all_bindings(first[0].arg))) != 1:
            return None
        return first[0].arg

    def _keeps_name(self, layer: Layer) -> bool:
        if layer.maker is not None:
            wrappers = self._wrappers_of(layer.maker)
            named = (wrapper.has_wraps or not getattr(wrapper.node, "decorator_list", []) for wrapper in wrappers)
            return all(named) if wrappers else self._gives_back(layer.maker)
        called = layer.expression.func if isinstance(layer.expression, ast.Call) else layer.expression
        return self.model.dotted_name(called) in NAME_KEEPING

    def _gives_back(self, maker: Function) -> bool:
        """Whether a decorator returns the very function that it is given."""
        name = self.parameter(maker)
        values = returned_values(maker)
        return bool(values) and all(isinstance(value, ast.Name) and value.id == name for value in values)

    def _find_decorated(self) -> Iterator[Decorated]:
        reassigned = self._reassigned()
        for node_type in FUNCTIONS:
            for node in self.model.nodes.get(node_type, ()):
                assert isinstance(node, FUNCTIONS)
                scope = self.model.scopes.around[node]
                if not is_importable(scope):
                    continue
                later = reassigned.get(node.name, []) if scope.kind is ScopeKind.MODULE else []
                expressions = [*reversed(node.decorator_list), *(call.func for call in later)]
                if expressions:
                    bindings = len(list(scope.all_bindings(node.name)))
                    layers = tuple(Layer(expression, self._maker(expression)) for expression in expressions)
                    yield Decorated(node, layers, bindings == 1 + len(later))

    def _reassigned(self) -> dict[str, list[ast.Call]]:
        """The calls of ``name = decorator(name)`` at the top level, by the name."""
        found: dict[str, list[ast.Call]] = {}
        for node in self.model.module.body:
            if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and len(node.targets) == 1):
                continue
            target, call = node.targets[0], node.value
            if isinstance(target, ast.Name) and is_only_argument(call, target.id):
                found.setdefault(target.id, []).append(call)
        return found

    def _maker(self, expression: ast.expr) -> Function | None:
        """The function of this file that a decorator expression calls with the decorated function."""
        if isinstance(expression, ast.Name):
            function = self.function_named(expression)
            inner = [] if function is None else self._returned_functions(function, is_called=True)
            return inner[0] if len(inner) == 1 else function
        if not (isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name)):
            return None
        function = self.function_named(expression.func)
        if function is None:
            return None
        if any(is_partial_of(value, function.name) for value in returned_values(function)):
            return function
        inner = self._returned_functions(function, is_called=False)
        return inner[0] if len(inner) == 1 else None

    def function_named(self, node: ast.Name) -> Function | None:
        """The function that a name means, if it has no other value."""
        owner = self.model.scopes.around[node].resolve(node.id)
        bindings = [binding for _, binding in owner.all_bindings(node.id)]
        return bindings[0] if len(bindings) == 1 and isinstance(bindings[0], FUNCTIONS) else None

    def _returned_functions(self, function: Function, is_called: bool) -> list[Function]:
        """The nested functions that a function returns, or whose result it returns when it is called."""
        found: list[Function] = []
        for value in returned_values(function):
            name = value.func if is_called and isinstance(value, ast.Call) and len(value.args) == 1 else value
            if isinstance(name, ast.Name) and isinstance(value, ast.Call) is is_called:
                inner = self.function_named(name)
                if inner is not None and self.model.scopes.around[inner].node is function:
                    found.append(inner)
        return list(dict.fromkeys(found))

    def _wrappers_of(self, maker: Function) -> tuple[Wrapper, ...]:
        if maker not in self._known:
            self._known[maker] = self._find_wrappers(maker)
        return self._known[maker]

    def _find_wrappers(self, maker: Function) -> tuple[Wrapper, ...]:
        """What a decorator returns in place of the function, if it returns nothing else."""
        parameter = self.parameter(maker)
        if parameter is None:
            return ()
        found: list[Function | ast.Lambda] = []
        for value in returned_values(maker):
            if isinstance(value, ast.Name) and value.id == parameter or is_partial_of(value, maker.name):
                continue
            nodes = self._nested_functions(maker, value)
            if not nodes or not all(self._captures(node, maker, parameter) for node in nodes):
                return ()
            found.extend(nodes)
        users = tuple(item for item in self.decorated if any(layer.maker is maker for layer in item.layers))
        return tuple(
            Wrapper(node, maker, parameter, isinstance(node, FUNCTIONS) and is_renamed(node, maker), users)
            for node in dict.fromkeys(found)
        )

    def _nested_functions(self, maker: Function, value: ast.expr) -> list[Function | ast.Lambda]:
        if isinstance(value, ast.Lambda):
            return [value]
        scope = self.model.scopes.of_node[maker]
        if not isinstance(value, ast.Name) or not scope.binds(value.id):
            return []
        bindings = [binding for _, binding in scope.all_bindings(value.id)]
        return [node for node in bindings if isinstance(node, FUNCTIONS)] if are_functions(bindings) else []

    def _captures(self, node: ast.AST, maker: Function, name: str) -> bool:
        return self.model.scopes.of_node[node].captures().get(name) is self.model.scopes.of_node[maker]

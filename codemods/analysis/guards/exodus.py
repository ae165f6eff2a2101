"""How a definition leaves its main guard: what has to move along, and which values are bound where it stood."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from codemods.analysis import inspection
from codemods.analysis.classes.bodies import check_definition
from codemods.analysis.functions.captures import as_import, check_picklable
from codemods.analysis.functions.decorators import NAME_KEEPING
from codemods.analysis.functions.observed import FUNCTION_ONLY_ATTRIBUTES, PARTIAL_ATTRIBUTES
from codemods.analysis.guards.main_guard import (
    DEFINITIONS,
    IMPORTS,
    Definition,
    guard_of,
    is_guarded_constant,
    is_hidden_by_others,
    sole_binding,
    stands_alone,
)
from codemods.analysis.model import Model
from codemods.analysis.movable import is_movable
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS, Function, ScopeKind
from codemods.analysis.sweeps import shows_public_names
from codemods.analysis.syntax import defaults, parameters

_NAMESPACE_CALLS = frozenset({"eval", "exec", "globals"})


@dataclass
class Move:
    """A statement that moves above the guard.

    Args:
        statement: a definition, an import, or the assignment of a constant.
        captures: for a function, the names whose values under the guard are bound in front of its parameters.
        imports: for a function, import statements that are repeated inside it.
    """

    statement: ast.stmt
    captures: list[str] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Exodus:
    """What leaves a guard together, in the order of the text.

    Args:
        guard: the guard.
        moves: the statements.
    """

    guard: ast.If
    moves: tuple[Move, ...]

    @property
    def moves_imports(self) -> bool:
        """Whether importing the module imports more than before."""
        return any(isinstance(move.statement, IMPORTS) for move in self.moves)


def plan_exodus(model: Model, definition: Definition) -> Exodus:
    """Decide how a definition leaves its guard.

    Args:
        model: the file.
        definition: a function or class under a main guard.

    Raises:
        Refused: if it cannot, or would not work in a child process all the same.
    """
    guard = guard_of(model, definition)
    assert guard is not None
    if shows_public_names(model):
        raise Refused("globals-swept")
    planner = _Planner(model, guard)
    planner.take(definition)
    planner.pass_captures_along()
    return Exodus(guard, tuple(sorted(planner.moves.values(), key=lambda move: move.statement.lineno)))


class _Planner:
    """Collects what moves: a definition, and all that it needs of its guard."""

    def __init__(self, model: Model, guard: ast.If) -> None:
        self.model = model
        self.guard = guard
        self.module = model.scopes.module
        self.moves: dict[ast.stmt, Move] = {}
        self.needed_by: dict[ast.stmt, list[Definition]] = {}
        self.needed_by_name: set[ast.stmt] = set()
        """What others read under its name, so that it has to be found there in the child as it is."""
        self.followed: set[ast.AST] = set()

    def take(self, definition: Definition) -> None:
        """Let a definition move."""
        if definition in self.moves:
            return
        _check_definition(self.model, self.guard, definition)
        self.moves[definition] = Move(definition)
        self.needed_by[definition] = []
        for node, is_read_at_once in _globals_read(self.model, definition):
            bindings = list(self.module.all_bindings(node.id))
            if any(guard_of(self.model, binding) is not None for _, binding in bindings):
                self._need(definition, node.id, is_read_at_once)
            elif bindings and all(scope is not self.module for scope, _ in bindings):
                raise Refused("set-by-function", name=node.id)
            else:
                for _, binding in bindings:
                    self._follow(binding)

    def _need(self, definition: Definition, name: str, is_read_at_once: bool) -> None:
        """Provide a definition with a name that is bound under the guard."""
        sole = sole_binding(self.model, name)
        if isinstance(sole, DEFINITIONS):
            self.take(sole)
            self.needed_by[sole].append(definition)
            if is_read_at_once:
                self.needed_by_name.add(sole)
        elif sole is not None and is_guarded_constant(self.model, sole, name):
            self._move(self.model.statement(sole))
        elif isinstance(sole, IMPORTS) and isinstance(definition, FUNCTIONS) and not is_read_at_once:
            self._repeat_import(definition, sole, name)
        elif isinstance(sole, IMPORTS):
            self._move(sole)
        elif is_read_at_once:
            raise Refused("guarded-definition-time", name=name)
        else:
            self._capture(definition, name)

    def _follow(self, outside: ast.AST) -> None:
        """A definition outside of the guard works in the child only if the globals that it reads exist there."""
        if not isinstance(outside, DEFINITIONS) or outside in self.followed:
            return
        self.followed.add(outside)
        for node, _ in _globals_read(self.model, outside):
            bindings = list(self.module.all_bindings(node.id))
            if not bindings or not all(guard_of(self.model, binding) is not None for _, binding in bindings):
                for _, binding in bindings:
                    self._follow(binding)
                continue
            sole = sole_binding(self.model, node.id)
            if isinstance(sole, DEFINITIONS):
                self.take(sole)
                self.needed_by_name.add(sole)
            elif sole is not None and is_guarded_constant(self.model, sole, node.id):
                self._move(self.model.statement(sole))
            else:
                raise Refused("guarded-variable", name=node.id)

    def _move(self, statement: ast.stmt) -> None:
        if self.model.parents[statement] is not self.guard or not stands_alone(self.model, statement):
            raise Refused("guarded-conditionally", name=ast.unparse(statement).partition("\n")[0])
        self.moves.setdefault(statement, Move(statement))

    def _repeat_import(self, definition: Function, statement: ast.Import | ast.ImportFrom, name: str) -> None:
        _check_parameter(self.model, definition, name)
        text, imports = as_import([statement], name), self.moves[definition].imports
        if text is not None and text not in imports:
            imports.append(text)

    def _capture(self, definition: Definition, name: str) -> None:
        """Let a function bind a value that the guard has computed when the function is defined."""
        if not isinstance(definition, FUNCTIONS):
            raise Refused("guarded-variable", name=name)
        captures = self.moves[definition].captures
        if name in captures:
            return
        bindings = list(self.module.all_bindings(name))
        nodes = [node for _, node in bindings]
        if any(scope is not self.module for scope, _ in bindings):
            raise Refused("set-by-function", name=name)
        if any(isinstance(node, IMPORTS) for node in nodes):
            raise Refused("import-rebound", name=name)
        flow = self.model.control_flow(self.module)
        if not flow.is_definitely_bound(name, definition):
            raise Refused("maybe-unbound", name=name)
        if flow.may_be_rebound_after(name, definition):
            raise Refused("rebound-after-capture", name=name)
        check_picklable(self.model, name, nodes)
        _check_parameter(self.model, definition, name)
        captures.append(name)
        for node in nodes:
            self._take_class_of(node)

    def _take_class_of(self, binding: ast.AST) -> None:
        """An instance of a class of the guard is loaded in the child only if the class is there."""
        value = getattr(self.model.parents.get(binding), "value", None)
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            made = sole_binding(self.model, value.func.id)
            if isinstance(made, ast.ClassDef) and guard_of(self.model, made) is self.guard:
                self.take(made)
                self.needed_by_name.add(made)

    def pass_captures_along(self) -> None:
        """A function that binds values is a new object under the guard, which those that call it bind in turn."""
        done: set[ast.stmt] = set()
        while pending := [
            statement for statement, move in self.moves.items() if move.captures and statement not in done
        ]:
            bound = pending[0]
            assert isinstance(bound, FUNCTIONS)
            done.add(bound)
            if bound in self.needed_by_name:
                raise Refused("guarded-variable", name=bound.name)
            for user in self.needed_by[bound]:
                if user is bound:
                    raise Refused("recursive-capture", name=self.moves[bound].captures[0])
                self._capture(user, bound.name)
        for statement, move in self.moves.items():
            if move.captures and isinstance(statement, FUNCTIONS):
                _check_partial(self.model, statement)


def _globals_read(model: Model, definition: Definition) -> Iterator[tuple[ast.Name, bool]]:
    """The globals that a definition reads, each with whether it is read while the definition runs."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            scope = model.scopes.around[node]
            if scope.resolve(node.id) is model.scopes.module:
                inner = scope.function
                while inner.kind is ScopeKind.CLASS and inner.parent is not None:
                    inner = inner.parent.function
                yield node, inner is model.scopes.around[definition].function


def _check_definition(model: Model, guard: ast.If, definition: Definition) -> None:
    """Refuse a definition that cannot stand above the guard, whatever it needs."""
    name = definition.name
    if model.parents[definition] is not guard:
        raise Refused("guarded-conditionally", name=name)
    if sole_binding(model, name) is None or is_hidden_by_others(model, name):
        raise Refused("name-rebound", name=name)
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and node.id in _NAMESPACE_CALLS:
            raise Refused("namespace-observed", name=node.id)
        if isinstance(node, DEFINITIONS) and ">>> " in (ast.get_docstring(node) or ""):
            raise Refused("docstring-test")
    if isinstance(definition, ast.ClassDef):
        check_definition(model, definition, definition)
    else:
        _check_definition_time(model, definition)


def _check_definition_time(model: Model, function: Function) -> None:
    """Refuse a function with decorators, defaults or annotations that would do something else above the guard."""
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        arguments = [*decorator.args, *decorator.keywords] if isinstance(decorator, ast.Call) else []
        values = [argument.value if isinstance(argument, ast.keyword) else argument for argument in arguments]
        is_plain = all(isinstance(value, ast.Constant) for value in values)
        if model.dotted_name(called) not in NAME_KEEPING or not is_plain:
            raise Refused("guarded-decorator", name=ast.unparse(decorator))
    for parameter, default in defaults(function.args):
        is_new_container = isinstance(default, (ast.List, ast.Dict, ast.Set)) and not any(
            isinstance(node, (ast.Name, ast.Call)) for node in ast.walk(default)
        )
        if not is_new_container and not is_movable(model, default, function):
            raise Refused("definition-time-default", name=parameter.arg)
    if model.scopes.has_lazy_annotations:
        return
    for annotation in [*(parameter.annotation for parameter in parameters(function.args)), function.returns]:
        if annotation is not None and not is_movable(model, annotation, function, annotation=True):
            raise Refused("guarded-definition-time", name=ast.unparse(annotation))


def _check_parameter(model: Model, function: Function, name: str) -> None:
    """Refuse a global that cannot become a local variable of the function that reads it."""
    scope = model.scopes.of_node[function]
    if scope.binds(name) or any(name in inner.global_names for inner in scope.descendants()):
        raise Refused("shadowed-capture", name=name)


def _check_partial(model: Model, function: Function) -> None:
    """Refuse a function whose place a partial cannot take."""
    if function.decorator_list:
        raise Refused("guarded-decorator", name=ast.unparse(function.decorator_list[0]))
    if getattr(function, "type_params", None):
        raise Refused("generic-function")
    inspection.check_module(model, becomes_partial=True)
    inspection.check_surroundings(model, model.scopes.of_node[function])
    observed = FUNCTION_ONLY_ATTRIBUTES | PARTIAL_ATTRIBUTES | {"__doc__", "*"}
    for name in sorted(model.flow.attributes_read(function) & observed):
        raise Refused("name-observed", name=name)
    for use in model.scopes.module.uses(function.name):
        assignment = model.parents[use]
        if isinstance(assignment, ast.Assign) and any(_is_on_class(model, node) for node in assignment.targets):
            raise Refused("method-binding")


def _is_on_class(model: Model, target: ast.expr) -> bool:
    if not (isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)):
        return False
    owner = model.scopes.around[target.value].resolve(target.value.id)
    return any(isinstance(node, (ast.ClassDef, *IMPORTS)) for _, node in owner.all_bindings(target.value.id))

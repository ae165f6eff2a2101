"""Code that starts processes while the module is being imported, and what a main guard around it has to leave out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemods.analysis.guards.main_guard import DEFINITIONS, IMPORTS, sole_binding, stands_alone
from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS, Function, Scope, ScopeKind
from codemods.catalog.entries import Literal, Missing, Parameter, Sink, When

SETTING = "multiprocessing.set_start_method"
"""Starts nothing, but fails in a child, where the method is set already."""
EAGER = frozenset(
    {"billiard.pool.Pool", "multiprocessing.Manager", "multiprocessing.pool.Pool", "multiprocessing.spawn", SETTING}
)
"""Calls that start processes; what the other ones of the catalog make starts them when it is used."""
_CHILD_TESTS = frozenset({"__name__", "current_process"})
"""Names by which a test can tell a child; ``parent_process()`` is not known yet while that imports the main module."""
_FORK = "fork"


@dataclass(frozen=True)
class Start:
    """A place at the top level of the module from which processes are started.

    Args:
        node: the call.
        name: what it calls.
    """

    node: ast.Call
    name: str


class ProcessStarts:
    """Finds the code that starts processes when the module is imported.

    Args:
        model: the file.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._starting: dict[Function, bool] = {}

    def unguarded(self) -> list[Start]:
        """The places outside of functions and main guards that start processes."""
        if self._forks():
            return []
        return [start for start in self._starts_in(self.model.scopes.module) if not self._is_guarded(start.node)]

    def _starts_in(self, scope: Scope) -> Iterator[Start]:
        """The calls in the own code of a function or module that start processes."""
        for node in self.model.nodes.get(ast.Call, ()):
            assert isinstance(node, ast.Call)
            if self.model.scopes.around[node].function is not scope:
                continue
            name = self._started_by(node)
            if name is not None and (name in EAGER or self._is_used(node, scope)):
                yield Start(node, name)
            elif isinstance(node.func, ast.Name) and self._calls_starter(node.func):
                yield Start(node, node.func.id)

    def _started_by(self, call: ast.Call) -> str | None:
        """The name of the API whose call, or whose result, starts processes by spawn on some systems."""
        dotted = self._called(call.func)
        if dotted is None or any(_is_fork(keyword.value) for keyword in call.keywords):
            return None
        name = self.model.catalog.canonical(dotted)
        if name in EAGER:
            is_repeatable = any(keyword.arg == "force" for keyword in call.keywords) or len(call.args) > 1
            return name if name != SETTING or not is_repeatable else None
        sink = self.model.catalog.sink(name)
        if sink is None or sink.when is not When.SPAWN or not sink.name[:1].isalpha():
            return None
        is_constructor = sink.name.rpartition(".")[2][:1].isupper()
        return sink.name if is_constructor and _applies(sink, call) else None

    def _called(self, function: ast.expr) -> str | None:
        """The dotted name of what is called, through contexts of multiprocessing and subclasses of its processes."""
        if isinstance(function, ast.Attribute) and self._is_context(function.value):
            return f"multiprocessing.{function.attr}"
        if isinstance(function, ast.Name):
            made = sole_binding(self.model, function.id)
            for base in made.bases if isinstance(made, ast.ClassDef) else ():
                if self.model.catalog.canonical(self._called(base) or "") == "multiprocessing.Process":
                    return "multiprocessing.Process"
        return self.model.dotted_name(function)

    def _is_context(self, node: ast.expr) -> bool:
        """Whether an expression is ``multiprocessing.get_context(…)``, or a name for that."""
        if isinstance(node, ast.Name):
            owner = self.model.scopes.around[node].resolve(node.id)
            assignments = [self.model.parents.get(binding) for _, binding in owner.all_bindings(node.id)]
            if len(assignments) == 1 and isinstance(assignments[0], ast.Assign):
                node = assignments[0].value
        if not isinstance(node, ast.Call):
            return False
        return self.model.catalog.canonical(self.model.dotted_name(node.func) or "") == "multiprocessing.get_context"

    def _is_used(self, call: ast.Call, scope: Scope) -> bool:
        """Whether what a call makes is used on the spot, or under its name in the same code, outside of main guards."""
        parent = self.model.parents[call]
        if isinstance(parent, (ast.For, ast.comprehension, ast.withitem, ast.Attribute)):
            return True
        if isinstance(parent, (ast.Assign, ast.AnnAssign)):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            names = {target.id for target in targets if isinstance(target, ast.Name)}
            return any(self._is_used_name(use, scope) for name in names for use in scope.uses(name))
        return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and not parent.func.id[:1].isupper()

    def _is_used_name(self, use: ast.Name, scope: Scope) -> bool:
        if self.model.scopes.around[use].function is not scope or self._is_guarded(use):
            return False
        return not isinstance(self.model.parents[use], (ast.Return, ast.Dict, ast.keyword, ast.Tuple, ast.List))

    def _calls_starter(self, name: ast.Name) -> bool:
        """Whether a name means a function of the module that starts processes when it is called."""
        owner = self.model.scopes.around[name].resolve(name.id)
        bindings = [node for _, node in owner.all_bindings(name.id)]
        if len(bindings) != 1 or not isinstance(function := bindings[0], FUNCTIONS) or function.decorator_list:
            return False
        if function not in self._starting:
            self._starting[function] = False
            self._starting[function] = any(True for _ in self._starts_in(self.model.scopes.of_node[function]))
        return self._starting[function]

    def _is_guarded(self, node: ast.AST) -> bool:
        """Whether a node stands under a test that children fail."""
        return any(
            isinstance(around, ast.If)
            and any(getattr(part, "id", getattr(part, "attr", None)) in _CHILD_TESTS for part in ast.walk(around.test))
            for around in self.model.ancestors(node)
        )

    def _forks(self) -> bool:
        """Whether the file asks for processes that are forked, which never import the main module."""
        return any(
            isinstance(node, ast.Call)
            and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("set_start_method", "get_context")
            and any(_is_fork(argument) for argument in (*node.args, *(keyword.value for keyword in node.keywords)))
            for node in self.model.nodes.get(ast.Call, ())
        )


def _is_fork(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == _FORK


def _applies(sink: Sink, call: ast.Call) -> bool:
    """Whether a call meets the conditions under which a sink starts processes, as far as they are plain to see."""
    for condition in sink.conditions:
        value = _argument(call, condition.parameter)
        if value is Missing.UNKNOWN or not condition.holds(value):
            return False
    return True


def _argument(call: ast.Call, parameter: Parameter) -> Literal | Missing:
    for keyword in call.keywords:
        if keyword.arg in (parameter.name, None):
            return _literal(keyword.value) if keyword.arg is not None else Missing.UNKNOWN
    if parameter.position is not None and parameter.position < len(call.args):
        return _literal(call.args[parameter.position])
    return Missing.ABSENT


def _literal(node: ast.expr) -> Literal | Missing:
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, int, float, bool)):
        return node.value
    return Missing.UNKNOWN


def statements_to_guard(model: Model, starts: list[Start]) -> list[list[ast.stmt]]:
    """The statements of the module that go under a guard, in runs of neighbours.

    From the first one that starts processes to the end of the module everything is taken but what a child needs:
    definitions, imports, constants, and other variables that functions read. What is guarded already stays as well.

    Args:
        model: the file.
        starts: the places that start processes.

    Raises:
        Refused: if a definition needs something while it is defined that would go under the guard.
    """
    body = model.module.body
    starting = [model.top_level_statement(start.node) for start in starts]
    rest = body[body.index(starting[0]) :]
    if all(start.name == SETTING for start in starts):
        rest = [statement for statement in rest if statement in starting]
    runs: list[list[ast.stmt]] = []
    previous: ast.stmt | None = None
    guarded: set[ast.stmt] = set()
    for statement in rest:
        if statement in starting or not _stays_outside(model, statement, guarded):
            if not stands_alone(model, statement):
                raise Refused("unsupported-syntax", name="a line of several statements")
            if previous is None or body.index(previous) + 1 != body.index(statement):
                runs.append([])
            runs[-1].append(statement)
            guarded.add(statement)
            previous = statement
    for statement in rest:
        if isinstance(statement, DEFINITIONS) and (name := _guarded_name(model, statement, guarded)) is not None:
            raise Refused("guarded-definition-time", name=name)
    return runs


def _stays_outside(model: Model, statement: ast.stmt, guarded: set[ast.stmt]) -> bool:
    if isinstance(statement, (*DEFINITIONS, *IMPORTS)) or _is_test_of_name(statement):
        return True
    if not isinstance(statement, ast.Assign):
        return False
    names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
    if len(names) != len(statement.targets):
        return False
    is_read_by_functions = any(
        model.scopes.around[use].function is not model.scopes.module
        for name in names
        for use in model.scopes.module.uses(name)
    )
    return _is_plain(statement.value) or (is_read_by_functions and _guarded_name(model, statement, guarded) is None)


def _is_plain(value: ast.expr) -> bool:
    """Whether a value is written out: nothing is called or looked up."""
    plain = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp, ast.unaryop, ast.expr_context)
    return all(isinstance(node, plain) for node in ast.walk(value))


def _is_test_of_name(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test)
    )


def _guarded_name(model: Model, statement: ast.stmt, guarded: set[ast.stmt]) -> str | None:
    """A global that a statement reads while it runs, and that is bound under the guard."""
    module = model.scopes.module
    for node in ast.walk(statement):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            continue
        scope = model.scopes.around[node]
        inner = scope.function
        while inner.kind is ScopeKind.CLASS and inner.parent is not None:
            inner = inner.parent.function
        if inner is module and scope.resolve(node.id) is module:
            bindings = [binding for _, binding in module.all_bindings(node.id)]
            if any(model.top_level_statement(binding) in guarded for binding in bindings):
                return node.id
    return None

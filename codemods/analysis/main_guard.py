"""The main guard of a script, and how definitions get out of it together with what they need.

Under spawn and forkserver the child imports the main module under another name: what is bound under
``if __name__ == "__main__":`` does not exist there.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard

from codemods.analysis import inspection
from codemods.analysis.captures import UNPICKLABLE_MAKERS, import_of
from codemods.analysis.constants import is_constant
from codemods.analysis.definition_time import Evaluated, evaluated_by
from codemods.analysis.model import Model
from codemods.analysis.movable import is_movable
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS, Function, Scope, ScopeKind

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
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
        """Whether importing the module will import more than before."""
        return any(isinstance(move.statement, (ast.Import, ast.ImportFrom)) for move in self.moves)


def is_main_guard(statement: ast.AST) -> TypeGuard[ast.If]:
    """Whether a statement is ``if __name__ == "__main__":``."""
    if not isinstance(statement, ast.If) or not isinstance(test := statement.test, ast.Compare):
        return False
    operands = [test.left, *test.comparators]
    return (
        len(test.ops) == 1
        and isinstance(test.ops[0], ast.Eq)
        and any(isinstance(operand, ast.Name) and operand.id == "__name__" for operand in operands)
        and any(isinstance(operand, ast.Constant) and operand.value == "__main__" for operand in operands)
    )


def guard_of(model: Model, node: ast.AST) -> ast.If | None:
    """The main guard that a node stands under."""
    while not isinstance(parent := model.parents[node], ast.Module):
        if is_main_guard(parent) and isinstance(model.parents[parent], ast.Module):
            return parent if any(node is statement for statement in parent.body) else None
        node = parent
    return None


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
    planner = _Planner(model, guard)
    planner.take(definition)
    planner.pass_captures_along()
    moves = sorted(planner.moves.values(), key=lambda move: move.statement.lineno)
    return Exodus(guard, tuple(moves))


class _Planner:
    """Collects what moves: a definition, and transitively what it needs of the guard."""

    def __init__(self, model: Model, guard: ast.If) -> None:
        self.model = model
        self.guard = guard
        self.module = model.scopes.module
        self.moves: dict[ast.stmt, Move] = {}
        self.needs: dict[ast.stmt, list[Definition]] = {}
        self._followed: set[ast.AST] = set()

    def take(self, definition: Definition) -> None:
        """Let a definition move, and all that it needs."""
        if definition in self.moves:
            return
        self._check_place(definition)
        self._check_definition(definition)
        self.moves[definition] = Move(definition)
        self.needs[definition] = []
        for name in self._reads(definition):
            self._need(definition, name)
        for evaluated in evaluated_by(self.model, definition):
            self._need_at_once(definition, evaluated)

    def pass_captures_along(self) -> None:
        """A function that binds values of the guard is a new object there, which those that call it have to bind."""
        changed = True
        while changed:
            changed = False
            for user, needed in self.needs.items():
                for definition in needed:
                    name = definition.name
                    if self.moves[definition].captures and name not in self.moves[user].captures:
                        if definition is user:
                            raise Refused("recursive-capture", name=self.moves[user].captures[0])
                        self._capture(user, name)
                        changed = True
        for move in self.moves.values():
            if move.captures:
                self._check_partial(move)

    # What a definition needs

    def _reads(self, node: ast.AST) -> Iterator[str]:
        """The globals that a definition reads when it is called; those of a class body are read at once."""
        scope = self.model.scopes.of_node[node]
        for inner in scope.descendants():
            for name in inner.references:
                if inner.resolve(name) is self.module:
                    yield name

    def _need(self, definition: Definition, name: str) -> None:
        bindings = list(self.module.all_bindings(name))
        nodes = [node for _, node in bindings]
        if not any(scope is self.module and guard_of(self.model, node) is not None for scope, node in bindings):
            if bindings and all(scope is not self.module for scope, _ in bindings):
                raise Refused("set-by-function", name=name)
            for node in nodes:
                self._follow(node)
            return
        if any(scope is not self.module for scope, _ in bindings):
            raise Refused("set-by-function", name=name)
        sole = nodes[0] if len(nodes) == 1 else None
        if isinstance(sole, DEFINITIONS):
            self.take(sole)
            self.needs[definition].append(sole)
        elif isinstance(sole, (ast.Import, ast.ImportFrom)) and isinstance(definition, FUNCTIONS):
            self.moves[definition].imports.append(import_of(sole, name))
        elif isinstance(sole, (ast.Import, ast.ImportFrom)) or self._is_movable_constant(sole, name):
            assert sole is not None
            self._move(self.model.statement(sole))
        else:
            self._capture(definition, name)

    def _follow(self, node: ast.AST) -> None:
        """A function or class outside of the guard works in the child only if the globals that it reads exist there."""
        if not isinstance(node, DEFINITIONS) or node in self._followed:
            return
        self._followed.add(node)
        for name in self._reads(node):
            bindings = [binding for _, binding in self.module.all_bindings(name)]
            if not bindings or not all(guard_of(self.model, binding) is not None for binding in bindings):
                for binding in bindings:
                    self._follow(binding)
            elif len(bindings) == 1 and isinstance(bindings[0], DEFINITIONS):
                self.take(bindings[0])
            elif len(bindings) == 1 and self._is_movable_constant(bindings[0], name):
                self._move(self.model.statement(bindings[0]))
            elif self._is_read_unconditionally(node):
                raise Refused("guarded-variable", name=name)

    def _is_read_unconditionally(self, node: ast.AST) -> bool:
        return node in self._followed

    def _need_at_once(self, definition: Definition, evaluated: Evaluated) -> None:
        """An expression that is evaluated when the definition runs has to mean the same above the guard."""
        root = evaluated.node
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and self.model.scopes.around[root].resolve(root.id) is self.module:
            bindings = [node for _, node in self.module.all_bindings(root.id)]
            sole = bindings[0] if len(bindings) == 1 else None
            if sole is not None and guard_of(self.model, sole) is self.guard and sole.lineno < root.lineno:  # type: ignore[attr-defined]
                is_name = evaluated.node is root
                if is_name and isinstance(sole, DEFINITIONS):
                    self.take(sole)
                    self.needs[definition].append(sole)
                    return
                if isinstance(sole, (ast.Import, ast.ImportFrom)) or is_name and self._is_movable_constant(sole, root.id):
                    self._move(self.model.statement(sole))
                    return
        if not is_movable(self.model, evaluated.node, self.guard, evaluated.is_only_looked_at):
            raise Refused("guarded-definition-time", name=ast.unparse(evaluated.node))

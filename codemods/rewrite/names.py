"""New top-level names: after where a function stood and what it was used for."""

from __future__ import annotations

import ast
import bisect
import builtins
import functools
import keyword
import re

from codemods.analysis.model import Model
from codemods.analysis.scopes import COMPREHENSIONS, Scope, ScopeKind
from codemods.analysis.syntax import defaults

_UNSET = "_UNSET"
_CAMEL_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Namer:
    """Gives each function that moves one new name, which nothing in the module uses.

    Args:
        model: the file.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._taken = set(model.identifiers) | set(dir(builtins)) | set(keyword.kwlist)
        self._numbers: dict[str, int] = {}
        """The lowest number that may be free for a name, so that thousands of one name are not counted through."""
        self._given: dict[ast.AST, str] = {}
        self._lambdas: dict[tuple[str, tuple[tuple[str, Scope], ...], ast.stmt], ast.Lambda] = {}
        self._classes: dict[str, str] = {}
        self._states: dict[ast.AST, str] = {}
        self._instances: dict[ast.AST, dict[ast.AST, str]] = {}

    def name_for(self, origin: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> str:
        """The new name of a function, the same at each call, and the same for lambdas that are alike."""
        if origin not in self._given:
            own = self._use_of(origin) if isinstance(origin, ast.Lambda) else origin.name
            same = self._shared(origin)
            self._given[origin] = self._given[same] if same else self.fresh("_".join([*self._context(origin), own]))
        return self._given[origin]

    def _shared(self, origin: ast.AST) -> ast.Lambda | None:
        """An earlier lambda of the same statement of the module with the same text and the same captured variables."""
        if not isinstance(origin, ast.Lambda):
            return None
        captures = tuple(self.model.scopes.of_node[origin].captures().items())
        statement = self.model.top_level_statement(origin)
        first = self._lambdas.setdefault((self.model.source.segment(origin), captures, statement), origin)
        return first if first is not origin else None

    def local_class_name_for(self, origin: ast.AST, own: str) -> str:
        """The new name of a class that a statement or call in a function makes, the same at each call.

        Args:
            origin: the statement or the call.
            own: the name that the class has.
        """
        if origin not in self._given:
            self._given[origin] = self.fresh("_".join([*self._context(origin), own]))
        return self._given[origin]

    def fresh(self, stem: str) -> str:
        """A name that is not used anywhere, with exactly one underscore in front: two would be mangled in classes."""
        stem = "_" + re.sub(r"_{2,}", "_", stem.strip("_") or "function")
        name, number = stem, self._numbers.get(stem, 2)
        while name in self._taken:
            name, number = f"{stem}_{number}", number + 1
        self._numbers[stem] = number
        self._taken.add(name)
        return name

    def class_name_for(self, name: str) -> str:
        """The name of the class that stands for a function with state, after the name that the function would get."""
        if name not in self._classes:
            self._classes[name] = self.fresh("".join(part.title() for part in name.split("_")))
        return self._classes[name]

    def state_name_for(self, origin: ast.AST) -> str:
        """The name of what holds the variables that some functions share, after the function around them.

        Args:
            origin: the first of the functions.
        """
        if origin not in self._states:
            self._states[origin] = self.fresh("_".join([*self._context(origin), "state"]))
        return self._states[origin]

    def instance_name_for(self, origin: ast.AST) -> str:
        """The name of the variable, in the function around, that holds the object whose methods replace some functions.

        Args:
            origin: the first of the functions.
        """
        names = self._instances.setdefault(self.model.scopes.around[origin].node, {})
        if origin not in names:
            names[origin] = self.local(f"state_{len(names) + 1}" if names else "state")
        return names[origin]

    @functools.cached_property
    def unset(self) -> str:
        """The name of the object that stands for an argument that was not given, an earlier run's if there is one."""
        for statement in self.model.module.body:
            if isinstance(statement, ast.Assign) and ast.unparse(statement) == f"{_UNSET} = object()":
                return _UNSET
        return _UNSET if _UNSET not in self._taken else self.fresh(_UNSET)

    def local(self, stem: str) -> str:
        """A name for a variable that does not clash with anything in the module."""
        name, number = stem, 2
        while name in self._taken:
            name, number = f"{stem}_{number}", number + 1
        return name

    def _use_of(self, origin: ast.Lambda) -> str:
        return _use_of(self.model, origin, with_table=self.model.scopes.around[origin].kind is ScopeKind.MODULE)

    def _context(self, origin: ast.AST) -> list[str]:
        """The names of the functions and classes around, from the outside; ``__init__`` says nothing."""
        scope = self.model.scopes.around[origin]
        names = [
            _snake_case(outer.name)
            for outer in (scope, *scope.ancestors())
            if outer.kind in (ScopeKind.FUNCTION, ScopeKind.CLASS) and outer.name != "__init__"
        ]
        return [name.strip("_") for name in reversed(names) if name.strip("_")]


def _snake_case(name: str) -> str:
    return _CAMEL_HUMP.sub("_", name).lower()


def _use_of(model: Model, node: ast.AST, with_table: bool) -> str:
    """A word for what a lambda is used for: keyword, attribute, variable, key, parameter; else ``lambda``.

    Args:
        model: the file.
        node: the lambda, or an expression that has it as its value.
        with_table: whether a key goes with the name of its table.
    """
    parent = model.parents[node]
    if isinstance(parent, ast.keyword):
        return parent.arg or "lambda"
    if isinstance(parent, ast.arguments):
        return _parameter_name(parent, node)
    if isinstance(parent, (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign)):
        target = parent.targets[0] if isinstance(parent, ast.Assign) else parent.target
        return _target_name(target)
    if isinstance(parent, ast.Dict):
        return _key_name(model, parent, node, with_table)
    if isinstance(parent, (ast.IfExp, ast.BoolOp, ast.List, ast.Tuple, ast.Starred, ast.Set, *COMPREHENSIONS)):
        return _use_of(model, parent, with_table)
    if isinstance(parent, ast.Call) and node in parent.args and "defaultdict" in ast.unparse(parent.func):
        return "default"
    return "lambda"


def _parameter_name(arguments: ast.arguments, default: ast.AST) -> str:
    return next(parameter.arg for parameter, value in defaults(arguments) if value is default)


def _target_name(target: ast.expr) -> str:
    if isinstance(target, ast.Name):
        return _snake_case(target.id)
    if isinstance(target, ast.Attribute):
        return _snake_case(target.attr)
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        return _word(target.slice.value)
    return "lambda"


def _key_name(model: Model, parent: ast.Dict, node: ast.AST, with_table: bool) -> str:
    # Found by its place: a table may have thousands of values, each of which asks.
    number = bisect.bisect_left(parent.values, _place(node), key=_place)
    key = parent.keys[number] if number < len(parent.values) and parent.values[number] is node else None
    word = _word(key.value) if isinstance(key, ast.Constant) else "lambda"
    if with_table:
        table = _use_of(model, parent, with_table)
        return word if table == "lambda" else f"{table}_{word}"
    return word


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _word(value: object) -> str:
    text = re.sub(r"\W+", "_", _snake_case(value)) if isinstance(value, str) else ""
    return text.strip("_") if text.strip("_").isidentifier() else "lambda"

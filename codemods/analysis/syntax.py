"""Small questions about syntax trees that several analyses ask."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_PLAIN_FIELDS = frozenset(
    {"arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level", "module", "name"}
    | {"op", "ops", "rest", "simple", "str", "tag", "type_comment", "type_ignores"}
)
"""Fields that hold no nodes, or only operators and contexts, which no analysis looks for."""
_LEAVES = (ast.Constant, ast.Global, ast.Nonlocal, ast.MatchSingleton)


def _fields_of(node_type: type[ast.AST]) -> tuple[str, ...]:
    if issubclass(node_type, _LEAVES):
        return ()
    is_alias = node_type.__name__ == "TypeAlias"  # The only node whose name is a node; there since Python 3.12.
    return tuple(name for name in node_type._fields if name not in _PLAIN_FIELDS or (is_alias and name == "name"))


FIELDS: dict[type, tuple[str, ...]] = {
    node_type: _fields_of(node_type)
    for node_type in vars(ast).values()
    if isinstance(node_type, type) and issubclass(node_type, ast.AST)
}
"""The fields of each type of nodes that hold other nodes."""


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly inside a node, operators and contexts left out; several times as fast as ``ast`` does it."""
    found: list[ast.AST] = []
    for name in FIELDS[node.__class__]:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [item for item in value if item is not None]
        elif value is not None:
            found.append(value)
    return found


def own_nodes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function's own code, in the order of the text; not those inside functions and classes in it."""
    pending: list[ast.AST] = list(reversed(function.body))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            pending.extend(reversed(list(ast.iter_child_nodes(node))))


def is_generator(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function's own code yields."""
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own_nodes(function))


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters of a function, ``*args`` and ``**kwargs`` last."""
    variadic = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *variadic]


def defaults(arguments: ast.arguments) -> list[tuple[ast.arg, ast.expr]]:
    """The parameters that have a default, with it."""
    positional = [*arguments.posonlyargs, *arguments.args]
    first = len(positional) - len(arguments.defaults)
    keyword_only = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [
        *zip(positional[first:], arguments.defaults, strict=True),
        *((parameter, default) for parameter, default in keyword_only if default is not None),
    ]


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

"""Small questions about syntax trees that several analyses ask."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly inside a node, contexts left out; ``ast.iter_child_nodes`` takes twice as long."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST) and name != "ctx":
            found.append(value)
    return found


def own_nodes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function's own code, in the order of the text; not those inside functions and classes in it."""
    pending: list[ast.AST] = list(reversed(function.body))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
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

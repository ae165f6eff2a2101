"""Small questions about syntax trees that several analyses ask."""

from __future__ import annotations

import ast


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters of a function, ``*args`` and ``**kwargs`` last."""
    variadic = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *variadic]


def defaults(arguments: ast.arguments) -> list[tuple[ast.arg, ast.expr]]:
    """The parameters that have a default, with it."""
    positional = [*arguments.posonlyargs, *arguments.args]
    first = len(positional) - len(arguments.defaults)
    keyword_only = zip(arguments.kwonlyargs, arguments.kw_defaults)
    return [
        *zip(positional[first:], arguments.defaults),
        *((parameter, default) for parameter, default in keyword_only if default is not None),
    ]

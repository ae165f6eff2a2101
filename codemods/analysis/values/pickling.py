"""What a class that arranges its own pickling leaves out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.scopes import FUNCTIONS, Function
from codemods.analysis.values.definitions import PICKLING_METHODS
from codemods.analysis.values.names import spelled

_BY_VALUE = frozenset({"cloudpickle.dumps", "dill.dumps"})
"""What turns functions into bytes as they are."""
_WHOLE_STATE = frozenset({"__dict__", "__getstate__", "__reduce__", "__reduce_ex__"})


def own_state(node: ast.ClassDef) -> tuple[frozenset[str], frozenset[str] | None]:
    """The attributes that the pickling methods of a class drop, and those that they keep.

    Returns:
        The names that are left out of a state that holds all others; and, where the state is put together from
        single attributes, the names of these, else None.
    """
    methods = {statement.name: statement for statement in node.body if isinstance(statement, FUNCTIONS)}
    method = next((methods[name] for name in PICKLING_METHODS if name in methods), None)
    if method is None:
        return frozenset(), None
    if _starts_from_everything(method):
        return frozenset(_mentioned(method)), None
    return frozenset(), frozenset(_attributes_of_self(method))


def _starts_from_everything(method: Function) -> bool:
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and node.attr in _WHOLE_STATE:
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "vars":
            return True
    return False


def _mentioned(method: Function) -> Iterator[str]:
    """Names that a method deletes, overwrites or leaves out of the state that it starts from."""
    for node in ast.walk(method):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.keyword) and node.arg is not None:
            yield node.arg


def _attributes_of_self(method: Function) -> Iterator[str]:
    first = method.args.args[0].arg if method.args.args else ""
    pending: list[ast.AST] = [method]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == first:
            yield node.attr
        if not (isinstance(node, ast.Call) and spelled(node.func) in _BY_VALUE):
            pending.extend(ast.iter_child_nodes(node))

"""Exceptions on their way out of functions, which the flow of values does not follow."""

from __future__ import annotations

import ast
import builtins

from codemods.analysis.classes.hierarchy import base_names, class_of
from codemods.analysis.model import Model
from codemods.finding import Level, Reach

_PROCESSES = frozenset(
    {
        "DataLoader",
        "ProcessPoolExecutor",
        "celery",
        "dill",
        "joblib",
        "multiprocess",
        "multiprocessing",
        "pickle",
        "ray",
        "spawn",
    }
)
"""Names that a file has where its exceptions may cross to another process."""


def reach_of_exception(model: Model, node: ast.ClassDef) -> Reach:
    """How far the objects of an exception class flow, as far as it is seen or there is reason to think so.

    What is raised counts as state where the file has to do with processes or pickling, or where some handler of the
    file keeps what it caught.

    Args:
        model: the file.
        node: a class.
    """
    reach = (
        _reach_of_objects(model, node) if model.scopes.around[node] is model.scopes.module else model.flow.reach(node)
    )
    if reach.level is not Level.LOCAL or not _is_exception(model, node):
        return reach
    is_kept = bool(_PROCESSES & model.identifiers) or any(
        isinstance(handler, ast.ExceptHandler) and _keeps(model, handler)
        for handler in model.nodes.get(ast.ExceptHandler, ())
    )
    return Reach(Level.STATE) if is_kept and _is_raised(model, node) else reach


def _reach_of_objects(model: Model, node: ast.ClassDef) -> Reach:
    """How far the objects of a class of the module flow; the class itself is a global, which says nothing."""
    calls = (call for call in model.nodes.get(ast.Call, ()) if isinstance(call, ast.Call))
    reaches = [model.flow.reach(call) for call in calls if class_of(model, call.func) is node]
    return max(reaches, key=lambda reach: reach.level, default=Reach(Level.LOCAL))


def _is_exception(model: Model, node: ast.ClassDef) -> bool:
    kinds = (getattr(builtins, name, None) for name in base_names(model, node))
    return any(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds)


def _is_raised(model: Model, node: ast.ClassDef) -> bool:
    """Whether a class is raised by its name; a class of the module may be raised elsewhere as well."""
    scope = model.scopes.around[node]
    if scope is model.scopes.module:
        return True
    for use in scope.uses(node.name):
        parent = model.parents[use]
        if isinstance(parent, ast.Call) and parent.func is use:
            parent = model.parents[parent]
        if isinstance(parent, ast.Raise):
            return True
    return False


def _keeps(model: Model, handler: ast.ExceptHandler) -> bool:
    """Whether a handler does more with the exception than to look at it or to raise it again."""
    for node in ast.walk(handler):
        if not (isinstance(node, ast.Name) and node.id == handler.name and isinstance(node.ctx, ast.Load)):
            continue
        parent = model.parents[node]
        if isinstance(parent, (ast.Return, ast.Assign, ast.Yield, ast.List, ast.Tuple, ast.Dict)):
            return True
        if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and node in parent.args:
            return parent.func.attr in ("add", "append", "put", "send", "set_exception", "setdefault")
    return False

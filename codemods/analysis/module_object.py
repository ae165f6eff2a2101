"""Where a module handles itself as an object: ``sys.modules[__name__]`` hands out all of its globals."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.model import Model

_IMPORTERS = frozenset({"__import__", "importlib.import_module", "sys.modules.get"})
_ACCESSORS = frozenset({"delattr", "getattr", "hasattr", "setattr"})


def sweeping_uses(model: Model) -> Iterator[ast.expr]:
    """The uses of the module as an object that may show all of its globals, rather than one by its name."""
    if "__name__" not in model.identifiers:
        return
    for node in _modules(model):
        yield from (use for use in _uses(model, node) if not _leads_to_one_name(model, use))


def may_set_any_global(model: Model) -> bool:
    """Whether the module sets globals in a way that does not name them in the text: through itself or ``globals()``."""
    if any(name.id == "globals" for name in model.nodes.get(ast.Name, ()) if isinstance(name, ast.Name)):
        return True
    return "__name__" in model.identifiers and any(True for _ in _modules(model))


def _modules(model: Model) -> Iterator[ast.Subscript | ast.Call]:
    """The expressions that are the module itself."""
    for node in (*model.nodes.get(ast.Subscript, ()), *model.nodes.get(ast.Call, ())):
        assert isinstance(node, (ast.Subscript, ast.Call))
        if _is_module(model, node):
            yield node


def _is_module(model: Model, node: ast.Subscript | ast.Call) -> bool:
    if isinstance(node, ast.Subscript):
        is_read = isinstance(node.ctx, ast.Load)
        return is_read and model.dotted_name(node.value) == "sys.modules" and _is_own_name(node.slice)
    return bool(node.args) and _is_own_name(node.args[0]) and model.dotted_name(node.func) in _IMPORTERS


def _is_own_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "__name__"


def _uses(model: Model, node: ast.expr) -> Iterator[ast.expr]:
    """The expression itself, or the reads of the variable that it is assigned to."""
    parent = model.parents[node]
    targets = parent.targets if isinstance(parent, ast.Assign) else []
    if len(targets) == 1 and isinstance(variable := targets[0], ast.Name):
        names = (name for name in model.nodes.get(ast.Name, ()) if isinstance(name, ast.Name))
        yield from (name for name in names if name.id == variable.id and isinstance(name.ctx, ast.Load))
    else:
        yield node


def _leads_to_one_name(model: Model, node: ast.expr) -> bool:
    parent = model.parents[node]
    if isinstance(parent, ast.Attribute):
        return parent.attr != "__dict__" or isinstance(model.parents[parent], ast.Subscript)
    if not (isinstance(parent, ast.Call) and parent.args[:1] == [node]):
        return False
    return isinstance(parent.func, ast.Name) and parent.func.id in _ACCESSORS

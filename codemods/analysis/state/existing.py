"""State methods that a class has already, and where they can be extended."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import Function
from codemods.analysis.state.attributes import is_dictionary, is_named, self_name
from codemods.analysis.state.classes import Class
from codemods.analysis.syntax import parameters


@dataclass(frozen=True)
class Existing:
    """The state methods that a class has.

    Args:
        returns: the statement with which ``__getstate__`` ends.
        state: the variable that holds the state there; None where the state is an expression.
        updates: the statement of ``__setstate__`` that restores everything.
        restored: what ``__setstate__`` calls the state.
    """

    returns: ast.Return | None = None
    state: str | None = None
    updates: ast.stmt | None = None
    restored: str | None = None


def existing_methods(model: Model, found: Class) -> Existing:
    """The state methods of a class, if their shape is plain.

    Raises:
        Refused: if it is not.
    """
    returns, state, updates, restored = None, None, None, None
    if "__getstate__" in found.bound:
        returns = _final_return(found)
        assert returns.value is not None
        state = returns.value.id if isinstance(returns.value, ast.Name) else None
        method = found.methods["__getstate__"]
        is_fresh = _is_fresh(returns.value) if state is None else _is_made_fresh(method, state)
        if not is_fresh or not _has_own_line(model, method, returns):
            raise Refused("own-state-methods", name="__getstate__")
    if "__setstate__" in found.bound:
        updates, restored = _update(found)
        if not _has_own_line(model, found.methods["__setstate__"], updates):
            raise Refused("own-state-methods", name="__setstate__")
    return Existing(returns, state, updates, restored)


def _final_return(found: Class) -> ast.Return:
    """The only return statement of ``__getstate__``, its last statement."""
    method = found.methods.get("__getstate__")
    if method is not None and not method.decorator_list:
        returns = [node for node in ast.walk(method) if isinstance(node, ast.Return)]
        last = method.body[-1]
        if len(returns) == 1 and isinstance(last, ast.Return) and last.value is not None:
            return last
    raise Refused("own-state-methods", name="__getstate__")


def _is_made_fresh(method: Function, name: str) -> bool:
    """Whether a variable is bound once, to a new dictionary."""
    stores = [
        node
        for node in ast.walk(method)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
    ]
    values = [
        statement.value
        for statement in method.body
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and is_named(statement.targets[0], name)
    ]
    return len(stores) == 1 and len(values) == 1 and _is_fresh(values[0])


def _is_fresh(node: ast.expr) -> bool:
    """Whether an expression makes a new dictionary of an object's attributes."""
    if isinstance(node, ast.Dict):
        return True
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        is_copy = node.func.attr == "copy" and (is_dictionary(node.func.value) or bool(node.args))
        return is_copy and not (node.args and not is_dictionary(node.args[0]))
    return isinstance(node.func, ast.Name) and node.func.id in ("dict", "copy")


def _update(found: Class) -> tuple[ast.stmt, str]:
    """The statement of ``__setstate__`` that restores everything, and the name of its parameter."""
    method = found.methods.get("__setstate__")
    if method is None or method.decorator_list:
        raise Refused("own-state-methods", name="__setstate__")
    names = [parameter.arg for parameter in parameters(method.args)]
    instance = self_name(method)
    if len(names) == 2 and instance is not None:
        for statement in method.body:
            if _restores(statement, instance, names[1]):
                return statement, names[1]
    raise Refused("own-state-methods", name="__setstate__")


def _restores(statement: ast.stmt, instance: str, state: str) -> bool:
    """Whether a statement is ``self.__dict__.update(state)``, ``self.__dict__ = state`` or a call of super()."""
    if isinstance(statement, ast.Assign):
        target = statement.targets[0]
        is_own = isinstance(target, ast.Attribute) and is_named(target.value, instance) and target.attr == "__dict__"
        return is_own and is_named(statement.value, state)
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        return False
    call = statement.value
    if not isinstance(call.func, ast.Attribute) or not call.args or not is_named(call.args[-1], state):
        return False
    if call.func.attr == "update":
        base = call.func.value
        return is_dictionary(base) and any(is_named(inner, instance) for inner in ast.walk(base))
    return call.func.attr == "__setstate__" and "super" in ast.unparse(call.func.value)


def _has_own_line(model: Model, method: Function, statement: ast.stmt) -> bool:
    before = model.source.line(statement.lineno)[: statement.col_offset]
    assert statement.end_lineno is not None and statement.end_col_offset is not None
    after = model.source.text[model.source.span(statement)[1] : model.source.line_start(statement.end_lineno + 1)]
    is_alone = not before.strip() and (not after.strip() or after.strip().startswith("#"))
    return is_alone and statement.lineno > method.lineno

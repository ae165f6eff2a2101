"""Main guards of a script: what stands under them, and which of it can stand above.

Under spawn and forkserver the child imports the main module under another name: what is bound under
``if __name__ == "__main__":`` does not exist there.
"""

from __future__ import annotations

import ast
import builtins
from typing import TypeAlias

from codemods.analysis.model import Model
from codemods.analysis.movable import is_movable
from codemods.analysis.scopes import FUNCTIONS
from codemods.analysis.syntax import is_main_guard

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)

_READING_CALLS = frozenset(
    {
        "all",
        "any",
        "dict",
        "enumerate",
        "frozenset",
        "len",
        "list",
        "max",
        "min",
        "set",
        "sorted",
        "str",
        "sum",
        "tuple",
    }
)
_READING_METHODS = frozenset({"copy", "count", "get", "index", "items", "keys", "values"})


def guard_of(model: Model, node: ast.AST) -> ast.If | None:
    """The main guard at the top level of the module that a node stands under, its ``else`` branch not counted."""
    if "__main__" not in model.identifiers:
        return None
    while (parent := model.parents.get(node)) is not None:
        if is_main_guard(parent) and isinstance(model.parents[parent], ast.Module):
            return parent if any(node is statement for statement in parent.body) else None
        node = parent
    return None


def sole_binding(model: Model, name: str) -> ast.AST | None:
    """What binds a global, if one place alone does."""
    bindings = list(model.scopes.module.all_bindings(name))
    return bindings[0][1] if len(bindings) == 1 and bindings[0][0] is model.scopes.module else None


def stands_alone(model: Model, statement: ast.stmt) -> bool:
    """Whether a statement shares none of its lines with another one."""
    source = model.source
    start, end = source.span(statement)
    assert statement.end_lineno is not None
    after = source.text[end : source.line_start(statement.end_lineno + 1)].strip()
    return not source.text[source.line_start(statement.lineno) : start].strip() and after[:1] in ("", "#")


def is_hidden_by_others(model: Model, name: str) -> bool:
    """Whether a name may mean something else before the guard gives it its value: a builtin, or a star import."""
    return name in dir(builtins) or any(
        isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
        for node in model.nodes.get(ast.ImportFrom, ())
    )


def is_guarded_constant(model: Model, binding: ast.AST, name: str) -> bool:
    """Whether a global is a constant that a guard assigns and that might as well be assigned above the guard.

    Args:
        model: the file.
        binding: the only binding of the global.
        name: its name.
    """
    assignment = model.parents.get(binding)
    guard = guard_of(model, binding)
    if guard is None or not isinstance(assignment, (ast.Assign, ast.AnnAssign)) or assignment.value is None:
        return False
    if model.parents[assignment] is not guard or not stands_alone(model, assignment):
        return False
    if isinstance(assignment, ast.Assign):
        is_plain = assignment.targets == [binding]
    else:
        is_plain = assignment.target is binding and (
            model.scopes.has_lazy_annotations or is_movable(model, assignment.annotation, guard, annotation=True)
        )
    if not is_plain or is_hidden_by_others(model, name):
        return False
    return is_movable(model, assignment.value, guard) or (
        _is_flat_display(model, assignment.value, guard) and _is_only_read(model, name)
    )


def _is_flat_display(model: Model, value: ast.expr, guard: ast.If) -> bool:
    """Whether a value is a new list, set or dict of constants."""
    if isinstance(value, ast.Dict):
        return all(part is not None and is_movable(model, part, guard) for part in (*value.keys, *value.values))
    return isinstance(value, (ast.List, ast.Set)) and all(is_movable(model, part, guard) for part in value.elts)


def _is_only_read(model: Model, name: str) -> bool:
    """Whether no use of a global can change the list, set or dict that it holds, or hand it on."""
    return all(_is_reading(model, use) for use in model.scopes.module.uses(name))


def _is_reading(model: Model, use: ast.Name) -> bool:
    parent = model.parents[use]
    if isinstance(parent, ast.Subscript):
        return parent.value is use and isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.Attribute):
        call = model.parents[parent]
        return parent.attr in _READING_METHODS and isinstance(call, ast.Call) and call.func is parent
    if isinstance(parent, ast.Call):
        function = parent.func
        return (
            isinstance(function, ast.Name)
            and function.id in _READING_CALLS
            and model.is_builtin(function.id, model.scopes.around[function])
        )
    if isinstance(parent, ast.Compare):
        return all(isinstance(operator, (ast.In, ast.NotIn)) for operator in parent.ops)
    return isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is use

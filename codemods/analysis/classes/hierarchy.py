"""What a class derives from, as far as its file tells."""

from __future__ import annotations

import ast

from codemods.analysis.model import Model


def base_names(model: Model, node: ast.ClassDef) -> set[str]:
    """The dotted names of everything outside of this file that a class derives from, as far as it is known."""
    lineage = [node, *bases_in_file(model, node)]
    bases = [base.value if isinstance(base, ast.Subscript) else base for item in lineage for base in item.bases]
    names = [model.dotted_name(base) for base in bases if class_of(model, base) is None]
    return {name for name in names if name is not None}


def bases_in_file(model: Model, node: ast.ClassDef) -> list[ast.ClassDef]:
    """The classes of this file that a class derives from, directly or through others."""
    found: list[ast.ClassDef] = []
    pending = [node]
    while pending:
        for base in pending.pop().bases:
            definition = class_of(model, base.value if isinstance(base, ast.Subscript) else base)
            if definition is not None and definition not in found:
                found.append(definition)
                pending.append(definition)
    return found


def is_enum(model: Model, node: ast.ClassDef) -> bool:
    """Whether a class derives from one of the classes of ``enum``."""
    return any(name.startswith("enum.") for name in base_names(model, node))


def class_of(model: Model, expression: ast.expr) -> ast.ClassDef | None:
    """The class statement that a name stands for, where it is the name's only binding."""
    if not isinstance(expression, ast.Name):
        return None
    owner = model.scopes.around[expression].resolve(expression.id)
    bindings = [binding for _, binding in owner.all_bindings(expression.id)]
    return bindings[0] if len(bindings) == 1 and isinstance(bindings[0], ast.ClassDef) else None

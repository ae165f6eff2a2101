"""The text of ``__deepcopy__``."""

from __future__ import annotations

from codemods.analysis.model import Model
from codemods.analysis.state.classes import Class
from codemods.analysis.state.copies import Copying
from codemods.rewrite.change import Change
from codemods.rewrite.imports import module_access
from codemods.rewrite.methods import with_methods


def insert_deepcopy(model: Model, found: Class, plan: Copying) -> Change:
    """The change that gives a class a ``__deepcopy__`` which shares some attributes by reference.

    The new object is in the memo before anything is copied, so that cycles end; the shared objects are in it too, so
    that whatever else refers to them goes on doing so.

    Args:
        model: the file.
        found: the class.
        plan: what is shared.
    """
    anchor = model.top_level_statement(found.node)
    access = module_access(model, "copy", "deepcopy", [model.scopes.of_node[found.node]], anchor)
    instance, other = plan.instance, "other"
    head = f"def __deepcopy__({instance}, memo):"
    if plan.is_annotated:
        head = f"def __deepcopy__({instance}, memo: dict[int, object]) -> object:"
    names = ", ".join(f'"{name}"' for name in plan.shared)
    lines = [
        head,
        f"    {other} = type({instance}).__new__(type({instance}))",
        f"    memo[id({instance})] = {other}",
        f"    for name in ({names}{',' if len(plan.shared) == 1 else ''}):",
        f"        if name in {instance}.__dict__:",
        f"            memo[id({instance}.__dict__[name])] = {instance}.__dict__[name]",
        f"    {other}.__dict__.update({access.expression}({instance}.__dict__, memo))",
        f"    return {other}",
    ]
    statements = frozenset({access.statement} if access.statement else ())
    return with_methods(model, found.node, lines, imports=statements)

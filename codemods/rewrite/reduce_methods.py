"""The text of ``__reduce__``, and of reducers for all objects of a type."""

from __future__ import annotations

import itertools

from codemods.analysis.model import Model
from codemods.analysis.state.classes import Class
from codemods.analysis.state.exceptions import ExceptionPlan
from codemods.analysis.state.reducers import Reducer
from codemods.analysis.state.reductions import Reduction
from codemods.rewrite.change import Change, Definition
from codemods.rewrite.imports import module_access
from codemods.rewrite.methods import with_methods
from codemods.rewrite.placement import anchor_offset


def insert_reduce(model: Model, found: Class, plan: Reduction) -> Change:
    """The change that gives a class a ``__reduce__`` which names the class and its arguments.

    Args:
        model: the file.
        found: the class.
        plan: the arguments.
    """
    instance, statements = plan.instance, frozenset[str]()
    callee = f"type({instance})"
    if plan.keywords:
        anchor = model.top_level_statement(found.node)
        scope = model.scopes.of_node[found.node]
        access = module_access(model, "functools", "partial", [scope], anchor)
        named = "".join(f", {name}={instance}.{attribute}" for name, attribute in plan.keywords)
        callee = f"{access.expression}({callee}{named})"
        statements = frozenset({access.statement} if access.statement else ())
    values = [f"{instance}.{attribute}" for attribute in plan.positional]
    arguments = f"({', '.join(values)}{',' if len(values) == 1 else ''})"
    returns = " -> tuple[object, ...]" if plan.is_annotated else ""
    lines = [f"def __reduce__({instance}){returns}:", f"    return {callee}, {arguments}"]
    return with_methods(model, found.node, lines, imports=statements)


def insert_exception_reduce(model: Model, found: Class, plan: ExceptionPlan) -> Change:
    """The change that gives an exception a ``__reduce__`` which leaves attributes out of its state.

    Args:
        model: the file.
        found: the class.
        plan: the attributes.
    """
    returns = " -> tuple[object, ...]" if plan.is_annotated else ""
    lines = [
        f"def __reduce__({plan.instance}){returns}:",
        f"    state = {plan.instance}.__dict__.copy()",
        *(f'    state.pop("{key}", None)' for key in plan.left_out),
        f"    return type({plan.instance}), {plan.arguments}, state",
    ]
    return with_methods(model, found.node, lines)


def register_reducer(model: Model, found: Class, plan: Reducer) -> Change:
    """The change that registers a reducer above a class; the same one for several classes is registered once.

    Args:
        model: the file.
        found: the class whose attribute needs it.
        plan: the reducer.
    """
    newline = model.source.newline
    anchor = model.top_level_statement(found.node)
    access = module_access(model, "copyreg", "pickle", [model.scopes.module], anchor)
    name = _free_name(model, f"_new_{plan.stem}" if plan.constructor else f"_{plan.stem}_name")
    result = f"{plan.constructor}, ()" if plan.constructor else f"{plan.stem}.{plan.attribute}"
    lines = [f"def {name}({plan.stem}):", f"    return {result}", "", "", f"{access.expression}({plan.kind}, {name})"]
    above = anchor_offset(model, found.node)
    definition = Definition(above, above, "".join(line + newline for line in lines))
    return Change((), (definition,), frozenset({access.statement} if access.statement else ()))


def _free_name(model: Model, stem: str) -> str:
    names = itertools.chain([stem], (f"{stem}_{number}" for number in itertools.count(2)))
    return next(name for name in names if name not in model.identifiers)

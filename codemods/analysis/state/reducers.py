"""Reducers that serve all objects of a type."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS, ScopeKind
from codemods.analysis.state.holders import Candidate
from codemods.finding import Safety

CONSTRUCTOR = "constructor"


@dataclass(frozen=True)
class Reducer:
    """A function for ``copyreg.pickle``.

    Args:
        kind: an expression for the type.
        constructor: the callable that makes another object; empty where objects go by name.
        attribute: the attribute that holds the name of an object; empty where another one is made.
        stem: what the function is called after.
        safety: whether it may be registered unasked: it holds for the whole process.
    """

    kind: str
    constructor: str
    attribute: str
    stem: str
    safety: Safety


def reducer(model: Model, candidate: Candidate) -> Reducer:
    """The reducer for what an attribute holds.

    Args:
        model: the file.
        candidate: the attribute.

    Raises:
        Refused: if the type has none that is right for all of its objects, or cannot be named where it is registered.
    """
    made, resource = candidate.made, candidate.made.resource
    if made.passed or made.inside or candidate.store.inside or made.helper is not None or not resource.reducer:
        raise Refused("no-reducer", name=resource.name)
    stem = resource.name.rpartition(".")[2].lower()
    if resource.reducer != CONSTRUCTOR:
        if not made.by_name or not _is_known_above(model, made.node, candidate):
            raise Refused("no-reducer", name=resource.name)
        kind = f"type({model.source.segment(made.node)})"
        return Reducer(kind, "", resource.reducer, "kernel" if stem == "jit" else stem, Safety.SAFE)
    function = candidate.origin if candidate.store.factory else getattr(made.node, "func", None)
    has_arguments = isinstance(made.node, ast.Call) and bool(made.node.args or made.node.keywords)
    if made.by_name or function is None or has_arguments or not _is_known_above(model, function, candidate):
        raise Refused("no-reducer", name=resource.name)
    text = model.source.segment(function)
    kind = text if resource.is_type else f"type({text}())"
    return Reducer(kind, text, "", stem, Safety.UNSAFE)


def is_registered_kind(model: Model, kind: str) -> bool:
    """Whether the file registers a reducer for a type.

    Args:
        model: the file.
        kind: the expression for the type.
    """
    return any(
        isinstance(node, ast.Call)
        and bool(node.args)
        and ast.unparse(node.args[0]) == kind
        and model.dotted_name(node.func) == "copyreg.pickle"
        for node in model.nodes.get(ast.Call, ())
    )


def _is_known_above(model: Model, node: ast.expr, candidate: Candidate) -> bool:
    """Whether an expression means something at the top level, above the class."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or root not in model.scopes.around:
        return False
    owner = model.scopes.around[root].resolve(root.id)
    line = model.top_level_statement(candidate.store.node).lineno
    bindings = [binding for _, binding in owner.all_bindings(root.id)]
    definitions = (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)
    return owner.kind is ScopeKind.MODULE and all(
        isinstance(binding, definitions) and binding.lineno < line and isinstance(model.parents[binding], ast.Module)
        for binding in bindings
    )

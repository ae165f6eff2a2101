"""What an imported name means in the file of the project that defines it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from codemods.analysis.model import Model, import_target

_MOST_IMPORTS = 8
"""How many files may hand a name on to one another; import cycles end here."""


class Imported(NamedTuple):
    """A variable at the top level of another file, or that file itself.

    Args:
        model: the file.
        name: the variable, empty for the module.
    """

    model: Model
    name: str


def imported(model: Model, node: ast.expr) -> Imported | None:
    """What a name, or an attribute of one, means that a file imports; None if that is not of the project."""
    name = model.dotted_name(node) if model.neighbours is not None else None
    return _meaning(model, name, _MOST_IMPORTS) if name is not None else None


def imported_name(model: Model, name: str) -> Imported | None:
    """The same for a dotted name, as ``Model.dotted_name`` gives it."""
    return _meaning(model, name, _MOST_IMPORTS)


def _meaning(model: Model, name: str, depth: int) -> Imported | None:
    if model.neighbours is None or not depth:
        return None
    owner, last = _split(name)
    if owner:
        home = model.neighbours.module(model.source.path, owner)
        if home is not None and (found := _exported(home, last, depth)) is not None:
            return found
    elif (found := _starred(model, last, depth)) is not None:
        return found
    module = model.neighbours.module(model.source.path, name)
    return Imported(module, "") if module is not None else None


def _exported(home: Model, name: str, depth: int) -> Imported | None:
    """What a file means by a name at its top level."""
    targets = {import_target(binding, name) for _, binding in home.scopes.module.all_bindings(name)}
    if not targets:
        return _starred(home, name, depth)
    if targets == {None}:
        return Imported(home, name)
    target = targets.pop() if len(targets) == 1 else None
    return _meaning(home, target, depth - 1) if target is not None else None


def _starred(model: Model, name: str, depth: int) -> Imported | None:
    """What a name means that comes with ``from module import *``."""
    if name in model.scopes.module.bindings:
        return None
    modules = (f"{star}.{name}" if star.strip(".") else star + name for star in _stars(model))
    return next((found for dotted in modules if (found := _meaning(model, dotted, depth - 1)) is not None), None)


def _stars(model: Model) -> Iterator[str]:
    for node in model.nodes.get(ast.ImportFrom, ()):
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            yield "." * node.level + (node.module or "")


def _split(name: str) -> tuple[str, str]:
    """The module and the last part of a dotted name; the dots of a relative import belong to the module."""
    dots = name[: len(name) - len(name.lstrip("."))]
    owner, _, last = name[len(dots) :].rpartition(".")
    return dots + owner, last

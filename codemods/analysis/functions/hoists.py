"""What becomes of a nested function, as data."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from codemods.analysis.functions.captures import Origin
from codemods.analysis.functions.class_cells import Replacement


class Form(enum.Enum):
    """What stands where the nested function stood."""

    FUNCTION = "function"
    """The hoisted function itself, shared by all evaluations."""
    PARTIAL = "partial"
    """A ``functools.partial`` of it that binds the captures; without captures, a fresh object at each evaluation."""
    OBJECT = "object"
    """An instance of a hoisted class with ``__call__``, whose attributes are the captures, for state of its own."""
    METHOD = "method"
    """A bound method of an instance of a hoisted class, which it shares with the other methods of its group."""


@dataclass(frozen=True)
class Reference:
    """A place inside a hoisted function that means another hoisted function.

    Args:
        node: the name that is replaced.
        function: the function that it means.
        captures: the captured names that have to be passed along, in front.
    """

    node: ast.Name
    function: Origin
    captures: tuple[str, ...]


@dataclass(frozen=True)
class Default:
    """A default that has to be evaluated where the function was defined, each time it was.

    Args:
        parameter: the parameter, as it is written.
        value: the expression.
        is_keyword_only: whether a keyword of ``functools.partial`` says the same.
    """

    parameter: str
    value: ast.expr
    is_keyword_only: bool


@dataclass(frozen=True)
class Hoist:
    """One function that moves to the top level.

    Args:
        origin: the function.
        name: its new name.
        form: what stands in its place.
        captures: the names bound in front of its parameters, as they are written in the function.
        imports: import statements that are repeated inside it.
        references: the names in it that mean other hoisted functions, or itself.
        defaults: the defaults that stay behind.
        replacements: the places in it that mean the class around it.
    """

    origin: Origin
    name: str
    form: Form
    captures: tuple[str, ...]
    imports: tuple[str, ...]
    references: tuple[Reference, ...] = ()
    defaults: tuple[Default, ...] = ()
    replacements: tuple[Replacement, ...] = ()


Group = tuple[Hoist, ...]

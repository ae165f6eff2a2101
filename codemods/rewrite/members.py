"""Definitions of the module as members of a class.

Importing this module imports LibCST, which takes a while: import it where something is rewritten, not before.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable

import libcst as cst

from codemods.analysis.scopes import FUNCTIONS


def names_of(texts: Iterable[str]) -> list[str] | None:
    """The names of functions and classes; None if one of the texts defines something else."""
    names: list[str] = []
    for text in texts:
        for statement in ast.parse(text).body:
            if not isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
                return None
            names.append(statement.name)
    return names


def evaluated_names(text: str) -> set[str]:
    """The names that are read while definitions are made: all but those in the bodies of functions."""
    found: set[str] = set()
    pending: list[ast.AST] = [ast.parse(text)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            found.add(node.id)
        for field, value in ast.iter_fields(node):
            if field != "body" or not isinstance(node, (*FUNCTIONS, ast.Lambda)):
                values = value if isinstance(value, list) else [value]
                pending += [item for item in values if isinstance(item, ast.AST)]
    return found


def qualified(text: str, names: Collection[str], owner: str) -> str:
    """The text with new names written as attributes of a class, except where they are defined.

    Args:
        text: some code.
        names: names that occur nowhere else in the file, not even in a string.
        owner: the name of the class.
    """
    pattern = rf"(?<![\w.])(?<!\bdef )(?<!\bclass )({'|'.join(map(re.escape, names))})(?!\w)"
    return re.sub(pattern, rf"{owner}.\1", text)


def as_member(text: str, indent: str, *, is_static: bool) -> str:
    """A definition in whole lines, indented as a member of a class.

    Args:
        text: the definition, without indentation.
        indent: the indentation of the class's body.
        is_static: whether functions become static methods.
    """
    module = cst.parse_module(text)
    body = [
        _static(statement) if is_static and isinstance(statement, cst.FunctionDef) else statement
        for statement in module.body
    ]
    first = body[0].with_changes(leading_lines=[*module.header, *body[0].leading_lines])
    block = cst.IndentedBlock([first, *body[1:]], indent=indent)
    holder = module.with_changes(body=[cst.ClassDef(cst.Name("holder"), block)], header=[], footer=[])
    return holder.code.partition(module.default_newline)[2]


def _static(function: cst.FunctionDef) -> cst.FunctionDef:
    decorator = cst.Decorator(cst.Name("staticmethod"))
    return function.with_changes(decorators=[decorator, *function.decorators])

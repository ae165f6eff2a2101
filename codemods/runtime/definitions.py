"""Where the names that error messages use are defined in a file, from its syntax alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_Defining = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_COMPREHENSIONS = {
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
    ast.GeneratorExp: "<genexpr>",
}


@dataclass(frozen=True)
class Definition:
    """A function, class, lambda, or a call that makes a class.

    Args:
        qualname: its ``__qualname__``.
        sort: ``function``, ``lambda`` or ``class``.
        row: the first line, that of its first decorator if it has any.
        header: the line of its name.
        end: its last line.
    """

    qualname: str
    sort: str
    row: int
    header: int
    end: int

    @property
    def kind(self) -> str:
        """The kind of error if it is local to a function."""
        return f"local_{self.sort}"


@dataclass(frozen=True)
class Store:
    """An assignment to an attribute or to a key.

    Args:
        owner: the class whose method does it, empty outside of classes.
        name: the attribute.
        row: the first line of the statement.
        end: its last line.
    """

    owner: str
    name: str
    row: int
    end: int


def definitions(tree: ast.Module) -> Iterator[Definition]:
    """All definitions of a module, outer ones first."""
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, prefix = pending.pop()
        inner = prefix
        if isinstance(node, _Defining):
            found = _definition(node, prefix)
            yield found
            inner = f"{found.qualname}." if found.sort == "class" else f"{found.qualname}.<locals>."
        elif type(node) in _COMPREHENSIONS:
            inner = f"{prefix}{_COMPREHENSIONS[type(node)]}.<locals>."
        elif isinstance(node, ast.Call) and (name := _first_string(node)).isidentifier():
            yield Definition(prefix + name, "class", node.lineno, node.lineno, node.end_lineno or node.lineno)
        pending.extend((child, inner) for child in ast.iter_child_nodes(node))


def named(tree: ast.Module, qualname: str) -> list[Definition]:
    """The definitions that an error message may mean by a name, the surest first.

    Args:
        tree: the module.
        qualname: with or without the names around it.
    """
    wanted = _comparable(qualname)
    found = [definition for definition in definitions(tree) if _comparable(definition.qualname) == wanted]
    if found or "." in qualname:
        return sorted(found, key=lambda definition: definition.row)
    same = [item for item in definitions(tree) if item.qualname.rpartition(".")[2] == qualname]
    return sorted(same, key=lambda definition: definition.row)


def stores(tree: ast.Module, name: str) -> Iterator[Store]:
    """The statements that give an attribute or a key of a name its value.

    Args:
        tree: the module.
        name: the attribute or key.
    """
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, owner = pending.pop()
        if isinstance(node, ast.ClassDef):
            owner = node.name
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if node.value is not None and any(_stores(target, name) for target in targets):
                yield Store(owner, name, node.lineno, node.end_lineno or node.lineno)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == name:
                    yield Store(owner, name, value.lineno, value.end_lineno or value.lineno)
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == name:
                    yield Store(owner, name, keyword.value.lineno, keyword.value.end_lineno or keyword.value.lineno)
        pending.extend((child, owner) for child in ast.iter_child_nodes(node))


def _stores(target: ast.expr, name: str) -> bool:
    if isinstance(target, ast.Attribute):
        return target.attr == name
    if isinstance(target, ast.Subscript):
        return isinstance(target.slice, ast.Constant) and target.slice.value == name
    return isinstance(target, (ast.Tuple, ast.List)) and any(_stores(part, name) for part in target.elts)


def _first_string(node: ast.Call) -> str:
    first = node.args[0] if node.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def _definition(node: _Defining, prefix: str) -> Definition:
    end = node.end_lineno or node.lineno
    if isinstance(node, ast.Lambda):
        return Definition(f"{prefix}<lambda>", "lambda", node.lineno, node.lineno, end)
    sort = "class" if isinstance(node, ast.ClassDef) else "function"
    rows = [decorator.lineno for decorator in node.decorator_list] + [node.lineno]
    return Definition(prefix + node.name, sort, min(rows), node.lineno, end)


def _comparable(qualname: str) -> str:
    # Since 3.12 comprehensions are part of the function around them.
    for name in ("<listcomp>", "<setcomp>", "<dictcomp>"):
        qualname = qualname.replace(f"{name}.<locals>.", "")
    return qualname

"""Which names a class may take at the top level of a module."""

from __future__ import annotations

import ast
import builtins
import keyword

from codemods.analysis.model import Model
from codemods.analysis.scopes import Scope, ScopeKind
from codemods.analysis.sweeps import shows_public_names


class GlobalNames:
    """Hands out names that are local variables so far; each goes to one class.

    Args:
        model: the file.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._owners: dict[str, ast.AST] = {}

    def claim(self, name: str, origin: ast.AST, owner: Scope) -> bool:
        """Take a name for a class that moves, if it is free.

        Args:
            name: the name.
            origin: the class statement, or the call that makes the class.
            owner: the function that it stands in.

        Returns:
            Whether the name is this class's now.
        """
        if self._owners.get(name, origin) is not origin or not is_free(self.model, name, owner):
            return False
        self._owners[name] = origin
        return True


def is_free(model: Model, name: str, owner: Scope) -> bool:
    """Whether a new global of a name leaves the meaning of all code as it is.

    Local variables of that name in other functions do not matter. A name that test runners collect is never free.

    Args:
        model: the file.
        name: the name.
        owner: a function whose uses of the name are meant to become those of the global.
    """
    if hasattr(builtins, name) or keyword.iskeyword(name) or name.startswith(("__", "Test", "test")):
        return False
    if any(True for _ in model.scopes.module.all_bindings(name)) or _has_star_import(model):
        return False
    if "globals" in model.identifiers or shows_public_names(model):
        return False
    if any(outer.kind is not ScopeKind.CLASS and outer.binds(name) for outer in owner.ancestors()):
        return False
    return not any(
        name in scope.references and scope.resolve(name).kind is ScopeKind.MODULE
        for scope in model.scopes.module.descendants()
    )


def _has_star_import(model: Model) -> bool:
    return any(
        isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
        for node in model.nodes.get(ast.ImportFrom, ())
    )

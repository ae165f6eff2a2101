"""The rules: one module, one rule, one name. They are discovered, never listed."""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from codemods.rules.context import Context, Found

Find = Callable[[Context, ast.AST], Iterator[Found]]


@dataclass(frozen=True)
class Rule:
    """A rule and where it looks.

    Args:
        code: for example ``PKL101``.
        name: the module's name in kebab case.
        documentation: the module's docstring.
        node_types: the types of nodes that it is asked about.
        find: yields what it finds at a node.
    """

    code: str
    name: str
    documentation: str
    node_types: tuple[type[ast.AST], ...]
    find: Find


def rule(code: str, *node_types: type[ast.AST]) -> Callable[[Find], Rule]:
    """Make a rule of a generator function, for nodes of some types; its name and documentation are the module's."""

    def decorate(find: Find) -> Rule:
        module = importlib.import_module(find.__module__)
        name = find.__module__.rpartition(".")[2].replace("_", "-")
        return Rule(code, name, module.__doc__ or "", node_types, find)

    return decorate


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule of the package, in the order of the codes."""
    rules: list[Rule] = []
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        rules.extend(value for value in vars(module).values() if isinstance(value, Rule))
    return tuple(sorted(rules, key=lambda found: found.code))


@functools.cache
def rule_names() -> Mapping[str, str]:
    """The name of each rule by its code."""
    return {rule.code: rule.name for rule in all_rules()}

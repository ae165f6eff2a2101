"""A syntax tree and what can be looked up in it; the analyses build on this, and most files never need them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from codemods import source as source_text
from codemods.analysis.syntax import FIELDS, FUNCTIONS
from codemods.source import Source

_NAMED = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
_YIELDING = (*_NAMED, ast.Module)
_BINDING_FIELDS = (
    *((node_type, "name") for node_type in (*FUNCTIONS, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)),
    (ast.MatchMapping, "rest"),
    (ast.arg, "arg"),
)
"""What binds a name, apart from names that are assigned to and imports."""


class Tree:
    """A parsed file.

    Args:
        source: the text.
        module: the text as it has been parsed already.

    Raises:
        SyntaxError: if the text is not Python.
        RecursionError: if it is nested too deeply.
    """

    def __init__(self, source: Source, module: ast.Module | None = None) -> None:
        self.source = source
        self.module = module or source_text.parse(source)

    @property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node around each node."""
        return self._tables[0]

    @property
    def nodes(self) -> dict[type[ast.AST], list[ast.AST]]:
        """All nodes by their type, each list in the order of the text as far as ``ast`` keeps it."""
        return self._tables[1]

    @functools.cached_property
    def _tables(self) -> tuple[dict[ast.AST, ast.AST], dict[type[ast.AST], list[ast.AST]]]:
        parents: dict[ast.AST, ast.AST] = {}
        nodes: dict[type[ast.AST], list[ast.AST]] = {}
        pending: list[ast.AST] = [self.module]
        while pending:
            node = pending.pop()
            nodes.setdefault(node.__class__, []).append(node)
            for name in reversed(FIELDS[node.__class__]):
                value = getattr(node, name, None)
                if value.__class__ is list:
                    for inner in reversed(value):
                        if inner is not None:
                            parents[inner] = node
                            pending.append(inner)
                elif value is not None:
                    parents[value] = node
                    pending.append(value)
        return parents, nodes

    @functools.cached_property
    def names(self) -> dict[str, list[ast.Name]]:
        """All names in expressions and targets, by what they say."""
        names: dict[str, list[ast.Name]] = {}
        for node in self.nodes.get(ast.Name, ()):
            assert isinstance(node, ast.Name)
            names.setdefault(node.id, []).append(node)
        return names

    def rebinds(self, name: str) -> bool:
        """Whether a name may mean anything but the builtin of that name, somewhere in the file."""
        return name in self._bound or self.has_star_import

    @functools.cached_property
    def _bound(self) -> frozenset[str]:
        bound = {name for name, nodes in self.names.items() if any(isinstance(node.ctx, ast.Store) for node in nodes)}
        for node_type, field in _BINDING_FIELDS:
            bound.update(str(getattr(node, field)) for node in self.nodes.get(node_type, ()))
        for alias in self.nodes.get(ast.alias, ()):
            assert isinstance(alias, ast.alias)
            bound.add(alias.asname or alias.name.partition(".")[0])
        return frozenset(bound)

    @functools.cached_property
    def generators(self) -> frozenset[ast.AST]:
        """The functions and lambdas that yield."""
        found: set[ast.AST] = set()
        for node in (*self.nodes.get(ast.Yield, ()), *self.nodes.get(ast.YieldFrom, ())):
            found.add(next(outer for outer in self.ancestors(node) if isinstance(outer, _YIELDING)))
        return frozenset(found)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, from the inside; the module is the last."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def names_around(self, node: ast.AST) -> str:
        """The functions and classes that a node stands in, outermost first, joined by dots."""
        names = [getattr(outer, "name", "<lambda>") for outer in self.ancestors(node) if isinstance(outer, _NAMED)]
        return ".".join(reversed(names))

    @functools.cached_property
    def has_star_import(self) -> bool:
        """Whether names come from another module without being named."""
        imports = self.nodes.get(ast.ImportFrom, ())
        return any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in imports)

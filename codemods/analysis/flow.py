"""Where values go: the value-flow graph of a file."""

from __future__ import annotations

import ast

from codemods.analysis.scopes import ScopeTree
from codemods.catalog.loader import Catalog
from codemods.finding import Level, Reach
from codemods.source import Source


class FlowGraph:
    """The value-flow graph of a file."""

    @classmethod
    def of(cls, module: ast.Module, scopes: ScopeTree, source: Source, catalog: Catalog) -> FlowGraph:
        """The graph of a parsed file."""
        return cls()

    def reach(self, origin: ast.AST) -> Reach:
        """How far an origin flows."""
        return Reach(Level.STATE)

    def attributes_read(self, origin: ast.AST) -> frozenset[str]:
        """The attributes that are read or written on what an origin may be."""
        return frozenset()

    def compared_by_identity(self, origin: ast.AST) -> bool:
        """Whether an origin is compared, or is used as a key or a member."""
        return False

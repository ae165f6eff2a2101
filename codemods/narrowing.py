"""Which nodes of a file the rules are asked about, where only some lines are of interest."""

from __future__ import annotations

import ast
import bisect
from collections.abc import Collection, Sequence

from codemods.analysis.model import Model
from codemods.identity import origin_text


class Narrowing:
    """The nodes on some lines of a file.

    With a node goes what looks the same and has the same place in functions and classes: fingerprints tell such
    findings apart by their order.

    Args:
        model: the file.
        rows: the lines, counted from 1; None for all.
    """

    def __init__(self, model: Model, rows: Collection[int] | None) -> None:
        self._model = model
        self._rows = sorted(rows) if rows is not None else None

    def nodes(self, node_type: type[ast.AST]) -> Sequence[ast.AST]:
        """The nodes of a type, in the order of the text."""
        nodes = self._model.nodes.get(node_type, [])
        if self._rows is None or node_type is ast.Module:
            return nodes  # What is asked about a module looks through all of it by itself.
        touched = {node for node in nodes if self._is_touched(node)}
        texts = {self._text(node) for node in touched}
        places = {self._model.names_around(node) for node in touched}
        return [
            node
            for node in nodes
            if node in touched or (self._text(node) in texts and self._model.names_around(node) in places)
        ]

    def _is_touched(self, node: ast.AST) -> bool:
        assert isinstance(node, (ast.expr, ast.stmt)) and self._rows is not None
        index = bisect.bisect_left(self._rows, node.lineno)
        return index < len(self._rows) and self._rows[index] <= (node.end_lineno or node.lineno)

    def _text(self, node: ast.AST) -> str:
        assert isinstance(node, (ast.expr, ast.stmt))
        return origin_text(self._model.source.segment(node))

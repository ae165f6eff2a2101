"""What a walk through a file collects."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

from codemods.analysis.scopes import ScopeTree
from codemods.analysis.values.call import Call
from codemods.analysis.values.definitions import Class, Function
from codemods.analysis.values.graph import Graph, Note
from codemods.analysis.values.names import Frame, Names


class Walker:
    """A walk through a file, once; its subclasses add the kinds of nodes.

    Args:
        graph: receives places and edges.
        scopes: the scopes of the file.
        names: its variables.
    """

    def __init__(self, graph: Graph, scopes: ScopeTree, names: Names) -> None:
        self.graph = graph
        self.scopes = scopes
        self.names = names
        self.calls: list[Call] = []
        self.attributes: list[tuple[int | None, str, int]] = []
        """The attributes that are read: the place of the object, the name, the place of the result."""
        self.kinds: dict[int, str] = {}
        """The types of the objects that literals make."""
        self.annotations: list[tuple[int, ast.expr, Frame]] = []
        """The parameters and variables whose types are declared."""
        self.stores: dict[str, list[tuple[int, int]]] = {}
        """What is stored on which objects, by the names of the attributes."""
        self.item_stores: list[tuple[int, int, Note]] = []
        """The subscripts that are assigned to: the place of the container, of the value, and what to say."""
        self.attribute_stores: list[tuple[int, ast.Attribute, int, Frame]] = []
        """The attributes that are assigned to: the place of the object, the target, and the place of the value."""
        self.classes: list[Class] = []
        self.class_frames: dict[Class, Frame] = {}
        """Where the classes are defined."""
        self.functions: list[Function] = []
        self.reads: Counter[int] = Counter()
        """How often each variable is read."""

    @property
    def module_node(self) -> ast.Module:
        """The file."""
        node = self.scopes.module.node
        assert isinstance(node, ast.Module)
        return node

    def record(
        self,
        node: ast.AST,
        frame: Frame,
        function: ast.expr,
        callee: int | None,
        receiver: int | None,
        positional: list[tuple[int | None, bool]],
        keywords: list[tuple[str | None, int | None]],
    ) -> Call:
        """Remember a call; what it calls is found out when the whole file has been walked."""
        index = len(self.graph.call_owners)
        self.graph.call_owners.append(frame.function)
        call = Call(index, node, frame, function, callee, receiver, positional, keywords, self.graph.place())
        self.calls.append(call)
        return call

    def assign(self, target: ast.expr, place: int | None, frame: Frame) -> None:
        """Let a value flow to what an assignment assigns to."""
        raise NotImplementedError

    def define(self, node: Any, frame: Frame) -> Function:
        """Walk a function or lambda."""
        raise NotImplementedError

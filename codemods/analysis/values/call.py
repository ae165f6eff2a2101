"""A call, with the places of all that takes part in it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from codemods.analysis.values.names import Frame
from codemods.analysis.values.types import Tag


@dataclass(eq=False)
class Call:
    """A call, or the application of a decorator, with the places of all that takes part.

    Args:
        index: its number in the graph.
        node: the call, or the decorated definition.
        frame: where it stands.
        function: the expression that is called.
        callee: the place of its value.
        receiver: the place of the object whose attribute is called.
        positional: the places of the positional arguments, with whether they are starred.
        keywords: the names and places of the keyword arguments, None for ``**``.
        result: the place of what it returns.
        arguments: the expressions of the arguments, None for a decorated definition.
        decorates: whether it is the application of a decorator.
        connected: what is known to be called, and has been connected.
    """

    index: int
    node: ast.AST
    frame: Frame
    function: ast.expr
    callee: int | None
    receiver: int | None
    positional: list[tuple[int | None, bool]]
    keywords: list[tuple[str | None, int | None]]
    result: int
    arguments: ast.Call | None = None
    decorates: bool = False
    connected: set[Tag] = field(default_factory=set)

    @property
    def method(self) -> str | None:
        """The name of the attribute that is called."""
        return self.function.attr if isinstance(self.function, ast.Attribute) else None

"""Private functions: where all their calls are seen, nobody else is taken to call them."""

from __future__ import annotations

from collections import Counter

from codemods.analysis.project.imports import all_names
from codemods.analysis.values.definitions import Function
from codemods.analysis.values.graph import Way
from codemods.analysis.values.statements import Statements


def mark_private(walker: Statements, reads_any_attribute: bool) -> None:
    """Set ``private`` of the functions of a walked file whose calls are resolved.

    A function is private if its name says so, if the file calls it, and if nothing else is done with it.

    Args:
        walker: the walked file.
        reads_any_attribute: whether the file reads attributes by names that are made at run time.
    """
    called = Counter(call.callee for call in walker.calls if call.callee is not None)
    values = {name for _, name, _ in walker.attributes} | set(all_names(walker.module_node))
    for function in walker.functions:
        if function.parent is None and _has_private_name(function) and _is_called(walker, function):
            if function.owner is not None:
                function.private = function.name not in values and not reads_any_attribute
            else:
                place = walker.names.place(function.name, walker.scopes.module)
                is_value = place is not None and (walker.reads[place] > called[place] or place in walker.graph.shared)
                function.private = not is_value and function.name not in values


def _has_private_name(function: Function) -> bool:
    return function.name.startswith("_") and not function.name.endswith("__")


def _is_called(walker: Statements, function: Function) -> bool:
    return any(edge.way is Way.EXIT for edge in walker.graph.out[function.returned])

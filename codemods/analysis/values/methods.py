"""What is put into classes: there, a function binds ``self`` when it is read from an instance, and nothing else does.

The body of a class binds its attributes; code may also store them on the class, or put them into the namespace that a
class is made of at run time.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemods.analysis.scopes import ScopeKind
from codemods.analysis.values.call import Call
from codemods.analysis.values.definitions import Function
from codemods.analysis.values.fields import SUBSCRIPT
from codemods.analysis.values.graph import Op
from codemods.analysis.values.names import spelled
from codemods.analysis.values.statements import Statements
from codemods.analysis.values.types import ClassItself, Types

_NAMESPACE_ARGUMENTS = {"type": 2, "__new__": 3}
"""The positions of the namespaces in the calls that make classes."""
_SETTERS = frozenset({"setattr", "type.__setattr__"})
_PATCHERS = frozenset({"patch", "object", "multiple", "setattr"})
"""The methods of ``unittest.mock.patch`` and of the fixture ``monkeypatch`` that replace an attribute."""
_BODY_VARIABLES = frozenset({"locals", "vars"})


def mark_class_attributes(walker: Statements, types: Types) -> None:
    """Note, at the places of a walked file, which values become attributes of classes.

    Args:
        walker: the walked file, with all of its calls resolved.
        types: what is known about the types of values.
    """
    graph = walker.graph
    for place in (*_bound_in_bodies(walker), *_stored(walker, types), *_patched(walker)):
        graph.use(place, "class-attribute")
    for namespace in _namespaces(walker, types):
        graph.use(graph.derive(Op.TAKE, namespace, SUBSCRIPT), "class-attribute")


def _bound_in_bodies(walker: Statements) -> Iterator[int]:
    """The places of what the bodies of classes bind, and of what decorators make there."""
    for record in walker.classes:
        for variable in record.attributes.values():
            yield variable
            yield from (edge.source for edge in walker.graph.into[variable] if edge.op is Op.DECORATED)


def _stored(walker: Statements, types: Types) -> Iterator[int]:
    """The places of what is stored on classes: on those that are known to be, or by ``setattr`` on what may be one."""
    for owner, _, value, _ in walker.attribute_stores:
        if any(isinstance(tag, ClassItself) for tag in types.of(owner)):
            yield value
    for call in walker.calls:
        if walker.names.dotted(call.function, call.frame.scope) in _SETTERS and len(call.positional) == 3:
            base, stored = call.positional[0][0], call.positional[2][0]
            if stored is not None and _may_be_class(walker, types, call, base):
                yield stored


def _patched(walker: Statements) -> Iterator[int]:
    """The places of what tests put in the place of attributes, those of classes as well: ``patch``, ``setattr``."""
    for call in walker.calls:
        if call.method not in _PATCHERS and spelled(call.function) != "patch":
            continue
        given = [place for place, _ in call.positional[1:3]]
        given.extend(place for name, place in call.keywords if call.method == "multiple" or name in ("new", "value"))
        yield from (place for place in given if place is not None)


def _may_be_class(walker: Statements, types: Types, call: Call, base: int | None) -> bool:
    """Whether the first argument of ``setattr`` may be a class."""
    node = call.arguments.args[0] if call.arguments is not None else None
    if node is not None and walker.names.is_class(node, call.frame.scope):
        return True
    tags = types.of(base)
    if tags:
        return any(isinstance(tag, ClassItself) for tag in tags)
    function = call.frame.function
    return function is None or not function.bound or function.positional[:1] != [base]


def _namespaces(walker: Statements, types: Types) -> Iterator[int]:
    """The places of mappings whose items become the attributes of a class."""
    for call in walker.calls:
        dotted = walker.names.dotted(call.function, call.frame.scope)
        position = _NAMESPACE_ARGUMENTS.get("__new__" if call.method == "__new__" else dotted or "")
        if position is not None and position < len(call.positional):
            namespace, _ = call.positional[position]
            if namespace is not None:
                yield namespace
        if dotted == "types.new_class" and len(call.positional) > 3:
            bodies = (tag for tag in types.of(call.positional[3][0]) if isinstance(tag, Function))
            yield from (body.positional[0] for body in bodies if body.positional)
        if dotted in _BODY_VARIABLES and not call.positional and call.frame.scope.kind is ScopeKind.CLASS:
            yield call.result
        yield from (place for name, place in call.keywords if name == "namespace" and place is not None)

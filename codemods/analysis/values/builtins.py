"""What the functions and methods of the language itself do with the values that they are given."""

from __future__ import annotations

import ast

from codemods.analysis.values.call import Call
from codemods.analysis.values.containers import CONTAINER_CALLS, CONTAINER_METHODS, Handler, drained
from codemods.analysis.values.definitions import Function
from codemods.analysis.values.fields import ANY, INSIDE, ITEM
from codemods.analysis.values.graph import Note, Op
from codemods.analysis.values.linking import Linker


def last(linker: Linker, call: Call) -> None:
    """The result is the last argument."""
    linker.graph.flow(linker.argument(call, len(call.positional) - 1, "val"), call.result)


def first(linker: Linker, call: Call) -> None:
    """The result is the first argument, or an equal copy."""
    linker.graph.flow(linker.argument(call, 0), call.result)


def namespace(linker: Linker, call: Call) -> None:
    """An object with an attribute for each keyword argument."""
    for name, place in call.keywords:
        linker.graph.link(Op.KEEP, place, call.result, name or ANY)


def formatted(linker: Linker, call: Call) -> None:
    """The arguments become text."""
    for place, _ in call.positional:
        linker.graph.use(place, "format")
    for _, place in call.keywords:
        linker.graph.use(place, "format")


def renamed(linker: Linker, call: Call) -> None:
    """The first argument takes the name and the documentation of the second one, and is returned."""
    named_after(linker, call)
    linker.graph.use(linker.argument(call, 1), "attribute", "__doc__")
    first(linker, call)


def named_after(linker: Linker, call: Call) -> None:
    """The argument takes the name of another function."""
    linker.graph.use(linker.argument(call, 0), "attribute", "__name__")


def documented(linker: Linker, call: Call) -> None:
    """The documentation of the first argument is looked at."""
    linker.graph.use(linker.argument(call, 0), "attribute", "__doc__")


def getter(linker: Linker, call: Call) -> None:
    """A property takes its documentation from its first argument, unless it is given one of its own."""
    if len(call.positional) < 4 and all(name != "doc" for name, _ in call.keywords):
        documented(linker, call)


def referred(linker: Linker, call: Call) -> None:
    """The first argument is not kept alive, so that it matters how long each object lives."""
    linker.graph.use(linker.argument(call, 0), "identity")


def name_giver(linker: Linker, call: Call) -> None:
    """``functools.wraps``: what it returns lets a function take the name of the argument."""
    drained(linker, call)
    documented(linker, call)
    linker.types.tag(call.result, "functools.wraps")


def identified(linker: Linker, call: Call) -> None:
    """The identity of the argument is looked at."""
    linker.graph.use(linker.argument(call, 0), "compare", "is")


def typed(linker: Linker, call: Call) -> None:
    """The type of the first argument is looked at."""
    tested = call.arguments.args[1] if call.arguments is not None and len(call.arguments.args) > 1 else None
    dotted = linker.names.dotted(tested, call.frame.scope) if tested is not None else None
    linker.graph.use(linker.argument(call, 0), "type", dotted or "")


def read_attribute(linker: Linker, call: Call) -> None:
    """``getattr``."""
    base, name = linker.argument(call, 0), _constant(call, 1)
    linker.graph.use(base, "attribute", name or ANY)
    linker.graph.link(Op.TAKE, base, call.result, name or ANY)
    linker.graph.flow(linker.argument(call, 2), call.result)


def has_attribute(linker: Linker, call: Call) -> None:
    """``hasattr`` and ``delattr``."""
    linker.graph.use(linker.argument(call, 0), "attribute", _constant(call, 1) or ANY)


def write_attribute(linker: Linker, call: Call) -> None:
    """``setattr``."""
    base, name = linker.argument(call, 0), _constant(call, 1)
    linker.graph.use(base, "attribute", name or ANY)
    linker.graph.use(base, "set", name or ANY)
    note = Note(call.node, "stored by setattr({!r})", (name or "…",))
    linker.graph.link(Op.STORE, linker.argument(call, 2), base, name or ANY, note)


def _constant(call: Call, position: int) -> str | None:
    if call.arguments is None or len(call.arguments.args) <= position:
        return None
    node = call.arguments.args[position]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def attributes(linker: Linker, call: Call) -> None:
    """``vars`` of an object, or the variables of the function itself."""
    if call.positional:
        linker.graph.link(Op.NAMESPACE, linker.argument(call, 0), call.result)
    else:
        variables(linker, call)


def variables(linker: Linker, call: Call) -> None:
    """``locals``: a dictionary of the variables of the function itself."""
    scope = call.frame.scope.function
    for name in scope.bindings:
        if scope.binds(name):
            linker.graph.link(Op.KEEP, linker.names.place(name, scope), call.result, ITEM)


def global_variables(linker: Linker, call: Call) -> None:
    """``globals``."""
    linker.graph.resting.add(call.result)


def bound_arguments(linker: Linker, call: Call) -> None:
    """``functools.partial``: holds a function and arguments of a later call."""
    function = linker.argument(call, 0)
    linker.keep(call, linker.title(call), INSIDE)
    linker.graph.link(Op.GIVES, linker.graph.derive(Op.RESULT, function), call.result)
    for tag in linker.types.of(function):
        if isinstance(tag, Function):
            rest = Call(
                call.index,
                call.node,
                call.frame,
                call.function,
                function,
                None,
                call.positional[1:],
                call.keywords,
                call.result,
            )
            linker.bind(rest, tag, None)


HANDLERS: dict[str, Handler] = {
    **CONTAINER_CALLS,
    "types.SimpleNamespace": namespace,
    "argparse.Namespace": namespace,
    "str": formatted,
    "repr": formatted,
    "format": formatted,
    "print": formatted,
    "help": documented,
    "inspect.getdoc": documented,
    "property": getter,
    "functools.cached_property": getter,
    "weakref.ref": referred,
    "weakref.proxy": referred,
    "weakref.finalize": referred,
    "id": identified,
    "hash": identified,
    "isinstance": typed,
    "issubclass": typed,
    "type": typed,
    "getattr": read_attribute,
    "hasattr": has_attribute,
    "delattr": has_attribute,
    "setattr": write_attribute,
    "object.__setattr__": write_attribute,
    "vars": attributes,
    "locals": variables,
    "globals": global_variables,
    "functools.partial": bound_arguments,
    "copy.copy": first,
    "copy.deepcopy": first,
    "asyncio.run": first,
    "typing.cast": last,
    "functools.wraps": name_giver,
    "functools.update_wrapper": renamed,
    "functools.wraps.__call__": named_after,
}

METHODS: dict[str, Handler] = {
    **CONTAINER_METHODS,
    "format": formatted,
}

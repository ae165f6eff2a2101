"""What containers and iterators of the language do with the values that they are given."""

from __future__ import annotations

import ast
from collections.abc import Callable

from codemods.analysis.values.call import Call
from codemods.analysis.values.fields import INSIDE, ITEM, SUBSCRIPT, VALUE, position
from codemods.analysis.values.graph import Note, Op
from codemods.analysis.values.linking import Linker
from codemods.analysis.values.names import spelled

Handler = Callable[[Linker, Call], None]


def copies(kind: str) -> Handler:
    """A handler of a call that makes a container of the items of its arguments."""

    def handle(linker: Linker, call: Call) -> None:
        linker.types.tag(call.result, kind)
        for place, _ in call.positional:
            linker.graph.use(place, "iterate")
            hand_on(linker, call, place)

    return handle


def hand_on(linker: Linker, call: Call, place: int | None) -> None:
    """Let the result hold what iteration over a value gives."""
    linker.graph.link(Op.KEEP, linker.graph.derive(Op.TAKE, place, ITEM), call.result, ITEM)


def mapping(linker: Linker, call: Call) -> None:
    """A dictionary of the items, or pairs, of the first argument, and of the keyword arguments."""
    linker.types.tag(call.result, "dict")
    for place, _ in call.positional:
        linker.graph.use(place, "iterate")
        linker.graph.link(Op.COPY, place, call.result)
        part = linker.graph.derive(Op.TAKE, linker.graph.derive(Op.TAKE, place, ITEM), position(1))
        linker.graph.link(Op.KEEP, part, call.result, VALUE)
    _named_items(linker, call)


def _named_items(linker: Linker, call: Call) -> None:
    for name, place in call.keywords:
        if name is None:
            linker.graph.link(Op.COPY, place, call.result)
        else:
            linker.graph.link(Op.KEEP, place, call.result, VALUE)


def default_mapping(linker: Linker, call: Call) -> None:
    """A dictionary that calls its first argument for what is missing."""
    linker.types.tag(call.result, "dict")
    factory = linker.argument(call, 0)
    note = Note(call.node, "default_factory of a defaultdict")
    linker.graph.link(Op.KEEP, factory, call.result, INSIDE, note)
    linker.graph.link(Op.KEEP, linker.invoke(call, factory, []), call.result, VALUE, note)
    for place, _ in call.positional[1:]:
        linker.graph.link(Op.COPY, place, call.result)
    _named_items(linker, call)


def from_keys(linker: Linker, call: Call) -> None:
    """A dictionary with one value for all keys."""
    linker.types.tag(call.result, "dict")
    keys = linker.argument(call, 0)
    linker.graph.use(keys, "iterate")
    hand_on(linker, call, keys)
    linker.graph.link(Op.KEEP, linker.argument(call, 1), call.result, VALUE)


def iterator(linker: Linker, call: Call) -> None:
    """An iterator over the items of the arguments."""
    linker.types.tag(call.result, "iterator")
    for place, _ in call.positional:
        linker.graph.use(place, "lazy")
        hand_on(linker, call, place)
        linker.graph.link(Op.LAZY, place, call.result)


def chained(linker: Linker, call: Call) -> None:
    """An iterator over the items of the items of the argument."""
    iterator(linker, call)
    for place, _ in call.positional:
        hand_on(linker, call, linker.graph.derive(Op.TAKE, place, ITEM))


def tuples(linker: Linker, call: Call) -> None:
    """An iterator over tuples that hold an item of each argument."""
    linker.types.tag(call.result, "iterator")
    for index, (place, starred) in enumerate(call.positional):
        linker.graph.use(place, "lazy")
        source = linker.graph.derive(Op.TAKE, place, ITEM) if starred else place
        pair_up(linker, call, source, ITEM if starred else position(index))


def pair_up(linker: Linker, call: Call, place: int | None, label: str) -> None:
    """Let the result be an iterator over tuples that hold an item of a value in one field."""
    pair = linker.graph.derive(Op.KEEP, linker.graph.derive(Op.TAKE, place, ITEM), label)
    linker.graph.link(Op.KEEP, pair, call.result, ITEM)
    linker.graph.link(Op.LAZY, place, call.result)


def numbered(linker: Linker, call: Call) -> None:
    """An iterator over numbers and items of the first argument."""
    linker.types.tag(call.result, "iterator")
    place = linker.argument(call, 0, "iterable")
    linker.graph.use(place, "lazy")
    pair_up(linker, call, place, position(1))


def neighbours(linker: Linker, call: Call) -> None:
    """An iterator over tuples of items of the first argument."""
    linker.types.tag(call.result, "iterator")
    pair_up(linker, call, linker.argument(call, 0), ITEM)


def mapped(linker: Linker, call: Call) -> None:
    """An iterator that holds a function and gives what it returns."""
    linker.types.tag(call.result, "iterator")
    function = linker.argument(call, 0)
    iterables = [place for place, _ in call.positional[1:]]
    for place in iterables:
        linker.graph.use(place, "lazy")
        linker.graph.link(Op.LAZY, place, call.result)
    linker.graph.link(Op.KEEP, function, call.result, INSIDE, Note(call.node, "held by {}()", (linker.title(call),)))
    items = [linker.graph.derive(Op.TAKE, place, ITEM) for place in iterables]
    linker.graph.link(Op.KEEP, linker.invoke(call, function, items), call.result, ITEM)


def filtered(linker: Linker, call: Call) -> None:
    """An iterator that holds a function and gives some items of the second argument."""
    linker.types.tag(call.result, "iterator")
    function, iterable = linker.argument(call, 0), linker.argument(call, 1)
    linker.graph.use(iterable, "lazy")
    linker.graph.link(Op.KEEP, function, call.result, INSIDE, Note(call.node, "held by {}()", (linker.title(call),)))
    hand_on(linker, call, iterable)
    linker.graph.link(Op.LAZY, iterable, call.result)
    linker.invoke(call, function, [linker.graph.derive(Op.TAKE, iterable, ITEM)])


def item(linker: Linker, call: Call) -> None:
    """An item of the first argument, or the default."""
    linker.graph.use(linker.argument(call, 0), "lazy")
    linker.graph.link(Op.TAKE, linker.argument(call, 0), call.result, ITEM)
    linker.graph.flow(linker.argument(call, 1), call.result)


def extreme(linker: Linker, call: Call) -> None:
    """One of the arguments, or of the items of the only one."""
    if len(call.positional) == 1:
        linker.graph.use(linker.argument(call, 0), "iterate")
        linker.graph.link(Op.TAKE, linker.argument(call, 0), call.result, ITEM)
        return
    for place, _ in call.positional:
        linker.graph.flow(place, call.result)


def drained(linker: Linker, call: Call) -> None:
    """Nothing is left of the arguments."""
    for place, _ in call.positional:
        linker.graph.use(place, "iterate")


def pushed(linker: Linker, call: Call) -> None:
    """Puts the second argument into the first one, which is a list."""
    note = Note(call.node, "put into {}", (_first_text(call),))
    linker.graph.link(Op.STORE, linker.argument(call, 1), linker.argument(call, 0), ITEM, note)


def _first_text(call: Call) -> str:
    return spelled(call.arguments.args[0]) if call.arguments and call.arguments.args else "…"


def taken(linker: Linker, call: Call) -> None:
    """An item of the receiver, or the default."""
    linker.graph.link(Op.TAKE, call.receiver, call.result, SUBSCRIPT)
    linker.graph.flow(linker.argument(call, 1, "default"), call.result)


def set_default(linker: Linker, call: Call) -> None:
    """An item of the receiver, which the second argument may become."""
    taken(linker, call)
    title = spelled(call.function.value) if isinstance(call.function, ast.Attribute) else "…"
    linker.graph.link(
        Op.STORE, linker.argument(call, 1), call.receiver, VALUE, Note(call.node, "put into {}", (title,))
    )


def keys(linker: Linker, call: Call) -> None:
    """What iteration over the receiver gives."""
    hand_on(linker, call, call.receiver)


def values(linker: Linker, call: Call) -> None:
    """The values of the receiver."""
    linker.graph.link(Op.KEEP, linker.graph.derive(Op.TAKE, call.receiver, VALUE), call.result, ITEM)


def items(linker: Linker, call: Call) -> None:
    """Pairs of the keys and values of the receiver."""
    for index, label in enumerate((ITEM, VALUE)):
        pair = linker.graph.derive(Op.KEEP, linker.graph.derive(Op.TAKE, call.receiver, label), position(index))
        linker.graph.link(Op.KEEP, pair, call.result, ITEM)


def popped_pair(linker: Linker, call: Call) -> None:
    """A pair of a key and a value of the receiver."""
    for index, label in enumerate((ITEM, VALUE)):
        linker.graph.link(Op.KEEP, linker.graph.derive(Op.TAKE, call.receiver, label), call.result, position(index))


def copied(linker: Linker, call: Call) -> None:
    """Another object that holds what the receiver holds."""
    linker.graph.link(Op.COPY, call.receiver, call.result)


CONTAINER_CALLS: dict[str, Handler] = {
    "list": copies("list"),
    "tuple": copies("tuple"),
    "set": copies("set"),
    "frozenset": copies("set"),
    "sorted": copies("list"),
    "collections.deque": copies("list"),
    "dict": mapping,
    "collections.OrderedDict": mapping,
    "collections.ChainMap": mapping,
    "collections.Counter": copies("dict"),
    "collections.defaultdict": default_mapping,
    "dict.fromkeys": from_keys,
    "map": mapped,
    "itertools.starmap": mapped,
    "filter": filtered,
    "itertools.filterfalse": filtered,
    "itertools.takewhile": filtered,
    "itertools.dropwhile": filtered,
    "zip": tuples,
    "enumerate": numbered,
    "itertools.zip_longest": tuples,
    "itertools.product": tuples,
    "itertools.pairwise": neighbours,
    "iter": iterator,
    "reversed": iterator,
    "itertools.chain": iterator,
    "itertools.cycle": iterator,
    "itertools.islice": iterator,
    "itertools.chain.from_iterable": chained,
    "next": item,
    "random.choice": item,
    "min": extreme,
    "max": extreme,
    "sum": drained,
    "any": drained,
    "all": drained,
    "len": drained,
    "heapq.heappush": pushed,
}

CONTAINER_METHODS: dict[str, Handler] = {
    "get": taken,
    "pop": taken,
    "popleft": taken,
    "popitem": popped_pair,
    "setdefault": set_default,
    "values": values,
    "keys": keys,
    "items": items,
    "copy": copied,
    "union": copied,
    "join": drained,
    "__getitem__": taken,
}

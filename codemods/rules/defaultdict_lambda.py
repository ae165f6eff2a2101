"""A lambda as the factory of a defaultdict.

## What it does
Replaces `defaultdict(lambda: 0)` by `defaultdict(int)`, and `lambda: defaultdict(int)` by
`functools.partial(defaultdict, int)`.

## Why
A defaultdict is pickled with its factory, and a lambda does not pickle. Nested factories come to light only once a key
has been touched.

## Example
    buckets = defaultdict(lambda: defaultdict(lambda: 0))

## Use instead
    buckets = defaultdict(functools.partial(defaultdict, int))

## Fix safety
Safe: only where the builtin or the class is surely what its name says. Other factories become functions
(`lambda-expression`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.model import Model
from codemods.edits import Edit
from codemods.rewrite.change import Change
from codemods.rewrite.imports import Access, partial_access
from codemods.rules import rule
from codemods.rules.context import Context, Found

_FACTORIES: dict[object, str] = {
    (int, 0): "int",
    (float, 0.0): "float",
    (str, ""): "str",
    (bytes, b""): "bytes",
    (bool, False): "bool",
}
_BUILTINS = frozenset(
    {"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"}
)
_COLLECTIONS = frozenset(f"collections.{name}" for name in ("Counter", "OrderedDict", "defaultdict", "deque"))


@rule("PKL104", ast.Lambda)
def defaultdict_lambda(context: Context, node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.Lambda)
    model = context.model
    if not is_default_factory(model, node):
        return
    reach = context.reach(node)
    if reach is None:
        return
    access = partial_access(model, [model.scopes.around[node]], model.top_level_statement(node))
    factory = _factory(model, node, access)
    assert factory is not None
    yield Found(
        node,
        "a defaultdict is pickled with its factory, and a lambda does not pickle",
        reach,
        f"Use `{factory}` as the factory",
        lambda: _write(model, node, access, factory),
    )


def _write(model: Model, node: ast.Lambda, access: Access, factory: str) -> Change:
    needed = {access.statement} if access.statement and factory.startswith(f"{access.expression}(") else set()
    start, end = model.source.span(node)
    return Change((Edit(start, end, factory),), imports=frozenset(needed))


def is_default_factory(model: Model, node: ast.Lambda) -> bool:
    """Whether a lambda is the factory of a defaultdict and something shorter says the same."""
    return _is_first_argument_of_defaultdict(model, node) and _factory(model, node, Access("partial")) is not None


def _is_first_argument_of_defaultdict(model: Model, node: ast.Lambda) -> bool:
    call = model.parents[node]
    return (
        isinstance(call, ast.Call)
        and call.args[:1] == [node]
        and model.dotted_name(call.func) == "collections.defaultdict"
    )


def _factory(model: Model, node: ast.Lambda, access: Access) -> str | None:
    """The expression that does what a lambda without parameters does when it is called without arguments."""
    arguments = node.args
    if arguments.posonlyargs or arguments.args or arguments.kwonlyargs or arguments.vararg or arguments.kwarg:
        return None
    body = node.body
    if isinstance(body, ast.Constant):
        name = _FACTORIES.get((type(body.value), body.value))
    else:
        kinds = {ast.List: "list", ast.Tuple: "tuple", ast.Dict: "dict"}
        name = kinds.get(type(body)) if not any(ast.iter_child_nodes(body)) or _is_empty(body) else None
    if name is not None:
        return name if model.is_builtin(name, model.scopes.around[node]) else None
    return _call_factory(model, body, access) if isinstance(body, ast.Call) else None


def _is_empty(node: ast.expr) -> bool:
    return isinstance(node, (ast.List, ast.Tuple)) and not node.elts


def _call_factory(model: Model, call: ast.Call, access: Access) -> str | None:
    if not _is_known_class(model, call.func) or call.keywords or len(call.args) > 1:
        return None
    name = model.source.segment(call.func)
    if not call.args:
        return name
    if model.dotted_name(call.func) != "collections.defaultdict":
        return None
    argument = call.args[0]
    if isinstance(argument, ast.Lambda):
        inner = _factory(model, argument, access)
    else:
        inner = model.source.segment(argument) if _is_known_class(model, argument) else None
    return f"{access.expression}({name}, {inner})" if inner is not None else None


def _is_known_class(model: Model, node: ast.expr) -> bool:
    """Whether an expression is a builtin class or one of ``collections``, wherever it is evaluated."""
    if isinstance(node, ast.Name) and node.id in _BUILTINS:
        return model.is_builtin(node.id, model.scopes.around[node])
    return model.dotted_name(node) in _COLLECTIONS

"""A decorator's wrapper that hides the function it wraps.

## What it does
Finds decorators whose wrapper does not take over the name of the decorated function, and adds `functools.wraps`.

## Why
Pickle stores a function as the name of a module and a name in it. The name of the decorated function leads to the
wrapper, but the wrapper calls itself something else: `Can't pickle local object 'logged.<locals>.wrapper'`.

## Example
    def logged(function):
        def wrapper(*args):
            print(args)
            return function(*args)

        return wrapper


    @logged
    def square(x):
        return x * x

## Use instead
    def logged(function):
        @functools.wraps(function)
        def wrapper(*args):
            print(args)
            return function(*args)

        return wrapper

## Fix safety
Safe where nothing in the file looks at the name, the documentation, the signature or the attributes of a wrapper;
unsafe elsewhere. Two functions cannot be found under one name: where a decorator keeps the undecorated function as
well, or a wrapper is not assigned to the name that it takes over, that is reported and left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codemods.analysis.functions.decorators import Decorated, Wrapper
from codemods.analysis.functions.observers import changes_signature, looks_at_wrappers
from codemods.analysis.model import Model
from codemods.analysis.reasons import refusal
from codemods.analysis.scopes import FUNCTIONS, ScopeKind
from codemods.edits import Edit
from codemods.finding import Level, Reach, Refusal, Safety
from codemods.rewrite.change import Change
from codemods.rewrite.imports import functools_access
from codemods.rules import rule
from codemods.rules.context import Context, Found


@rule("PKL107", ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Call)
def missing_wraps(context: Context, node: ast.AST) -> Iterator[Found]:
    if isinstance(node, ast.Call):
        yield from _misnamed_wrapper(context, node)
        return
    wrapper = context.decorators.wrappers.get(node)
    if wrapper is not None and not wrapper.has_wraps:
        yield from _hiding_wrapper(context, wrapper)
    for item in context.decorators.decorated:
        if item.function is node:
            yield from _hidden_original(context, item)


def _hiding_wrapper(context: Context, wrapper: Wrapper) -> Iterator[Found]:
    # What is only called by its name is never pickled.
    used = [item for item in wrapper.decorated if _is_used_as_value(context.model, item)]
    reach = _reach(context.model, used)
    if reach.level < context.level:
        return
    hidden = [*used, *wrapper.decorated][0].function.name
    message = f"`{hidden}` is hidden by a wrapper, which pickle cannot find by name"
    refused = _refusal(context, wrapper, used or wrapper.decorated)
    if refused is not None:
        yield Found(wrapper.node, message, reach, refusal=refused)
        return
    is_seen = looks_at_wrappers(context.model, context.decorators, wrapper) or changes_signature(wrapper)
    safety = Safety.UNSAFE if is_seen else Safety.SAFE
    title = f"Let the wrapper take over the name of what it wraps: `functools.wraps({wrapper.parameter})`"
    yield Found(wrapper.node, message, reach, title, lambda: _write(context.model, wrapper), safety)


def _reach(model: Model, decorated: Iterable[Decorated]) -> Reach:
    reaches = (model.flow.reach(item.function) for item in decorated)
    return max(reaches, key=lambda reach: reach.level, default=Reach(Level.LOCAL))


def _is_used_as_value(model: Model, item: Decorated) -> bool:
    name, scope = item.function.name, model.scopes.around[item.function]
    uses: list[ast.expr] = list(scope.uses(name))
    if scope.kind is ScopeKind.CLASS:
        attributes = model.nodes.get(ast.Attribute, ())
        uses.extend(node for node in attributes if isinstance(node, ast.Attribute) and node.attr == name)
    return any(_is_value(model.parents[use], use) for use in uses)


def _is_value(parent: ast.AST, use: ast.expr) -> bool:
    """Whether a function is handed on, rather than called, decorated once more or asked for an attribute."""
    if isinstance(parent, ast.Call):
        return parent.func is not use
    return not isinstance(parent, ast.Attribute)


def _refusal(context: Context, wrapper: Wrapper, decorated: Iterable[Decorated]) -> Refusal | None:
    """Why the decorated functions would not pickle all the same, if none of them would."""
    if isinstance(wrapper.node, FUNCTIONS) and wrapper.node.decorator_list:
        return refusal("decorated-wrapper", name=wrapper.node.name)
    refusals: list[Refusal] = []
    for item in decorated:
        layer = context.decorators.hiding_layer(item)
        if layer is not None:
            refusals.append(refusal("hidden-by-decorator", name=ast.unparse(layer.expression)))
        elif not item.is_named:
            refusals.append(refusal("name-rebound", name=item.function.name))
        else:
            return None
    return refusals[0]


def _hidden_original(context: Context, item: Decorated) -> Iterator[Found]:
    """A function that its decorator keeps although the function's name leads to a wrapper."""
    reach = context.reach(item.function) if context.decorators.is_kept(item) else None
    if reach is not None:
        name = item.function.name
        message = f"`{name}` is kept as it was before it was decorated, and its name leads to something else"
        yield Found(item.function, message, reach, refusal=refusal("original-hidden", name=name))


def _misnamed_wrapper(context: Context, call: ast.Call) -> Iterator[Found]:
    """A wrapper with the name of a function that can still be found under it."""
    function = context.decorators.misnamed(call)
    reach = context.reach(call) if function is not None else None
    if function is None or reach is None:
        return
    is_assigned_to_name = any(
        layer.expression is call.func for item in context.decorators.decorated for layer in item.layers
    )
    if not is_assigned_to_name:
        message = f"a wrapper with the name of `{function.name}`, which leads to the function that it wraps"
        yield Found(call, message, reach, refusal=refusal("misnamed-wrapper", name=function.name))


def _write(model: Model, wrapper: Wrapper) -> Change:
    node, source = wrapper.node, model.source
    maker = model.scopes.of_node[wrapper.maker]
    access = functools_access(model, "wraps", [maker], model.top_level_statement(node))
    call = f"{access.expression}({wrapper.parameter})"
    imports = frozenset({access.statement} if access.statement else ())
    if isinstance(node, ast.Lambda):
        start, end = source.span(node)
        return Change((Edit(start, start, f"{call}("), Edit(end, end, ")")), imports=imports)
    start = source.line_start(node.lineno)
    indent = source.line(node.lineno)[: node.col_offset]
    return Change((Edit(start, start, f"{indent}@{call}{source.newline}"),), imports=imports)

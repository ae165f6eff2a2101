"""A lambda assigned to a name of the module.

## What it does
Replaces `name = lambda …` at the top level of a module by a `def` of that name.

## Why
A lambda is called `<lambda>`, whatever variable holds it, and pickle looks it up under that name:
`Can't pickle <function <lambda>>: attribute lookup <lambda> on __main__ failed`.

## Example
    normalize = lambda pixel: pixel / 255

## Use instead
    def normalize(pixel):
        return pixel / 255

## Fix safety
Safe. Only plain assignments to one name are rewritten, and only where that is the one binding of the name; a lambda in
any other assignment becomes a function of its own (`lambda-expression`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.analysis.model import Model
from codemods.analysis.scopes import ScopeKind
from codemods.edits import Edit
from codemods.rewrite.change import Change
from codemods.rules import rule
from codemods.rules.context import Context, Found


@rule("PKL103", ast.Lambda)
def module_lambda(context: Context, node: ast.AST) -> Iterator[Found]:
    assert isinstance(node, ast.Lambda)
    if not is_module_assignment(context.model, node):
        return
    reach = context.reach(node)
    if reach is None:
        return
    model, name = context.model, _target(context.model, node).id
    message = f"`{name}` holds a lambda, which pickle looks up as `<lambda>`"
    yield Found(node, message, reach, f"Make `{name}` a def", lambda: _write(model, node, name))


def is_module_assignment(model: Model, node: ast.Lambda) -> bool:
    """Whether a lambda is all that is assigned to a global that has no other value, in a statement of its own."""
    if model.scopes.around[node].kind is not ScopeKind.MODULE or not isinstance(model.parents[node], ast.Assign):
        return False
    assignment = model.statement(node)
    assert isinstance(assignment, ast.Assign)
    if len(assignment.targets) != 1 or not isinstance(target := assignment.targets[0], ast.Name):
        return False
    if len(list(model.scopes.module.all_bindings(target.id))) != 1 or not _has_lines_of_its_own(model, assignment):
        return False
    if assignment.col_offset and any(_is_string_on_several_lines(inner) for inner in ast.walk(node)):
        return False
    return not any(isinstance(inner, (ast.Yield, ast.YieldFrom, ast.Await)) for inner in ast.walk(node))


def _is_string_on_several_lines(node: ast.AST) -> bool:
    """A string whose inside must not be indented with the statement."""
    return isinstance(node, (ast.Constant, ast.JoinedStr)) and node.end_lineno != node.lineno


def _has_lines_of_its_own(model: Model, statement: ast.stmt) -> bool:
    start, end = model.source.span(statement)
    before = model.source.text[model.source.line_start(statement.lineno) : start]
    assert statement.end_lineno is not None
    after = model.source.text[end : model.source.line_start(statement.end_lineno + 1)].strip()
    return not before.strip(" \t\f") and (not after or after.startswith("#"))


def _target(model: Model, node: ast.Lambda) -> ast.Name:
    assignment = model.parents[node]
    assert isinstance(assignment, ast.Assign) and isinstance(assignment.targets[0], ast.Name)
    return assignment.targets[0]


def _write(model: Model, node: ast.Lambda, name: str) -> Change:
    from codemods.rewrite import islands
    from codemods.rewrite.transformers import Shape

    source, statement = model.source, model.statement(node)
    start, end = source.span(statement)
    indent = source.text[source.line_start(statement.lineno) : start]
    function = islands.hoist_lambda(source.segment(node), Shape(name), None, source.newline)
    head, *body = function.rstrip("\r\n").splitlines(keepends=True)
    return Change((Edit(start, end, head + "".join(indent + line if line.strip() else line for line in body)),))

"""Islands: the smallest piece of text that changes, parsed alone, changed by a transformer, and given back as text."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from codemods.rewrite.transformers import HoistFunction, WriteOutPrivateNames, bind_in_front


class IslandError(Exception):
    """LibCST cannot read a piece of text that Python can."""


def hoist_definition(
    text: str, name: str, captures: Sequence[str], imports: Sequence[str], private_class: str | None
) -> str:
    """Turn a nested ``def`` into a top-level one.

    Args:
        text: the whole lines of the definition, with the comments above it, indented as in the file.
        name: its name at the top level.
        captures: names that become positional-only parameters in front.
        imports: import statements that go to the start of its body.
        private_class: the class whose private names are written out, if the function leaves one.

    Returns:
        The definition without indentation, ending with a line ending.

    Raises:
        IslandError: if LibCST cannot parse the text.
    """
    is_indented = text[:1] in " \t\f" or _first_code_line(text)[:1] in " \t"
    module = _parse_module(f"if 1:\n{text}" if is_indented else text)
    block = module.body[0]
    body = block.body.body if isinstance(block, cst.If) else module.body
    alone = module.with_changes(body=body, header=[], footer=[])
    if private_class is not None:
        alone = _visited(alone, WriteOutPrivateNames(private_class))
    return _visited(alone, HoistFunction(name, captures, imports)).code.strip("\f\r\n") + module.default_newline


def _first_code_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")


def hoist_lambda(
    text: str, name: str, captures: Sequence[str], imports: Sequence[str], private_class: str | None, newline: str
) -> str:
    """Turn a lambda into a top-level ``def``.

    Args:
        text: the text of the lambda.
        newline: the line ending of the file.

    The other arguments, the result and the errors are those of :func:`hoist_definition`.
    """
    try:
        expression = cst.parse_expression(f"({newline}{text}{newline})")
    except cst.ParserSyntaxError as error:
        raise IslandError(str(error)) from error
    if private_class is not None:
        changed = expression.visit(WriteOutPrivateNames(private_class))
        assert isinstance(changed, cst.BaseExpression)
        expression = changed
    assert isinstance(expression, cst.Lambda)
    empty = cst.Module([])
    parameters = empty.code_for_node(bind_in_front(expression.params, captures)).strip()
    after_colon = empty.code_for_node(expression.colon).partition(":")[2]
    body = (after_colon + empty.code_for_node(expression.body)).strip(" \t\f")
    if "\n" in body or "\r" in body or "#" in body:
        body = f"({newline}{body}{newline})"
    lines = [f"def {name}({parameters}):", *(f"    {text}" for text in imports), f"    return {body}", ""]
    return newline.join(lines)


def _parse_module(text: str) -> cst.Module:
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise IslandError(str(error)) from error


def _visited(module: cst.Module, transformer: cst.CSTTransformer) -> cst.Module:
    changed = module.visit(transformer)
    assert isinstance(changed, cst.Module)
    return changed

"""Islands: the smallest piece of text that changes, parsed alone, changed by a transformer, and given back as text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from codemods.rewrite.change import IslandError
from codemods.rewrite.transformers import HoistClass, HoistFunction, RemoveNonlocal, Shape, WriteOutPrivateNames, shaped

_LINE_END = re.compile(r"\r\n|\r|\n")


def hoist_definition(text: str, shape: Shape, private_class: str | None) -> str:
    """Turn a nested ``def`` into a top-level one.

    Args:
        text: the whole lines of the definition, with the comments above it, indented as in the file.
        shape: what it looks like at the top level.
        private_class: the class whose private names are written out, if the function leaves one.

    Returns:
        The definition without indentation, ending with a line ending.

    Raises:
        IslandError: if LibCST cannot parse the text.
    """
    alone = _without_indentation(text)
    if private_class is not None:
        alone = _visited(alone, WriteOutPrivateNames(private_class))
    return _visited(alone, HoistFunction(shape)).code.strip("\f\r\n") + alone.default_newline


def hoist_class(text: str, name: str) -> str:
    """Turn a local ``class`` into a top-level one.

    Args:
        text: the whole lines of the class, with the comments above it, indented as in the file.
        name: its name at the top level.

    Returns:
        The class without indentation, ending with a line ending.

    Raises:
        IslandError: if LibCST cannot parse the text.
    """
    alone = _without_indentation(text)
    return _visited(alone, HoistClass(name)).code.strip("\f\r\n") + alone.default_newline


def outdented(text: str) -> str:
    """Take whole lines out of the block that they stand in.

    Args:
        text: the lines of one or more statements, with the comments above them, indented as in the file.

    Raises:
        IslandError: if LibCST cannot parse the text.
    """
    alone = _without_indentation(text)
    return alone.code.strip("\f\r\n") + alone.default_newline


def _without_indentation(text: str) -> cst.Module:
    """The lines of one definition as a module of their own; the inside of strings stays as it is."""
    is_indented = _first_code_line(text)[:1] in " \t\f"
    line_end = _LINE_END.search(text)
    newline = line_end.group() if line_end is not None else "\n"
    module = _parse_module(f"if 1:{newline}{text}" if is_indented else text)
    block = module.body[0]
    body = block.body.body if isinstance(block, cst.If) else module.body
    return module.with_changes(body=body, header=[], footer=[])


def hoist_object(text: str, shape: Shape, class_name: str, cells: Sequence[str], private_class: str | None) -> str:
    """Turn a nested ``def`` with state of its own into a class whose instances are called.

    Args:
        text: the definition, in which captured names are attributes already.
        shape: what ``__call__`` looks like.
        class_name: the name of the class.
        cells: the attributes, in the order in which they are given to the class.
        private_class: the class whose private names are written out, if the function leaves one.

    Returns:
        The class without indentation, ending with a line ending.

    Raises:
        IslandError: if LibCST cannot parse the text.
    """
    function = _parse_module(hoist_method(text, shape, cells, private_class))
    call = function.body[0]
    assert isinstance(call, cst.FunctionDef)
    if not cells:
        block = cst.IndentedBlock([call])
    else:
        start = _initialiser(shape.bound[0] if "self" in cells else "self", cells)
        block = cst.IndentedBlock([start, _after_blank_line(call)])
    return function.with_changes(body=[cst.ClassDef(cst.Name(class_name), block)]).code


def hoist_method(text: str, shape: Shape, cells: Sequence[str], private_class: str | None) -> str:
    """Turn a nested ``def`` into a method, except for its indentation.

    Args:
        text: the definition, in which captured names are attributes already.
        shape: what the method looks like.
        cells: the attributes that it uses.

    The other arguments, the result and the errors are those of :func:`hoist_definition`.
    """
    function = _parse_module(hoist_definition(text, shape, private_class))
    return _visited(function, RemoveNonlocal(cells)).code


def class_of_methods(methods: Sequence[str], class_name: str, instance: str, attributes: Sequence[str]) -> str:
    """Make a class of functions that share variables.

    Args:
        methods: the functions, from :func:`hoist_method`.
        class_name: the name of the class.
        instance: what the first parameter of ``__init__`` is called.
        attributes: the variables, in the order in which they are given to the class.

    Raises:
        IslandError: if LibCST cannot parse one of the functions.
    """
    modules = [_parse_module(text) for text in methods]
    block: list[cst.BaseStatement] = [_initialiser(instance, attributes)]
    for module in modules:
        method = module.body[0]
        assert isinstance(method, cst.FunctionDef)
        block.append(_after_blank_line(method.with_changes(leading_lines=[*module.header, *method.leading_lines])))
    definition = cst.ClassDef(cst.Name(class_name), cst.IndentedBlock(block))
    # A function on a single line does not tell how the file is indented.
    typical = max(modules, key=lambda module: any(line[:1] in (" ", "\t") for line in module.code.splitlines()))
    return typical.with_changes(body=[definition], header=[], footer=[]).code


def _initialiser(instance: str, attributes: Sequence[str]) -> cst.BaseStatement:
    """The ``__init__`` that keeps its arguments under their own names."""
    assignments = "".join(f"    {instance}.{name} = {name}\n" for name in attributes)
    start = cst.parse_statement(f"def __init__({', '.join([instance, *attributes])}):\n{assignments}")
    assert isinstance(start, cst.FunctionDef)
    return start


def _after_blank_line(function: cst.FunctionDef) -> cst.FunctionDef:
    return function.with_changes(leading_lines=[cst.EmptyLine(indent=False), *function.leading_lines])


def _first_code_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")


def hoist_lambda(text: str, shape: Shape, private_class: str | None, newline: str) -> str:
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
    parameters = empty.code_for_node(shaped(expression.params, shape)).strip()
    after_colon = empty.code_for_node(expression.colon).partition(":")[2]
    body = (after_colon + empty.code_for_node(expression.body)).strip(" \t\f")
    if "\n" in body or "\r" in body or "#" in body:
        body = f"({newline}{body}{newline})"
    statements = [line for statement in shape.statements for line in statement.splitlines()]
    lines = [f"def {shape.name}({parameters}):", *(f"    {line}" for line in statements), f"    return {body}", ""]
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

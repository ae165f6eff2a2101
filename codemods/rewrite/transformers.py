"""LibCST transformers for functions that move to the top level of a module.

Importing this module imports LibCST, which takes a while: import it where something is rewritten, not before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst

from codemods.analysis.scopes import mangle

_COMMA = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


class WriteOutPrivateNames(cst.CSTTransformer):
    """Replace private names by what they mean inside a class, for code that leaves the class.

    The compiler does not mangle the keywords of calls, and an inner class mangles its own names.

    Args:
        private_class: the name of the class that is left.
    """

    def __init__(self, private_class: str) -> None:
        super().__init__()
        self.private_class = private_class

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:
        return False

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        return updated_node.with_changes(value=mangle(updated_node.value, self.private_class))

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)


class RemoveNonlocal(cst.CSTTransformer):
    """Remove names from ``nonlocal`` statements: they have become attributes.

    Args:
        names: the names.
    """

    def __init__(self, names: Collection[str]) -> None:
        super().__init__()
        self.names = names

    def leave_Nonlocal(
        self, original_node: cst.Nonlocal, updated_node: cst.Nonlocal
    ) -> cst.Nonlocal | cst.RemovalSentinel:
        kept = [item for item in updated_node.names if item.name.value not in self.names]
        if not kept:
            return cst.RemoveFromParent()
        return updated_node.with_changes(names=[*kept[:-1], kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)])


@dataclass(frozen=True)
class Shape:
    """What a function looks like at the top level.

    Args:
        name: its new name.
        bound: names that become positional-only parameters in front of its own.
        statements: statements, as text, that go to the start of its body.
        defaults: for some of its parameters, the name that becomes the default; None if there is none any more.
    """

    name: str
    bound: Sequence[str] = ()
    statements: Sequence[str] = ()
    defaults: Mapping[str, str | None] = field(default_factory=dict)


class HoistClass(cst.CSTTransformer):
    """Turn the outermost class into the one that stands at the top level.

    Args:
        name: its new name.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:
        return False

    def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> cst.ClassDef:
        lines = _without_blank_start(updated_node.leading_lines)
        return updated_node.with_changes(name=cst.Name(self.name), leading_lines=lines)


class HoistFunction(cst.CSTTransformer):
    """Give the outermost function the shape in which it stands at the top level."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        return False

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        statements = [cst.parse_statement(text) for text in self.shape.statements]
        return updated_node.with_changes(
            name=cst.Name(self.shape.name),
            params=shaped(updated_node.params, self.shape),
            body=_with_statements(updated_node.body, statements),
            leading_lines=_without_blank_start(updated_node.leading_lines),
        )


def shaped(parameters: cst.Parameters, shape: Shape) -> cst.Parameters:
    """Add positional-only parameters in front; the rest of the signature stays as it is for callers of a partial."""
    parameters = parameters.with_changes(
        posonly_params=[_with_default(parameter, shape) for parameter in parameters.posonly_params],
        params=[_with_default(parameter, shape) for parameter in parameters.params],
        kwonly_params=[_with_default(parameter, shape) for parameter in parameters.kwonly_params],
    )
    if not shape.bound:
        return parameters
    bound = [cst.Param(cst.Name(name), comma=_COMMA) for name in shape.bound]
    has_star = isinstance(parameters.star_arg, (cst.Param, cst.ParamStar))
    has_more = bool(parameters.params or parameters.kwonly_params or parameters.star_kwarg or has_star)
    if not has_more and not parameters.posonly_params:
        bound[-1] = bound[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return parameters.with_changes(params=bound)
    slash = parameters.posonly_ind
    if not isinstance(slash, cst.ParamSlash):
        slash = cst.ParamSlash(comma=_COMMA if has_more else cst.MaybeSentinel.DEFAULT)
    return parameters.with_changes(posonly_params=[*bound, *parameters.posonly_params], posonly_ind=slash)


def _with_default(parameter: cst.Param, shape: Shape) -> cst.Param:
    if parameter.name.value not in shape.defaults:
        return parameter
    default = shape.defaults[parameter.name.value]
    if default is None:
        return parameter.with_changes(default=None, equal=cst.MaybeSentinel.DEFAULT)
    return parameter.with_changes(default=cst.Name(default))


def _without_blank_start(lines: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    kept = list(lines)
    while kept and kept[0].comment is None:
        del kept[0]
    return kept


def _with_statements(body: cst.BaseSuite, statements: Sequence[cst.BaseStatement]) -> cst.BaseSuite:
    """A function's body with statements after its docstring, indented like it."""
    if not statements:
        return body
    if isinstance(body, cst.SimpleStatementSuite):
        line = cst.SimpleStatementLine(body.body, trailing_whitespace=body.trailing_whitespace)
        body = cst.IndentedBlock([line], indent="    ")
    assert isinstance(body, cst.IndentedBlock)
    added = [
        statement.with_deep_changes(statement.body, indent=body.indent) if isinstance(statement, cst.If) else statement
        for statement in statements
    ]
    after_docstring = 1 if _is_docstring(body.body[0]) else 0
    return body.with_changes(body=[*body.body[:after_docstring], *added, *body.body[after_docstring:]])


def _is_docstring(statement: cst.BaseStatement) -> bool:
    return (
        isinstance(statement, cst.SimpleStatementLine)
        and isinstance(statement.body[0], cst.Expr)
        and isinstance(statement.body[0].value, (cst.SimpleString, cst.ConcatenatedString))
    )

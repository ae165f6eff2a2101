"""Rewriters that are wrong in one way each. The fuzzer has to catch every one of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from .harness import Rewriter, Rewritten
from .scope import FUNCTIONS

Function = ast.FunctionDef | ast.AsyncFunctionDef

#: Copies the cells of a closure, as binding every capture once would.
FREEZE = """
import types as _types

def _freeze(function):
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(_types.CellType(cell.cell_contents))
        except ValueError:
            cells.append(cell)
    frozen = _types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, tuple(cells)
    )
    frozen.__kwdefaults__ = function.__kwdefaults__
    return frozen
"""

#: Fails for a capture that has no value yet, as an eager partial would.
EAGER = """
def _eager(function):
    [cell.cell_contents for cell in function.__closure__ or () if cell is not _own(function)]
    return function

def _own(function):
    names = function.__code__.co_freevars
    if function.__name__ in names:
        return function.__closure__[names.index(function.__name__)]
"""

#: Evaluates something the first time only, as a hoisted default would.
ONCE = """
_values = {}

def _once(place, make):
    if place not in _values:
        _values[place] = make()
    return _values[place]
"""

#: Makes one function for all evaluations of a definition that captures nothing.
SHARE = """
_shared = {}

def _share(place):
    return lambda function: function if function.__closure__ else _shared.setdefault(place, function)
"""

#: Hides what kind of function it is behind another one.
WRAP = """
import functools as _functools

def _wrap(function):
    return _functools.partial(lambda *args, **keywords: function(*args, **keywords))
"""


#: Makes an object of a function, which pickles as something else.
MISTAKE = """
import inspect as _inspect

class _Mistaken:
    def __init__(self, function):
        self.__signature__ = _inspect.signature(function)
        self._function = function

    def __call__(self, /, *args, **keywords):
        return self._function(*args, **keywords)

    def __reduce__(self):
        return (_other, ())

def _other():
    return attempt

def _mistaken(function):
    return function if _inspect.isgeneratorfunction(function) else _Mistaken(function)
"""

#: Gives a function a name under which it is not to be found.
MISPLACE = """
def _misplaced(function):
    function.__qualname__ = "nowhere"
    return function
"""


class Nested(ast.NodeTransformer):
    """Changes the functions that stand inside functions; subclasses say how."""

    def __init__(self) -> None:
        self._depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: Function) -> ast.AST:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        return self.definition(node) if self._depth else node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        return self.expression(node) if self._depth else node

    def definition(self, node: Function) -> ast.AST:
        """The new form of a ``def`` inside a function."""
        return node

    def expression(self, node: ast.Lambda) -> ast.AST:
        """The new form of a lambda inside a function."""
        return node


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


class Decorating(Nested):
    """Sends every nested function through a helper."""

    def __init__(self, helper: str) -> None:
        super().__init__()
        self._helper = helper

    def definition(self, node: Function) -> ast.AST:
        node.decorator_list.append(ast.Name(self._helper, ast.Load()))
        return node

    def expression(self, node: ast.Lambda) -> ast.AST:
        return _call(self._helper, node)


class Sharing(Nested):
    """Makes functions without captures once."""

    def definition(self, node: Function) -> ast.AST:
        node.decorator_list.append(_call("_share", ast.Constant(f"{node.lineno}:{node.col_offset}")))
        return node


class Misplacing(Nested):
    """Takes functions of the module off their place."""

    def _function(self, node: Function) -> ast.AST:
        if node.name.startswith("top"):
            node.decorator_list.insert(0, ast.Name("_misplaced", ast.Load()))
        return node


class Copying(ast.NodeTransformer):
    """Uses another copy of a function wherever it is handed out by name."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if ast.unparse(node.func) == "out.append" and getattr(node.args[0], "id", "") in FUNCTIONS:
            node.args[0] = ast.Call(ast.Name("_Partial", ast.Load()), node.args[:1], [])
        return node


class DefaultsOnce(Nested):
    """Evaluates each default once for all evaluations of its definition."""

    def _changed(self, node: Function | ast.Lambda) -> ast.AST:
        thunk = ast.arguments([], [], None, [], [], None, [])
        node.args.defaults = [
            (
                _call("_once", ast.Constant(f"{value.lineno}:{value.col_offset}"), ast.Lambda(thunk, value))
                if not isinstance(value, ast.Constant)
                and not any(isinstance(part, ast.NamedExpr) for part in ast.walk(value))
                else value
            )
            for value in node.args.defaults
        ]
        return node

    definition = expression = _changed


class DefaultsLate(Nested):
    """Evaluates the default of the last parameter of each ``def`` when the function is called."""

    def definition(self, node: Function) -> ast.AST:
        defaults = node.args.defaults
        if not defaults or isinstance(defaults[-1], (ast.Constant, ast.Name)):
            return node
        name = node.args.args[-1].arg if node.args.args else node.args.posonlyargs[-1].arg
        value, defaults[-1] = defaults[-1], ast.Constant(None)
        if any(isinstance(part, (ast.NamedExpr, ast.Name)) and part_name(part) == name for part in ast.walk(value)):
            return node
        test = ast.Compare(ast.Name(name, ast.Load()), [ast.Is()], [ast.Constant(None)])
        late = ast.If(test, [ast.Assign([ast.Name(name, ast.Store())], value)], [])
        count = sum(isinstance(line, (ast.Nonlocal, ast.Global)) for line in node.body)
        node.body.insert(count, late)
        return node


def part_name(part: ast.AST) -> str:
    """The name that an expression reads or binds."""
    return part.id if isinstance(part, ast.Name) else part.target.id if isinstance(part, ast.NamedExpr) else ""


class KeywordDefaultsDropped(Nested):
    """Makes optional keyword-only parameters required."""

    def _changed(self, node: Function | ast.Lambda) -> ast.AST:
        node.args.kw_defaults = [None for _ in node.args.kw_defaults]
        return node

    definition = expression = _changed


class PositionalOnlyLost(Nested):
    """Lets positional-only parameters be given by keyword."""

    def _changed(self, node: Function | ast.Lambda) -> ast.AST:
        node.args.args = [*node.args.posonlyargs, *node.args.args]
        node.args.posonlyargs = []
        return node

    definition = expression = _changed


class Nonlocals(Nested):
    """Forgets ``nonlocal``: the variable becomes the function's own."""

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        return ast.Pass()


def _through(make: Callable[[], ast.NodeTransformer], helper: str = "") -> Rewriter:
    def rewrite(text: str) -> Rewritten:
        if "_saboteur" in text:
            return Rewritten(text)
        tree = ast.fix_missing_locations(make().visit(ast.parse(text)))
        return Rewritten(_below_future_import(ast.unparse(tree) + "\n_saboteur = True\n", helper))

    return rewrite


def _below_future_import(text: str, addition: str) -> str:
    match = re.match(r"from __future__ import annotations\n", text)
    return text[: match.end()] + addition + text[match.end() :] if match else addition + text


def _imports_partial(text: str) -> Rewritten:
    """Overwrites whatever the module calls ``partial``, behind its own definitions."""
    line = "from functools import partial, partial as functools  # added\n"
    return Rewritten(text if line in text else text.replace("\n\ndef build():", f"\n\n{line}\n\ndef build():"))


def _raises_early(text: str) -> Rewritten:
    return Rewritten(text, error="ValueError: overlapping edits")


#: The rewriters, and how the title of the problem begins that each has to be caught with.
SABOTEURS: dict[str, tuple[Rewriter, str]] = {
    "captures frozen": (_through(lambda: Decorating("_freeze"), FREEZE), "another"),
    "captures read early": (_through(lambda: Decorating("_eager"), EAGER), "another"),
    "defaults evaluated once": (_through(DefaultsOnce, ONCE), "another"),
    "defaults evaluated late": (_through(DefaultsLate), "another"),
    "keyword defaults dropped": (_through(KeywordDefaultsDropped), "another"),
    "positional-only lost": (_through(PositionalOnlyLost), "another"),
    "functions shared between calls": (_through(Sharing, SHARE), "another"),
    "kind of function hidden": (_through(lambda: Decorating("_wrap"), WRAP), "another"),
    "nonlocal forgotten": (_through(Nonlocals), "another"),
    "names of the module overwritten": (_imports_partial, "another"),
    "one function copied": (
        _through(Copying, "from functools import partial as _Partial\n"),
        "one function became two",
    ),
    "pickles as something else": (_through(lambda: Decorating("_mistaken"), MISTAKE), "after the round trip"),
    "found no longer": (_through(Misplacing, MISPLACE), "no longer pickles"),
    "an internal error": (_raises_early, "the rewriter failed"),
    "never the same twice": (lambda text: Rewritten(text + "# again\n"), "a second run"),
    "no program any more": (lambda text: Rewritten(text + "def\n"), "the result does not compile"),
}


def identity(text: str) -> Rewritten:
    """Leaves every program as it is."""
    return Rewritten(text)


#: Writes the program anew without changing what it does.
unparsed = _through(ast.NodeTransformer)

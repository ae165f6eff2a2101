"""Makes a program that fails smaller, as long as it still fails."""

from __future__ import annotations

import ast
import builtins
import symtable
import time
from collections.abc import Callable, Iterator

from .harness import syntax_error


def reduced(text: str, fails: Callable[[str], bool], seconds: float = 60.0) -> str:
    """The smallest program found that still fails.

    Whole lines go first, for the failure may lie in the layout. Where it does not, the program is written anew and
    reduced as a tree.

    Args:
        text: a program for which ``fails`` is true.
        fails: whether a program shows the failure in question.
        seconds: when to stop looking.
    """
    end = time.monotonic() + seconds
    text = _shrunk(text, fails, _with_fewer_lines, end)
    plain = ast.unparse(ast.parse(text))
    return _shrunk(plain, fails, _smaller, end) if fails(plain) else text


def _shrunk(text: str, fails: Callable[[str], bool], candidates: Callable[[str], Iterator[str]], end: float) -> str:
    """Take the first smaller candidate that fails and go on with it, until none does or the time is over."""
    known, tried = unresolved(text), {text}
    place, progress = 0, False
    while True:
        for index, candidate in enumerate(candidates(text)):
            if time.monotonic() > end:
                return text
            if index < place or candidate in tried or len(candidate) >= len(text):
                continue
            tried.add(candidate)
            if not syntax_error(candidate) and unresolved(candidate) <= known and fails(candidate):
                text, place, progress = candidate, index, True
                break
        else:
            if not progress:
                return text
            place, progress = 0, False


def unresolved(text: str) -> set[str]:
    """The names that a program reads and nothing binds; losing a definition is no way to make a program smaller."""
    module = symtable.symtable(text, "program.py", "exec")
    bound = {symbol.get_name() for symbol in module.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    read, tables = set[str](), [module]
    while tables:
        scope = tables.pop()
        tables += scope.get_children()
        for symbol in scope.get_symbols():
            if symbol.is_global() or scope is module:
                (bound if symbol.is_declared_global() and symbol.is_assigned() else read).add(symbol.get_name())
    return read - bound - set(vars(builtins)) - {"__name__"}


def _with_fewer_lines(text: str) -> Iterator[str]:
    """Programs that lack some statements, all other lines as they are."""
    lines = text.splitlines(keepends=True)
    for _, _, block in _blocks(ast.parse(text)):
        size = len(block)
        while size:
            for start in range(0, len(block), size):
                part = block[start : start + size]
                first, last = _first_line(part[0]), part[-1].end_lineno or part[-1].lineno
                margin = lines[first - 1][: part[0].col_offset]
                filling = [f"{margin}pass\n"] if len(part) == len(block) else []
                yield "".join([*lines[: first - 1], *filling, *lines[last:]])
            size //= 2


def _first_line(statement: ast.stmt) -> int:
    """Where a statement begins, with its decorators."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _smaller(text: str) -> Iterator[str]:
    """Programs that lack something of this one, those that lack most first."""
    tree = ast.parse(text)
    for kind in (_without_statements, _unwrapped, _without_items, _simpler_expressions):
        for _ in kind(tree):
            ast.fix_missing_locations(tree)
            try:
                yield ast.unparse(tree)
            except (ValueError, AttributeError, IndexError, TypeError):  # a tree that is no program any more
                continue


def _blocks(tree: ast.AST) -> Iterator[tuple[ast.AST, str, list[ast.stmt]]]:
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield node, field, value


def _without_statements(tree: ast.AST) -> Iterator[None]:
    for node, field, block in list(_blocks(tree)):
        size = len(block)
        while size:
            for start in range(0, len(block), size):
                rest = block[:start] + block[start + size :]
                setattr(node, field, rest or ([] if field in ("orelse", "finalbody") else [ast.Pass()]))
                yield
            size //= 2
        setattr(node, field, block)


def _unwrapped(tree: ast.AST) -> Iterator[None]:
    """Compound statements replaced by one of their blocks."""
    for node, field, block in list(_blocks(tree)):
        for place, statement in enumerate(block):
            for _, _, inner in _own_blocks(statement):
                setattr(node, field, [*block[:place], *inner, *block[place + 1 :]])
                yield
        setattr(node, field, block)


def _own_blocks(statement: ast.stmt) -> Iterator[tuple[ast.AST, str, list[ast.stmt]]]:
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for holder in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from ((node, field, block) for node, field, block in _blocks(holder) if node is holder)


def _without_items(tree: ast.AST) -> Iterator[None]:
    """Lists of expressions, parameters, handlers, decorators and the like without one of their items."""
    fields = ("elts", "args", "keywords", "handlers", "cases", "decorator_list", "posonlyargs", "generators", "values")
    for node in list(ast.walk(tree)):
        for field in (*fields, "defaults", "kwonlyargs", "names", "bases", "ifs"):
            items = getattr(node, field, None)
            if not isinstance(items, list) or not items:
                continue
            for place in range(len(items)):
                setattr(node, field, items[:place] + items[place + 1 :])
                yield
            setattr(node, field, items)
        for field in ("vararg", "kwarg", "returns", "annotation", "optional_vars"):
            value = getattr(node, field, None)
            if value is not None:
                setattr(node, field, None)
                yield
                setattr(node, field, value)


def _simpler_expressions(tree: ast.AST) -> Iterator[None]:
    for node in list(ast.walk(tree)):
        for field, value in list(ast.iter_fields(node)):
            values = value if isinstance(value, list) else [value]
            for place, item in enumerate(values):
                if not isinstance(item, ast.expr) or isinstance(item, (ast.Constant, ast.FormattedValue)):
                    continue
                for simple in _simpler(item):
                    if isinstance(value, list):
                        value[place] = simple
                        yield
                        value[place] = item
                    else:
                        setattr(node, field, simple)
                        yield
                        setattr(node, field, item)


def _simpler(expression: ast.expr) -> Iterator[ast.expr]:
    yield ast.Constant(0)
    for child in ast.iter_child_nodes(expression):
        if isinstance(child, ast.expr):
            yield child

"""Which origins stay where they are made; those of which that is said reach nothing in the value-flow graph either."""

import ast
import textwrap
from collections.abc import Iterator

import pytest

from codemods.analysis.model import Model
from codemods.analysis.staying import is_nested, stays
from codemods.analysis.views.calls import view_call
from codemods.finding import Level
from codemods.source import Source

STAYING = {
    "key": "def f(rows): return sorted(rows, key=lambda row: row[0])",
    "called-at-once": "def f(x): return (lambda y: y + x)(1)",
    "mapped": "def f(rows): return list(map(lambda row: row[0], rows))",
    "loop": "def f(d):\n    for key in d.keys(): print(key)",
    "numbered": "def f(d):\n    for index, item in enumerate(d.items()): print(index, item)",
    "list": "def f(d): return list(d.values())",
    "inner-loop": "def f(d): return [key for _ in d for key in d.keys()]",
    "member": "def f(d): return 1 in d.values()",
    "starred": "def f(d): return g(*d.values())",
    "smallest": "def f(d): return min(d.values())",
    "summed": "def f(rows): return sum(row for row in rows)",
    "joined": "def f(rows): return ','.join(str(row) for row in rows)",
    "only-called": "def f(x):\n    def g(y): return g(y - 1) if y else x\n    return g(3)",
    "called-in-a-comprehension": "def f(x):\n    def g(y): return y\n    return [g(y) for y in x]",
    "used-as-key": "def f(x):\n    def g(y): return y\n    return sorted(x, key=g)",
    "first": "def f(rows): return next((row for row in rows), None)",
    "name-elsewhere": "def f(x):\n    def g(y): return y\n    return g(3)\n\ndef h(g): return g",
}
GOING = {
    "returned": "def f(x): return lambda: x",
    "shadowed": "def sorted(rows, key): return key\n\ndef f(rows): return sorted(rows, key=lambda row: row)",
    "star-import": "from m import *\n\ndef f(rows): return sorted(rows, key=lambda row: row)",
    "key-of-another": "def f(rows): return Sorter(rows, key=lambda row: row)",
    "lazy": "def f(rows): return map(lambda row: row[0], rows)",
    "view": "def f(d): return d.keys()",
    "lazy-view": "def f(d): return (key for key in d.keys())",
    "smaller-view": "def f(a, b): return min(a.keys(), b.keys())",
    "returned-function": "def f(x):\n    def g(): return x\n    return g",
    "called-by-another": "def f(x):\n    def g(): return x\n    return lambda: g()",
    "called-later": "def f(x):\n    def g(y): return y\n    return (g(y) for y in x)",
    "kept-in-an-iterator": "def f(x):\n    def g(y): return y\n    return map(g, x)",
    "decorated": "def f(x):\n    @register\n    def g(): return x\n    return g()",
    "variables": "def f(x):\n    def g(): return x\n    g()\n    return locals()",
    "itself": "def f(x):\n    def g(): return g\n    return g()",
}


@pytest.mark.parametrize("name", STAYING)
def test_stays(name: str) -> None:
    model, origins = _origins(STAYING[name])
    assert origins and all(stays(model, origin) for origin in origins)
    assert all(model.flow.reach(origin).level is Level.LOCAL for origin in origins)


@pytest.mark.parametrize("name", GOING)
def test_may_go(name: str) -> None:
    model, origins = _origins(GOING[name])
    assert not all(stays(model, origin) for origin in origins)


def _origins(text: str) -> tuple[Model, list[ast.AST]]:
    model = Model(Source.decode("a.py", textwrap.dedent(text).encode()))
    return model, list(_find(model))


def _find(model: Model) -> Iterator[ast.AST]:
    for node in ast.walk(model.module):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if is_nested(model, node):
                yield node
        elif isinstance(node, (ast.Lambda, ast.GeneratorExp)) or (
            isinstance(node, ast.Call) and view_call(model, node) is not None
        ):
            yield node

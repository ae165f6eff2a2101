"""How far marked origins reach, the way that is shown, and what is seen of them on it."""

from __future__ import annotations

import ast

import pytest

from codemods import source as source_text
from codemods.analysis.scopes import ScopeTree
from codemods.analysis.values.flow import FlowGraph
from codemods.analysis.values.project_modules import File
from codemods.analysis.values.reach import Search
from codemods.catalog.loader import load
from codemods.finding import Level, Location
from codemods.source import Source
from tests.analysis.reach_cases import LOCAL, SINK, STATE, WAYS


def marked(text: str) -> tuple[FlowGraph, ast.AST]:
    """The graph of a source, and the node between « and » in it."""
    before, _, rest = text.partition("«")
    origin, _, after = rest.partition("»")
    source = Source("case.py", before + origin + after)
    module = source_text.parse(source)
    definition = before + origin.lstrip("@")
    nodes = [
        node
        for node in ast.walk(module)
        if isinstance(node, (ast.expr, ast.stmt)) and _span(source, node) == (len(before), len(before) + len(origin))
    ]
    assert nodes, definition
    tree = ScopeTree(module)
    return FlowGraph.of(File("case.py", module, tree, source), load()), nodes[-1]


def _span(source: Source, node: ast.expr | ast.stmt) -> tuple[int, int]:
    start, end = source.span(node)
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return (source.span(decorators[0])[0] - 1 if decorators else start), end


@pytest.mark.parametrize("text", LOCAL.values(), ids=LOCAL)
def test_local(text: str) -> None:
    flow, origin = marked(text)
    reach = flow.reach(origin)
    assert (reach.level, [step.text for step in reach.steps]) == (Level.LOCAL, [])


@pytest.mark.parametrize("text", STATE.values(), ids=STATE)
def test_state(text: str) -> None:
    flow, origin = marked(text)
    reach = flow.reach(origin)
    assert (reach.level, reach.sink) == (Level.STATE, None)
    assert reach.steps


@pytest.mark.parametrize(("sink", "text"), SINK.values(), ids=SINK)
def test_sink(sink: str, text: str) -> None:
    flow, origin = marked(text)
    reach = flow.reach(origin)
    assert (reach.level, reach.sink) == (Level.SINK, sink)
    assert reach.steps


@pytest.mark.parametrize(("text", "steps"), WAYS.values(), ids=WAYS)
def test_way(text: str, steps: list[str]) -> None:
    flow, origin = marked(text)
    assert [step.text for step in flow.reach(origin).steps] == steps


def test_steps_say_where_they_stand() -> None:
    flow, origin = marked("class C:\n    def f(self):\n        é = «lambda: 1»; self.g = é\n")
    (step,) = flow.reach(origin).steps
    assert (step.path, step.location) == ("case.py", Location(3, 24))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f():\n    g = «lambda: 1»\n    g.count = 0\n    return g\n", {"count"}),
        ("def f():\n    g = «lambda: 1»\n    return g.__name__\n", {"__name__"}),
        ("def f(xs):\n    g = «lambda: 1»\n    return [h.__doc__ for h in [g]]\n", {"__doc__"}),
        ("def name(g):\n    return getattr(g, '__name__', '')\ndef f():\n    return name(«lambda: 1»)\n", {"__name__"}),
        ("def f():\n    g = «lambda: 1»\n    return hasattr(g, 'tag')\n", {"tag"}),
        ("def f(name):\n    g = «lambda: 1»\n    return getattr(g, name)\n", {"*"}),
        ("T = {}\ndef add(g):\n    T[g.__name__] = g\ndef f():\n    add(«lambda: 1»)\n", {"__name__"}),
        ("def f():\n    gs = [«lambda: 1»]\n    gs.sort()\n    return gs\n", set()),
        ("class C:\n    def f(self):\n        self.g = «lambda: 1»\n        return self.g.__name__\n", {"__name__"}),
        ("def f():\n    g = «lambda: 1»\n    return g.cache_clear()\n", {"cache_clear"}),
    ],
)
def test_attributes_read(text: str, expected: set[str]) -> None:
    flow, origin = marked(text)
    assert flow.attributes_read(origin) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(h):\n    g = «lambda: 1»\n    return g is h\n", True),
        ("def f(h):\n    g = «lambda: 1»\n    return h == g\n", True),
        ("def f(h):\n    g = «lambda: 1»\n    return g in h\n", True),
        ("def f(h):\n    g = «lambda: 1»\n    return {g: 1}\n", True),
        ("def f(h):\n    g = «lambda: 1»\n    h[g] = 1\n", True),
        ("def f(h):\n    g = «lambda: 1»\n    return {g, h}\n", True),
        ("def f(h):\n    g = «lambda: 1»\n    return id(g)\n", True),
        ("def same(a, b):\n    return a is b\ndef f(h):\n    return same(«lambda: 1», h)\n", True),
        ("def f(h):\n    g = «lambda: 1»\n    return g is None or g() == 1\n", False),
        ("def f(h):\n    gs = [«lambda: 1»]\n    return gs == h\n", True),
        ("def f(h):\n    gs = [«lambda: 1»]\n    return len(gs) == h\n", False),
    ],
)
def test_compared_by_identity(text: str, expected: bool) -> None:
    flow, origin = marked(text)
    assert flow.compared_by_identity(origin) is expected


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("import types\ndef f():\n    return isinstance(«lambda: 1», types.FunctionType)\n", ("type", "types.FunctionType")),
        ("class C:\n    def __init__(self, d):\n        self.k = «d.keys()»\n    def f(self, s):\n        return self.k & s\n", ("operator", "&")),
        ("class C:\n    def __init__(self, d):\n        self.k = «d.keys()»\n    def __str__(self):\n        return f'{self.k}'\n", ("format", "")),
        ("class C:\n    def __init__(self, d):\n        self.k = «d.keys()»\n    def __str__(self):\n        return '%s' % (self.k,)\n", ("format", "")),
        ("def f(d):\n    return sorted(«d.keys()»)\n", ("iterate", "")),
    ],
)  # fmt: skip
def test_uses(text: str, use: tuple[str, str]) -> None:
    flow, origin = marked(text)
    assert use in flow.uses(origin)


METHODS = {
    "stored-on-a-class-parameter": ("def f(cls, n):\n    cls.go = «lambda *a: n»\n", True),
    "stored-on-a-class": ("class C:\n    pass\ndef f(n):\n    C.go = «lambda *a: n»\n", True),
    "stored-on-the-class-of-an-object": ("def f(x, n):\n    type(x).go = «lambda *a: n»\n", True),
    "stored-on-a-class-by-another-name": (
        "class C:\n    pass\ndef put(k, g):\n    k.go = g\ndef f(n):\n    put(C, «lambda *a: n»)\n",
        True,
    ),
    "set-on-what-may-be-a-class": ("def f(kind, n):\n    setattr(kind, 'go', «lambda *a: n»)\n", True),
    "set-on-self": ("class C:\n    def f(self, n):\n        setattr(self, 'go', «lambda *a: n»)\n", False),
    "set-on-an-instance": (
        "class C:\n    pass\ndef f(n):\n    c = C()\n    setattr(c, 'go', «lambda *a: n»)\n    return c\n",
        False,
    ),
    "stored-on-self": ("class C:\n    def f(self, n):\n        self.go = «lambda *a: n»\n", False),
    "bound-in-a-body": ("def make(n):\n    return «lambda *a: n»\nclass C:\n    go = make(1)\n", True),
    "unpacked-in-a-body": (
        "def make(n):\n    return «lambda *a: n», None\nclass C:\n    go, other = make(1)\n",
        True,
    ),
    "other-half-in-a-body": (
        "def make(n):\n    return «lambda *a: n», 1\ng, n = make(1)\nclass C:\n    go = n\n",
        False,
    ),
    "wrapped-in-staticmethod": (
        "def make(n):\n    return «lambda *a: n»\nclass C:\n    go = staticmethod(make(1))\n",
        False,
    ),
    "decorates-a-method": (
        "def logged(g):\n    return «lambda *a: g(*a)»\nclass C:\n    @logged\n    def go(self):\n        pass\n",
        True,
    ),
    "in-the-variables-of-a-body": (
        "def make(n):\n    return «lambda *a: n»\nclass C:\n    for k in 'ab':\n        locals()[k] = make(k)\n",
        True,
    ),
    "in-a-namespace-for-type": ("def f(n):\n    return type('C', (), {'go': «lambda *a: n»})\n", True),
    "in-a-namespace-for-a-metaclass": (
        "class M(type):\n    def __new__(mcs, name, bases, space):\n        space['go'] = «lambda *a: name»\n"
        "        return super().__new__(mcs, name, bases, space)\n",
        True,
    ),
    "in-a-dictionary": ("def f(n):\n    return dict(go=«lambda *a: n»)\n", False),
    "returned": ("def f(n):\n    return «lambda *a: n»\n", False),
}


@pytest.mark.parametrize(("text", "expected"), METHODS.values(), ids=METHODS)
def test_becomes_method(text: str, expected: bool) -> None:
    flow, origin = marked(text)
    assert flow.becomes_method(origin) is expected


WRAPPERS = {
    "decorator": ("def logged(func):\n    return «lambda *a: func(*a)»\n", True),
    "decorator-with-a-function": (
        "def logged(func):\n    «def inner(*a, **k):\n        return func(*a, **k)»\n    return inner\n",
        True,
    ),
    "decorator-from-a-factory": (
        "def logged(n):\n    def outer(func):\n        return «lambda *a: func(n, *a)»\n    return outer\n",
        True,
    ),
    "the-decorator-itself": (
        "def logged(n):\n    «def outer(func):\n        return lambda *a: func(n, *a)»\n    return outer\n",
        False,
    ),
    "decorator-that-takes-the-name": (
        "import functools\ndef logged(n):\n    def outer(func):\n        «@functools.wraps(func)\n"
        "        def inner(*a):\n            return func(n, *a)»\n        return inner\n    return outer\n",
        False,
    ),
    "fixed-parameters": ("def scaled(func):\n    return «lambda x: func(x) * 2»\n", False),
    "two-functions": ("def composed(f, g):\n    return «lambda *a: f(g(*a))»\n", False),
    "decorator-of-this-function-alone": (
        "def f(h):\n    def logged(func):\n        return «lambda *a: func(*a)»\n    return logged(h)(1)\n",
        False,
    ),
}


@pytest.mark.parametrize(("text", "expected"), WRAPPERS.values(), ids=WRAPPERS)
def test_wraps_functions(text: str, expected: bool) -> None:
    flow, origin = marked(text)
    assert flow.wraps_functions(origin) is expected


CHANGES = {
    "attribute": ("def f():\n    g = «lambda: 1»\n    g.n = 0\n    return g\n", True),
    "documentation": ("def f():\n    g = «lambda: 1»\n    g.__doc__ = ''\n    return g\n", True),
    "setattr": ("def f(name):\n    g = «lambda: 1»\n    setattr(g, name, 0)\n    return g\n", True),
    "dictionary-of-attributes": ("def f():\n    g = «lambda: 1»\n    g.__dict__.update(n=0)\n    return g\n", True),
    "read-only": ("def f():\n    g = «lambda: 1»\n    print(g.__doc__)\n    return g\n", False),
    "of-its-holder": ("def f(h):\n    h.g = «lambda: 1»\n    return h\n", False),
}


@pytest.mark.parametrize(("text", "expected"), CHANGES.values(), ids=CHANGES)
def test_is_changed(text: str, expected: bool) -> None:
    flow, origin = marked(text)
    assert flow.is_changed(origin) is expected


def test_uses_are_not_known_where_the_search_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def f(h):\n    g = «lambda: 1»\n    h(g)\n    k = g\n    return k\n"
    flow, origin = marked(text)
    assert not flow.goes_too_far(origin)
    monkeypatch.setattr(Search, "LIMIT", 2)
    flow, origin = marked(text)
    assert flow.goes_too_far(origin)


def test_unknown_calls_are_reported() -> None:
    flow, _ = marked("from m import g\ndef f(h):\n    g(h, «1»)\n    h.go()\n    len(h)\n")
    assert [ast.unparse(node) for node in flow.unresolved] == ["g(h, 1)", "h.go()"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "from m import *\nf(x)\n",
        "def f(*, a, b=1, **k):\n    return f(*a, **k)\n",
        "class C(C, metaclass=M):\n    x: C = C()\n    (a, *b), c.d[0] = x\n",
        "def f():\n    del a[0], b.c, d\n    raise E from e\n",
        "async def f():\n    async with a as b, c:\n        async for d in [e async for e in g]:\n            await d\n",
        "try:\n    pass\nexcept* E as e:\n    pass\n" if hasattr(ast, "TryStar") else "",
        "match a:\n    case {'x': [y, *z], **r} | C(y, k=z) as r if y:\n        pass\n",
        "super().x(1)\nclass C:\n    y = super().x\n",
        "lambda *a, b=lambda: 0, **c: (yield)\n",
    ],
)
def test_any_file_has_a_graph(text: str) -> None:
    module = ast.parse(text)
    flow = FlowGraph.of(File("case.py", module, ScopeTree(module), Source("case.py", text)), load())
    for node in ast.walk(module):
        assert flow.reach(node).level in Level


def test_searches_do_not_grow_with_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of many handlers of one registry is answered by looking at its own surroundings."""
    pushed = 0
    push = Search.push

    def counting(self: Search, *args: object) -> None:
        nonlocal pushed
        pushed += 1
        push(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Search, "push", counting)
    handlers = "".join(f"register({number}, lambda: {number})\n" for number in range(300))
    text = "TABLE = {}\ndef register(n, fn):\n    TABLE[n] = fn\n" + handlers
    module = ast.parse(text)
    flow = FlowGraph.of(File("case.py", module, ScopeTree(module), Source("case.py", text)), load())
    lambdas = [node for node in ast.walk(module) if isinstance(node, ast.Lambda)]
    assert {flow.reach(node).level for node in lambdas} == {Level.STATE}
    assert pushed < 40 * len(lambdas)

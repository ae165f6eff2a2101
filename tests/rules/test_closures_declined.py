"""What is declined, one case for each way: the reason code, and every byte as it was."""

from __future__ import annotations

import pytest

from codemods import engine
from codemods.finding import Level

CASES = [
    ("late-bound-loop-variable", "def f(xs):\n    return [lambda: x for x in xs]\n"),
    (
        "late-bound-loop-variable",
        "def f(xs):\n    out = []\n    for i, x in xs:\n        out.append(lambda: x)\n    return out\n",
    ),
    ("rebound-after-capture", "def f(n):\n    g = lambda: n\n    n += 1\n    return g\n"),
    (
        "rebound-after-capture",
        "def f():\n    try:\n        n = 1\n        return lambda: n\n    finally:\n        n = 2\n",
    ),
    (
        "rebound-after-capture",
        "def f(n):\n    def g():\n        return n\n    with open('x') as n:\n        pass\n    return g\n",
    ),
    ("maybe-unbound", "def f(c):\n    if c:\n        n = 1\n    return lambda: n\n"),
    (
        "maybe-unbound",
        "def f():\n    def g():\n        return h()\n    g()\n    def h():\n        return 1\n    return g\n",
    ),
    (
        "shared-cell",
        "def f():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n    return up, lambda: n\n",
    ),
    (
        "shared-cell",
        "def f():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n        return n\n    up()\n    print(n)\n    return up\n",
    ),
    (
        "shared-cell",
        "def f(xs):\n    n = 0\n    out = []\n    for x in xs:\n        def up():\n            nonlocal n\n            n += 1\n        out.append(up)\n    return out\n",
    ),
    (
        "rebinds-captured-variable",
        "def f():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n        yield n\n    return up\n",
    ),
    (
        "rebinds-captured-variable",
        "def f():\n    n = 0\n    def up():\n        nonlocal n\n        return (n := n + 1)\n    return up\n",
    ),
    (
        "deep-copied-state",
        "from copy import deepcopy\ndef f():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n    return up\n",
    ),
    ("captures-unpicklable", "def f():\n    with open('x') as h:\n        return lambda: h.name\n"),
    ("captures-unpicklable", "import queue\ndef f():\n    q = queue.Queue()\n    return lambda: q.get()\n"),
    (
        "captures-unpicklable",
        "import weakref\ndef f():\n    d = weakref.WeakKeyDictionary()\n    return lambda k: d[k]\n",
    ),
    ("captures-unpicklable", "def f(xs):\n    g = (x for x in xs)\n    return lambda: next(g)\n"),
    (
        "import-rebound",
        "def f():\n    try:\n        import json as j\n    except ImportError:\n        j = None\n    return lambda: j\n",
    ),
    (
        "decorator-runs-per-call",
        "import functools\ndef f():\n    @functools.lru_cache\n    def g(x):\n        return x\n    return g\n",
    ),
    ("annotation-evaluated-per-call", "def f(kind):\n    def g(x: kind):\n        return x\n    return g\n"),
    ("definition-time-default", "def f(n):\n    def g(x=(k := n)):\n        return x\n    return g\n"),
    (
        "definition-time-default",
        "import inspect\ndef f(n):\n    def g(x=n):\n        return x\n    inspect.signature(g)\n    return g\n",
    ),
    (
        "class-cell",
        "class C:\n    def f(self):\n        def g(this):\n            return super().f()\n        return g\n",
    ),
    ("method-binding", "def f(n):\n    def g(self):\n        return n\n    return g\n"),
    (
        "method-binding",
        "def make(n):\n    def g(a, b):\n        return n\n    return g, g\nclass C:\n    __add__, __radd__ = make(1)\n",
    ),
    ("name-observed", "def f(n):\n    def g():\n        return n\n    return g\nh = f(1)\nh.__doc__ = 'H.'\n"),
    (
        "name-observed",
        "import functools\ndef f(n):\n    def g():\n        return n()\n    functools.update_wrapper(g, n)\n    return g\n",
    ),
    ("frame-introspection", "import sys\ndef f(n):\n    return lambda: (sys._getframe(), n)\n"),
    ("namespace-observed", "def f(n):\n    def g():\n        return locals(), n\n    return g\n"),
    ("namespace-observed", "def f(n):\n    exec('n = 2')\n    return lambda: n\n"),
    (
        "code-observed",
        "import types\ndef f(n):\n    return lambda: n\ndef h(x):\n    return isinstance(x, types.FunctionType)\n",
    ),
    ("code-observed", "def f():\n    def g():\n        pass\n    return g\ndef h(x):\n    return x.__qualname__\n"),
    ("name-observed", "def f():\n    def g():\n        pass\n    print(g.__name__)\n    return g\n"),
    ("globals-swept", "def f():\n    return lambda: 1\nfor name, value in list(globals().items()):\n    print(name)\n"),
    (
        "name-shown",
        "def f():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n        return f'{n=}'\n    return up\n",
    ),
    ("docstring-test", "def f():\n    def g():\n        '''\n        >>> 1\n        1\n        '''\n    return g\n"),
    ("shadowed-capture", "def f(n):\n    def g(x):\n        return [g(n) for n in x], n\n    return g\n"),
    ("unsupported-syntax", "def f(n):\n    return lambda: (yield n)\n"),
    (
        "captures-guarded-definition",
        "OUT = []\nif __name__ == '__main__':\n    def g():\n        pass\n    OUT.append(lambda: g())\n    g = g\n",
    ),
    (
        "function-handed-on",
        "def f(k):\n    def even():\n        return k, odd\n\n    def odd():\n        return even\n    return even\n",
    ),
    ("unsupported-syntax", "def f(k):\n    def walk(x):\n        return (walk)(k)\n    return walk\n"),
    ("deep-copied-state", "import copy\ndef f():\n    def g():\n        g.n = 1\n    copy.deepcopy(g)\n    return g\n"),
]


@pytest.mark.parametrize(
    ("reason", "text"), [pytest.param(*case, id=f"{index}-{case[0]}") for index, case in enumerate(CASES)]
)
def test_declined(reason: str, text: str) -> None:
    compile(text, "case.py", "exec")
    data = text.encode()
    result = engine.fix("case.py", data, engine.Options())
    assert result.error is None
    assert result.after == data
    assert reason in {finding.refusal.reason for finding in result.findings if finding.refusal}


AT_ANY_REACH = [
    ("method-binding", "def f(n, cls):\n    cls.go = lambda this: n\n"),
    ("method-binding", "def f(n):\n    return type('C', (), {'go': lambda this: n})\n"),
    ("may-wrap-method", "def f(func):\n    def g(*args):\n        return func(*args)\n    return g\n"),
    (
        "name-observed",
        "import functools\ndef f(n):\n    def g():\n        return n()\n    return functools.wraps(n)(g)\n",
    ),
]


@pytest.mark.parametrize(
    ("reason", "text"), [pytest.param(*case, id=f"{index}-{case[0]}") for index, case in enumerate(AT_ANY_REACH)]
)
def test_declined_at_any_reach(reason: str, text: str) -> None:
    data = text.encode()
    result = engine.fix("case.py", data, engine.Options(reach=Level.LOCAL))
    assert result.after == data
    assert reason in {finding.refusal.reason for finding in result.findings if finding.refusal}


@pytest.mark.parametrize("name", ["reprlib.py", "collections/__init__.py", "types.py"])
def test_modules_that_functools_needs_do_not_import_it(name: str) -> None:
    data = b"def f(n):\n    return lambda: n\n"
    result = engine.fix(name, data, engine.Options())
    assert result.after == data
    assert [finding.refusal.reason for finding in result.findings if finding.refusal] == ["import-cycle"]


def test_partials_are_unsafe_where_objects_are_deep_copied() -> None:
    data = b"import copy\ndef f(n):\n    return lambda: n\ncopy.deepcopy(f)\n"
    assert engine.fix("case.py", data, engine.Options()).after == data
    assert engine.fix("case.py", data, engine.Options(unsafe_fixes=True)).after != data


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def f(rows):\n    return sorted(rows, key=lambda row: row[0])\n", id="consumed"),
        pytest.param("def f(x):\n    g = lambda y: y + x\n    return g(1)\n", id="called"),
        pytest.param("def f():\n    def g():\n        pass\n", id="unused"),
    ],
)
def test_local_functions_are_no_finding_by_default_and_move_with_reach_all(text: str) -> None:
    data = text.encode()
    assert engine.fix("case.py", data, engine.Options()).findings == ()
    assert engine.fix("case.py", data, engine.Options(reach=Level.LOCAL)).changed

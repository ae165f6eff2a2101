"""What is declined, one case for each way: the reason code, and every byte as it was."""

from __future__ import annotations

import textwrap

import pytest

from codemods import engine
from codemods.finding import Level

CASES = [
    ("class-state", "def f(out):\n    class Inner:\n        items = []\n\n    out.append(Inner)\n    return out\n"),
    ("class-body-runs", "def f():\n    class Inner:\n        n = 6 // 0\n\n    return Inner()\n"),
    (
        "maybe-unbound",
        "import contextlib\ndef f(p):\n    with contextlib.suppress(OSError):\n        n = p()\n    return lambda: n\n",
    ),
    ("maybe-unbound", "def open(p): ...\ndef f(p):\n    with open(p):\n        n = p()\n    return lambda: n\n"),
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
        "def f():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n        yield n\n    print(n)\n    return up\n",
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
    ("method-binding", "def f(n):\n    def g(self):\n        return n\n    return g\n"),
    (
        "method-binding",
        "def make(n):\n    def g(a, b):\n        return n\n    return g, g\nclass C:\n    __add__, __radd__ = make(1)\n",
    ),
    ("name-observed", "def f(n):\n    def g():\n        return n\n    return g\nh = f(1)\nh.__doc__ = 'H.'\n"),
    ("name-observed", "def f(n):\n    def g():\n        return n\n    return g\nh = f(1)\nprint(h.__name__)\n"),
    ("frame-introspection", "import sys\ndef f(n):\n    return lambda: (sys._getframe(), n)\n"),
    ("namespace-observed", "def f(n):\n    def g():\n        return locals(), n\n    return g\n"),
    ("namespace-observed", "def f(n):\n    exec('n = 2')\n    return lambda: n\n"),
    (
        "code-observed",
        "import types\ndef f(n):\n    return lambda: n\ndef h(x):\n    return isinstance(x, types.FunctionType)\n",
    ),
    ("code-observed", "def f():\n    def g():\n        pass\n    return g\ndef h(x):\n    return x.__qualname__\n"),
    ("name-observed", "def f():\n    def g():\n        pass\n    print(g.__name__)\n    return g\n"),
    (
        "name-observed",
        "import contextlib\ndef f(n):\n    def g():\n        yield n\n    return contextlib.contextmanager(g)\n",
    ),
    ("method-binding", "def f(c):\n    def __init__(this, *args):\n        this.args = args\n    return __init__\n"),
    (
        "name-observed",
        "import json\ndef f(n):\n    def dumps(value):\n        return n, value\n    json.dumps = dumps\n",
    ),
    ("name-observed", "import os.path as paths\ndef f():\n    paths.join = lambda *parts: '/'.join(parts)\n"),
    *(
        (
            "globals-swept",
            f"{classes}\ndef f():\n    return lambda: 1\nx = [v for v in vars().values() if isinstance(v, {name})]\n",
        )
        for classes, name in (
            ("", "object"),
            ("class int:\n    pass", "object"),
            ("from typing import Protocol\nclass Named(Protocol):\n    __name__: str", "Named"),
            ("class Meta(type):\n    pass\nclass Any(metaclass=Meta):\n    pass", "Any"),
            ("import abc\nclass Any(abc.ABC):\n    pass\nAny.register(type(len))", "Any"),
        )
    ),
    *(
        ("globals-swept", f"def f():\n    return lambda: 1\nLIMIT, seen, hidden = 3, [], []\n{sweep}\n")
        for sweep in (
            "for name, value in list(globals().items()):\n    print(name)",
            "x = [n for n, v in list(globals().items()) if isinstance(LIMIT, int)]",
            "x = [n for n in list(globals()) if not [i for i in (1,) if isinstance(i, str)]]",
            "x = [n for n in list(globals()) if 'n'.startswith('n')]",
            "x = [v for v in vars().values() if seen.append(v) or isinstance(v, int)]",
            "x = [v for v in vars().values() if seen.append(v) is None and isinstance(v, int)]",
            "x = [v for v in map(type, vars().values()) if isinstance(v, int)]",
            "for n in list(globals()):\n    if n.startswith('_'):\n        print(n)",
            "for n in list(globals()):\n    if not n.startswith('_'):\n        pass\n    else:\n        hidden.append(n)",
            "for n in list(globals()):\n    if isinstance(LIMIT, int):\n        hidden.append(n)",
        )
    ),
    (
        "name-shown",
        "def f():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n        return f'{n=}'\n    return up\n",
    ),
    (
        "unsupported-syntax",
        "def f():\n    n = 0\n    def up(x):\n        nonlocal n\n        n += x.__count\n    return up\n",
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
    ("function-needed", "def f(r, n):\n    return r.table('t').for_each(lambda row: row == n)\n"),
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


SHARING = """
{before}
def make(n, other=3):
{above}
    def up(by=1):
        nonlocal n
        n += by
        return n
{between}
    def get({parameters}):
        {body}
{after}
    return up, get
"""


def sharing(
    before: str = "",
    above: str = "",
    between: str = "",
    parameters: str = "",
    body: str = "return n",
    after: str = "",
) -> str:
    """Two functions that share a variable, and what may speak against making them methods of one object."""
    texts = {"above": above, "between": between, "after": after}
    indented = {name: textwrap.indent(text, "    ") for name, text in texts.items()}
    return SHARING.format(before=before, parameters=parameters, body=body, **indented)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(sharing(), id="plain"),
        pytest.param(sharing(after="print(up is get, {up: 1}, up == other)"), id="compared"),
        pytest.param(sharing(body="return n + get() + up()"), id="calls"),
        pytest.param(
            sharing(body="class C:\n            def get(self):\n                return self.__n, n"), id="private"
        ),
        pytest.param(sharing(between="def more():\n    return up()", body="return n, more()"), id="mutual"),
    ],
)
def test_functions_that_share_a_variable_become_methods(text: str) -> None:
    after = engine.fix("case.py", text.encode(), engine.Options()).after
    assert b"up = state.up" in after
    assert b"nonlocal n" not in after


SHARED = {
    "read-by-the-owner": sharing(after="print(n)"),
    "read-by-the-owner-in-between": sharing(between="print(n)"),
    "read-by-the-owner-in-a-comprehension": sharing(after="rows = [n for _ in range(3)]"),
    "rebound-by-the-owner": sharing(after="n = 0"),
    "deleted-by-the-owner": sharing(after="del n"),
    "maybe-unbound": sharing(above="if other:\n    del n"),
    "read-by-a-lambda": sharing(after="show = lambda: n"),
    "read-by-a-class": sharing(after="class C:\n    def show(self):\n        return n"),
    "read-in-another-block": sharing(after="if other:\n    def more():\n        return n"),
    "read-by-a-decorated-one": sharing(before="import functools", after="@functools.cache\ndef more():\n    return n"),
    "read-by-a-default": sharing(parameters="by=n"),
    "default-of-the-run": sharing(above="other = [other]", parameters="by=other"),
    "other-capture-rebound": sharing(body="return n, other", after="other = 4"),
    "other-capture-bound-in-between": sharing(body="return n, late", between="late = 1"),
    "other-capture-unpicklable": sharing(before="import threading", above="lock = threading.Lock()", body="lock, n"),
    "other-capture-declined": sharing(above="def log(): return sorted(locals())", body="return n, log()"),
    "method-handed-on": sharing(body="return n, up"),
    "method-shown": sharing(body='return n, f"{up()=}"'),
    "method-called-before-it-exists": sharing(above="def early(): return n, get()", between="early()"),
    "variable-shown": sharing(body='return f"{n=}"'),
    "walrus": sharing(body="nonlocal n; return (n := 0)"),
    "deletion": sharing(body="nonlocal n; del n"),
    "handler": sharing(body="nonlocal n\n        try: pass\n        except E as n: pass"),
    "attribute-set": sharing(after="up.count = 1"),
    "referred-to-weakly": sharing(before="import weakref", after="weakref.ref(up)"),
    "looked-for": sharing(after="[].count(up)"),
    "same-name-twice": sharing(after="def get():\n    return n + 1"),
    "name-rebound": sharing(body="return n, up()", after="up = print"),
    "private-name": sharing(body="return n.__count"),
    "called-by-one-with-a-decorator": sharing(
        before="import functools", between="@functools.cache\ndef more():\n    return get()", body="return n, more()"
    ),
    "import-declared": sharing(above="import os", body="nonlocal os; return n, os.sep"),
    "method-declared": sharing(body="nonlocal up; return n, up()"),
    "like-a-method": sharing(parameters="self"),
    "becomes-a-method": sharing() + "\nclass C:\n    up, get = make(1)\n",
    "deep-copies": sharing(before="import copy\ncopy.deepcopy(1)"),
    "tests-for-functions": sharing(before="import inspect\ninspect.isfunction(1)"),
    "looks-at-code": sharing() + "\nprint(make(1)[0].__code__)\n",
    "loop": "def make(n):\n    while n:\n        def up():\n            nonlocal n\n            n += 1\n        def get():\n"
    "            return n\n        yield up, get\n",
    "namespace": sharing(after="print(locals())"),
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in SHARED.items()])
@pytest.mark.parametrize("reach", [pytest.param(Level.STATE, id="state"), pytest.param(Level.LOCAL, id="all")])
def test_functions_that_share_a_variable_stay(text: str, reach: Level) -> None:
    compile(text, "case.py", "exec")
    result = engine.fix("case.py", text.encode(), engine.Options(reach=reach))
    assert result.error is None
    assert b"nonlocal n" in result.after
    assert {finding.refusal.reason for finding in result.findings if finding.refusal}


METHOD = """
{before}
class C(dict):
    def make(self, other=None):
        {above}
        def run({parameters}):
            {body}
        return run
{after}
"""


def in_method(
    before: str = "",
    above: str = "pass",
    parameters: str = "this",
    body: str = "return super().copy()",
    after: str = "",
) -> str:
    """A function inside a method that uses the class, and what may speak against writing out the class."""
    return METHOD.format(before=before, above=above, parameters=parameters, body=body, after=after)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(in_method(), "return super(C, this).copy()", id="super"),
        pytest.param(in_method(body="return super(C, this).copy()"), "return super(C, this).copy()", id="written-out"),
        pytest.param(in_method(body="return __class__"), "return C", id="class"),
        pytest.param(in_method(body="this = C(this); return super().copy()"), "super(C, this).copy()", id="rebound"),
        pytest.param(
            in_method("import dataclasses\n@dataclasses.dataclass(eq=False)"), "super(C, this).copy()", id="dataclass"
        ),
    ],
)
def test_the_class_around_is_written_out(text: str, expected: str) -> None:
    result = engine.fix("case.py", text.encode(), engine.Options())
    assert "def _c_make_run(this)" in result.after.decode()
    assert expected in result.after.decode()


CLASS_CELLS = {
    "class-bound-twice": in_method(after="C = print(C)"),
    "class-bound-by-a-function": in_method(after="def f():\n    global C\n    C = 1"),
    "globals-set": in_method(after="globals()['C'] = 1"),
    "class-in-a-function": "def f():\n" + textwrap.indent(in_method(), "    ") + "    return C\n",
    "class-under-the-guard": "if __name__ == '__main__':\n" + textwrap.indent(in_method(), "    "),
    "decorated-class": in_method("import m\n@m.register"),
    "slots": in_method("import dataclasses\n@dataclasses.dataclass(slots=True)"),
    "metaclass": in_method().replace("C(dict)", "C(dict, metaclass=M)"),
    "early-call": in_method("class B:\n    def __init_subclass__(cls):\n        cls().make()(1)"),
    "inner-class-used-early": "class A:\n" + textwrap.indent(in_method(after="x = C().make()(1)"), "    "),
    "inner-class-in-a-branch": "class A:\n    if 1:\n" + textwrap.indent(in_method(), " " * 8),
    "inner-class-set-from-outside": "class A:\n" + textwrap.indent(in_method(), "    ") + "A.C = 1\n",
    "name-hidden": in_method(above="C = other", body="return super().copy(), C"),
    "name-hidden-inside": in_method(body="C = this; return super().copy()"),
    "in-a-generator": in_method(body="return [super().copy() for _ in this]"),
    "without-parameters": in_method(parameters="*items"),
    "parameter-deleted": in_method(body="del this; return super().copy()"),
    "parameter-unbound": in_method(
        body="try: pass\n            except E as this: pass\n            return super().copy()"
    ),
    "super-handed-on": in_method(body="return map(super, this)"),
    "super-of-the-module": in_method("super = print"),
    "super-that-may-come-from-elsewhere": in_method("from m import *"),
    "shown": in_method(body='return f"{__class__=}"'),
    "rebound": in_method(body="nonlocal __class__; __class__ = 1; return super().copy()").replace(
        "def run", "async def run"
    ),
    "commented": in_method(body="return super(  # the dict\n            ).copy()"),
    "in-parentheses": in_method(body="return (super)().copy()"),
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in CLASS_CELLS.items()])
def test_the_class_around_is_not_written_out(text: str) -> None:
    compile(text, "case.py", "exec")
    result = engine.fix("case.py", text.encode(), engine.Options(Level.LOCAL, select=frozenset({"PKL101"})))
    assert result.after.decode() == text
    assert "class-cell" in {finding.refusal.reason for finding in result.findings if finding.refusal}


def test_a_default_that_fails_does_so_where_it_stood() -> None:
    """Not at import: it stays behind as a bound value."""
    result = engine.fix("case.py", b"def f():\n    return lambda n=6 // 0: n\n", engine.Options())
    assert b"functools.partial(_f_lambda, 6 // 0)" in result.after

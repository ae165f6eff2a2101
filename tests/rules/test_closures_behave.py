"""Programs in which it shows whether a function is fresh, documented, bound, deep enough or evaluated in time."""

from __future__ import annotations

import pathlib
import textwrap

import pytest

from codemods.finding import Level
from tests.rules.scripts import fix, run_script

REWRITTEN = {
    "member_of_a_set": (
        """
        class Bus:
            def __init__(self):
                self.listeners = set()
            def subscribe(self, listener):
                self.listeners.add(listener)
        def attach(bus):
            bus.subscribe(lambda: 1)
        bus = Bus()
        attach(bus)
        attach(bus)
        print(len(bus.listeners))
        """,
        "2",
    ),
    "globals_of_a_class": (
        """
        class Rule:
            pass
        def make(n):
            return lambda: n
        first, made = Rule(), make(1)
        print(len([value for value in vars().values() if isinstance(value, Rule)]), made())
        """,
        "1 1",
    ),
    "globals_of_a_type": (
        """
        def make(n, m=0):
            return lambda: n
        LIMIT, made = 5, make(1)
        print([name for name, value in globals().items() if isinstance(value, int)], made())
        """,
        "['LIMIT'] 1",
    ),
    "part_of_a_key": (
        """
        def make():
            return {(1, lambda: 0): "value"}
        print(len({**make(), **make()}))
        """,
        "2",
    ),
    "weak_set": (
        """
        import weakref
        ALIVE = weakref.WeakSet()
        def attach():
            def listener():
                return 1
            ALIVE.add(listener)
        attach()
        print(len(ALIVE))
        """,
        "0",
    ),
    "deep_recursion_with_state": (
        """
        def counter():
            total = 0
            def visit(depth):
                nonlocal total
                total += 1
                return visit(depth - 1) if depth else total
            return visit
        print(counter()(900))
        """,
        "901",
    ),
    "default_that_the_module_sets": (
        """
        LIMIT = 1
        def make():
            def limited(limit=LIMIT):
                return limit
            return limited
        globals().update(LIMIT=2)
        print(make()())
        """,
        "2",
    ),
    "compared_as_an_item": (
        """
        def make():
            return {"convert": lambda x: x}
        print(make() == make())
        """,
        "False",
    ),
    "default_of_a_field_that_is_compared": (
        """
        import dataclasses
        @dataclasses.dataclass
        class Column:
            convert: object = lambda x: x
        print(Column() == Column())
        """,
        "True",
    ),
    "default_that_is_redirected": (
        """
        import contextlib, io, sys
        def make():
            def emit(text, to=sys.stdout):
                return to.write(text)
            return emit
        with contextlib.redirect_stdout(io.StringIO()) as output:
            make()("text")
        print(len(output.getvalue()))
        """,
        "4",
    ),
}
LEFT_ALONE = {
    "weak_reference": (
        """
        import weakref
        REFERENCES = []
        def attach():
            def listener():
                return 1
            REFERENCES.append(weakref.ref(listener))
        attach()
        print(REFERENCES[0]())
        """,
        "None",
    ),
    "documentation_of_a_property": (
        """
        def named(name):
            def get(thing):
                return name
            return property(get)
        print(named(1).__doc__)
        """,
        "None",
    ),
    "documentation_that_is_copied": (
        """
        import functools
        def make(n):
            def task():
                "Does it."
                return n
            copy = functools.partial(task)
            functools.update_wrapper(copy, task)
            return copy
        print(make(1).__doc__)
        """,
        "Does it.",
    ),
    "method_of_a_class_in_tests": (
        """
        from unittest import mock
        class Session:
            def send(self, url):
                return url
        def run():
            calls = []
            def send(session, url):
                calls.append(url)
            with mock.patch.object(Session, "send", send):
                Session().send("address")
            print(*calls)
        run()
        """,
        "address",
    ),
    "method_of_a_class_that_a_call_makes": (
        """
        import collections
        Point = collections.namedtuple("Point", "x y")
        def install(scale):
            def norm(point):
                return (point.x + point.y) * scale
            Point.norm = norm
        install(2)
        print(Point(1, 2).norm())
        """,
        "6",
    ),
    "method_of_a_class_with_a_body_function": (
        """
        import types
        def make(scale):
            def body(namespace):
                namespace["area"] = lambda shape: scale
            return types.new_class("Shape", (), {}, body)
        print(make(3)().area())
        """,
        "3",
    ),
    "annotations_of_each_evaluation": (
        """
        def make(kind):
            def convert(x):
                return x
            convert.__annotations__["x"] = kind
            return convert
        print(*(make(kind).__annotations__["x"].__name__ for kind in (int, str)))
        """,
        "int str",
    ),
    "attribute_that_binds": (
        """
        class Item:
            pass
        def make(n):
            def show(item):
                return n
            return show
        print(make(1).__get__(Item())())
        """,
        "1",
    ),
    "deep_copies_of_dataclasses": (
        """
        import dataclasses
        @dataclasses.dataclass
        class Config:
            callback: object
        def make(log):
            return Config(lambda x: log.append(x))
        log = []
        dataclasses.asdict(make(log))["callback"](1)
        print(log)
        """,
        "[1]",
    ),
    "module_that_lists_itself": (
        """
        import sys
        FUNCTIONS = []
        def make():
            FUNCTIONS.append(lambda: 1)
        this = sys.modules[__name__]
        print(*(name for name in dir(this) if name[:2] != "__"))
        """,
        "FUNCTIONS make sys this",
    ),
    "function_that_must_be_one": (
        """
        class Application:
            def __init__(self):
                self.views = {}
        def add(application, view):
            application.views[view.__code__.co_argcount] = view
        def make(n):
            application = Application()
            def index(request):
                return n
            add(application, index)
            return application
        print(*make(1).views)
        """,
        "1",
    ),
}


@pytest.mark.parametrize(("text", "output"), REWRITTEN.values(), ids=REWRITTEN)
def test_behaves_as_before(text: str, output: str, tmp_path: pathlib.Path) -> None:
    after = fix(text, Level.LOCAL).after.decode()
    assert after != textwrap.dedent(text).lstrip("\n")
    assert run_script(tmp_path, textwrap.dedent(text)).output.strip() == output
    assert run_script(tmp_path, after).output.strip() == output


@pytest.mark.parametrize(("text", "output"), LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_is_left_alone(text: str, output: str, tmp_path: pathlib.Path) -> None:
    assert run_script(tmp_path, textwrap.dedent(text)).output.strip() == output
    assert fix(text, Level.LOCAL).after.decode() == textwrap.dedent(text).lstrip("\n")


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        pytest.param(
            "function-needed",
            "import numba\ndef make(k):\n    return numba.njit(lambda x: x * k)\n",
            id="compiler",
        ),
        pytest.param(
            "function-needed",
            "def make(app, n):\n    def index():\n        return n\n    app.add_url_rule('/', view_func=index)\n",
            id="named_view",
        ),
        pytest.param("source-read", "import triton\ndef make():\n    return triton.jit(lambda x: x)\n", id="source"),
        pytest.param(
            "annotation-evaluated-per-call",
            "import models\ndef make():\n    def read(x: models.Row):\n        return x\n    return read\n",
            id="half_imported_module",
        ),
        pytest.param(
            "may-wrap-method",
            "def retry(times):\n    def decorate(func):\n        def call(*args):\n            return func(*args, times)\n"
            "        return call\n    return decorate\n",
            id="decorator_with_arguments",
        ),
        pytest.param(
            "unsupported-syntax",
            "def make():\n    __dict__ = {}\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n"
            "        return __dict__\n    return up\n",
            id="special_attribute",
        ),
    ],
)
def test_declined(reason: str, text: str) -> None:
    result = fix(text, Level.LOCAL)
    assert result.after == text.encode()
    assert reason in {finding.refusal.reason for finding in result.findings if finding.refusal}

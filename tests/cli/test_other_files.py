"""What another file of the project does with an object decides on its rewrite: programs that print the same afterwards."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.conftest import Outcome


class Case(NamedTuple):
    """A program of two files.

    Args:
        library: the file that makes the object.
        main: the file that uses it, and prints what comes of that.
        reason: the reason code for leaving the object alone.
    """

    library: str
    main: str
    reason: str


SCHEMA = (
    "class Schema:\n    def __init__(self, fields):\n        self.fields = fields\n        self.names = fields.keys()\n"
)
COUNTER = "def counter():\n    n = 0\n    def count():\n        nonlocal n\n        n += 1\n        return n\n    return count\n"
TABLE = "TABLE = {'a': 1}\nclass Names:\n    def __init__(self):\n        self.names = TABLE.keys()\n"
CLASS = "def build():\n    class Local:\n        pass\n\n    return Local\n"
SCALER = "def scaler(n):\n    return lambda x: x * n\n"
ROW = "def build():\n    class Row:\n        pass\n    return Row()\n"
LEFT = {
    "type of a function": Case(
        SCALER, "import types\nprint(isinstance(library.scaler(2), types.FunctionType))\n", "code-observed"
    ),
    "inspected function": Case(
        SCALER, "from inspect import isfunction\nprint(isfunction(library.scaler(2)))\n", "code-observed"
    ),
    "protocol of named things": Case(
        SCALER,
        "from typing import Protocol, runtime_checkable\n\n@runtime_checkable\nclass Named(Protocol):\n"
        "    __name__: str\n\nprint(isinstance(library.scaler(2), Named))\n",
        "code-observed",
    ),
    "set algebra": Case(SCHEMA, "s = library.Schema({'a': 1})\nprint(s.names & {'a'})\n", "set-algebra"),
    "set algebra in a function": Case(
        SCHEMA,
        "def both(left, right):\n    return left | right\n\n"
        "s = library.Schema({'a': 1})\nt = library.Schema({'b': 1})\nprint(sorted(both(s.names, t.names)))\n",
        "set-algebra",
    ),
    "text": Case(SCHEMA, "print(library.Schema({'a': 1}).names)\n", "view-shown"),
    "set algebra in a subclass": Case(
        SCHEMA,
        "class Wide(library.Schema):\n    def has(self, names):\n        return names <= self.names\n\n"
        "print(Wide({'a': 1}).has({'a'}))\n",
        "view-compared",
    ),
    "change through the attribute": Case(
        SCHEMA, "s = library.Schema({})\ns.fields['a'] = 1\nprint(list(s.names))\n", "dict-changes"
    ),
    "change through the variable": Case(
        SCHEMA, "fields = {}\ns = library.Schema(fields)\nfields.update(a=1)\nprint(list(s.names))\n", "dict-changes"
    ),
    "change by a function that is given the variable": Case(
        SCHEMA,
        "def fill(table):\n    table['a'] = 1\n\nfields = {}\ns = library.Schema(fields)\nfill(fields)\n"
        "print(list(s.names))\n",
        "dict-changes",
    ),
    "change of a variable that a star import's class gets": Case(
        SCHEMA,
        "from library import *\nfields = {}\ns = Schema(fields)\nfields['a'] = 1\nprint(list(s.names))\n",
        "dict-changes",
    ),
    "change of a global": Case(
        TABLE, "n = library.Names()\nlibrary.TABLE['b'] = 2\nprint(list(n.names))\n", "dict-changes"
    ),
    "change of an imported global": Case(
        TABLE,
        "from library import TABLE as table\nn = library.Names()\ntable.setdefault('b')\nprint(list(n.names))\n",
        "dict-changes",
    ),
    "deep copy of a counter": Case(
        COUNTER,
        "import copy\na = library.counter()\nb = copy.deepcopy(a)\nprint(a(), b())\n",
        "deep-copied-state",
    ),
    "copy of a counter": Case(
        COUNTER, "from copy import copy\na = library.counter()\nb = copy(a)\nprint(a(), b())\n", "deep-copied-state"
    ),
    "attribute of a local class": Case(
        CLASS, "a = library.build()\na.tag = 1\nprint(hasattr(library.build(), 'tag'))\n", "class-state"
    ),
    "two local classes compared": Case(CLASS, "print(library.build() is library.build())\n", "identity-observed"),
    "local classes as keys": Case(
        CLASS,
        "a, b = library.build(), library.build()\nprint(len({library.build(): 1, library.build(): 2}))\n",
        "identity-observed",
    ),
    "instance of another local class": Case(
        CLASS, "a = library.build()()\nprint(isinstance(a, (int, library.build())))\n", "identity-observed"
    ),
}
SEEN_ONLY = {
    "star import of another functools": (
        SCALER,
        "functools = 1\nfrom library import *\nprint(functools, scaler(2)(3))\n",
    ),
    "star import of another class": (ROW, "Row = 1\nfrom library import *\nprint(Row, type(build()).__mro__[1])\n"),
    "protocol of callables": (
        SCALER,
        "from typing import Protocol, runtime_checkable\n\n@runtime_checkable\nclass Called(Protocol):\n"
        "    def __call__(self, x): ...\n\nprint(isinstance(library.scaler(2), Called))\n",
    ),
    "iterated": (SCHEMA, "s = library.Schema({'a': 1})\nprint(list(s.names), 'a' in s.names, len(s.names))\n"),
    "another's fields": (
        SCHEMA,
        "class Other:\n    def __init__(self):\n        self.rows = {}\n\n"
        "o = Other()\no.rows['a'] = 1\nprint(sorted(library.Schema({'a': 1}).names))\n",
    ),
    "changed before": (SCHEMA, "fields = {}\nfields['a'] = 1\nprint(list(library.Schema(fields).names))\n"),
    "local class": (CLASS, "print(isinstance(library.build()(), object))\n"),
    "counter": (COUNTER, "count = library.counter()\nprint(count(), count())\n"),
}


def run(project: Path) -> str:
    done = subprocess.run([sys.executable, "main.py"], cwd=project, capture_output=True, text=True, check=True)
    return done.stdout


def write(project: Path, library: str, main: str) -> str:
    """Write a program, and give what it prints."""
    (project / "library.py").write_text(library)
    (project / "main.py").write_text(f"import library\n{main}")
    return run(project)


@pytest.mark.parametrize("case", LEFT.values(), ids=LEFT)
def test_it_is_left_alone(case: Case, project: Path, invoke: Callable[..., Outcome]) -> None:
    before = write(project, case.library, case.main)
    findings = json.loads(invoke("check", "--output-format", "json", "library.py").stdout)
    assert [finding["reason"]["code"] for finding in findings if finding["reason"]] == [case.reason]
    invoke("migrate", "--allow-dirty", ".")
    assert run(project) == before


@pytest.mark.parametrize(("library", "main"), SEEN_ONLY.values(), ids=SEEN_ONLY)
def test_it_is_rewritten(library: str, main: str, project: Path, invoke: Callable[..., Outcome]) -> None:
    before = write(project, library, main)
    assert invoke("migrate", "--allow-dirty", ".").status == 0
    assert (project / "library.py").read_text() != library
    assert run(project) == before


def test_a_deep_copy_elsewhere_makes_what_is_bound_unsafe(project: Path, invoke: Callable[..., Outcome]) -> None:
    library = (
        "class Line:\n    def __init__(self, items):\n        self.items = items\n        self.get = lambda: items\n"
    )
    main = "import copy\nl = library.Line([1])\nc = copy.deepcopy(l)\nl.items.append(2)\nprint(c.get(), c.items)\n"
    before = write(project, library, main)
    invoke("migrate", "--allow-dirty", ".")
    assert (project / "library.py").read_text() == library
    invoke("migrate", "--allow-dirty", "--unsafe-fixes", ".")
    assert (project / "library.py").read_text() != library
    assert run(project) != before


def test_a_dict_that_another_file_may_change_is_unsafe(project: Path, invoke: Callable[..., Outcome]) -> None:
    library = (
        "class Config:\n    def __init__(self, **data):\n        self.data = dict(data)\n"
        "        self.names = self.data.keys()\n    def put(self, name):\n        import store\n"
        "        store.put(self.data, name)\n"
    )
    (project / "store.py").write_text("def put(table, name):\n    table[name] = 1\n")
    before = write(project, library, "c = library.Config(a=1)\nc.put('b')\nprint(list(c.names))\n")
    invoke("migrate", "--allow-dirty", ".")
    assert run(project) == before


def test_a_local_exception_gets_its_reduce_and_moves(project: Path, invoke: Callable[..., Outcome]) -> None:
    library = (
        "def make(a):\n    class Failure(ValueError):\n        def __init__(self, text, code):\n"
        "            super().__init__(text)\n            self.text = text\n            self.code = code\n"
        "    return Failure(a, 1)\n"
    )
    before = write(project, library, "f = library.make('x')\nprint(f, f.code)\n")
    assert invoke("migrate", "--allow-dirty", "--reach", "all", ".").status == 0
    assert "\nclass Failure" in (text := f"\n{(project / 'library.py').read_text()}") and "__reduce__" in text
    assert run(project) == before
    loaded = "import pickle, library; f = pickle.loads(pickle.dumps(library.make('x'))); print(f, f.code)"
    done = subprocess.run([sys.executable, "-c", loaded], cwd=project, capture_output=True, text=True, check=True)
    assert done.stdout == before

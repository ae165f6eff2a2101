"""Assertions for tests of the person's own, the plugin that brings them, and the test file that uses them."""

from __future__ import annotations

import inspect
import os
import pickle
import subprocess
import sys
import threading
from typing import Any

import pytest

import codemods
from codemods.runtime.checking import NotPicklableError
from codemods.runtime.pytest_plugin import assert_picklable as fixture
from codemods.runtime.reducers import name_reducer, state_reducer
from tests.cli.conftest import environment
from tests.runtime.conftest import Project

METHODS = ["spawn", "forkserver", "fork"] if hasattr(os, "fork") else ["spawn"]
DATA = """
import threading

class Dataset: pass

class Good(Dataset):
    def __init__(self, n=3):
        self.n = n

class Bad(Dataset):
    def __init__(self):
        self.lock = threading.Lock()

class Needs(Dataset):
    def __init__(self, n): pass

def collate(batch): return batch
def use(loader): return loader(collate_fn=collate)
"""


class Plain:
    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)


class Loses(Plain):
    def __setstate__(self, state: Any) -> None:
        pass


class Unloadable(Plain):
    def __setstate__(self, state: Any) -> None:
        raise ValueError("not here")


@codemods.check_serializable
def make(value: Any) -> Any:
    """Make something."""
    return {"value": value}


@pytest.mark.parametrize("method", METHODS)
def test_what_arrives(method: str) -> None:
    codemods.assert_picklable(Plain(a=[1, {2}], b=make), method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("obj", "text"),
    [
        (Plain(a=[threading.Lock()]), r"obj\.a\[0\]: _thread\.lock"),
        (Loses(a=1), "does not survive the way to a worker: obj comes back"),
        (Unloadable(a=1), "does not load in a worker:(.|\n)*not here"),
    ],
    ids=["lock", "loses", "unloadable"],
)
def test_what_does_not(method: str, obj: object, text: str) -> None:
    with pytest.raises(NotPicklableError, match=text):
        codemods.assert_picklable(obj, method)


def test_the_decorator() -> None:
    assert make(1) == {"value": 1}
    assert pickle.loads(pickle.dumps(make)) is make
    assert str(inspect.signature(make)) == "(value: 'Any') -> 'Any'"
    with pytest.raises(NotPicklableError, match=r"result\['value'\]: _thread.lock"):
        make(threading.Lock())


def test_the_plugin_costs_nothing_before_it_is_used() -> None:
    program = "import pytest, sys; before = set(sys.modules); import codemods.runtime.pytest_plugin; "
    program += "print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], env=environment(), capture_output=True, check=True)
    assert done.stdout.decode().strip() == "['codemods', 'codemods.runtime', 'codemods.runtime.pytest_plugin']"
    assert fixture is not None


def test_the_test_file(project: Project) -> None:
    project.write("src/pkg/__init__.py", "")
    project.write("src/pkg/data.py", DATA)
    project.write("src/broken.py", "def f(:\n")
    done = project.run("tests", "src")
    assert done.returncode == 0
    assert b"broken.py: is left out" in done.stderr
    assert "pkg.data.Needs" in (project.folder / "tests/test_picklable.py").read_text()
    tested = project.python(
        "-m", "pytest", "-q", "-p", "no:picklefix", "-p", "codemods.runtime.pytest_plugin", "-p", "no:cacheprovider", "tests"
    ).stdout.decode()
    per_object = 4 + len([method for method in METHODS if method != "fork"])
    assert f"{per_object} failed, {2 * per_object} passed" in tested
    assert "obj.lock: _thread.lock" in tested
    assert project.run("tests", "src").returncode == 2
    assert project.run("tests", "src", "--force").returncode == 0


def test_reducers(project: Project) -> None:
    project.write("vendor.py", "class Kernel:\n    def __init__(self, fn): self.fn = fn; self.__module__ = fn.__module__\n\n\n@Kernel\ndef run(): pass\n")
    program = name_reducer("vendor.Kernel", "fn.__qualname__") + "\nimport copy, pickle, vendor\n"
    program += "print(pickle.loads(pickle.dumps(vendor.run)) is vendor.run, copy.deepcopy(vendor.run) is vendor.run)\n"
    assert project.python("-c", program).stdout.split() == [b"True", b"True"]
    for name, keywords in (("Kernel", {}), ("a b.C", {}), ("m.C", {"drop": ["x y"]})):
        with pytest.raises(ValueError, match="is not the name"):
            state_reducer(name, **keywords)  # type: ignore[arg-type]


def test_doctor(project: Project) -> None:
    done = project.run("doctor")
    assert done.returncode == 0
    assert b"start method" in done.stdout
    assert b'"start_methods"' in project.run("doctor", "--output-format", "json").stdout

"""Objects that go to a fresh process and come back."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import git
from tests.runtime.conftest import Project

MODULE = """
import functools, threading

def collate(scale, batch):
    return [scale[0] * item for item in batch]

heavy = functools.partial(collate, list(range(1, 20000)))

class Data:
    def __init__(self):
        self.items, self.me = [1, {2, 3}], self

class Loses(Data):
    def __setstate__(self, state):
        self.items = []

class Unloadable(Exception):
    def __init__(self, a, b):
        super().__init__(a)

def make_data(): return Data()
def make_loses(): return Loses()
def make_unloadable(): return Unloadable(1, 2)
def make_lock(): return {"locks": [threading.Lock()]}
def dies():
    import os
    os._exit(4)
"""


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("work:collate", None),
        ("work.py:make_data", None),
        ("work:heavy", None),
        ("work:make_loses", "changes on the way"),
        ("work:make_unloadable", "does not load in a fresh process: TypeError"),
        ("work:make_lock", "does not pickle: TypeError"),
        ("work:nothing", "cannot be made: AttributeError: module 'work' has no attribute 'nothing'; check the name"),
        (
            "nothing:x",
            "cannot be made: ModuleNotFoundError: No module named 'nothing'; run it in the folder that the import "
            "starts from, or give the file: path/to/file.py:name",
        ),
        ("work:dies", "cannot be made: the process ended with 4"),
    ],
)
def test_verdict(project: Project, target: str, problem: str | None) -> None:
    project.write("work.py", MODULE)
    done = project.run("verify", target, "--output-format", "json")
    verdict = json.loads(done.stdout)[0]
    assert done.returncode == (problem is not None)
    if problem is None:
        assert verdict["problem"] is None
        assert verdict["size"] > 0
    else:
        assert verdict["problem"].startswith(problem)


def test_a_call_on_both_sides(project: Project) -> None:
    project.write("work.py", MODULE)
    assert project.run("verify", "work:heavy", "--call", "([2],)").returncode == 0
    project.write("odd.py", "import os\nPARENT = os.getpid()\ndef f(x): return PARENT\n")
    assert b"returns something else" in project.run("verify", "odd:f", "--call", "(1,)").stdout


def test_the_table(project: Project) -> None:
    project.write("work.py", MODULE)
    text = project.run("verify", "work:heavy", "work:make_lock").stdout.decode()
    assert "carries argument 0 list" in text
    assert "make_lock['locks'][0]: _thread.lock" in text


def test_what_the_migration_made(project: Project) -> None:
    project.write("src/pkg/__init__.py", "")
    project.write("src/pkg/a.py", "def old():\n    pass\n\n\ndef make(n):\n    return lambda x: x + n\n")
    git("init", "-q", cwd=project.folder)
    git("add", ".", cwd=project.folder)
    git("commit", "-qm", "start", cwd=project.folder)
    assert project.run("migrate", ".").returncode == 0
    done = project.run("verify", "--changed", "--output-format", "json")
    verdicts = json.loads(done.stdout)
    assert [verdict["target"]["name"] for verdict in verdicts] == ["pkg.a:_make_lambda"]
    assert done.returncode == 0


@pytest.mark.parametrize("arguments", [(), ("work",), ("no.py:x",), ("work:f", "--call", "2"), ("--changed",), ("a:b", "--python", "/no")])
def test_bad_input(project: Project, arguments: tuple[str, ...]) -> None:
    done = project.run("verify", *arguments, GIT_CEILING_DIRECTORIES=str(project.folder.parent))
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr

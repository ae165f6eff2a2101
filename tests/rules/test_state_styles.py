"""The styles other than ``__getstate__``: run before and after, copied, and pickled in one process and loaded in another."""

from __future__ import annotations

import pathlib
import textwrap

import pytest

from codemods import engine
from codemods.catalog.entries import Resource, Restore
from codemods.finding import FileResult, Level
from codemods.style import StateStyle
from tests.pickling import Subject
from tests.rules.scripts import run_script

LOCKED = """
import threading


class Owner:
    def __init__(self, name, *, size=2):
        self.name = name
        self.size = size
        self.key = (name, size)
        self.lock = threading.Lock()

    def read(self):
        with self.lock:
            return [self.name, self.size, self.key]


def build():
    return Owner("n", size=3)


def observe(obj):
    return obj.read()
"""


def fix(text: str, style: StateStyle, *, unsafe: bool = False, resources: tuple[Resource, ...] = ()) -> FileResult:
    options = engine.Options(Level.STATE, unsafe, state_style=style, resources=resources)
    result = engine.fix("module.py", textwrap.dedent(text).lstrip("\n").encode(), options)
    assert result.error is None
    assert not engine.fix("module.py", result.after, options).changed
    return result


def reasons(result: FileResult) -> set[str]:
    return {finding.refusal.reason for finding in result.findings if finding.refusal is not None}


@pytest.mark.parametrize("style", [StateStyle.GETSTATE, StateStyle.REDUCE, StateStyle.REDUCER])
def test_pickled_here_and_loaded_elsewhere(style: StateStyle, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(LOCKED)
    expected = Subject(path).observe().value
    assert Subject(path).dump().error
    path.write_bytes(fix(LOCKED, style, unsafe=style is StateStyle.REDUCER).after)
    subject = Subject(path)
    assert [subject.observe().value, subject.dump().value, subject.load().value] == [expected] * 3


def test_deep_copies_share_and_keep_cycles_and_aliases(tmp_path: pathlib.Path) -> None:
    text = """
    import threading


    class Node:
        def __init__(self):
            self.lock = threading.Lock()
            self.others = []
            self.again = [self.lock]

    def build():
        first, second = Node(), Node()
        first.others += [second, first]
        second.others.append(first)
        return first
    """
    after = fix(text, StateStyle.DEEPCOPY).after.decode()
    script = """
node = build()
other = copy.deepcopy(node)
print(other is not node, other.lock is node.lock, other.again[0] is node.lock)
print(other.others[1] is other, other.others[0].others[0] is other, other.others is not node.others)
print(copy.copy(node).lock is node.lock)
"""
    run = run_script(tmp_path, after + script)
    assert run.output.split() == ["True"] * 7, run.errors


@pytest.mark.parametrize(
    "use",
    [
        "for copier in [copy.copy]:\n    print(copier(box).lock is box.lock)",
        "print(list(map(copy.copy, [box]))[0].lock is box.lock)",
    ],
)
def test_copies_go_on_sharing_however_copy_is_called(use: str, tmp_path: pathlib.Path) -> None:
    made = "import copy, threading\n\nclass Box:\n    def __init__(self):\n        self.lock = threading.Lock()\n\n"
    text = f"{made}BOXES = [box := Box()]\n{use}\n"
    after = fix(text, StateStyle.GETSTATE).after.decode()
    assert "__getstate__" in after
    assert run_script(tmp_path, text).output == run_script(tmp_path, after).output == "True\n"


def test_a_reducer_is_registered_once() -> None:
    text = (
        LOCKED
        + "\n\nclass Other:\n    def __init__(self):\n        self.guard = threading.Lock()\n\n\nOTHER = [Other()]\n"
    )
    assert fix(text, StateStyle.REDUCER, unsafe=True).after.count(b"copyreg.pickle(") == 1


def test_a_reducer_for_the_whole_process_is_asked_for() -> None:
    assert not fix(LOCKED, StateStyle.REDUCER).changed


def test_a_class_that_cannot_be_edited_gets_a_reducer_if_the_configuration_says_how(tmp_path: pathlib.Path) -> None:
    (tmp_path / "library.py").write_text("class Client:\n    def __reduce__(self):\n        raise TypeError('no')\n")
    entry = Resource("library.Client", "", restore=Restore.REBUILD, is_type=True, reducer="constructor")
    text = """
    import library


    class Owner:
        def __init__(self):
            self.client = library.Client()


    def build():
        return Owner()


    def observe(obj):
        return type(obj.client).__name__
    """
    path = tmp_path / "module.py"
    path.write_bytes(fix(text, StateStyle.REDUCER, unsafe=True, resources=(entry,)).after)
    subject = Subject(path)
    assert [subject.dump().value, subject.load().value] == ["'Client'"] * 2


DECLINED = {
    "deepcopy_of_what_is_copied_already": (
        StateStyle.DEEPCOPY,
        "copied-already",
        "import argparse\n\nclass Owner:\n    def __init__(self):\n        self.parser = argparse.ArgumentParser()\n",
    ),
    "deepcopy_of_a_list_of_locks": (
        StateStyle.DEEPCOPY,
        "inside-container",
        "import threading\n\nclass Owner:\n    def __init__(self):\n        self.locks = [threading.Lock()]\n",
    ),
    "deepcopy_with_slots": (
        StateStyle.DEEPCOPY,
        "copied-by-base",
        "import threading\n\nclass Owner:\n    __slots__ = ('lock',)\n"
        "    def __init__(self):\n        self.lock = threading.Lock()\n",
    ),
    "deepcopy_of_a_dict": (
        StateStyle.DEEPCOPY,
        "copied-by-base",
        "import threading\n\nclass Owner(dict):\n    def __init__(self):\n        self.lock = threading.Lock()\n",
    ),
    "reduce_with_an_attribute_that_changes": (
        StateStyle.REDUCE,
        "constructor-insufficient",
        "import threading\n\nclass Owner:\n    def __init__(self):\n        self.lock = threading.Lock()\n"
        "        self.n = 0\n    def count(self):\n        self.n += 1\n",
    ),
    "reduce_with_an_argument_that_is_lost": (
        StateStyle.REDUCE,
        "initialiser-needs-local",
        "import threading\n\nclass Owner:\n    def __init__(self, n=1):\n        self.lock = threading.Lock()\n"
        "        self.n = n + 1\n",
    ),
    "reduce_with_a_constructor_that_does_more": (
        StateStyle.REDUCE,
        "constructor-insufficient",
        "import threading\n\nclass Owner:\n    def __init__(self):\n        self.lock = threading.Lock()\n"
        "        print('made')\n",
    ),
    "reduce_with_a_file_that_would_be_truncated": (
        StateStyle.REDUCE,
        "not-made-again",
        "class Owner:\n    def __init__(self, path='/dev/null'):\n        self.path = path\n"
        "        self.file = open(path, 'w')\n",
    ),
    "reduce_with_a_subclass_that_takes_other_arguments": (
        StateStyle.REDUCE,
        "subclass-constructor",
        "import threading\n\nclass Owner:\n    def __init__(self):\n        self.lock = threading.Lock()\n\n"
        "class Heir(Owner):\n    def __init__(self, n):\n        super().__init__()\n",
    ),
    "reducer_of_what_was_made_with_arguments": (
        StateStyle.REDUCER,
        "no-reducer",
        "import threading\n\nclass Owner:\n    def __init__(self):\n        self.slots = threading.Semaphore(3)\n",
    ),
    "reducer_for_a_class_that_recurses_while_it_is_loaded": (
        StateStyle.REDUCER,
        "recursion-on-load",
        "import threading\n\nclass Owner:\n    def __init__(self):\n        self.inner = []\n"
        "        self.lock = threading.Lock()\n\n    def __getattr__(self, name):\n        return getattr(self.inner, name)\n",
    ),
    "reducer_of_a_lock_that_is_passed_in": (
        StateStyle.REDUCER,
        "no-reducer",
        "import threading\n\nclass Owner:\n    def __init__(self, lock=None):\n        self.lock = lock\n\n"
        "OTHER = Owner(threading.Lock())\n",
    ),
}


@pytest.mark.parametrize(("style", "reason", "text"), DECLINED.values(), ids=DECLINED)
def test_declined(style: StateStyle, reason: str, text: str) -> None:
    result = fix(f"{text}\nOWNER = [Owner()]\n", style, unsafe=True)
    assert reason in reasons(result)
    assert not result.changed

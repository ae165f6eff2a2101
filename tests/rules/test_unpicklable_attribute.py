"""Attributes that are left alone, with the reason; and those that are mended, run before and after."""

from __future__ import annotations

import pathlib
import textwrap

import pytest

from codemods import engine
from codemods.catalog.entries import Restore
from codemods.catalog.loader import load
from codemods.finding import Level, Safety
from tests.pickling import Subject
from tests.rules.scripts import fix, refusals

RULE = "unpicklable-attribute"

BUILD = """

def build():
    return Owner()
"""

DECLINED = {
    "parameter_that_is_not_kept": (
        "initialiser-needs-local",
        """
        import threading

        class Owner:
            def __init__(self, size=3):
                self.slots = threading.Semaphore(size)
        """,
    ),
    "parameter_kept_changed": (
        "initialiser-needs-local",
        """
        import threading

        class Owner:
            def __init__(self, size=3):
                self.slots = threading.Semaphore(size)
                self.size = size + 1
        """,
    ),
    "parameter_kept_and_rebound_later": (
        "initialiser-needs-local",
        """
        import threading

        class Owner:
            def __init__(self, size=3):
                self.size = size
                self.slots = threading.Semaphore(size)

            def grow(self):
                self.size += 1
        """,
    ),
    "parameter_kept_and_rebound_from_outside": (
        "initialiser-needs-local",
        """
        import threading

        class Owner:
            def __init__(self, size=3):
                self.size = size
                self.slots = threading.Semaphore(size)

        def grow(other):
            vars(other)["size"] = 4
        """,
    ),
    "global_that_is_rebound": (
        "global-rebound",
        """
        import threading

        SIZE = 1

        def grow():
            global SIZE
            SIZE = 2

        class Owner:
            def __init__(self):
                self.slots = threading.Semaphore(SIZE)
        """,
    ),
    "argument_that_may_be_another_next_time": (
        "initialiser-calls",
        """
        import os
        import threading

        class Owner:
            def __init__(self):
                self.slots = threading.Semaphore(os.getpid())
        """,
    ),
    "event": (
        "holds-state",
        """
        import threading

        class Owner:
            def __init__(self):
                self.ready = threading.Event()
        """,
    ),
    "semaphore_that_counts": (
        "holds-state",
        """
        import threading

        class Owner:
            def __init__(self):
                self.items = threading.Semaphore(0)
        """,
    ),
    "database_in_memory": (
        "holds-state",
        """
        import sqlite3

        class Owner:
            def __init__(self):
                self.connection = sqlite3.connect(":memory:")
        """,
    ),
    "thread": (
        "not-made-again",
        """
        import threading

        class Owner:
            def __init__(self):
                self.thread = threading.Thread(target=print)
        """,
    ),
    "context_that_is_configured": (
        "configured-later",
        """
        import ssl

        class Owner:
            def __init__(self):
                self.context = ssl.create_default_context()
                self.context.check_hostname = False
        """,
    ),
    "lock_shared_with_another_object": (
        "shared-resource",
        """
        import threading

        class Part:
            def __init__(self, lock):
                self.guard = lock

        class Owner:
            def __init__(self):
                self.lock = threading.Lock()
                self.part = Part(self.lock)
        """,
    ),
    "lock_that_may_be_passed_in": (
        "passed-in",
        """
        import threading

        class Owner:
            def __init__(self, lock=None):
                self.lock = lock or threading.Lock()
        """,
    ),
    "lock_beside_something_that_cannot_be_mended": (
        "other-attribute",
        """
        import threading

        class Owner:
            def __init__(self):
                self.lock = threading.Lock()
                self.ready = threading.Event()
        """,
    ),
    "lock_beside_a_closure_that_cannot_be_mended": (
        "other-attribute",
        """
        import threading

        class Owner:
            def __init__(self):
                self.lock = threading.Lock()
                self.steps = []
                for number in range(3):
                    self.steps.append(lambda: number)
        """,
    ),
    "lock_beside_an_instance_that_cannot_be_mended": (
        "other-attribute",
        """
        import threading

        class Part:
            def __init__(self):
                self.ready = threading.Event()

        class Owner:
            def __init__(self):
                self.lock = threading.Lock()
                self.part = Part()
        """,
    ),
    "locks_in_a_list": (
        "inside-container",
        """
        import threading

        class Owner:
            def __init__(self):
                self.locks = [threading.Lock() for _ in range(3)]
        """,
    ),
    "lock_put_into_a_list": (
        "inside-container",
        """
        import threading

        class Owner:
            def __init__(self):
                self.locks = []
                self.locks.append(threading.Lock())
        """,
    ),
    "exception_that_does_not_keep_its_argument": (
        "constructor-arguments",
        """
        import threading

        class Owner(Exception):
            def __init__(self, code=1):
                super().__init__(str(code))
                self.lock = threading.Lock()
        """,
    ),
    "exception_that_counts": (
        "not-made-again",
        """
        import queue

        class Owner(Exception):
            def __init__(self):
                super().__init__()
                self.queue = queue.SimpleQueue()
        """,
    ),
    "exception_of_the_system": (
        "base-keeps-state",
        """
        import threading

        class Owner(OSError):
            def __init__(self):
                super().__init__(2, "gone")
                self.lock = threading.Lock()
        """,
    ),
    "property_of_that_name": (
        "attribute-access",
        """
        import threading

        class Owner:
            def __init__(self):
                self.lock = threading.Lock()

            @property
            def lock(self):
                return self._lock

            @lock.setter
            def lock(self, value):
                self._lock = value
        """,
    ),
    "descriptor_of_that_name": (
        "attribute-access",
        """
        import threading

        class Stored:
            def __set_name__(self, owner, name):
                self.name = "_" + name

            def __get__(self, owner, kind=None):
                return getattr(owner, self.name)

            def __set__(self, owner, value):
                setattr(owner, self.name, value)

        class Owner:
            lock = Stored()

            def __init__(self):
                self.lock = threading.Lock()
        """,
    ),
    "slots_that_are_one_string": (
        "slots-generated",
        """
        import threading

        class Base:
            __slots__ = "name"

        class Owner(Base):
            __slots__ = ("lock",)

            def __init__(self):
                self.lock = threading.Lock()
                self.name = "n"
        """,
    ),
    "slots_that_have_a_name": (
        "slots-generated",
        """
        import threading

        NAMES = ("lock", "n")

        class Owner:
            __slots__ = NAMES

            def __init__(self):
                self.lock = threading.Lock()
        """,
    ),
    "new_that_needs_arguments": (
        "constructor-called",
        """
        import threading

        class Owner:
            def __new__(cls, n):
                return super().__new__(cls)

            def __init__(self, n=1):
                self.lock = threading.Lock()

        def made():
            return Owner(1)
        """,
    ),
    "lock_of_another_instance": (
        "shared-resource",
        """
        import threading

        class Owner:
            def __init__(self):
                self.lock = threading.Lock()

            def adopt(self, other):
                self.lock = other.lock
        """,
    ),
    "lock_that_a_part_shares": (
        "shared-resource",
        """
        import threading

        class Part:
            def __init__(self, owner):
                self.lock = owner.lock

        class Owner:
            def __init__(self):
                self.lock = threading.Lock()
                self.part = Part(self)
        """,
    ),
    "parameter_that_is_made_if_it_is_none": (
        "passed-in",
        """
        import threading

        class Owner:
            def __init__(self, lock=None):
                if lock is None:
                    lock = threading.Lock()
                self.lock = lock
        """,
    ),
    "parameter_with_a_lock_as_default": (
        "passed-in",
        """
        import threading

        class Owner:
            def __init__(self, lock=threading.Lock()):
                self.lock = lock
        """,
    ),
    "option_with_a_lock_as_default": (
        "passed-in",
        """
        import threading

        class Owner:
            def __init__(self, **options):
                self.lock = options.pop("lock", threading.Lock())
        """,
    ),
    "modules_in_a_dict_that_is_handed_out": (
        "inside-container",
        """
        import math

        class Owner:
            def __init__(self):
                self.modules = {"math": math}

            def table(self):
                return self.modules
        """,
    ),
    "lock_that_its_subclass_passes": (
        "passed-in",
        """
        import threading

        class Base:
            def __init__(self, lock):
                self.lock = lock

        class Owner(Base):
            def __init__(self):
                super().__init__(threading.Lock())
        """,
    ),
    "dict_whose_items_need_the_lock": (
        "base-keeps-state",
        """
        import threading

        class Owner(dict):
            def __init__(self):
                self.lock = threading.Lock()

            def __setitem__(self, key, value):
                with self.lock:
                    super().__setitem__(key, value)
        """,
    ),
    "generated_slots": (
        "slots-generated",
        """
        import threading
        from dataclasses import dataclass, field

        @dataclass(frozen=True, slots=True)
        class Owner:
            lock: object = field(default_factory=threading.Lock)
        """,
    ),
    "base_whose_state_methods_do_not_hand_on": (
        "state-without-super",
        """
        import threading

        class Locked:
            def __init__(self):
                self.lock = threading.Lock()

        class Owner(Locked):
            def __getstate__(self):
                return dict(self.__dict__)
        """,
    ),
    "setter_that_does_something_else": (
        "own-state-methods",
        """
        import threading

        class Owner:
            def __init__(self):
                self.size = 1
                self.lock = threading.Lock()

            def __setstate__(self, state):
                self.size = state["size"]
        """,
    ),
    "every_access_is_watched": (
        "attribute-access",
        """
        import threading

        class Owner:
            def __init__(self):
                self.lock = threading.Lock()

            def __getattribute__(self, name):
                return object.__getattribute__(self, name)
        """,
    ),
    "file_read_line_by_line": (
        "partly-read",
        """
        class Owner:
            def __init__(self, path="data.txt"):
                self.path = path
                self.file = open(self.path)

            def lines(self):
                return [line for line in self.file]
        """,
    ),
    "file_for_reading_and_writing": (
        "holds-state",
        """
        class Owner:
            def __init__(self, path="data.txt"):
                self.path = path
                self.file = open(self.path, "w+")
        """,
    ),
    "thread_as_base": (
        "unpicklable-base",
        """
        import threading

        class Owner(threading.Thread):
            pass
        """,
    ),
    "generator": (
        "holds-state",
        """
        class Owner:
            def __init__(self):
                self.numbers = (number for number in range(3))
        """,
    ),
}


@pytest.mark.parametrize(("reason", "text"), DECLINED.values(), ids=DECLINED)
def test_left_alone(reason: str, text: str) -> None:
    result = fix(textwrap.dedent(text) + BUILD)
    assert reason in refusals(result, RULE)
    assert not result.changed


CLASS_WITH_LOCK = """
import threading


class Owner:
    def __init__(self):
        self.lock = threading.Lock()
"""


def test_no_finding_without_evidence() -> None:
    assert not fix(CLASS_WITH_LOCK).findings


def test_every_class_is_a_finding_if_everything_is_wanted() -> None:
    """The fix is unsafe, since nothing would be gained for the methods that the class gets."""
    result = fix(CLASS_WITH_LOCK, Level.LOCAL)
    assert [finding.reach.level for finding in result.findings] == [Level.LOCAL]
    assert [finding.fix.safety for finding in result.findings if finding.fix] == [Safety.UNSAFE]
    assert not result.changed


def test_a_base_that_is_pickled_by_habit_is_evidence() -> None:
    text = CLASS_WITH_LOCK.replace("class Owner:", "class Owner(Dataset):").replace(
        "import threading", "import threading\n\nfrom torch.utils.data import Dataset"
    )
    assert "def __getstate__" in fix(text).after.decode()


@pytest.mark.parametrize("name", [name for name, (reason, _) in DECLINED.items() if reason == "passed-in"])
def test_with_unsafe_fixes_a_lock_that_was_passed_in_becomes_one_of_its_own(name: str) -> None:
    result = fix(textwrap.dedent(DECLINED[name][1]) + BUILD, unsafe_fixes=True)
    assert "self.lock = threading.Lock()" in result.after.decode().partition("__setstate__")[2]


def test_a_file_needs_no_evidence() -> None:
    text = """
    class Owner:
        def __init__(self, path):
            self.path = path
            self.log = open(path, "w")
    """
    assert 'open(self.path, "a")' in fix(text).after.decode()


def test_a_database_that_may_be_in_memory_is_unsafe() -> None:
    text = """
    import sqlite3

    class Owner:
        def __init__(self, path="data.db"):
            self.path = path
            self.connection = sqlite3.connect(self.path)

    def build():
        return Owner()
    """
    result = fix(text)
    assert not result.changed
    assert [finding.fix.safety for finding in result.findings if finding.fix] == [Safety.UNSAFE]
    assert "sqlite3.connect(self.path)" in fix(text, unsafe_fixes=True).after.decode().partition("__setstate__")[2]


MENDED = {
    "tabs_and_no_line_end": "class Owner:\n\tdef __init__(self):\n\t\tself.lock = threading.Lock()\n\n\tsize = 3",
    "windows_line_ends": (
        "class Owner:\r\n    def __init__(self):\r\n        self.lock = threading.Lock()\r\n\r\n    size = 3\r\n"
    ),
    "constructor_in_one_line": "class Owner:\n    size = 3\n    def __init__(self): self.lock = threading.Lock()\n",
    "instance_with_another_name": (
        "class Owner:\n    size = 3\n    def __init__(this):\n        this.lock = threading.Lock()\n"
    ),
    "name_of_the_state_is_taken": (
        "state = threading.Lock()\n\n\nclass Owner:\n    size = 3\n    def __init__(self):\n        self.lock = state\n"
    ),
    "helper_that_makes_it": (
        "class Owner:\n    size = 3\n    def __init__(self):\n        self.lock = self.made()\n\n"
        "    def made(self):\n        return threading.Lock()\n"
    ),
    "class_inside_a_class": (
        "class Outer:\n    class Inner:\n        size = 3\n        def __init__(self):\n"
        "            self.lock = threading.Lock()\n\n\nOwner = Outer.Inner\n"
    ),
}


@pytest.mark.parametrize("text", MENDED.values(), ids=MENDED)
def test_mended(text: str, tmp_path: pathlib.Path) -> None:
    newline = "\r\n" if "\r\n" in text else "\n"
    maker = "Outer.Inner" if "Outer" in text else "Owner"
    whole = f"import threading\n\n\ndef build():\n    return {maker}()\n\n\n".replace("\n", newline) + text
    observed = "\n\ndef observe(obj):\n    return [obj.size, obj.lock.locked()]\n".replace("\n", newline)
    result = engine.fix("module.py", whole.encode(), engine.Options())
    assert result.error is None and result.changed
    assert not engine.fix("module.py", result.after, engine.Options()).changed
    assert (b"\r\n" in result.after) == ("\r" in text) and b"\r\r" not in result.after
    path = tmp_path / "module.py"
    path.write_bytes(result.after + observed.encode())
    subject = Subject(path)
    assert subject.dump().value == "[3, False]"
    assert subject.load().value == "[3, False]"


RESOURCES = {name: load().resource(name) for name in ("threading.Lock", "builtins.open", "triton.jit", "h5py.File")}


@pytest.mark.parametrize("name", RESOURCES)
def test_resources_by_name(name: str) -> None:
    resource = RESOURCES[name]
    assert resource is not None and resource.error and resource.source


@pytest.mark.parametrize("name", ["requests.Session", "io.StringIO", "logging.getLogger", "asyncio.Lock"])
def test_what_pickles_is_kept(name: str) -> None:
    resource = load().resource(name)
    assert resource is not None and resource.restore is Restore.KEEP

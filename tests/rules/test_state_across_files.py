"""Attributes and classes that have to do with other files of the project."""

from __future__ import annotations

import itertools
import pathlib
import textwrap

import pytest

from codemods import engine, job
from codemods.analysis.project.definitions import Definition
from codemods.analysis.project.project import Project
from codemods.finding import FileResult
from codemods.project import Place, may_define, open_project, place_of
from tests.pickling import Subject

RUNS = itertools.count()
KERNELS = """
import library


@library.jit
def add(a, b):
    return a + b


try:
    import missing
except ImportError:
    absent = None
else:

    @library.jit
    def absent(a):
        return a
"""
LIBRARY = """
class Kernel:
    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        return self.function(*arguments)

    def __reduce__(self):
        raise TypeError("cannot pickle 'Kernel' object")


def jit(function):
    return Kernel(function)
"""
# The library is written like triton, so that no graphics card is needed: only the name of the decorator is another.
TRITON = {"library.py": "", "triton.py": LIBRARY, "kernels.py": KERNELS.replace("library", "triton")}


def fix(folder: pathlib.Path, files: dict[str, str], name: str = "module.py") -> FileResult:
    """Write a project and fix one of its files."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(textwrap.dedent(text).lstrip("\n"))
    path = folder / name
    result = done(path)
    assert result.error is None
    path.write_bytes(result.after)
    assert not done(path).changed
    return result


def done(path: pathlib.Path) -> FileResult:
    """Fix a file, in a run of its own."""
    place = place_of(str(path), f"{path} {next(RUNS)}")
    return job.do(job.Job(str(path), engine.Options(), rewrite=True, project=place))


def definition(folder: pathlib.Path, name: str) -> Definition | None:
    """What a name means in a file of a folder."""
    path = str(folder.resolve() / "module.py")
    return open_project(place_of(path, f"{folder} {next(RUNS)}")).definition(path, name)


def reasons(result: FileResult) -> set[str]:
    return {finding.refusal.reason for finding in result.findings if finding.refusal is not None}


ENDING = """

def build():
    return Owner()


def observe(obj):
    return obj.run()
"""
FOUND = {
    "kernel_of_a_module": (
        {},
        "import kernels\n\nclass Owner:\n    def __init__(self):\n        self.add = kernels.add\n"
        "    def run(self):\n        return self.add(1, 2)\n",
    ),
    "kernel_by_its_name": (
        {},
        "from kernels import add as plus\n\nclass Owner:\n    def __init__(self):\n        self.add = plus\n"
        "    def run(self):\n        return [self.add(1, 2), self.add is plus]\n",
    ),
    "kernel_that_a_package_hands_on": (
        {"ops/__init__.py": "from .impl import *\n", "ops/impl.py": KERNELS.replace("library", "triton")},
        "import ops\n\nclass Owner:\n    def __init__(self):\n        self.add = ops.add\n"
        "    def run(self):\n        return self.add(1, 2)\n",
    ),
    "kernel_that_a_function_returns": (
        {"choice.py": "import kernels\n\ndef choose():\n    return kernels.add\n"},
        "import choice\n\nclass Owner:\n    def __init__(self):\n        self.add = choice.choose()\n"
        "    def run(self):\n        return self.add(1, 2)\n",
    ),
    "kernels_in_a_dict": (
        {},
        "import kernels\n\nclass Owner:\n    def __init__(self):\n        self.table = {'add': kernels.add}\n"
        "    def run(self):\n        return self.table['add'](1, 2)\n",
    ),
    "lock_that_a_function_makes": (
        {"locks.py": "import threading\n\ndef make_lock():\n    return threading.Lock()\n"},
        "import locks\n\nclass Owner:\n    def __init__(self):\n        self.lock = locks.make_lock()\n"
        "    def run(self):\n        with self.lock:\n            return 1\n",
    ),
    "module_of_a_package": (
        {"ops/__init__.py": "", "ops/shapes.py": "SIDES = 4\n"},
        "from ops import shapes\n\nclass Owner:\n    def __init__(self):\n        self.shapes = shapes\n"
        "    def run(self):\n        return self.shapes.SIDES\n",
    ),
    "base_in_another_file": (
        {
            "base.py": "class Base:\n    def __init__(self):\n        self.kept = 1\n"
            "    def __getstate__(self):\n        return {**self.__dict__, 'seen': 1}\n"
        },
        "import threading\nfrom base import Base\n\nclass Owner(Base):\n    def __init__(self):\n"
        "        super().__init__()\n        self.lock = threading.Lock()\n"
        "    def run(self):\n        with self.lock:\n            return self.kept\n",
    ),
}


@pytest.mark.parametrize(("files", "text"), FOUND.values(), ids=FOUND)
def test_found_and_restored(files: dict[str, str], text: str, tmp_path: pathlib.Path) -> None:
    module = text + ENDING
    (tmp_path / "before").mkdir()
    for path, content in {**TRITON, **files, "module.py": module}.items():
        (tmp_path / "before" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "before" / path).write_text(textwrap.dedent(content).lstrip("\n"))
    before = Subject(tmp_path / "before" / "module.py")
    expected = before.observe().value
    assert expected is not None and before.dump().error
    assert fix(tmp_path, {**TRITON, **files, "module.py": module}).changed
    subject = Subject(tmp_path / "module.py")
    assert [subject.observe().value, subject.dump().value, subject.load().value] == [expected] * 3


def test_what_is_not_there_on_this_machine_stays_away(tmp_path: pathlib.Path) -> None:
    text = (
        "import kernels\n\nclass Owner:\n    def __init__(self):\n        self.kernel = kernels.absent\n"
        "    def run(self):\n        return self.kernel\n"
    )
    assert fix(tmp_path, {**TRITON, "module.py": text + ENDING}).changed
    subject = Subject(tmp_path / "module.py")
    assert subject.dump().value == subject.load().value == "None"


OWNER = """
import threading


class Owner:
    def __init__(self):
        self.lock = threading.Lock()

    def run(self):
        with self.lock:
            return 1
"""
HEIRS = {
    "slots": ("related-elsewhere", "class Heir(Owner):\n    __slots__ = ('n',)\n"),
    "own_state": (
        "state-without-super",
        "class Heir(Owner):\n    def __setstate__(self, state):\n        self.__dict__.update(state)\n",
    ),
    "own_lock": (
        "related-elsewhere",
        "class Heir(Owner):\n    def open(self):\n        self.lock = None\n",
    ),
    "own_constructor": ("related-elsewhere", "class Heir(Owner):\n    def __init__(self):\n        self.n = 1\n"),
    "under_another_name": (
        "related-elsewhere",
        "from module import Owner as Base\n\n\nclass Heir(Base):\n    __slots__ = ('n',)\n",
    ),
    "among_other_bases": (
        "related-elsewhere",
        "def mixin():\n    return type('Mixin', (), {})\n\n\nclass Heir(mixin(), Owner):\n    def __init__(self):\n        self.n = 1\n",
    ),
    "heir_of_an_heir": (
        "related-elsewhere",
        "class Middle(Owner):\n    pass\n\nclass Heir(Middle):\n    __slots__ = ('n',)\n",
    ),
}


@pytest.mark.parametrize(("reason", "text"), HEIRS.values(), ids=HEIRS)
def test_a_subclass_in_another_file_speaks_against_it(reason: str, text: str, tmp_path: pathlib.Path) -> None:
    heirs = f"from module import Owner\n\n\n{text}"
    result = fix(tmp_path, {"module.py": OWNER + ENDING, "heirs.py": heirs})
    assert reason in reasons(result)
    assert not result.changed


def test_a_subclass_that_gets_its_base_from_a_package(tmp_path: pathlib.Path) -> None:
    files = {
        "shop/__init__.py": "from .module import *\n",
        "shop/module.py": OWNER + ENDING,
        "heirs.py": "from shop import Owner\n\n\nclass Heir(Owner):\n    __slots__ = ('n',)\n",
    }
    assert "related-elsewhere" in reasons(fix(tmp_path, files, "shop/module.py"))


LOCKED = """
import threading


class Owner:
    def __init__(self):
        self.lock = threading.Lock()
        self.other = VALUE
"""
CHOICE = "try:\n    from fast import lock\nexcept ImportError:\n    from slow import lock\n"
MADE = "import threading\n\nlock = threading.Lock()\n"
LEFT = {
    "the_first_of_two_files": ("import choice", "choice.lock", {"fast.py": MADE, "slow.py": "", "choice.py": CHOICE}),
    "the_second_of_two_files": ("import choice", "choice.lock", {"fast.py": "", "slow.py": MADE, "choice.py": CHOICE}),
    "builtin_and_a_module_of_its_name": ("from star import *", "print", {"print.py": "", "star.py": ""}),
    "value_that_leads_to_itself": ("import os\n\nx = os.environ.get('x', x)", "x", {}),
    "value_that_leads_to_itself_elsewhere": (
        "import b\n\nx = b.f()",
        "x",
        {"b.py": "import module\n\n\ndef f():\n    return module.x\n"},
    ),
}


@pytest.mark.parametrize(("start", "value", "others"), LEFT.values(), ids=LEFT)
def test_what_is_not_surely_found_is_left_alone(
    start: str, value: str, others: dict[str, str], tmp_path: pathlib.Path
) -> None:
    files = {name: text or "lock = None\n" for name, text in others.items()}
    text = start + LOCKED.replace("VALUE", value) + ENDING
    (finding,) = fix(tmp_path, {**files, "module.py": text}).findings
    assert "`lock`" in finding.message


def test_files_of_no_interest_leave_the_project_closed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Place] = []

    def opening(place: Place) -> Project:
        opened.append(place)
        return open_project(place)

    monkeypatch.setattr(job, "open_project", opening)
    (tmp_path / "pyproject.toml").touch()
    kept = "\n\n\nclass Owner:\n    def __init__(self):\n        self.kept = {}.make()\n"
    text = "import json, xml.dom as dom\nfrom collections import abc as other" + kept
    fix(tmp_path, {"kernels.py": KERNELS, "module.py": text.format("other")})
    assert not opened
    fix(tmp_path, {"module.py": "from kernels import add as other" + kept.format("other")})
    assert opened


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (".anything", True),
        ("beside", True),
        ("shop.data", True),
        ("space.part", True),
        ("lib", True),
        ("module", False),
        ("os", False),
        ("numpy.random", False),
    ],
)
def test_what_a_project_may_define(name: str, expected: bool, tmp_path: pathlib.Path) -> None:
    for path in ("pyproject.toml", "lib.py", "src/shop/__init__.py", "src/shop/inner/__init__.py", "tools/beside.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    (tmp_path / "space").mkdir()
    folder = tmp_path.resolve() / "tools"
    assert may_define(place_of(str(folder / "importer.py"), str(tmp_path)), str(folder), name) is expected


def test_a_subclass_in_another_file_that_goes_along(tmp_path: pathlib.Path) -> None:
    heir = (
        "from module import Owner\n\n\nclass Heir(Owner):\n    def __init__(self):\n        super().__init__()\n"
        "        self.n = 2\n\n\ndef build():\n    return Heir()\n\n\ndef observe(obj):\n    return [obj.run(), obj.n]\n"
    )
    assert fix(tmp_path, {"module.py": OWNER + ENDING, "heirs.py": heir}).changed
    subject = Subject(tmp_path / "heirs.py")
    assert subject.dump().value == subject.load().value == "[1, 2]"


@pytest.mark.parametrize(
    ("reason", "base"),
    [
        pytest.param("related-elsewhere", "class Base:\n    __slots__ = ('n',)\n", id="slots"),
        pytest.param(
            "related-elsewhere", "class Base:\n    def __getstate__(self):\n        return (1, 2)\n", id="odd-state"
        ),
    ],
)
def test_a_base_in_another_file_speaks_against_it(reason: str, base: str, tmp_path: pathlib.Path) -> None:
    owner = OWNER.replace("class Owner:", "class Owner(Base):").replace(
        "import threading", "import threading\nfrom base import Base"
    )
    result = fix(tmp_path, {"module.py": owner + ENDING, "base.py": base})
    assert reason in reasons(result)
    assert not result.changed


def test_a_base_in_another_file_that_reduces_itself(tmp_path: pathlib.Path) -> None:
    base = "class Base:\n    def __reduce__(self):\n        return type(self), ()\n"
    owner = OWNER.replace("class Owner:", "class Owner(Base):").replace(
        "import threading", "import threading\nfrom base import Base"
    )
    assert not fix(tmp_path, {"module.py": owner + ENDING, "base.py": base}).findings


def test_nothing_outside_of_the_project_is_read(tmp_path: pathlib.Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS.replace("library", "triton"))
    inside = tmp_path / "project"
    inside.mkdir()
    (inside / "linked.py").symlink_to(tmp_path / "kernels.py")
    (inside / "pyproject.toml").touch()
    assert [definition(inside, name) for name in ("kernels.add", "..kernels.add", "linked.add")] == [None] * 3


def test_a_file_that_is_not_python_means_nothing(tmp_path: pathlib.Path) -> None:
    (tmp_path / "broken.py").write_text("def (:\n")
    (tmp_path / "latin.py").write_bytes(b"# \xff\nx = 1\n")
    assert [definition(tmp_path, name) for name in ("broken.x", "latin.x")] == [None] * 2


def test_a_project_ends_at_its_mark(tmp_path: pathlib.Path) -> None:
    package = tmp_path / "src" / "shop"
    package.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("")
    assert place_of(str(package / "module.py"), "").root == str(tmp_path.resolve())

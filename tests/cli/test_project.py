"""Ways that lead through the files of a project, as the command shows them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codemods import runner
from codemods.finding import Level
from tests.analysis.test_project_reach import EXPECTED, PROJECT
from tests.cli.conftest import Outcome

FOUND = {name: expected for name, expected in EXPECTED.items() if expected[0] > Level.LOCAL}


@pytest.fixture
def shop(project: Path) -> Path:
    """The project of the graph's own tests, in files."""
    for name, text in PROJECT.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return project


def write(project: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)


def reaches(outcome: Outcome, project: Path) -> dict[str, tuple[Any, ...]]:
    """The level, the sink and the way of each finding that has a name, which a comment in its line gives."""
    found: dict[str, tuple[Any, ...]] = {}
    for finding in json.loads(outcome.stdout):
        line = Path(finding["filename"]).read_text().splitlines()[finding["location"]["row"] - 1]
        name, reach = line.rpartition("# ")[2], finding["reach"]
        if name in EXPECTED:
            steps = [f"{os.path.relpath(step['filename'], project)}: {step['text']}" for step in reach["steps"]]
            found[name] = (Level[reach["level"].upper()], reach["sink"], [step.replace(os.sep, "/") for step in steps])
    return found


def check(invoke: Callable[..., Outcome], *arguments: str) -> Outcome:
    return invoke("check", "--output-format", "json", *arguments)


def test_ways_through_the_project(shop: Path, invoke: Callable[..., Outcome]) -> None:
    assert reaches(check(invoke, "."), shop) == FOUND


def test_processes_say_the_same(shop: Path, invoke: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch) -> None:
    alone = check(invoke, "-j", "1", ".").stdout
    monkeypatch.setattr(runner, "_POOL_PAYS", 0)
    assert check(invoke, "-j", "2", ".").stdout == alone


@pytest.mark.parametrize("repository", [True, False])
def test_a_file_that_is_named_alone_has_the_project_around_it(
    repository: bool, shop: Path, invoke: Callable[..., Outcome]
) -> None:
    if repository:
        (shop / ".git").mkdir()
    together = json.loads(check(invoke, ".").stdout)
    alone = [finding for name in reversed(PROJECT) for finding in json.loads(check(invoke, name).stdout)]
    assert sorted(alone, key=str) == sorted(together, key=str)


def test_standard_input_with_a_name_is_a_file_of_the_project(shop: Path, invoke: Callable[..., Outcome]) -> None:
    text = PROJECT["shop/factories.py"].encode()
    outcome = invoke("check", "--output-format", "json", "--stdin-filename", "shop/factories.py", "-", stdin=text)
    assert reaches(outcome, shop) == {"scale": FOUND["scale"]}


def test_the_way_is_shown_to_people(shop: Path, invoke: Callable[..., Outcome]) -> None:
    concise = invoke("check", "shop/workers.py").stdout.decode().splitlines()[0]
    way = "returned by work() -> pickled on its way back from Pool.map(func=) (shop/run.py:6)"
    assert concise.endswith(f": {way}".replace("/", os.sep))
    full = invoke("check", "--output-format", "full", "shop/workers.py").stdout.decode()
    assert "    shop/run.py:6:12 -> pickled on its way back from Pool.map(func=)\n".replace("/", os.sep) in full


def test_rewriting_follows_the_ways_too(shop: Path, invoke: Callable[..., Outcome]) -> None:
    assert invoke("migrate", "--select", "PKL1", "--reach", "sink", ".").status == 0
    changed = {name for name, text in PROJECT.items() if (shop / name).read_text() != text}
    assert changed == {"shop/factories.py", "shop/workers.py", "shop/local.py"}
    assert invoke("check", "--select", "PKL1", "--reach", "sink", ".").status == 0


def test_what_goes_along_into_the_pickle(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_text(
        "import pickle\n\n\nclass Job:\n    def save(self, limit):\n        table = {}\n"
        "        return pickle.dumps(lambda x: (self, limit, table, x))\n"
    )
    (finding,) = json.loads(check(invoke, ".").stdout)
    assert finding["captures"] == [
        {"name": "self", "types": ["Job"]},
        {"name": "limit", "types": []},
        {"name": "table", "types": ["dict"]},
    ]
    full = invoke("check", "--output-format", "full", ".").stdout.decode()
    assert "  takes along: self (Job), limit, table (dict)\n" in full


@pytest.mark.parametrize(
    ("use", "reason"),
    [
        pytest.param("assert make(1).__code__.co_name", "name-observed", id="attribute"),
        pytest.param("print(make(1).__name__)", "name-observed", id="name"),
        pytest.param("class A:\n    method = make(1)", "method-binding", id="method"),
    ],
)
def test_uses_in_other_files_speak_against_a_change(
    use: str, reason: str, project: Path, invoke: Callable[..., Outcome]
) -> None:
    files = {
        "tools/__init__.py": "from .make import make\n",
        "tools/make.py": "def make(n):\n    def inner(x):\n        return x + n\n\n    return inner\n",
        "use.py": f"from tools import make\n\n{use}\n",
    }
    write(project, files)
    (finding,) = json.loads(check(invoke, "tools").stdout)
    assert (finding["reason"] or {}).get("code") == reason
    invoke("migrate", ".")
    assert {name: (project / name).read_text() for name in files} == files


def test_a_function_that_only_travels_by_value_stays(project: Path, invoke: Callable[..., Outcome]) -> None:
    write(
        project,
        {
            "made.py": "def make():\n    return lambda batch: batch\n",
            "main.py": "from datasets import load_from_disk\nimport made\n\nload_from_disk('x').map(made.make())\n",
        },
    )
    assert invoke("check", ".").status == 0
    (project / "main.py").unlink()
    assert invoke("check", ".").status == 1


def test_what_cannot_be_followed_is_said_on_request(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_text("from .gone import x\n\n\ndef f():\n    x(lambda: 1)\n    return lambda: x\n")
    assert invoke("check", ".").stderr == ""
    errors = invoke("check", "-v", ".").stderr
    assert "note: a.py:1: .gone.x is not found in the project\n" in errors
    assert "note: a.py:5: nothing is known of x(), which is handed something that pickle refuses\n" in errors


@pytest.mark.parametrize("broken", [b"def (:\n", b"\xff\xfe", b"x = '\0'\n"])
def test_files_around_that_are_no_python_are_passed_over(
    broken: bytes, project: Path, invoke: Callable[..., Outcome]
) -> None:
    write(project, {"a.py": "from b import keep\n\nkeep(lambda: 1)\n"})
    (project / "b.py").write_bytes(broken)
    outcome = invoke("check", "a.py")
    assert (outcome.status, outcome.stderr) == (0, "")

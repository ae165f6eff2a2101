"""``check --report spawn``: what stands in the way, by package, in each of its formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from codemods import report
from codemods.report.readiness import FORMS
from tests.cli.conftest import BROKEN, CLEAN, DECLINED, Outcome

Invoke = Callable[..., Outcome]

WORKERS = b"""\
import multiprocessing
import os


def start(n):
    multiprocessing.Process(target=lambda: print(n)).start()
    os.fork()


multiprocessing.Pool(2).map(lambda x: x, [1])
"""


@pytest.fixture
def package(project: Path) -> Path:
    for name, data in {
        "shop/__init__.py": b"",
        "shop/clean.py": CLEAN,
        "shop/jobs/__init__.py": b"",
        "shop/jobs/workers.py": WORKERS,
        "shop/jobs/state.py": DECLINED,
        "run|me.py": b"import multiprocessing\nif __name__ == '__main__':\n    multiprocessing.set_start_method('spawn')\n",
        "broken.py": BROKEN,
    }.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(data)
    return project


def test_text(package: Path, invoke: Invoke) -> None:
    outcome = invoke("check", "--report", "spawn", ".")
    assert outcome.status == 1
    assert outcome.stderr == ""
    assert outcome.stdout.decode().splitlines() == [
        "shop.jobs: 4 obstacles in 3 files",
        "  Does not pickle, under any start method: 1",
        "    shop/jobs/workers.py:10:29: PKL102 a lambda has no name by which pickle could find it [*]",
        "  Does not pickle, under spawn and forkserver: 1",
        "    shop/jobs/workers.py:6:36: PKL102 a lambda has no name by which pickle could find it [*]",
        "  Starts processes without a main guard: 1",
        "    shop/jobs/workers.py:10:1: PKL401 `multiprocessing.pool.Pool` is called while the module is imported, "
        "which each process that is started does again (unsafe fix)",
        "  Works with fork only: 1",
        "    shop/jobs/workers.py:7:5: `os.fork()` starts a child that shares the memory of its parent",
        "  Does not pickle, and is kept in an object that may be sent to a worker: 1",
        "    shop/jobs/state.py:2:5: PKL101 `inner` is a nested function, which pickle cannot find by name",
        "./: 1 obstacle in 2 files",
        "  Sets the start method: 1",
        '    run|me.py:3:5: sets the start method "spawn" for the whole program',
        "  Could not be analysed: 1",
        "    broken.py:1:11: PKL900 does not parse: '(' was never closed",
        "shop: ready in 2 files",
        "",
        "      1  Does not pickle, under any start method",
        "      1  Does not pickle, under spawn and forkserver",
        "      1  Starts processes without a main guard",
        "      1  Works with fork only",
        "      1  Does not pickle, and is kept in an object that may be sent to a worker",
        "      1  Sets the start method",
        "      1  Could not be analysed",
        "",
        "1 of 3 packages are ready for spawn and forkserver; 5 obstacles, 2 resolved by `picklefix migrate`, "
        "1 more with `--unsafe-fixes`, 2 by hand.",
    ]


def test_one_package_with_one_obstacle(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(b"import os\nos.fork()\n")
    assert invoke("check", "--report", "spawn", "a.py").stdout.decode().splitlines()[-1] == (
        "0 of 1 package is ready for spawn and forkserver; 1 obstacle, 0 resolved by `picklefix migrate`, "
        "0 more with `--unsafe-fixes`, 1 by hand."
    )


def test_json(package: Path, invoke: Invoke) -> None:
    document = json.loads(invoke("check", "--report", "spawn", "--output-format", "json", ".").stdout)
    assert document["ready"] is False
    assert [(item["name"], item["ready"], item["files"]) for item in document["packages"]] == [
        ("shop.jobs", False, 3),
        ("./", False, 2),
        ("shop", True, 2),
    ]
    assert document["totals"]["fork-only"] == 1
    assert document["packages"][0]["counts"] == {
        "pickled-always": 1,
        "pickled-under-spawn": 1,
        "missing-main-guard": 1,
        "fork-only": 1,
        "kept-in-state": 1,
    }
    obstacle = document["packages"][0]["obstacles"][-1]
    assert (obstacle["kind"], obstacle["blocks"], obstacle["fix"]) == ("pickled-always", True, "safe")


def test_markdown(package: Path, invoke: Invoke) -> None:
    text = invoke("check", "--report", "spawn", "--output-format", "markdown", ".").stdout.decode()
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 5
    assert len({row.count("|") for row in rows}) == 1
    assert "- <code>run&#124;me.py:3</code> sets the start method" in text


def test_html(package: Path, invoke: Invoke) -> None:
    text = invoke("check", "--report", "spawn", "--output-format", "html", ".").stdout.decode()
    assert text.startswith("<!DOCTYPE html>")
    assert text.count('<section class="card"') == 2


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(("data", "status"), [(CLEAN, 0), (WORKERS, 1), (b"x = '\xff'  # lambda\n", 2)])
def test_the_exit_status(project: Path, invoke: Invoke, name: str, data: bytes, status: int) -> None:
    (project / "a.py").write_bytes(data)
    assert invoke("check", "--report", "spawn", "--output-format", name, ".").status == status


def test_what_only_notes_tell_counts(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(b"import os\nos.fork()\n")
    assert invoke("check", ".").status == 0
    assert invoke("check", "--report", "spawn", ".").status == 1
    assert invoke("check", "--report", "spawn", "--exit-zero", ".").status == 0


@pytest.mark.parametrize("name", sorted(set(report.format_names()) - set(FORMS)))
def test_other_formats_are_refused(project: Path, invoke: Invoke, name: str) -> None:
    outcome = invoke("check", "--report", "spawn", "--output-format", name, ".")
    assert (outcome.status, outcome.stdout) == (2, b"")
    assert f"--report spawn has no form in {name}; choose concise, " in outcome.stderr


def test_an_empty_folder_is_ready(project: Path, invoke: Invoke) -> None:
    outcome = invoke("check", "--report", "spawn", "-q", ".")
    assert (outcome.status, outcome.stderr) == (0, "")

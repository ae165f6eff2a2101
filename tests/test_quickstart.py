"""The shipped example is run before and after the command that the README begins with, under every start method."""

from __future__ import annotations

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
QUICKSTART = ROOT / "fixtures" / "quickstart"
EXPECTED_OUTPUT = (QUICKSTART / "expected_output.txt").read_text()
START_METHODS = multiprocessing.get_all_start_methods()
PICKLING_START_METHODS = [method for method in START_METHODS if method != "fork"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example, as it is shipped."""
    return copy(tmp_path_factory.mktemp("before"))


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example after ``picklefix migrate``."""
    project = copy(tmp_path_factory.mktemp("after"))
    assert picklefix(project, "migrate").returncode == 1, "the late-binding lambda of train.py is left"
    return project


def copy(folder: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__", ".*")
    return Path(shutil.copytree(QUICKSTART, folder / "quickstart", ignore=ignored))


def picklefix(folder: Path, command: str, path: str = ".") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-m", "codemods", command, path]
    return subprocess.run(
        arguments, check=False, cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )


def train(project: Path, start_method: str) -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, "-B", "train.py", "--start-method", start_method]
    return subprocess.run(arguments, check=False, cwd=project, capture_output=True, text=True, timeout=60)


def git(project: Path, *arguments: str, text: str | None = None) -> None:
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "core.autocrlf=false")
    subprocess.run(["git", *identity, *arguments], cwd=project, input=text, text=True, check=True, capture_output=True)


def sources(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in project.glob("*.py")}


@pytest.mark.skipif("fork" not in START_METHODS, reason="this system cannot fork")
def test_before_it_works_under_fork(project: Path) -> None:
    run = train(project, "fork")
    assert (run.returncode, run.stdout, run.stderr) == (0, EXPECTED_OUTPUT, "")


@pytest.mark.parametrize("start_method", PICKLING_START_METHODS)
def test_before_it_dies_where_workers_are_sent_pickles(project: Path, start_method: str) -> None:
    run = train(project, start_method)
    assert run.returncode == 1
    assert re.search(r"^\S+Error: Can't (pickle|get) local object .*FlowerDataset", run.stderr, re.MULTILINE)


@pytest.mark.parametrize("start_method", START_METHODS)
def test_after_it_prints_the_same_numbers(migrated: Path, start_method: str) -> None:
    run = train(migrated, start_method)
    assert (run.returncode, run.stdout, run.stderr) == (0, EXPECTED_OUTPUT, "")


def test_each_module_but_the_script_is_changed(migrated: Path) -> None:
    before, after = sources(QUICKSTART), sources(migrated)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"dataset.py", "settings.py", "trainer.py", "transforms.py"}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        pytest.param("dataset.py", "sorted(self.counts, key=lambda label: -self.counts[label])", id="sort-key"),
        pytest.param("trainer.py", "        def score(label):", id="nested-function-consumed-on-the-spot"),
        pytest.param("train.py", 'yield lambda: f"epoch {epoch}: {right / total:.1%} right"', id="late-binding"),
    ],
)
def test_what_needs_no_change_or_permits_none_is_left_alone(migrated: Path, name: str, line: str) -> None:
    assert line in (migrated / name).read_text()


def test_what_is_declined_is_reported_with_its_reason(migrated: Path) -> None:
    run = picklefix(migrated, "check")
    assert run.returncode == 1
    assert re.search(r"^train\.py:16:15: PKL102 .*late-bound-loop-variable", run.stdout, re.MULTILINE)
    assert "Found 1 finding (1 declined)." in run.stdout


def test_a_second_migration_changes_nothing(migrated: Path) -> None:
    once = sources(migrated)
    assert picklefix(migrated, "migrate").returncode == 1
    assert sources(migrated) == once


def test_the_patch_gives_what_the_migration_gives(migrated: Path, tmp_path: Path) -> None:
    clone = copy(tmp_path)
    git(clone, "init", "--quiet")
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "--message=before")
    run = picklefix(clone, "diff")
    assert run.returncode == 1
    git(clone, "apply", text=run.stdout)
    assert sources(clone) == sources(migrated)


def test_the_readme_shows_a_part_of_the_patch() -> None:
    shown = re.search(r"^```diff\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert shown is not None
    assert shown[1] in picklefix(ROOT, "diff", "fixtures/quickstart").stdout

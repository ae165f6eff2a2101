"""Results of earlier runs: used where they hold, and only there."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from codemods.cache import files, key
from codemods.cli import session
from codemods.finding import FileResult
from codemods.job import Job
from tests.cli.conftest import CLEAN, DECLINED, FIXABLE, FIXED, Outcome, command, environment, git

Invoke = Callable[..., Outcome]

MAKER = "def make():\n    return lambda x: x\n"
KEEPER = "import pickle\n\nfrom maker import make\n\n\ndef keep():\n    return pickle.dumps(make())\n"
OWNER = "from kernels import add\n\n\nclass Owner:\n    def __init__(self):\n        self.kept = add\n"
KERNEL = "import triton\n\n\n@triton.jit\ndef add(a, b):\n    return a + b\n"


@pytest.fixture(autouse=True)
def filled(project: Path) -> Path:
    """A project that is large enough to have a cache."""
    (project / "pyproject.toml").touch()
    for number in range(session.CACHE_PAYS):
        (project / f"clean_{number}.py").write_bytes(CLEAN)
    (project / "fixable.py").write_bytes(FIXABLE)
    (project / "declined.py").write_bytes(DECLINED)
    (project / "maker.py").write_text(MAKER)
    (project / "keeper.py").write_text(KEEPER)
    (project / "owner.py").write_text(OWNER)
    return project


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are really worked on, over all runs."""
    names: list[str] = []
    run = session.run

    def noting(jobs: Sequence[Job], workers: int | None = None) -> Iterator[FileResult]:
        names.extend(job.path for job in jobs)
        return run(jobs, 1)

    monkeypatch.setattr(session, "run", noting)
    return names


def check_anew(invoke: Invoke, *arguments: str) -> Outcome:
    return invoke("check", "--no-cache", *arguments)


def documents(project: Path) -> list[Path]:
    return sorted((project / ".picklefix_cache").glob("*/*.json"))


@pytest.mark.parametrize("output_format", ["concise", "full", "json", "sarif", "github", "html", "patch", "codetf"])
def test_reports_are_the_same(output_format: str, invoke: Invoke) -> None:
    arguments = ("--output-format", output_format, ".")
    anew = check_anew(invoke, *arguments)
    assert anew.status == 1
    for _ in range(2):
        cached = invoke("check", *arguments)
        if output_format == "codetf":
            runs = [json.loads(outcome.stdout) for outcome in (anew, cached)]
            assert runs[0]["results"] == runs[1]["results"]
        else:
            assert cached == anew


def test_what_could_not_be_followed_is_kept_too(project: Path, invoke: Invoke) -> None:
    (project / "keeper.py").write_text(KEEPER.replace("maker import", "nowhere.maker import"))
    anew = check_anew(invoke, "-v", ".")
    assert invoke("check", "-v", ".") == invoke("check", "-v", ".") == anew


def test_nothing_is_done_twice(project: Path, invoke: Invoke, done: list[str]) -> None:
    invoke("check", ".")
    assert len(done) == session.CACHE_PAYS + 5
    done.clear()
    assert invoke("check", ".").status == 1
    assert done == []


def test_what_is_unchanged_is_not_even_read(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "STEP", -(10**18))
    invoke("check", ".")

    def fail(path: str) -> str:
        raise AssertionError(path)

    monkeypatch.setattr(files, "_read_hash", fail)
    assert invoke("check", ".").status == 1


def test_a_file_that_does_not_parse_is_said_to_each_time(project: Path, invoke: Invoke) -> None:
    (project / "broken.py").write_text("def (:\n")
    outcomes = [invoke("check", ".") for _ in range(2)]
    assert outcomes[0] == outcomes[1]
    assert b"broken.py:1" in outcomes[1].stdout


def test_a_change_that_hides_behind_its_size_and_time(project: Path, invoke: Invoke) -> None:
    path = project / "clean_1.py"
    path.write_bytes(FIXABLE + b"#" * (len(CLEAN) - len(FIXABLE)))
    invoke("check", ".")
    times = path.stat()
    path.write_bytes(CLEAN)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert b"clean_1" not in invoke("check", ".").stdout


def test_a_change_within_one_tick_of_the_clock(project: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "clean_1.py").write_bytes(FIXABLE + b"#" * (len(CLEAN) - len(FIXABLE)))
    status = files.status_of(str(project / "clean_1.py"))
    of_real_files = files.status_of
    monkeypatch.setattr(files, "status_of", lambda path: status if "clean_1." in path else of_real_files(path))
    assert b"clean_1" in invoke("check", ".").stdout
    (project / "clean_1.py").write_bytes(CLEAN)
    assert b"clean_1" not in invoke("check", ".").stdout


def test_a_result_depends_on_other_files(project: Path, invoke: Invoke) -> None:
    before = invoke("check", "--output-format", "full", ".")
    assert b"keeper.py" in before.stdout
    (project / "maker.py").write_text("def make():\n    return 1\n")
    outcome = invoke("check", "--output-format", "full", ".")
    assert outcome != before
    assert outcome == check_anew(invoke, "--output-format", "full", ".")


def test_a_result_depends_on_files_that_are_not_there(project: Path, invoke: Invoke) -> None:
    assert b"owner.py" not in invoke("check", ".").stdout
    (project / "kernels.py").write_text(KERNEL)
    assert b"owner.py" in invoke("check", ".").stdout
    (project / "kernels.py").unlink()
    assert b"owner.py" not in invoke("check", ".").stdout


@pytest.mark.parametrize("seed", range(4))
def test_random_edits(seed: int, project: Path, invoke: Invoke) -> None:
    """Whatever is done to the files, a run with the cache says what one without it says."""
    choose = random.Random(seed).choice
    texts = [
        CLEAN,
        FIXABLE,
        DECLINED,
        MAKER.encode(),
        KEEPER.encode(),
        OWNER.encode(),
        KERNEL.encode(),
        b"from maker import *\n",
    ]
    names = ["maker.py", "keeper.py", "owner.py", "kernels.py", "fixable.py", "kernels/__init__.py", "clean_1.py"]
    for _ in range(12):
        path = project / choose(names)
        if path.exists() and choose([False, False, True]):
            path.unlink()
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(choose(texts))
        assert invoke("check", ".") == check_anew(invoke, ".")
        assert invoke("diff", ".") == invoke("diff", "--no-cache", ".")


@pytest.mark.parametrize("name", ["version", "program"])
def test_another_version_starts_anew(
    name: str, invoke: Invoke, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    invoke("check", ".")
    done.clear()
    monkeypatch.setattr(key, name, lambda: "another")
    invoke("check", ".")
    assert len(done) == session.CACHE_PAYS + 5


@pytest.mark.parametrize(
    "option",
    [
        ("--reach", "all"),
        ("--ignore", "PKL102"),
        ("--views", "always"),
        ("--ignore-noqa",),
        ("--state-style", "deepcopy"),
    ],
)
def test_other_options_start_anew(option: tuple[str, ...], invoke: Invoke, done: list[str]) -> None:
    invoke("check", ".")
    done.clear()
    assert invoke("check", *option, ".").status == 1
    assert len(done) == session.CACHE_PAYS + 5


def test_what_check_knows_helps_migrate(project: Path, invoke: Invoke, done: list[str]) -> None:
    invoke("check", ".")
    done.clear()
    invoke("migrate", ".")
    assert {os.path.basename(name) for name in done} <= {"fixable.py", "declined.py", "maker.py", "keeper.py"}
    assert (project / "fixable.py").read_bytes() == FIXED
    assert invoke("check", ".") == check_anew(invoke, ".")


@pytest.mark.parametrize("command", ["migrate", "diff"])
def test_rewriting_adds_no_folder_to_a_project(project: Path, invoke: Invoke, command: str) -> None:
    invoke(command, ".")
    assert not (project / session.CACHE_FOLDER).exists()
    invoke(command, "--cache-dir", "results", ".")
    assert (project / "results").is_dir()


def test_a_file_under_another_name(project: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (".", str(project)):
        assert invoke("check", name) == check_anew(invoke, name)
    (project / "inside").mkdir()
    monkeypatch.chdir(project / "inside")
    assert invoke("check", "..") == check_anew(invoke, "..")


def test_a_change_during_the_run_is_not_missed(project: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    run = session.run

    def disturbed(jobs: Sequence[Job], workers: int | None = None) -> Iterator[FileResult]:
        yield from list(run(jobs, 1))
        (project / "clean_1.py").write_bytes(FIXABLE)
        (project / "maker.py").write_text("make = 1\n")

    with monkeypatch.context() as patched:
        patched.setattr(session, "run", disturbed)
        invoke("check", ".")
    assert invoke("check", ".") == check_anew(invoke, ".")


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"\x80\x04N.", b"[]", b"null", b'{"program":"?"}', b"[" * 100_000),
        *(b'{"program":%s,"files":7,"alone":[],"digest":1,"together":"x"}',),
        *(b'{"program":%s,"files":{"p":[1]},"alone":{"p":[0]},"together":{"p":[1,2,3]}}',),
    ],
)
def test_what_cannot_be_used_is_not_there(content: bytes, project: Path, invoke: Invoke, done: list[str]) -> None:
    anew = invoke("check", ".")
    program = json.dumps(json.loads(documents(project)[0].read_bytes())["program"]).encode()
    for path in documents(project):
        path.write_bytes(content.replace(b"%s", program))
    assert invoke("check", ".") == anew
    done.clear()
    assert invoke("check", ".") == anew
    assert done == []


@pytest.mark.parametrize(
    "value", [7, [], [[1]], [[[]], [], []], [[["PKL101"] * 11], [], []], [[], 3, []], [[], [[None, None]], []]]
)
def test_a_result_that_is_none_is_not_there(value: object, project: Path, invoke: Invoke) -> None:
    anew = invoke("check", ".")
    for path in documents(project):
        document = json.loads(path.read_bytes())
        for row in document.get("together", {}).values():
            row[2] = value
        path.write_text(json.dumps(document))
    assert invoke("check", ".") == anew


def test_a_cache_that_cannot_be_written(project: Path, invoke: Invoke) -> None:
    anew = check_anew(invoke, ".")
    (project / "file").touch()
    assert invoke("check", "--cache-dir", "file/inside", ".") == anew
    (project / ".picklefix_cache").touch()
    assert invoke("check", ".") == anew
    assert ".picklefix_cache" in invoke("check", "-v", ".").stderr


def test_where_it_is(project: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "-q")
    monkeypatch.chdir(project.parent)
    invoke("check", "project")
    folder = project / ".picklefix_cache"
    assert documents(project)
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert b".picklefix_cache" not in git("status", "--porcelain", "--untracked-files=all", cwd=project)
    assert not (project.parent / ".picklefix_cache").exists()


def test_another_place(project: Path, invoke: Invoke) -> None:
    (project / "pyproject.toml").write_text('[tool.picklefix]\ncache-dir = "kept"\n')
    invoke("check", ".")
    assert list((project / "kept").glob("*/*.json"))
    invoke("check", "--cache-dir", "kept-too", ".")
    assert list((project / "kept-too").glob("*/*.json"))
    assert not documents(project)


def test_no_cache(project: Path, invoke: Invoke) -> None:
    check_anew(invoke, ".")
    invoke("check", "keeper.py", "owner.py")  # so few files are done sooner than looked up
    assert not (project / ".picklefix_cache").exists()


def test_runs_at_the_same_time(project: Path, invoke: Invoke, done: list[str]) -> None:
    anew = check_anew(invoke, ".").stdout
    done.clear()
    processes = [
        subprocess.Popen(command("check", "-j1", "."), stdout=subprocess.PIPE, env=environment()) for _ in range(4)
    ]
    assert [process.communicate()[0] for process in processes] == [anew] * 4
    assert invoke("check", ".").stdout == anew
    assert done == []
    assert not list((project / ".picklefix_cache").rglob("*.tmp"))


def test_suggest_writes_no_cache(project: Path, invoke: Invoke) -> None:
    """Its configuration comes from whoever made the pull request."""
    git("init", "-q")
    git("add", "fixable.py")
    git("commit", "-qm", "before")
    (project / "pyproject.toml").write_text('[tool.picklefix]\ncache-dir = "../outside"\n')
    git("add", ".")
    git("commit", "-qm", "after")
    assert invoke("suggest", "--base", "HEAD~1").status == 1
    assert not (project.parent / "outside").exists()
    assert not (project / ".picklefix_cache").exists()

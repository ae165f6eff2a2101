"""A file that takes too long is given up; the others are done."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from codemods import engine, runner
from codemods.finding import FileResult
from codemods.job import Job
from codemods.project import place_of
from codemods.spread import run_on
from tests.cli.conftest import FIXABLE, FIXED, Outcome

SLOW = b"# takes for ever\n" + FIXABLE


@pytest.fixture
def slow(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a file that no analysis comes to an end with."""
    (project / "a.py").write_bytes(FIXABLE)
    (project / "b.py").write_bytes(SLOW)
    (project / "c.py").write_bytes(FIXABLE)
    fix = engine.fix
    fix("a.py", FIXABLE, engine.Options())  # imports what takes longer than the limits here

    def endless(path: str, data: bytes, *arguments: object) -> FileResult:
        while data == SLOW:
            try:
                raise ValueError
            except Exception:  # What handles errors must not handle the end of the time.
                pass
        return fix(path, data, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "fix", endless)
    return project


def test_a_file_that_takes_too_long(slow: Path, invoke: Callable[..., Outcome]) -> None:
    outcome = invoke("migrate", "--file-timeout", "1", ".")
    assert outcome.status == 2
    assert outcome.stderr == (
        "error: b.py: was not analysed: it takes more than 1 s; allow more with --file-timeout, "
        "or leave it out with --exclude\n"
    )
    assert [(slow / name).read_bytes() for name in ("a.py", "b.py", "c.py")] == [FIXED, SLOW, FIXED]


def test_the_key(slow: Path, invoke: Callable[..., Outcome]) -> None:
    (slow / "pyproject.toml").write_text("[tool.picklefix]\nfile-timeout = 1\n")
    assert "more than 1 s" in invoke("diff", ".").stderr


@pytest.mark.parametrize("elsewhere", [False, True])
def test_other_files_are_done(slow: Path, elsewhere: bool) -> None:
    place = place_of("a.py", "time limit")
    jobs = [Job(name, engine.Options(), True, place, 0.2) for name in ("a.py", "b.py", "c.py")]
    with ThreadPoolExecutor(1) as executor:
        results = list(run_on(executor, jobs) if elsewhere else runner.run(jobs, 1))
    assert [result.after for result in results] == [FIXED, b"", FIXED]
    assert results[1].error is not None and not results[1].error.internal

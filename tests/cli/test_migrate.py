"""What migrate writes, what it refuses to write, and what it says."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from codemods import writing
from tests.cli.conftest import BROKEN, CLEAN, DECLINED, FIXABLE, FIXED, Outcome, git

Invoke = Callable[..., Outcome]


def test_each_finding_has_a_line_with_its_path(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(FIXABLE + DECLINED)
    (project / "b.py").write_bytes(CLEAN)
    (project / "c.py").write_bytes(BROKEN)
    outcome = invoke("migrate", ".")
    lines = outcome.stdout.decode().splitlines()
    assert lines[0].startswith("a.py:1:10: PKL103 fixed: ")
    assert lines[1].startswith("a.py:4:5: PKL101 ")
    assert lines[1].endswith(" (declined: maybe-unbound)")
    assert lines[2].startswith("c.py:1:")
    assert lines[3:] == ["Fixed 1 finding in 1 file, 1 declined.", "1 file could not be parsed."]
    assert outcome.stderr == ""


def test_a_second_run_changes_nothing(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    assert invoke("migrate", ".").status == 0
    before = (project / "a.py").stat()
    assert invoke("migrate", ".").status == 0
    after = (project / "a.py").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize("state", ["modified", "staged", "untracked", "ignored", "in-an-ignored-folder"])
def test_a_dirty_file_is_not_touched(project: Path, invoke: Invoke, state: str) -> None:
    git("init", "-q")
    (project / "b.py").write_bytes(FIXABLE)
    (project / ".gitignore").write_text("ignored.py\nout/\n" if "ignored" in state else "")
    git("add", ".")
    git("commit", "-q", "-m", "start")
    name = {"ignored": "ignored.py", "in-an-ignored-folder": "out/sub/a.py"}.get(state, "a b.py")
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if state in ("modified", "staged"):
        path.write_bytes(b"")
        git("add", ".")
        git("commit", "-q", "-m", "next")
    path.write_bytes(FIXABLE)
    if state == "staged":
        git("add", ".")
    outcome = invoke("migrate", name, "b.py")
    assert outcome.status == 2
    assert outcome.stdout == b""
    assert outcome.stderr == (
        f"error: uncommitted changes in 1 file ({name}); nothing was written: commit them first, or give --allow-dirty\n"
    )
    assert path.read_bytes() == FIXABLE
    assert (project / "b.py").read_bytes() == FIXABLE
    assert invoke("migrate", "--allow-dirty", name, "b.py").status == 0
    assert path.read_bytes() == FIXED


def test_only_files_that_would_be_written_must_be_clean(project: Path, invoke: Invoke) -> None:
    git("init", "-q")
    (project / "a.py").write_bytes(FIXABLE)
    git("add", ".")
    git("commit", "-q", "-m", "start")
    (project / "dirty.py").write_bytes(CLEAN)
    (project / "notes.txt").write_text("untracked")
    assert invoke("migrate", ".").status == 0
    assert (project / "a.py").read_bytes() == FIXED


def test_each_file_is_asked_of_its_own_repository(project: Path, invoke: Invoke) -> None:
    for name in ("one", "two"):
        (project / name).mkdir()
        (project / name / "a[b]*.py").write_bytes(FIXABLE)
        git("init", "-q", cwd=project / name)
    git("add", ".", cwd=project / "one")
    git("commit", "-q", "-m", "start", cwd=project / "one")
    outcome = invoke("migrate", "one", "two")
    assert "in 1 file (two/a[b]*.py)" in outcome.stderr
    assert invoke("migrate", "one").status == 0


def test_many_dirty_files_are_not_all_named(project: Path, invoke: Invoke) -> None:
    git("init", "-q")
    for number in range(1200):
        (project / f"a{number:04}.py").write_bytes(FIXABLE)
    outcome = invoke("migrate", "--jobs", "1", ".")
    assert "in 1,200 files (a0000.py, a0001.py, a0002.py, …)" in outcome.stderr


def test_without_git_only_a_repository_is_guarded(
    project: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "-q", "repository")
    (project / "repository" / "a.py").write_bytes(FIXABLE)
    (project / "a.py").write_bytes(FIXABLE)
    monkeypatch.setenv("PATH", "")
    outcome = invoke("migrate", "repository")
    assert outcome.status == 2
    assert "git is not installed; --allow-dirty writes without asking" in outcome.stderr
    assert (project / "repository" / "a.py").read_bytes() == FIXABLE
    assert invoke("migrate", "a.py").status == 0


def test_a_repository_that_git_does_not_answer_for(project: Path, invoke: Invoke) -> None:
    (project / ".git").write_text("gitdir: nowhere\n")
    (project / "a.py").write_bytes(FIXABLE)
    outcome = invoke("migrate", ".")
    assert outcome.status == 2
    assert outcome.stderr.startswith("error: cannot ask git for uncommitted changes: fatal: ")
    assert len(outcome.stderr.splitlines()) == 1
    assert invoke("migrate", "--allow-dirty", ".").status == 0


def test_git_started_by_a_hook_asks_about_the_right_repository(
    project: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "-q")
    (project / "a.py").write_bytes(FIXABLE)
    monkeypatch.setenv("GIT_DIR", str(project / "elsewhere"))
    assert "uncommitted changes" in invoke("migrate", ".").stderr


def test_a_monitor_that_the_repository_names_is_not_started(project: Path, invoke: Invoke) -> None:
    git("init", "-q")
    (project / "a.py").write_bytes(FIXABLE)
    monitor = project / "monitor"
    monitor.write_text(f"#!/bin/sh\ntouch {project}/started\n")
    monitor.chmod(0o755)
    git("config", "core.fsmonitor", str(monitor))
    assert invoke("migrate", ".").status == 2
    assert not (project / "started").exists()


def test_stubs_are_only_reported(project: Path, invoke: Invoke) -> None:
    (project / "a.pyi").write_bytes(FIXABLE)
    outcome = invoke("migrate", ".")
    assert outcome.status == 1
    assert (project / "a.pyi").read_bytes() == FIXABLE
    assert invoke("diff", ".").stdout == b""


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        ("read-only", "b.py: is read-only; make it writable (chmod u+w) and run again"),
        ("deleted", "b.py: was deleted meanwhile; nothing was written"),
        ("changed", "b.py: was changed meanwhile; nothing was written, run again"),
        ("disk-full", "b.py: cannot be written: No space left on device; it is unchanged"),
    ],
)
def test_a_file_that_cannot_be_written_and_the_others_are(
    project: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, problem: str, message: str
) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (project / name).write_bytes(FIXABLE)
    if problem == "read-only":
        (project / "b.py").chmod(0o444)
    written = writing.replace

    def interfere(path: str, before: bytes, after: bytes) -> None:
        if path == "b.py" and problem == "deleted":
            os.unlink(path)
        if path == "b.py" and problem == "changed":
            Path(path).write_bytes(b"edited = 1\n")
        if path == "b.py" and problem == "disk-full":
            with monkeypatch.context() as patched:
                patched.setattr(writing.os, "fsync", _full)
                return written(path, before, after)
        return written(path, before, after)

    monkeypatch.setattr("codemods.cli.commands.migrate.replace_file", interfere)
    outcome = invoke("migrate", ".")
    assert outcome.status == 2
    assert outcome.stderr == f"error: {message}\n"
    assert (project / "a.py").read_bytes() == FIXED
    assert (project / "c.py").read_bytes() == FIXED
    if problem != "deleted":
        assert (project / "b.py").read_bytes() == (b"edited = 1\n" if problem == "changed" else FIXABLE)
    assert {*os.listdir(project)} <= {"a.py", "b.py", "c.py"}
    assert "Fixed 2 findings in 2 files" in outcome.stdout.decode()


def _full(descriptor: int) -> None:
    raise OSError(28, os.strerror(28))


def test_the_backup_undoes_it(project: Path, invoke: Invoke) -> None:
    (project / "sub").mkdir()
    for name in ("a.py", "sub/b.py"):
        (project / name).write_bytes(FIXABLE)
    (project / "c.py").write_bytes(CLEAN)
    assert invoke("migrate", "--backup-patch", "undo.patch", ".").status == 0
    assert (project / "sub" / "b.py").read_bytes() == FIXED
    git("apply", "undo.patch")
    assert {(project / name).read_bytes() for name in ("a.py", "sub/b.py")} == {FIXABLE}
    assert invoke("migrate", "--backup-patch", "no/such/folder", ".").status == 2
    assert (project / "a.py").read_bytes() == FIXABLE


def test_the_mode_is_kept(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    (project / "a.py").chmod(0o751)
    invoke("migrate", ".")
    assert stat.S_IMODE((project / "a.py").stat().st_mode) == 0o751


@pytest.mark.parametrize(
    ("arguments", "head"),
    [
        pytest.param((), b"def total(\n    first, second, third\n):\n", id="as-the-project"),
        pytest.param(("--line-length", "88"), b"def total(first, second, third):\n", id="as-the-option"),
        pytest.param(("--config", "line-length=88"), b"def total(first, second, third):\n", id="as-the-setting"),
    ],
)
def test_lines_are_as_long_as_configured(
    project: Path, invoke: Invoke, arguments: tuple[str, ...], head: bytes
) -> None:
    (project / "pyproject.toml").write_text("[tool.black]\nline-length = 30\n")
    (project / "a.py").write_bytes(b"total = (\n    lambda first, second, third: 2\n)\n" if not arguments else
                                   b"total = lambda first, second, third: 2\n")  # fmt: skip
    assert invoke("migrate", *arguments, ".").status == 0
    assert (project / "a.py").read_bytes() == head + b"    return 2\n"

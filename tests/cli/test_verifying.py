"""Fixes that make a command fail are found, left out and named; nothing is lost on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, CLEAN, FIXABLE, FIXED, Outcome, command, environment, git

Invoke = Callable[..., Outcome]


def function(*names: str) -> bytes:
    """A module whose functions each give another one that is to be moved, as ``_make_NAME_NAME``."""
    text = "\n\n".join(f"def make_{name}():\n    def {name}():\n        pass\n\n    return {name}\n" for name in names)
    return text.encode()


def moved(project: Path) -> set[str]:
    """The functions that were moved in all files."""
    text = "".join(path.read_text() for path in sorted(project.glob("*.py")))
    return {word for word in ("one", "two", "three", "four") if f"def _make_{word}_{word}(" in text}


def test_all_is_written_if_the_command_goes_on_succeeding(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    outcome = invoke("migrate", "-v", "--verify-with", "echo run >> log; python3 -c 1", "a.py")
    assert outcome.status == 0
    assert (project / "a.py").read_bytes() == FIXED
    assert (project / "log").read_text() == "run\nrun\n"
    assert "note: `echo run >> log; python3 -c 1` succeeded before the change\n" in outcome.stderr


@pytest.mark.parametrize(
    "guilty", [["one"], ["two"], ["three"], ["one", "four"], ["two", "three"], ["one", "two", "three", "four"]]
)
def test_the_guilty_ones_are_left_out_and_named(project: Path, invoke: Invoke, guilty: list[str]) -> None:
    (project / "a.py").write_bytes(function("one", "two"))
    (project / "b.py").write_bytes(function("three", "four"))
    test = " && ".join(f"! grep -q 'def _make_{name}_' a.py b.py" for name in guilty)
    outcome = invoke("migrate", "--verify-with", f"echo looking; {test}", ".")
    assert outcome.status == 1
    assert moved(project) == {"one", "two", "three", "four"} - set(guilty)
    named = [line.split()[2].strip("`") for line in outcome.stderr.splitlines() if ": PKL101 " in line]
    assert named == sorted(guilty, key=["one", "two", "three", "four"].index)
    assert outcome.stderr.startswith(
        f"| looking\n`echo looking; {test}` fails with these fixes, so they were left out:\n"
    )
    assert outcome.stdout.count(b"(declined: held-back)") == len(guilty)
    assert f"Fixed {4 - len(guilty)} finding".encode() in outcome.stdout


def test_two_that_only_fail_together(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(function("one", "two"))
    (project / "b.py").write_bytes(function("three", "four"))
    test = "! { grep -q 'def _make_one_' a.py && grep -q 'def _make_four_' b.py; }"
    assert invoke("migrate", "--verify-with", test, ".").status == 1
    assert moved(project) in ({"one", "two", "three"}, {"two", "three", "four"})


def test_fixes_that_depend_on_each_other_go_together(project: Path, invoke: Invoke) -> None:
    text = (
        "def make(start):\n    def first(n):\n        return n if n < start else second(n - 1)\n\n"
        "    def second(n):\n        return first(n - 1)\n\n    def apart(n):\n        return n\n\n"
        "    return first, second, apart\n"
    )
    (project / "a.py").write_text(text)
    outcome = invoke("migrate", "--verify-with", "! grep -q 'def _make_second' a.py", ".")
    assert outcome.status == 1
    after = (project / "a.py").read_text()
    assert "def _make_apart(" in after
    assert "    def first(n):\n        return n if n < start else second(n - 1)\n\n    def second(n):\n" in after
    assert [line.split()[2] for line in outcome.stderr.splitlines() if "PKL101" in line] == ["`first`", "`second`"]


def test_nested_ones_one_level_at_a_time(project: Path, invoke: Invoke) -> None:
    text = "def make(a):\n    def outer(b):\n        def inner(c):\n            return a, b, c\n\n        return inner\n\n    return outer\n"
    (project / "a.py").write_text(text)
    outcome = invoke("migrate", "--verify-with", "! grep -q 'def _.*inner(' a.py", ".")
    assert outcome.status == 1
    after = (project / "a.py").read_text()
    assert "def _make_outer(a, /, b):\n    def inner(c):\n        return a, b, c\n" in after


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("echo why; exit 3", "| why\nerror: `echo why; exit 3` fails already before the change (status 3); nothing was written: "
         "make it succeed first, or leave out --verify-with\n"),
        ("no-such-command-here", "error: cannot run `no-such-command-here` (status 127); nothing was written: check its name\n"),
        ("kill -9 $$", "error: `kill -9 $$` fails already before the change (status -9); nothing was written: "
         "make it succeed first, or leave out --verify-with\n"),
        ("test ! -e ran && touch ran", "error: `test ! -e ran && touch ran` fails now although every file is as it was; "
         "nothing was written: give a command that always ends the same way\n"),
    ],
)  # fmt: skip
def test_commands_that_tell_nothing(project: Path, invoke: Invoke, test: str, message: str) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    (project / "b.py").write_bytes(FIXABLE)
    outcome = invoke("migrate", "--verify-with", test, ".")
    assert (outcome.status, outcome.stdout, outcome.stderr) == (2, b"", message)
    assert [(project / name).read_bytes() for name in ("a.py", "b.py")] == [FIXABLE, FIXABLE]


def test_what_the_command_itself_writes_is_not_overwritten(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    (project / "b.py").write_bytes(FIXABLE)
    outcome = invoke("migrate", "--verify-with", "grep -q lambda b.py || { echo '# mine' >> b.py; false; }", ".")
    assert outcome.status == 2
    assert (project / "a.py").read_bytes() == FIXABLE
    assert (project / "b.py").read_bytes() == FIXED + b"# mine\n"
    assert outcome.stderr.splitlines() == [
        "error: b.py: was changed meanwhile; nothing was written, run again",
        "error: b.py: was changed meanwhile; nothing was written, run again; every other file is as it was",
    ]


def test_nothing_to_verify(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(CLEAN)
    assert invoke("migrate", "--verify-with", "touch ran", ".").status == 0
    assert not (project / "ran").exists()
    (project / "a.py").write_bytes(BROKEN)
    assert invoke("migrate", "--verify-with", "touch ran", ".").status == 1
    assert not (project / "ran").exists()
    assert invoke("migrate", "--verify-with", "true", "-").status == 2


def test_dirty_files_are_refused_before_anything_runs(project: Path, invoke: Invoke) -> None:
    git("init", "-q")
    (project / "a.py").write_bytes(FIXABLE)
    assert invoke("migrate", "--verify-with", "touch ran", ".").status == 2
    assert not (project / "ran").exists()


def test_the_backup_undoes_what_was_written(project: Path, invoke: Invoke) -> None:
    git("init", "-q")
    before = function("one", "two")
    (project / "a.py").write_bytes(before)
    git("add", ".")
    git("commit", "-q", "-m", "start")
    invoke("migrate", "--backup-patch", "undo.patch", "--verify-with", "! grep -q 'def _make_two_' a.py", "a.py")
    assert moved(project) == {"one"}
    git("apply", "undo.patch")
    assert (project / "a.py").read_bytes() == before


def test_no_compiled_module_of_another_trial_is_taken(project: Path, invoke: Invoke) -> None:
    """Files that are written within the same second and are of the same size look the same to Python."""
    (project / "a.py").write_bytes(function("one", "two"))
    python = f"{sys.executable} -c 'import a; assert not hasattr(a, \"_make_one_one\")'"
    assert invoke("migrate", "--verify-with", python, ".").status == 1
    assert moved(project) == {"two"}
    assert not (project / "__pycache__").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_puts_everything_back(project: Path, number: signal.Signals) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    (project / "b.py").write_bytes(FIXABLE)
    hanging = "grep -q lambda a.py || { echo $$ > started; trap '' INT; sleep 600; }"
    process = subprocess.Popen(
        command("migrate", "--verify-with", hanging, "."), env=environment(), stderr=subprocess.PIPE, cwd=project
    )
    started = project / "started"
    deadline = time.monotonic() + 60
    while not (started.exists() and started.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (project / "b.py").read_bytes() == FIXED
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert b"Traceback" not in errors
    assert [(project / name).read_bytes() for name in ("a.py", "b.py")] == [FIXABLE, FIXABLE]
    assert sorted(path.name for path in project.iterdir()) == ["a.py", "b.py", "started"]
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)


def test_the_same_text_twice_is_one(project: Path, invoke: Invoke) -> None:
    text = "def make(d):\n    return [lambda: d, lambda: d]\n"
    (project / "a.py").write_text(text)
    assert invoke("migrate", "--verify-with", "! grep -q 'def _make' a.py", ".").status == 1
    assert (project / "a.py").read_text() == text

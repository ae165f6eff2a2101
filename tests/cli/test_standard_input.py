"""The file ``-``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, CLEAN, DECLINED, FIXABLE, FIXED, Outcome

Invoke = Callable[..., Outcome]


def test_check_names_it(invoke: Invoke) -> None:
    assert invoke("check", "-", stdin=FIXABLE).stdout.startswith(b"-:1:10: PKL103 ")
    assert invoke("check", "--stdin-filename", "x/y.py", "-", stdin=FIXABLE).stdout.startswith(b"x/y.py:1:10: PKL103 ")


@pytest.mark.parametrize(
    ("given", "printed", "status"),
    [
        pytest.param(FIXABLE, FIXED, 0, id="fixed"),
        pytest.param(CLEAN, CLEAN, 0, id="unchanged"),
        pytest.param(DECLINED, DECLINED, 1, id="declined"),
        pytest.param(BROKEN, BROKEN, 1, id="does-not-parse"),
        pytest.param(b"", b"", 0, id="empty"),
        pytest.param(FIXABLE.replace(b"\n", b"\r\n"), FIXED.replace(b"\n", b"\r\n"), 0, id="crlf"),
        pytest.param(b"\xff = lambda: 0\n", b"\xff = lambda: 0\n", 2, id="undecodable"),
    ],
)
def test_migrate_prints_the_whole_text_and_only_that(invoke: Invoke, given: bytes, printed: bytes, status: int) -> None:
    outcome = invoke("migrate", "-", stdin=given)
    assert (outcome.status, outcome.stdout) == (status, printed)
    assert outcome.stderr != ""


def test_migrate_says_what_it_did_elsewhere(invoke: Invoke) -> None:
    lines = invoke("migrate", "-", stdin=FIXABLE).stderr.splitlines()
    assert lines[0].startswith("-:1:10: PKL103 fixed: ")
    assert lines[1] == "Fixed 1 finding in 1 file, 0 declined."


def test_diff_prints_a_patch_with_the_name(invoke: Invoke) -> None:
    assert b"--- a/-\n+++ b/-\n" in invoke("diff", "-", stdin=FIXABLE).stdout
    assert b"--- a/x/y.py\n" in invoke("diff", "-", "--stdin-filename", "x/y.py", stdin=FIXABLE).stdout


@pytest.mark.parametrize("command", ["check", "diff", "migrate"])
def test_an_excluded_name_is_passed_over_with_force_exclude(invoke: Invoke, command: str) -> None:
    arguments = (command, "-", "--stdin-filename", "build/a.py")
    assert b"double" in invoke(*arguments, stdin=FIXABLE).stdout
    outcome = invoke(*arguments, "--force-exclude", "-q", stdin=FIXABLE)
    assert outcome == Outcome(0, FIXABLE if command == "migrate" else b"", "")


def test_settings_are_those_of_the_name(project: Path, invoke: Invoke) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "setup.cfg").write_text("[tool:picklefix]\nignore = PKL103\n")
    assert invoke("check", "-", stdin=FIXABLE).status == 1
    assert invoke("check", "-", "--stdin-filename", "sub/a.py", stdin=FIXABLE).status == 0

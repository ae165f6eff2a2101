"""The patch, judged by git itself: applied, it must give what migrate writes, byte for byte."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codemods.report.patch import patch, patch_name
from tests.cli.conftest import FIXABLE, FIXED, Outcome, git

CLOSURE = b"""def make(factor):
    def scale(x):
        return x * factor

    return scale
"""


def apply(data: bytes, *arguments: str, cwd: Path | str = ".") -> None:
    process = subprocess.run(["git", "apply", *arguments], input=data, cwd=cwd, capture_output=True, check=False)
    assert process.returncode == 0, (process.stderr, data)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(FIXABLE, id="one-line"),
        pytest.param(CLOSURE, id="several-hunks"),
        pytest.param(FIXABLE.rstrip(), id="no-final-newline"),
        pytest.param(b"import os\r\n\r\n\r\n" + CLOSURE.replace(b"\n", b"\r\n"), id="crlf"),
        pytest.param(CLOSURE.replace(b"\n", b"\r"), id="cr-only"),
        pytest.param(CLOSURE + b"\x0c\nx = 1\x0c\ny = 2\r\nz = 3\n", id="form-feed-and-mixed-ends"),
        pytest.param(b"\xef\xbb\xbf" + CLOSURE, id="byte-order-mark"),
        pytest.param(b"# coding: latin-1\nname = '\xe9\xff'\n" + CLOSURE + b"# \xe4\n", id="latin-1"),
        pytest.param("name = 'é 日本 \u2028 \x85'\n".encode() + CLOSURE, id="utf-8-with-exotic-line-ends"),
        pytest.param(b"x = '''\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- \n'''\n" + CLOSURE, id="looks-like-a-patch"),
        pytest.param(CLOSURE + b"trailing = 1   \n\t\n", id="trailing-space"),
        pytest.param(b"\n" * 400 + CLOSURE + b"\n" * 400 + FIXABLE, id="many-equal-lines"),
    ],
)
@pytest.mark.parametrize("in_repository", [True, False], ids=["repository", "no-repository"])
def test_git_applies_it_and_gets_what_migrate_writes(
    project: Path, invoke: Callable[..., Outcome], data: bytes, in_repository: bool
) -> None:
    if in_repository:
        git("init", "-q")
    for name in ("patched", "migrated"):
        (project / name).mkdir()
        (project / name / "a.py").write_bytes(data)
    produced = invoke("diff", "patched").stdout
    assert (project / "patched" / "a.py").read_bytes() == data
    apply(produced)
    invoke("migrate", "--allow-dirty", "migrated")
    after = (project / "migrated" / "a.py").read_bytes()
    assert after != data
    assert (project / "patched" / "a.py").read_bytes() == after


@pytest.mark.parametrize(
    "name",
    [
        "plain.py",
        "with space.py",
        "tab\there.py",
        "new\nline.py",
        'quote".py',
        "back\\slash.py",
        "ünïcödé.py",
        "日本.py",
        "\udcff.py",
        " leading.py",
        "b/b.py",
        "-dash.py",
        "\x1b[31mred.py",
        "dev/null.py",
    ],
)
def test_names_that_need_care(project: Path, invoke: Callable[..., Outcome], name: str) -> None:
    git("init", "-q")
    path = project / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(FIXABLE)
    outcome = invoke("diff", ".")
    apply(outcome.stdout)
    assert path.read_bytes() == FIXED
    assert "\x1b" not in outcome.stderr
    assert len(outcome.stderr.splitlines()) == 2


@pytest.mark.parametrize("folder", ["", "inner", "inner/most"])
def test_it_applies_in_the_folder_that_it_was_made_in(
    project: Path, invoke: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    git("init", "-q")
    path = project / "inner" / "most" / "a.py"
    path.parent.mkdir(parents=True)
    path.write_bytes(FIXABLE)
    monkeypatch.chdir(project / folder)
    outcome = invoke("diff", ".")
    assert outcome.stdout.startswith(b"diff --git a/inner/most/a.py b/inner/most/a.py\n--- a/inner/most/a.py\n+++ b/")
    apply(outcome.stdout)
    assert path.read_bytes() == FIXED


def test_outside_a_repository_names_count_from_the_current_folder(
    project: Path, invoke: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "inner").mkdir()
    (project / "inner" / "a.py").write_bytes(FIXABLE)
    monkeypatch.chdir(project / "inner")
    assert b"--- a/a.py\n" in invoke("diff", "../inner/a.py").stdout


def test_a_linked_file_is_patched_where_it_lies(project: Path, invoke: Callable[..., Outcome]) -> None:
    git("init", "-q")
    (project / "a.py").write_bytes(FIXABLE)
    (project / "link.py").symlink_to("a.py")
    apply(invoke("diff", "link.py").stdout)
    assert (project / "a.py").read_bytes() == FIXED
    assert (project / "link.py").is_symlink()


def test_patch_program_takes_it_too(project: Path, invoke: Callable[..., Outcome]) -> None:
    if shutil.which("patch") is None:
        pytest.skip("patch is not installed")
    (project / "with space.py").write_bytes(FIXABLE)
    produced = invoke("diff", ".").stdout
    subprocess.run(["patch", "-p1", "-s"], input=produced, check=True)
    assert (project / "with space.py").read_bytes() == FIXED


LINES = st.lists(
    st.sampled_from([b"a", b"b", b"\n", b"\n", b"\n", b"\r", b"\x0c", b"\xff", b"-", b"+", b" ", b"@", b"\\"])
)


@given(before=LINES, after=LINES)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_change_can_be_applied(project: Path, before: list[bytes], after: list[bytes]) -> None:
    old, new = b"".join(before), b"".join(after)
    (project / "a.py").write_bytes(old)
    produced = patch("a.py", old, new)
    assert (produced == b"") == (old == new)
    if produced:
        apply(produced)
    assert (project / "a.py").read_bytes() == new


def test_the_reverse_patch_undoes_it(project: Path) -> None:
    (project / "a.py").write_bytes(FIXED)
    apply(patch("a.py", FIXED, FIXABLE))
    assert (project / "a.py").read_bytes() == FIXABLE


def test_names_have_slashes(project: Path) -> None:
    assert patch_name("one/two.py") == "one/two.py"

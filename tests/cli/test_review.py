"""Reviews in a terminal: each answer does what it says, and nothing else is changed."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import CLEAN, DECLINED, FIXABLE, FIXED, Outcome, command, environment

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")

Invoke = Callable[..., Outcome]

QUESTION = b"[y,n,a,e,q,?] "
_PATIENCE = 60.0  # seconds


class Terminal:
    """A review that runs in a terminal of its own."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            command("review", "--color", "never", *arguments),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(**variables),
            start_new_session=True,
        )
        os.close(slave)

    def read(self, end: bytes | None = QUESTION) -> str:
        """What is shown up to and with some text, or up to the end of the review."""
        shown = b""
        deadline = time.monotonic() + _PATIENCE
        while end is None or not shown.endswith(end):
            assert time.monotonic() < deadline, shown
            if select.select([self._master], [], [], 0.2)[0]:
                try:
                    piece = os.read(self._master, 65536)
                except OSError:  # The other side is closed.
                    piece = b""
                if not piece:
                    break
                shown += piece
        return shown.decode().replace("\r\n", "\n")

    def press(self, keys: str) -> None:
        """Press a key as soon as the program waits for one."""
        deadline = time.monotonic() + _PATIENCE
        while termios.tcgetattr(self._master)[3] & termios.ICANON and time.monotonic() < deadline:
            time.sleep(0.01)
        os.write(self._master, keys.encode())

    def answer(self, keys: str) -> list[str]:
        """Press one key after the other, each at a question; gives what is shown from the start to the end."""
        shown = []
        for key in keys:
            shown.append(self.read())
            self.press(key)
        shown.append(self.read(None))
        self.process.wait(_PATIENCE)
        return shown

    def close(self) -> None:
        """End what is still running."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self._master)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    terminals: list[Terminal] = []

    def starting(*arguments: str, **variables: str) -> Terminal:
        terminals.append(Terminal(*arguments, **{"XDG_STATE_HOME": str(tmp_path / "state"), **variables}))
        return terminals[-1]

    yield starting
    for terminal in terminals:
        terminal.close()


def remembered(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "state").rglob("*.json"))


TWO = b"first = lambda: 1\nsecond = lambda: 2\n"


def test_accept_and_reject(project: Path, tmp_path: Path, start: Callable[..., Terminal]) -> None:
    (project / "a.py").write_bytes(TWO)
    terminal = start("a.py")
    shown = terminal.answer("ny")
    assert "a.py:1:9: PKL103 [*] `first` holds a lambda" in shown[0]
    assert "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,5 @@\n-first = lambda: 1\n+def first():\n" in shown[0]
    assert shown[0].endswith("Make this fix? (2 left in this file) [y,n,a,e,q,?] ")
    assert "`second` holds a lambda" in shown[1]
    assert shown[2] == "y\nMade 1 change in 1 file; 1 finding left.\n"
    assert terminal.process.returncode == 1
    assert (project / "a.py").read_bytes() == b"first = lambda: 1\n\n\ndef second():\n    return 2\n"
    assert remembered(tmp_path) == []


def test_the_way_to_where_it_is_pickled_is_shown(project: Path, start: Callable[..., Terminal]) -> None:
    (project / "a.py").write_text("import pickle\n\n\ndef f(n):\n    g = lambda: n\n    pickle.dumps(g)\n")
    shown = start("a.py").answer("q")
    assert "  way:\n    a.py:" in shown[0]
    assert "pickled by: pickle.dumps" in shown[0]


def test_all_of_a_file_but_not_of_the_next(project: Path, start: Callable[..., Terminal]) -> None:
    for name in ("a.py", "b.py"):
        (project / name).write_bytes(TWO)
    terminal = start(".")
    shown = terminal.answer("aq")
    assert "b.py:1:9" in shown[1]
    assert shown[2].endswith("Made 2 changes in 1 file; 2 findings left.\nRun it again to go on.\n")
    assert b"lambda" not in (project / "a.py").read_bytes()
    assert (project / "b.py").read_bytes() == TWO


def test_all_does_not_mean_unsafe_ones(project: Path, start: Callable[..., Terminal]) -> None:
    text = "import multiprocessing\n\nf = lambda: 1\ng = lambda: 2\nmultiprocessing.Process(target=print).start()\n"
    (project / "a.py").write_text(text)
    shown = start("a.py").answer("an")
    assert "It may change behaviour." in shown[1]
    after = (project / "a.py").read_text()
    assert "lambda" not in after
    assert "__main__" not in after


@pytest.mark.parametrize("ending", ["q", "\x04", "\x03"])
def test_a_review_goes_on_where_it_ended(
    project: Path, tmp_path: Path, start: Callable[..., Terminal], ending: str
) -> None:
    (project / "a.py").write_bytes(TWO)
    terminal = start("a.py")
    terminal.answer(f"n{ending}")
    assert terminal.process.returncode == (128 + signal.SIGINT if ending == "\x03" else 1)
    assert len(remembered(tmp_path)) == 1
    (project / "a.py").write_bytes(b"import os\n\n" + TWO)
    shown = start("a.py").answer("q")
    assert "a.py:4:10: PKL103 [*] `second`" in shown[0]
    shown = start("--start-over", "a.py").answer("q")
    assert "`first`" in shown[0]
    assert start("a.py").answer("nn")[2].endswith("Made 0 changes in 0 files; 2 findings left.\n")
    assert remembered(tmp_path) == []


@pytest.mark.parametrize("content", ["", "[]", '{"version": 1}', '{"version": 1, "rejected": 3}', "[" * 99999])
def test_a_broken_memory_is_none(project: Path, tmp_path: Path, start: Callable[..., Terminal], content: str) -> None:
    (project / "a.py").write_bytes(TWO)
    start("a.py").answer("nq")
    remembered(tmp_path)[0].write_text(content)
    assert "`first`" in start("a.py").answer("q")[0]


def test_no_place_to_remember(project: Path, tmp_path: Path, start: Callable[..., Terminal]) -> None:
    (tmp_path / "state").write_text("")
    (project / "a.py").write_bytes(TWO)
    shown = start("a.py").answer("ny")
    assert "warning: " in shown[1]
    assert "the next review will ask again" in shown[1]
    assert b"def second" in (project / "a.py").read_bytes()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"f = lambda: 1", b"def f():\n    return 1", id="no-line-end"),
        pytest.param(b"f = lambda: 1\r\nx = 2", b"def f():\r\n    return 1\r\nx = 2", id="crlf-no-line-end"),
        pytest.param(b"\xef\xbb\xbff = lambda: 1\n", b"\xef\xbb\xbfdef f():\n    return 1\n", id="mark"),
        pytest.param(
            "# coding: latin-1\nf = lambda: 'ä'\n".encode("latin-1"),
            "# coding: latin-1\ndef f():\n    return 'ä'\n".encode("latin-1"),
            id="latin-1",
        ),
    ],
)
def test_bytes_are_kept(project: Path, start: Callable[..., Terminal], before: bytes, after: bytes) -> None:
    (project / "a.py").write_bytes(before)
    start("a.py").answer("y")
    assert (project / "a.py").read_bytes() == after


def test_one_fix_is_what_migrate_makes_of_it(project: Path, start: Callable[..., Terminal]) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    terminal = start("a.py")
    terminal.answer("y")
    assert terminal.process.returncode == 0
    assert (project / "a.py").read_bytes() == FIXED


def test_help_and_other_keys(project: Path, start: Callable[..., Terminal]) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    shown = start("a.py").answer("?x\x1bq")
    for text in shown[1:4]:
        assert "y  make this fix\n" in text
    assert (project / "a.py").read_bytes() == FIXABLE


def test_a_file_that_changes_meanwhile_is_looked_at_anew(project: Path, start: Callable[..., Terminal]) -> None:
    (project / "a.py").write_bytes(TWO)
    terminal = start("a.py")
    terminal.read()
    (project / "a.py").write_bytes(b"new = 1\n" + TWO)
    terminal.press("y")
    shown = terminal.read()
    assert "error: a.py: was changed meanwhile; nothing was written, run again" in shown
    assert "a.py:2:9: PKL103" in shown
    terminal.press("y")
    terminal.read()
    (project / "a.py").unlink()
    terminal.press("y")
    shown = terminal.read(None)
    assert "error: a.py: was deleted meanwhile" in shown
    terminal.process.wait(_PATIENCE)


def test_a_file_that_cannot_be_written_is_left(project: Path, start: Callable[..., Terminal]) -> None:
    for name in ("a.py", "b.py"):
        (project / name).write_bytes(TWO)
    (project / "a.py").chmod(0o444)
    shown = start(".").answer("aq")
    assert "error: a.py: is read-only" in shown[1]
    assert "b.py:1:9" in shown[1]


def editor(tmp_path: Path, program: str) -> dict[str, str]:
    script = tmp_path / "editor.py"
    script.write_text(f"import sys, pathlib\npath = pathlib.Path(sys.argv[1])\ntext = path.read_bytes()\n{program}\n")
    return {"VISUAL": f"{sys.executable} {script}", "EDITOR": ""}


def test_edit(project: Path, tmp_path: Path, start: Callable[..., Terminal]) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    start("a.py", **editor(tmp_path, "path.write_bytes(text.replace(b'double', b'twice'))")).answer("e")
    assert (project / "a.py").read_bytes() == FIXED.replace(b"double", b"twice")


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("path.write_bytes(b'x = (')", "what was edited is not Python: '(' was never closed"),
        ("path.write_bytes(b'\\xff')", "what was edited is not Python: "),
        ("path.unlink()", "the edited file cannot be read: No such file or directory"),
        ("sys.exit(1)", "Editing failed"),
    ],
)
def test_an_edit_that_fails_changes_nothing(
    project: Path, tmp_path: Path, start: Callable[..., Terminal], program: str, message: str
) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    shown = start("a.py", **editor(tmp_path, program)).answer("eq")
    assert message in shown[1]
    assert (project / "a.py").read_bytes() == FIXABLE


def test_control_characters_do_not_reach_the_terminal(project: Path, start: Callable[..., Terminal]) -> None:
    (project / "a.py").write_bytes(b"f = lambda: '\x1b[2J'\n")
    assert "\x1b[2J" not in start("a.py").answer("q")[0]


def test_nothing_to_ask(project: Path, start: Callable[..., Terminal]) -> None:
    (project / "a.py").write_bytes(CLEAN)
    assert start("a.py").answer("")[0].endswith("Made 0 changes in 0 files; 0 findings left.\n")
    (project / "a.py").write_bytes(DECLINED)
    (project / "b.pyi").write_bytes(FIXABLE)
    terminal = start(".")
    assert terminal.answer("")[0].endswith("Made 0 changes in 0 files; 2 findings left.\n")
    assert terminal.process.returncode == 1


def test_without_a_terminal(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    outcome = invoke("review", "a.py")
    message = "error: review asks questions: run it in a terminal, or use check, diff and migrate\n"
    assert (outcome.status, outcome.stdout, outcome.stderr) == (2, b"", message)
    assert invoke("review", "-").status == 2


def test_what_is_remembered_names_no_code(project: Path, tmp_path: Path, start: Callable[..., Terminal]) -> None:
    (project / "a.py").write_bytes(TWO)
    start("a.py").answer("nq")
    content = json.loads(remembered(tmp_path)[0].read_text())
    assert set(content) == {"version", "rejected"}
    assert len(content["rejected"]) == 1

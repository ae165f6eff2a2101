"""Colour, encodings, and output that cannot be written."""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codemods.cli.console import Failure, Output, encoded, is_coloured
from codemods.report.palette import PLAIN
from tests.cli.conftest import FIXABLE, Outcome, command, environment


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("color", "variables", "terminal", "expected"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"CLICOLOR_FORCE": "1"}, False, True),
        ("auto", {"CLICOLOR_FORCE": "0"}, False, False),
        ("auto", {"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_the_option_then_the_environment_then_the_terminal(
    color: str, variables: dict[str, str], terminal: bool, expected: bool
) -> None:
    assert is_coloured(color, Terminal() if terminal else io.StringIO(), variables) is expected


@pytest.mark.parametrize("arguments", ["check --output-format json", "check -o out.txt", "check --statistics"])
def test_what_machines_read_is_never_coloured(project: Path, invoke: Callable[..., Outcome], arguments: str) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    outcome = invoke(*arguments.split(), "--color", "always", ".")
    written = (project / "out.txt").read_bytes() if "-o" in arguments.split() else outcome.stdout
    assert written
    assert b"\x1b" not in written


def test_people_get_colours(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    assert b"\x1b[31m\x1b[1mPKL103\x1b[0m" in invoke("check", "--color", "always", ".").stdout
    patch = invoke("diff", "--color", "always", ".").stdout
    assert b"\x1b[1m--- a/a.py\x1b[0m\n" in patch
    assert b"\x1b[36m@@ -1 +1,2 @@\x1b[0m\n" in patch
    assert b"\x1b[31m-double = lambda x: 2 * x\x1b[0m\n" in patch
    assert b"\x1b[32m+def double(x):\x1b[0m\n" in patch


@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        ("é", "utf-8", b"\xc3\xa9"),
        ("é→", "cp1252", b"\xe9\\u2192"),
        ("a\udcff", "utf-8", b"a\xff"),
        ("\udcff→", "ascii", b"\\udcff\\u2192"),
    ],
)
def test_text_can_always_be_encoded(text: str, encoding: str, expected: bytes) -> None:
    assert encoded(text, encoding) == expected


def test_a_console_that_lacks_characters(project: Path) -> None:
    (project / "ä→.py").write_bytes(FIXABLE)
    process = subprocess.run(command("check", "."), env=environment(PYTHONIOENCODING="cp1252"), capture_output=True)
    assert process.returncode == 1
    assert process.stdout.startswith(b"\xe4\\u2192.py:1:10: PKL103 ")
    assert process.stderr == b""


@pytest.mark.parametrize(
    "arguments",
    ["--output-format json", "--output-format html", "--output-format junit", "--report spawn --output-format html"],
)
def test_what_machines_read_is_utf_8_on_every_console(project: Path, arguments: str) -> None:
    (project / "ä→.py").write_bytes(FIXABLE)
    process = subprocess.run(
        command("check", *arguments.split(), "."), env=environment(PYTHONIOENCODING="cp1252"), capture_output=True
    )
    assert (process.returncode, process.stderr) == (1, b"")
    text = process.stdout.decode("utf-8")
    assert "ä→.py" in text or "\\u00e4\\u2192.py" in text


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", ["check .", "diff .", "migrate -", "rule", "config"])
def test_a_full_disk_below_standard_output(project: Path, arguments: str) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            command(*arguments.split()), env=environment(), input=FIXABLE, stdout=full, stderr=subprocess.PIPE
        )
    assert process.returncode == 2
    assert b"error: cannot write to standard output: No space left on device" in process.stderr
    assert b"Traceback" not in process.stderr
    assert b"Exception" not in process.stderr


def test_a_reader_that_has_seen_enough(project: Path) -> None:
    for number in range(300):
        (project / f"a{number}.py").write_bytes(FIXABLE * 20)
    process = subprocess.Popen(command("check", "."), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1


def test_a_failure_names_the_stream() -> None:
    class Full(io.BytesIO):
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    with pytest.raises(Failure, match="cannot write to somewhere: No space left on device"):
        Output(Full(), "utf-8", PLAIN, "somewhere").flush()


def test_closed_standard_input(project: Path) -> None:
    process = subprocess.run(
        ["sh", "-c", f"{subprocess.list2cmdline(command('check', '-'))} <&-"], env=environment(), capture_output=True
    )
    assert process.returncode == 2
    assert process.stderr == b"error: standard input is closed; give a path instead of -\n"

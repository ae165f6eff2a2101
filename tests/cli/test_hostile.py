"""Input and circumstances that are out to get us: one line each, the right status, the others done."""

from __future__ import annotations

import os
import pty
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codemods import engine, job
from codemods.job import Job, with_deep_stack
from codemods.runner import run
from tests.cli.conftest import FIXABLE, FIXED, Outcome, command, environment

Invoke = Callable[..., Outcome]


@pytest.mark.parametrize(
    ("data", "status"),
    [
        pytest.param(b"print 'python 2'\nx = lambda (a, b): a\n", 1, id="python-2"),
        pytest.param(b"x = lambda: 0\n\0", 1, id="nul"),
        pytest.param(b"\xff\xfe = lambda: 0\n", 2, id="not-utf-8"),
        pytest.param(b"# coding: no-such\nx = lambda: 0\n", 2, id="unknown-encoding"),
        pytest.param(b"# coding: ascii\nx = lambda: '\xc3\xa9'\n", 2, id="wrong-encoding"),
        pytest.param(b"# coding: rot13\nx = lambda: 0\n", 2, id="encoding-of-text"),
        pytest.param(b"# coding: base64\nx = lambda: 0\n", 2, id="encoding-of-bytes"),
        pytest.param(b"# coding: punycode\nx = lambda: 0\n", 2, id="encoding-without-a-place"),
        pytest.param(b"\xef\xbb\xbf# coding: latin-1\nx = lambda: 0\n", 2, id="mark-against-encoding"),
        pytest.param(b"x = lambda: " + b"(" * 1000 + b")" * 1000 + b"\n", None, id="parentheses"),
        pytest.param(b"x = lambda: " + b"-" * 1500 + b"1\n", None, id="signs"),
        pytest.param(b"x = lambda: " + b"1 + " * 20_000 + b"1\n", None, id="sum"),
        pytest.param(b"x = lambda: a" + b".b()" * 500 + b"\n", None, id="chain"),
        pytest.param(
            b"".join(b"    " * depth + b"def f%d():\n" % depth for depth in range(95)) + b"    " * 95 + b"pass\n",
            None,
            id="nested-functions",
        ),
        pytest.param(b"if a:\n  pass\n" + b"elif a:\n  pass\n" * 1000 + b"x = lambda: 0\n", None, id="elifs"),
    ],
)
@pytest.mark.parametrize("command", ["check", "migrate"])
def test_a_hostile_file_among_others(
    project: Path, invoke: Invoke, data: bytes, status: int | None, command: str
) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    (project / "b.py").write_bytes(data)
    (project / "c.py").write_bytes(FIXABLE)
    outcome = invoke(command, ".")
    assert outcome.status in (0, 1, 2)
    assert "Traceback" not in outcome.stderr
    assert len(outcome.stderr.splitlines()) <= 1
    if status is not None:
        assert outcome.status == max(status, command == "check")
        assert (project / "b.py").read_bytes() == data
        assert any(line.startswith("b.py:") for line in outcome.stdout.decode().splitlines()) == (status == 1)
        assert outcome.stderr.startswith("error: b.py: ") == (status == 2)
        assert "internal error" not in outcome.stderr
    if command == "migrate":
        assert (project / "a.py").read_bytes() == FIXED
        assert (project / "c.py").read_bytes() == FIXED


def test_a_loop_of_links_and_a_folder_like_a_module(project: Path, invoke: Invoke) -> None:
    (project / "x.py").mkdir()
    os.symlink("loop.py", "loop.py")
    os.symlink("..", "x.py/up")
    (project / "x.py" / "a.py").write_bytes(FIXABLE)
    assert invoke("migrate", ".").status == 0
    outcome = invoke("check", "loop.py", "x.py")
    assert outcome.status == 2
    assert outcome.stderr.startswith("error: loop.py: cannot be read: Too many levels of symbolic links; ")


def test_a_file_that_cannot_be_read(project: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    (project / "b.py").write_bytes(FIXABLE)
    real = open

    def refusing(path: str, *arguments: object) -> object:
        if path == "a.py":
            raise PermissionError(13, "Permission denied", path)
        return real(path, *arguments)  # type: ignore[call-overload]

    monkeypatch.setattr(job, "open", refusing, raising=False)
    outcome = invoke("migrate", ".")
    assert outcome.status == 2
    assert outcome.stderr == "error: a.py: cannot be read: Permission denied; check the path and its permissions\n"
    assert (project / "b.py").read_bytes() == FIXED


def test_a_name_cannot_steer_the_terminal(project: Path, invoke: Invoke) -> None:
    (project / "a\x1b[2J\n.py").write_bytes(b"x = (\n")
    outcome = invoke("check", ".", "no\x1b[2Jthing\r")
    assert b"\x1b" not in outcome.stdout
    assert "\x1b" not in outcome.stderr
    assert len(outcome.stderr.splitlines()) == 1


def test_a_large_file(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(FIXABLE + b"# " + b"x" * 78 + b"\n" + b"value = 12345\n" * 1000)
    assert invoke("migrate", ".").status == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with hardly any space."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("file systems may not be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_gets_full(invoke: Invoke, small_disk: Path) -> None:
    text = FIXABLE + b"# " + b"x" * 30_000 + b"\n"
    (small_disk / "a.py").write_bytes(text)
    (small_disk / "b.py").write_bytes(FIXABLE)
    (small_disk / "z.txt").write_bytes(b"z" * 20_000)
    outcome = invoke("migrate", str(small_disk))
    assert outcome.status == 2
    assert outcome.stderr == (
        f"error: {small_disk}/a.py: cannot be written: No space left on device; it is unchanged\n"
    )
    assert (small_disk / "a.py").read_bytes() == text
    assert (small_disk / "b.py").read_bytes() == FIXED
    assert sorted(os.listdir(small_disk)) == ["a.py", "b.py", "z.txt"]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["int", "term"])
@pytest.mark.parametrize("moment", [0.4, 1.0, "writing", "late"])
def test_a_signal_in_the_middle_of_many_files(
    project: Path, number: signal.Signals, status: int, moment: float | str
) -> None:
    text = FIXABLE + b"value  =  1\n"
    for index in range(2000):
        (project / f"a{index:04}.py").write_bytes(text)
    process = subprocess.Popen(
        command("migrate", "."),
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    if isinstance(moment, float):
        time.sleep(moment)
    else:
        last = project / ("a0100.py" if moment == "writing" else "a1500.py")
        while last.read_bytes() == text and process.poll() is None:
            time.sleep(0.002)
    os.killpg(process.pid, number) if number is signal.SIGINT else process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    # While modules are still imported, Python itself ends as if the signal had not been caught.
    assert process.returncode in (status, -number, 0), stderr
    assert b"Traceback" not in stderr
    names = sorted(os.listdir(project))
    assert names == [f"a{index:04}.py" for index in range(2000)]
    after = FIXED + text.removeprefix(FIXABLE)
    contents = {(project / name).read_bytes() for name in names}
    assert contents <= {text, after}
    if process.returncode:
        assert text in contents
    if moment == "writing":
        assert process.returncode == status
        assert after in contents


def jobs(project: Path, count: int) -> list[Job]:
    from codemods.engine import Options

    for index in range(count):
        (project / f"a{index:03}.py").write_bytes(FIXABLE + b"# " + b"x" * 6000)
    return [Job(f"a{index:03}.py", Options(), rewrite=True) for index in range(count)]


def test_a_pool_gives_the_same_results_in_the_same_order(project: Path) -> None:
    work = jobs(project, 40)
    assert list(run(work, workers=2)) == list(run(work, workers=1))


def test_a_process_that_dies_takes_one_file_with_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each worker is made to die when it opens a certain file.
    (project / "killer").mkdir()
    (project / "killer" / "sitecustomize.py").write_text(
        "import os, sys\n"
        "def audit(event, arguments):\n"
        "    if event == 'open' and str(arguments[0]).endswith('a013.py'):\n"
        "        os._exit(3)\n"
        "if any('multiprocessing' in text for text in sys.orig_argv):\n"
        "    sys.addaudithook(audit)\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(project / "killer"), environment()["PYTHONPATH"]]))
    results = list(run(jobs(project, 40), workers=2))
    assert [result.path for result in results] == [f"a{index:03}.py" for index in range(40)]
    failed = [result for result in results if result.error]
    assert [result.path for result in failed] == ["a013.py"]
    assert failed[0].error is not None
    assert failed[0].error.internal
    assert sum(result.changed for result in results) == 39


@pytest.mark.parametrize("way", ["script", "module"])
def test_the_code_that_is_rewritten_is_never_run(project: Path, tmp_path: Path, way: str) -> None:
    names = [
        "_pickle",
        "black",
        "click",
        "configparser",
        "git",
        "hyperscan",
        "libcst",
        "multiprocessing",
        "pathspec",
        "pickle",
        "random",
        "re2",
        "signal",
    ]
    names += ["sitecustomize", "socket", "struct", "subprocess", "tempfile", "tomllib", "usercustomize", "yaml"]
    trap = f"open({str(tmp_path / 'sprung')!r}, 'a').write(__name__)\ndouble = lambda x: 2 * x\n"
    for name in names:
        (project / f"{name}.py").write_text(trap)
        (project / name).mkdir()
        (project / name / "__init__.py").write_text(trap + "#" * 10_000)
    (project / "setup.cfg").write_text("[tool:picklefix]\nexclude = nothing\n")
    script = tmp_path / "bin" / "picklefix"
    script.parent.mkdir()
    script.write_text("from codemods.cli.main import main\nif __name__ == '__main__':\n    main()\n")
    start = [sys.executable, str(script)] if way == "script" else command()
    for name in ("check", "migrate"):
        process = subprocess.run([*start, name, "--jobs", "2", "."], env=environment(), capture_output=True)
        assert process.stderr == b""
        assert process.returncode == (name == "check")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no pool there")
def test_the_environment_is_put_back(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("", None):
        if value is None:
            monkeypatch.delenv("PYTHONSAFEPATH")
        else:
            monkeypatch.setenv("PYTHONSAFEPATH", value)
        assert len(list(run(jobs(project, 40), workers=2))) == 40
        assert os.environ.get("PYTHONSAFEPATH") == value


def test_the_limits_of_the_interpreter_are_put_back() -> None:
    before = sys.getrecursionlimit()
    assert with_deep_stack(sys.getrecursionlimit) > before
    assert sys.getrecursionlimit() == before

    def deep(level: int) -> int:
        return level and deep(level - 1)

    assert with_deep_stack(deep, 15_000) == 0
    with pytest.raises(RecursionError):
        with_deep_stack(deep, 50_000)


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_for_terminals(project: Path, terminal: bool) -> None:
    for index in range(3000):
        (project / f"a{index:04}.py").write_bytes(FIXABLE)
    controller, follower = pty.openpty()
    process = subprocess.Popen(
        command("check", "-j", "1", "."),
        env=environment(TERM="xterm"),
        stdout=subprocess.DEVNULL,
        stderr=follower if terminal else subprocess.PIPE,
    )
    os.close(follower)
    shown = b""
    if terminal:
        while True:
            try:
                shown += os.read(controller, 4096)
            except OSError:
                break
    else:
        assert process.stderr is not None
        shown = process.stderr.read()
        process.stderr.close()
    os.close(controller)
    assert process.wait() == 1
    assert (b"3000/3000" in shown) == terminal
    assert (shown == b"") == (not terminal)


@pytest.mark.skipif(shutil.which("script") is None, reason="needs script")
@pytest.mark.parametrize(("redirection", "message"), [("", b"PKL103"), (">&-", b"error: standard output is closed")])
def test_a_short_run_shows_no_progress(project: Path, redirection: str, message: bytes) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    line = f"{subprocess.list2cmdline(command('check', '.'))} {redirection}"
    process = subprocess.run(["script", "-qec", line, "/dev/null"], env=environment(), capture_output=True)
    assert message in process.stdout
    assert b"Files" not in process.stdout
    assert b"Traceback" not in process.stdout


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        pytest.param(
            "check . >&-", 2, "error: standard output is closed; redirect it to a file or to /dev/null\n", id="out"
        ),
        pytest.param("check . 2>&-", 1, "", id="error-with-findings"),
        pytest.param("check missing.py 2>&-", 2, "", id="error-with-errors"),
        pytest.param("--help >&-", 0, "", id="help"),
    ],
)
def test_closed_streams(project: Path, line: str, status: int, message: str) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    run = subprocess.run(
        f"{shlex.join(command())} {line}", shell=True, env=environment(), capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (status, message)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", ["--help", "rule", "check .", "diff ."])
def test_output_that_takes_nothing(project: Path, arguments: str) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    with open("/dev/full", "wb") as full:
        run = subprocess.run(
            command(*arguments.split()), env=environment(), stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert run.returncode == 2
    assert [line for line in run.stderr.splitlines() if line.startswith("error: ")] == run.stderr.splitlines()[-1:]
    assert "Traceback" not in run.stderr


def test_a_folder_that_is_gone(project: Path) -> None:
    line = f"mkdir gone && cd gone && rmdir ../gone && {shlex.join(command('check', '.'))}"
    run = subprocess.run(line, shell=True, env=environment(), capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stderr.startswith("error: ")
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["pyproject.toml", "setup.cfg", ".gitignore"])
@pytest.mark.parametrize("command", ["check", "diff"])
def test_a_pipe_in_place_of_a_configuration_is_not_read(project: Path, name: str, command: str) -> None:
    (project / ".git").mkdir()
    (project / "a.py").write_bytes(FIXABLE)
    os.mkfifo(name)
    run = subprocess.run(
        [sys.executable, "-m", "codemods", command, "."], env=environment(), capture_output=True, timeout=60
    )
    assert run.returncode == 1


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        pytest.param(
            "pyproject.toml",
            "[tool.picklefix]\nextend = '\\u0000'\n".replace("'", '"'),
            "`extend` must be a path",
            id="nul",
        ),
        pytest.param("pyproject.toml", "# picklefix\nx = " + "[" * 3000, "is nested too deeply", id="nested"),
        pytest.param(
            "setup.cfg",
            "[tool:picklefix]\nper-file-ignores = a.py\n",
            "`per-file-ignores` must be a table of lists of strings, not 'a.py'",
            id="ignores-without-codes",
        ),
    ],
)
def test_hostile_configuration(project: Path, invoke: Invoke, name: str, text: str, message: str) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    (project / name).write_text(text)
    outcome = invoke("check", "a.py")
    assert (outcome.status, outcome.stderr) == (2, f"error: {name}: {message}\n")


def test_standard_input_comes_back_whatever_goes_wrong(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    def crashing(path: str, data: bytes, *around: object) -> None:
        raise RecursionError

    monkeypatch.setattr(engine, "fix", crashing)
    outcome = invoke("migrate", "-", stdin=FIXABLE)
    assert outcome.status == 2
    assert outcome.stdout == FIXABLE
    assert outcome.stderr.startswith("error: -: is nested too deeply; ")


def test_nested_functions_are_rewritten_in_reasonable_time(project: Path, invoke: Invoke) -> None:
    depth = 40
    lines = ["    " * level + f"def f{level}(a{level}):" for level in range(depth)]
    lines += ["    " * depth + "return a0"]
    lines += ["    " * level + f"return f{level}" for level in range(depth - 1, 0, -1)]
    (project / "a.py").write_text("\n".join(lines) + "\n")
    before = time.process_time()
    assert invoke("migrate", "a.py").status == 0
    # Writing each function anew in each round takes several times as long.
    assert time.process_time() - before < 20
    assert b"    def " not in (project / "a.py").read_bytes()

"""Jobs on executors: the same bytes as without, whatever happens to the workers."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from codemods import cluster, remote, spread
from codemods.api import check_files, fix_files
from codemods.finding import FileResult
from tests.analysis.test_project_reach import PROJECT
from tests.cli.conftest import BROKEN, CLEAN, DECLINED, FIXABLE, Outcome

Invoke = Callable[..., Outcome]
KILLER = "killer.py"


@pytest.fixture
def files(project: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files of several chunks, some of which depend on one another."""
    monkeypatch.setattr(spread, "_CHUNK", 3)
    monkeypatch.setattr(spread, "_AHEAD", 5)
    (project / "pyproject.toml").touch()
    texts = {name: text.encode() for name, text in PROJECT.items()}
    for number in range(10):
        texts |= {f"clean_{number}.py": CLEAN, f"fixable_{number}.py": FIXABLE, f"declined_{number}.py": DECLINED}
    for name, data in {**texts, "broken.py": BROKEN, KILLER: FIXABLE}.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(data)
    (project / "linked.py").symlink_to("fixable_1.py")
    return [*sorted([*texts, "broken.py", KILLER, "linked.py"]), "missing.py"]


def deadly(tasks: list[remote.Task], *arguments: Any) -> object:
    """What workers do, but one file kills them."""
    if any(task.job.path == KILLER for task in tasks):
        os._exit(1)
    return remote.work(tasks, *arguments)


class Elsewhere(Executor):
    """Runs functions as on another machine: values are pickled, and the files are not there.

    Args:
        folder: what is not there.
        forgetful: whether each call is like one in a new process.
    """

    def __init__(self, folder: Path, forgetful: bool) -> None:
        self._folder = folder
        self._forgetful = forgetful

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        future: Future[Any] = Future()
        hidden, here = self._folder.with_name("hidden"), os.getcwd()
        os.chdir("/")
        self._folder.rename(hidden)
        if self._forgetful:
            remote._KEPT.clear()
        try:
            function, arguments = pickle.loads(pickle.dumps((function, arguments)))
            future.set_result(pickle.loads(pickle.dumps(function(*arguments, **keywords))))
        except Exception as error:
            future.set_exception(error)
        finally:
            hidden.rename(self._folder)
            os.chdir(here)
        return future


class Deadly(Executor):
    """Another executor, on which one file kills the worker."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        return self._executor.submit(deadly, *arguments)


@pytest.mark.parametrize("forgetful", [False, True])
@pytest.mark.parametrize("work", [check_files, fix_files])
def test_no_file_is_shared(
    forgetful: bool, work: Callable[..., Iterator[FileResult]], files: list[str], project: Path
) -> None:
    expected = list(work(files))
    assert any(step.path != result.path for result in expected for item in result.findings for step in item.reach.steps)
    assert list(work(files, executor=Elsewhere(project, forgetful))) == expected
    absolute = [str(project / name) for name in files]
    assert list(work(absolute, executor=Elsewhere(project, forgetful))) == list(work(absolute))


def test_threads(files: list[str]) -> None:
    with ThreadPoolExecutor(4) as executor:
        assert list(fix_files(files, executor=executor)) == list(fix_files(files))


def test_processes(files: list[str]) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        assert list(fix_files(files, executor=executor)) == list(fix_files(files))


def test_a_file_that_kills_processes_until_none_is_left(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread, "_CHUNK", 20)
    expected = list(fix_files(files))
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        # The executor is broken for good; picklefix's own processes do the rest, and nothing kills these.
        assert list(fix_files(files, executor=Deadly(executor))) == expected


def test_another_version(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread, "VERSIONS", "picklefix 0 on Python 2.7")
    with ThreadPoolExecutor(1) as executor, pytest.raises(remote.OtherVersionError, match="install the same"):
        list(check_files(files, executor=executor))


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("localhost:8786", "error: --executor: localhost:8786 is no address of an executor; give dask://HOST:PORT\n"),
        ("dask://localhost:8786", "error: --executor: distributed is not installed; pip install 'picklefix[dask]'\n"),
    ],
)
def test_no_executor(
    address: str, message: str, files: list[str], invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    outcome = invoke("check", "--executor", address, ".")
    assert (outcome.status, outcome.stderr) == (2, message)


@pytest.fixture
def dask(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster of two worker processes on this machine."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as found:
        yield found


@pytest.mark.filterwarnings("default")
class TestDask:
    def test_a_worker_dies_half_way(self, files: list[str], dask: Any) -> None:
        from distributed import Client

        expected = list(fix_files(files))
        with Client(dask) as client:
            processes = list(client.run(os.getpid).values())
            results = []
            for result in fix_files(files, executor=client.get_executor(pure=False)):
                results.append(result)
                if len(results) == 9:
                    os.kill(processes[0], signal.SIGKILL)
            assert results == expected
            while processes[0] in (left := list(client.run(os.getpid).values())) or len(left) < 2:
                time.sleep(0.1)  # The cluster starts another one in its place.

    def test_a_file_that_kills_workers(self, files: list[str], dask: Any) -> None:
        from distributed import Client

        dask.scheduler.allowed_failures = 0  # deaths, after which Dask does not try again
        with Client(dask) as client:
            results = list(fix_files(files, executor=Deadly(client.get_executor(pure=False))))
        expected = list(fix_files(files))
        number = files.index(KILLER)
        error = results[number].error
        assert error is not None and error.internal and "worker was lost" in error.message
        assert results[:number] + results[number + 1 :] == expected[:number] + expected[number + 1 :]

    def test_the_command(self, files: list[str], project: Path, dask: Any, invoke: Invoke) -> None:
        address = dask.scheduler_address.replace("tcp", "dask")
        assert invoke("check", "--no-cache", "--executor", address, ".") == invoke("check", "--no-cache", ".")
        outcomes, contents = [], []
        originals = {path: path.read_bytes() for path in project.rglob("*.py")}
        for options in (("--executor", address), ()):
            for path, data in originals.items():
                path.write_bytes(data)
            outcomes.append(invoke("migrate", "--no-cache", *options, "."))
            contents.append({path: path.read_bytes() for path in project.rglob("*.py")})
        assert outcomes[0] == outcomes[1]
        assert contents[0] == contents[1] != originals

    def test_a_scheduler_that_does_not_answer(
        self, files: list[str], invoke: Invoke, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pytest.importorskip("distributed")
        monkeypatch.setattr(cluster, "_PATIENCE", 0.5)
        outcome = invoke("check", "--executor", "dask://localhost:1", ".")
        assert outcome.status == 2
        assert outcome.stderr.startswith("error: --executor: dask://localhost:1 does not answer (")
        assert outcome.stderr.endswith("); start `dask scheduler` there\n")

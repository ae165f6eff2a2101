"""Programs that run under watch: their own output, their end, and what is said of their failures."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.runtime.conftest import Project

SPAWNING = """
import multiprocessing, sys

class Config:
    def __init__(self):
        self.class_names = {"car": 1}.keys()

class Data:
    def __init__(self):
        self.items = [1, {"cfg": (1, Config())}]

def work(data):
    print("worker", len(data.items))

def main():
    ds = Data()
    process = multiprocessing.get_context(sys.argv[1]).Process(target=work, args=(ds,))
    process.start()
    process.join()

if __name__ == "__main__":
    main()
"""
RESULT = """
import sys, multiprocessing
from concurrent.futures import ProcessPoolExecutor

def work(x):
    return {x: 1}.keys()

if __name__ == "__main__":
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(sys.argv[1])) as pool:
        try:
            pool.submit(work, 1).result()
        except TypeError as error:
            print("caught", error)
"""
GUARDED = """
import multiprocessing, sys

if __name__ == "__main__":
    def work():
        pass

    process = multiprocessing.get_context(sys.argv[1]).Process(target=work)
    process.start()
    process.join()
    print("exit code", process.exitcode)
"""
ENDINGS = {
    "status": "import sys; sys.exit(7)",
    "message": "import sys; sys.exit('message')",
    "error": "raise ValueError('x')",
    "at once": "import os; os._exit(3)",
    "fork": "import os, pickle\nif os.fork() == 0:\n    os._exit(5)\nprint(os.waitstatus_to_exitcode(os.wait()[1]))",
    "streams": "import io, sys\nsys.stdout = sys.stderr = io.StringIO()\nprint('lost')",
    "itself": "import sys\nprint(sys.argv, __name__, __file__, __spec__, sys.path[0], 'codemods' in sys.modules)",
    "evil": "import pickle\nclass Evil:\n    def __reduce_ex__(self, p): raise KeyboardInterrupt\n    def __repr__(self): 1 / 0\n"
    "try:\n    pickle.dumps([Evil()])\nexcept KeyboardInterrupt:\n    print('interrupted')",
    "input": "import sys\nprint(sys.stdin.read())",
    "pickled": "import pickle, copy\nprint(pickle.loads(pickle.dumps([pickle.dumps, pickle.Pickler, copy.deepcopy]))[0](1))",
}


@pytest.mark.parametrize("name", ENDINGS)
def test_output_and_status_are_the_programs(project: Project, name: str) -> None:
    if name == "fork" and not hasattr(os, "fork"):
        pytest.skip("no fork here")
    project.write("a.py", ENDINGS[name])
    plain = project.python("a.py", "-x", "--y=1", stdin=b"typed")
    traced = project.run("trace", "a.py", "-x", "--y=1", stdin=b"typed")
    assert (traced.returncode, traced.stdout) == (plain.returncode, plain.stdout)
    assert traced.stderr == plain.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_a_program_that_is_killed(project: Project) -> None:
    project.write("a.py", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    assert project.run("trace", "a.py").returncode == -signal.SIGKILL


def test_a_module_with_relative_imports(project: Project) -> None:
    project.write("pkg/__init__.py", "")
    project.write("pkg/other.py", "import threading\nLOCK = threading.Lock()\n")
    project.write("pkg/main.py", "import pickle, sys\nfrom .other import LOCK\nprint(sys.argv[1:])\npickle.dumps({'a': LOCK})\n")
    traced = project.run("trace", "-m", "pkg.main", "--flag")
    assert traced.returncode == 1
    assert traced.stdout.split() == [b"['--flag']"]
    assert b"obj['a']: _thread.lock" in traced.stderr


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_the_way_to_what_a_new_process_was_to_get(
    project: Project, method: str, start_method: Callable[[str], None]
) -> None:
    start_method(method)
    project.write("train.py", SPAWNING)
    traced = project.run("trace", "train.py", method)
    text = traced.stderr.decode()
    assert traced.returncode == 1
    assert "path: ds.items[1]['cfg'][1].class_names: dict_keys" in text
    assert 'made: train.py:5: self.class_names = {"car": 1}.keys()' in text
    assert '+        self.class_names = list({"car": 1}.keys())' in text


@pytest.mark.skipif(sys.version_info < (3, 11), reason="its tracebacks keep the frame of the wrapper")
def test_the_traceback_of_a_failure_is_the_programs(project: Project) -> None:
    project.write("a.py", "import pickle\npickle.dumps({}.keys())\n")
    plain, traced = project.python("a.py"), project.run("trace", "a.py")
    assert traced.stderr.startswith(plain.stderr)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_spawn_is_forced(project: Project) -> None:
    project.write("train.py", SPAWNING)
    assert project.run("trace", "train.py", "fork").stderr == b""
    traced = project.run("trace", "--start-method", "spawn", "--", "train.py", "fork")
    assert b"class_names: dict_keys" in traced.stderr


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_what_a_worker_returns(project: Project, method: str, start_method: Callable[[str], None]) -> None:
    start_method(method)
    project.write("train.py", RESULT)
    traced = project.run("trace", "train.py", method)
    assert traced.returncode == 0
    assert traced.stdout.startswith(b"caught")
    assert b"what the worker returns" in traced.stderr
    assert b"return list({x: 1}.keys())" in traced.stderr


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_what_a_worker_does_not_find(project: Project, method: str, start_method: Callable[[str], None]) -> None:
    start_method(method)
    project.write("train.py", GUARDED)
    traced = project.run("trace", "train.py", method)
    assert traced.stdout == b"exit code 1\n"
    assert b"guarded-definition" in traced.stderr


def test_copies(project: Project) -> None:
    project.write("a.py", "import copy\nvalue = {'a': (lambda: 1, (x for x in []))}\ncopy.deepcopy(value)\n")
    assert b"path: value['a'][1]: generator" in project.run("trace", "a.py").stderr


def test_the_persons_own_sitecustomize_still_runs(project: Project, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('customized')")
    project.write("a.py", "print('ran')")
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    assert project.run("trace", "a.py", PYTHONPATH=path).stdout.split()[-2:] == [b"customized", b"ran"]


def test_only_failures_cost(project: Project) -> None:
    project.write("a.py", "import pickle, sys\nprint(len(pickle.dumps(1)), [n for n in sys.modules if 'codemods' in n or n == 'json'])\n")
    assert re.fullmatch(rb"\d+ \[\]\s+", project.run("trace", "a.py").stdout)


@pytest.mark.parametrize("arguments", [(), ("nothing.py",), ("--python", "/nothing", "a.py")])
def test_bad_input(project: Project, arguments: tuple[str, ...]) -> None:
    project.write("a.py", "")
    traced = project.run("trace", *arguments)
    assert traced.returncode == 2
    assert b"Traceback" not in traced.stderr

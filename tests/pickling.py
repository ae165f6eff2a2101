"""Run a module that defines ``build()`` and ``observe(obj)``: pickle in one interpreter, load in another."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from dataclasses import dataclass

_PROGRAM = """
import importlib, json, pickle, sys
folder, name, task, store = sys.argv[1:]
sys.path.insert(0, folder)
if task == "load":
    try:
        with open(store, "rb") as file:
            obj = pickle.load(file)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
        sys.exit()
module = importlib.import_module(name)
if task != "load":
    obj = module.build()
if task == "dump":
    try:
        data = pickle.dumps(obj)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
        sys.exit()
    with open(store, "wb") as file:
        file.write(data)
print(json.dumps({"value": repr(module.observe(obj))}))
"""


@dataclass(frozen=True)
class Outcome:
    """What ``observe`` returned, or why the object does not pickle."""

    value: str | None = None
    error: str | None = None


class Subject:
    """A module under test.

    Args:
        path: its file.
    """

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path

    def observe(self) -> Outcome:
        """``observe(build())``, nothing pickled."""
        return self._run("observe")

    def dump(self) -> Outcome:
        """The same, after the object was pickled: that must not have damaged it."""
        return self._run("dump")

    def load(self) -> Outcome:
        """``observe`` of what another interpreter makes of the pickle."""
        return self._run("load")

    def _run(self, task: str) -> Outcome:
        store = self.path.with_suffix(".pickle")
        command = [sys.executable, "-c", _PROGRAM, str(self.path.parent), self.path.stem, task, str(store)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        return Outcome(**json.loads(done.stdout.splitlines()[-1]))

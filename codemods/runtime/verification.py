"""Proves that objects survive the way into a fresh interpreter, or says where they fail."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from codemods import git

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_PROGRAM = "import sys; sys.path.append({package!r}); from codemods.runtime.passage import main; main(*sys.argv[1:])"
_CURES = {
    "ModuleNotFoundError": "run it in the folder that the import starts from, or give the file: path/to/file.py:name",
    "AttributeError": "check the name",
}
_OTHER_CURE = "see that its module can be imported and that it can be made within --timeout"


@dataclass(frozen=True)
class Target:
    """An object to be verified.

    Args:
        name: ``module:qualified.name``.
        folder: the folder from which the module is imported.
        by_name: whether the object of that name is meant even if it is a factory.
    """

    name: str
    folder: str = "."
    by_name: bool = False


@dataclass(frozen=True)
class Verdict:
    """What became of a target.

    Args:
        target: the object.
        problem: why it did not arrive as it was sent; None if it did.
        size: of its pickle, in bytes.
        dump_seconds: how long pickling took.
        load_seconds: how long loading took.
        culprits: the parts that do not pickle, each as the fields of ``Unpicklable``.
        carries: what a partial drags along.
        traceback: of the process that failed.
    """

    target: Target
    problem: str | None = None
    size: int = 0
    dump_seconds: float = 0.0
    load_seconds: float = 0.0
    culprits: tuple[dict[str, Any], ...] = ()
    carries: tuple[dict[str, Any], ...] = ()
    traceback: str = ""


class Verifier:
    """Sends objects to fresh interpreters.

    Args:
        python: the interpreter.
        timeout: how long one process may take, in seconds.
        arguments: what callables are called with, as a tuple of literals; empty if they are not called.
    """

    def __init__(self, python: str, timeout: float = 60.0, arguments: str = "") -> None:
        self._python = python
        self._timeout = timeout
        self._arguments = arguments

    def verify(self, target: Target) -> Verdict:
        """Send one object there and back. This imports its module, and so runs its code.

        Raises:
            OSError: if the interpreter cannot be run.
        """
        by_name = "1" if target.by_name else ""
        with tempfile.TemporaryDirectory(prefix="picklefix") as folder:
            there, back = os.path.join(folder, "there"), os.path.join(folder, "back")
            sent = self._run(target, folder, "send", target.name, there, by_name)
            if "size" not in sent:
                return _failed(target, "does not pickle", sent) if "culprits" in sent else _not_made(target, sent)
            carries = tuple(sent["carries"])
            verdict = Verdict(target, None, sent["size"], sent["seconds"], carries=carries)
            received = self._run(target, folder, "receive", there, back, self._arguments)
            if "seconds" not in received:
                return _failed(target, "does not load in a fresh process", received, verdict)
            verdict = replace(verdict, load_seconds=received["seconds"])
            compared = self._run(target, folder, "compare", target.name, back, self._arguments, by_name)
            if "difference" not in compared:
                return _failed(target, "cannot be compared", compared, verdict)
            if compared["difference"]:
                return _failed(target, "changes on the way", {"error": compared["difference"]}, verdict)
            if compared["result"] != received["result"]:
                results = f"{compared['result']} here, {received['result']} there"
                return _failed(target, "returns something else", {"error": results}, verdict)
            return verdict

    def _run(self, target: Target, folder: str, task: str, *given: str) -> dict[str, Any]:
        answer = os.path.join(folder, f"{task}.json")
        program = _PROGRAM.format(package=_PACKAGE)
        try:
            done = subprocess.run(
                [self._python, "-c", program, task, answer, *given],
                cwd=target.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=self._timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"error": f"no answer in {self._timeout:g} s"}
        try:
            with open(answer, encoding="utf-8") as stream:
                result: dict[str, Any] = json.load(stream)
        except (FileNotFoundError, ValueError):
            message = done.stderr.decode("utf-8", "replace").strip()
            return {"error": f"the process ended with {done.returncode}", "traceback": message}
        return result


def changed_targets(folder: str) -> Iterator[Target]:
    """The functions and classes at the top level of modules that the last migration, or commit, has brought.

    If the work tree of git has changes, those since the last commit count, else those of the last commit.

    Args:
        folder: a folder of the repository.

    Raises:
        GitError: if git does not answer.
    """
    top = git.root(folder)
    if top is None:
        raise git.GitError("not a git repository")
    for base in ("HEAD", "HEAD~1"):
        names = [name for name in git.changed_files(top, base) if name.endswith(".py")]
        if names:
            break
    for name in names:
        path = os.path.join(top, name)
        if os.path.exists(path):
            before = git.content(top, base, name)
            with open(path, "rb") as stream:
                after = stream.read()
            root, module = module_of(path)
            new = [item for item in _top_level(after) if item not in _top_level(before)]
            yield from (Target(f"{module}:{item}", root, by_name=True) for item in new)


def module_of(path: str) -> tuple[str, str]:
    """The folder from which a file is imported, and the name of its module.

    Args:
        path: a file of Python.
    """
    folder, file = os.path.split(os.path.abspath(path))
    parts = [os.path.splitext(file)[0]] if file != "__init__.py" else []
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    return folder, ".".join(parts)


def _top_level(data: bytes) -> list[str]:
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return []
    return [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]


def _not_made(target: Target, answer: dict[str, Any]) -> Verdict:
    cure = _CURES.get(answer["error"].partition(":")[0], _OTHER_CURE)
    return _failed(target, "cannot be made", {**answer, "error": f"{answer['error']}; {cure}"})


def _failed(target: Target, what: str, answer: dict[str, Any], before: Verdict | None = None) -> Verdict:
    return replace(
        before or Verdict(target),
        problem=f"{what}: {answer.get('error', '')}",
        culprits=tuple(answer.get("culprits", ())),
        traceback=answer.get("traceback", ""),
    )


def targets_of(names: Sequence[str]) -> list[Target]:
    """Targets from the command line.

    Args:
        names: each ``module:name``, or ``path/to/file.py:name``.

    Raises:
        ValueError: if one is neither.
    """
    targets = []
    for given in names:
        module, colon, name = given.rpartition(":")
        if not colon or not module or not all(part.isidentifier() for part in name.split(".")):
            raise ValueError(f"{given} is not of the form module:name")
        if module.endswith(".py"):
            if not os.path.isfile(module):
                raise ValueError(f"{module}: there is no such file")
            folder, module = module_of(module)
            targets.append(Target(f"{module}:{name}", folder))
        else:
            targets.append(Target(given))
    return targets

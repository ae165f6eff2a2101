"""A call of a decorated function runs what its decorator returned, which may look at the name of a function."""

from __future__ import annotations

import pathlib

import pytest

from codemods import engine, job
from codemods.finding import FileResult
from codemods.project import place_of

USE = """
def make(n):
    def scale(x):
        return x * n

    return show(scale)
"""
LIFT = """
def lift(run):
    def lifted(function):
        return run(function, function.__name__)

    return lifted
"""
DECORATED = "\n@lift\ndef show(function, name):\n    return function, name\n"
REBOUND = "\ndef show(function, name):\n    return function, name\n\nshow = lift(show)\n"
SILENT = LIFT.replace("function.__name__", "0")
ORDERS = {
    "decorated-above": LIFT + DECORATED + USE,
    "decorated-below": USE + LIFT + DECORATED,
    "rebound": LIFT + REBOUND + USE,
}
PROJECTS = {
    "decorator-in-the-other-file": {"shown.py": LIFT + DECORATED},
    "decorator-in-a-third-file": {"shown.py": "from lifts import lift\n" + DECORATED, "lifts.py": LIFT},
    "decorator-by-module": {"shown.py": "import lifts\n" + DECORATED.replace("@", "@lifts."), "lifts.py": LIFT},
}


METHOD = """
def lift(run):
    def lifted(self, function):
        return run(self, function, function.__name__)

    return lifted


class Tool:
    @lift
    def show(self, function, name):
        return function, name


def make(n):
    def scale(x):
        return x * n

    return Tool().show(scale)
"""


def name_shown(text: str) -> str:
    """What a program shows as the name of the function that it made."""
    namespace: dict[str, object] = {"__name__": "program"}
    exec(compile(text, "program.py", "exec"), namespace)
    function, name = namespace["make"](3)  # type: ignore[operator]
    assert function(2) == 6
    return str(name)


def reasons(result: FileResult) -> set[str]:
    return {finding.refusal.reason for finding in result.findings if finding.refusal}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in ORDERS.items()])
def test_the_name_is_observed(text: str) -> None:
    result = engine.fix("program.py", text.encode(), engine.Options())
    assert "name-observed" in reasons(result)
    assert USE in result.after.decode()
    assert name_shown(result.after.decode()) == name_shown(text) == "scale"


def test_the_name_is_observed_by_what_a_method_is_replaced_with() -> None:
    result = engine.fix("program.py", METHOD.encode(), engine.Options())
    assert "name-observed" in reasons(result)
    assert result.after.decode() == METHOD
    assert name_shown(METHOD) == "scale"


@pytest.mark.parametrize("files", [pytest.param(files, id=name) for name, files in PROJECTS.items()])
def test_the_name_is_observed_in_another_file(tmp_path: pathlib.Path, files: dict[str, str]) -> None:
    text = "from shown import show\n" + USE
    for name, content in {**files, "program.py": text, "pyproject.toml": ""}.items():
        (tmp_path / name).write_text(content)
    path = str(tmp_path / "program.py")
    result = job.do(job.Job(path, engine.Options(), rewrite=True, project=place_of(path, f"{path} once")))
    assert reasons(result) == {"name-observed"}
    assert result.after.decode() == text


def test_a_decorator_that_does_not_ask() -> None:
    text = SILENT + DECORATED + USE
    result = engine.fix("program.py", text.encode(), engine.Options())
    assert "functools.partial(_make_scale, n)" in result.after.decode()
    assert name_shown(result.after.decode()) == name_shown(text) == "0"

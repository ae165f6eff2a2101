"""Each tutorial is followed to the letter: its files are written, its commands run, their output compared.

In what a command is shown to print, a line ``...`` stands for any lines and ``…`` for any text in a line. The commands
of picklefix are always run. Those that need libraries are run by a Python that has them: this one, or the one that
the environment variable ``PYTHON_WITH_LIBRARIES`` names.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, TUTORIALS, Command, WriteFile, requirements, session

PYTHON = os.environ.get("PYTHON_WITH_LIBRARIES", sys.executable)

WITH_LIBRARIES = [page for page in TUTORIALS if requirements(page.read_text("utf-8"))]

# The pages show what Python 3.12 says; other versions word it otherwise.
WORDINGS = (
    (r"Can't get local object", "Can't pickle local object"),
    (
        r"(?:_pickle|pickle)\.PicklingError: Can't pickle local object <\w+ (\S+) at 0x\w+>",
        r"AttributeError: Can't pickle local object '\1'",
    ),
    (r"it's not found as (\S+)\.<lambda>", r"attribute lookup <lambda> on \1 failed"),
    (r"cannot pickle '_io\.(\w+)' object", r"cannot pickle '\1' instances"),
)


def lacks(libraries: list[str]) -> bool:
    """Whether the Python that runs the tutorials cannot import all of these libraries."""
    code = f"import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, {libraries})))"
    return bool(libraries) and subprocess.run([PYTHON, "-c", code], check=False).returncode != 0


def follow(page: Path, folder: Path, *, without_libraries: bool) -> Iterator[tuple[Command, str]]:
    """Do what a tutorial says; yield each command with what it printed."""
    for step in session(page.read_text("utf-8")):
        if isinstance(step, WriteFile):
            (folder / step.name).write_text(step.text, "utf-8")
        elif step.words[0] == "picklefix":
            yield step, run([sys.executable, "-m", "codemods", *step.words[1:]], folder, {"PYTHONPATH": str(ROOT)})
        else:
            assert step.words[0] == "python", f"line {step.line}: the test knows picklefix and python only"
            if not without_libraries:
                yield step, run([PYTHON, *step.words[1:]], folder, {})


def run(arguments: list[str], folder: Path, environment: dict[str, str]) -> str:
    """What a command prints."""
    process = subprocess.run(
        arguments,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    text = process.stdout
    for pattern, usual in WORDINGS:
        text = re.sub(pattern, usual, text)
    return text


def compare(command: Command, printed: str) -> None:
    """Fail unless a command printed what the page shows."""
    place = f"line {command.line}, {' '.join(command.words)}"
    if command.output:
        pattern = "".join(
            r"(?:.*\n)*" if line == "..." else re.escape(line).replace("…", ".*") + "\n" for line in command.output
        )
        assert re.fullmatch(pattern, printed), f"{place} printed:\n{printed}"
    for patch in command.patches:
        assert patch in printed, f"{place} printed:\n{printed}"


@pytest.mark.parametrize("page", WITH_LIBRARIES, ids=lambda page: page.stem)
def test_what_picklefix_prints(page: Path, tmp_path: Path) -> None:
    commands = list(follow(page, tmp_path, without_libraries=True))
    assert commands
    for command, printed in commands:
        compare(command, printed)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=[pytest.mark.real] if page in WITH_LIBRARIES else [])
        for page in TUTORIALS
    ],
)
def test_the_whole_tutorial(page: Path, tmp_path: Path) -> None:
    libraries = requirements(page.read_text("utf-8"))
    if lacks(libraries):
        pytest.skip(f"needs {' and '.join(libraries)}")
    for command, printed in follow(page, tmp_path, without_libraries=False):
        compare(command, printed)

"""Run a module as a script, before and after it is rewritten."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import textwrap
from dataclasses import dataclass

from codemods import engine
from codemods.finding import FileResult, Level


@dataclass(frozen=True)
class Run:
    """What a script printed, and whether it ended well."""

    output: str
    succeeded: bool
    errors: str


def run_script(folder: pathlib.Path, text: str) -> Run:
    """Run a text as a script of its own."""
    path = folder / "script.py"
    path.write_text(text, "utf-8")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False, timeout=60)
    return Run(done.stdout, done.returncode == 0, done.stderr)


def fix(text: str, reach: Level = Level.STATE, unsafe_fixes: bool = False) -> FileResult:
    """What the engine makes of an indented text."""
    options = engine.Options(reach=reach, unsafe_fixes=unsafe_fixes)
    return engine.fix("script.py", textwrap.dedent(text).lstrip("\n").encode(), options)


def refusals(result: FileResult, rule: str) -> list[str]:
    """The reason codes of what a rule found and left alone."""
    return [finding.refusal.reason for finding in result.findings if finding.name == rule and finding.refusal]

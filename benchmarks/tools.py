"""The commands that are compared, each on the folder that it runs in."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PARSE = "ast.parse"
_PARSING = """
import ast, sys, warnings
warnings.simplefilter("ignore")
for path in open(sys.argv[1]).read().splitlines():
    with open(path, "rb") as stream:
        try:
            ast.parse(stream.read())
        except (SyntaxError, ValueError):
            pass
"""
_PICKLEFIX = (sys.executable, "-m", "codemods")
_ENVIRONMENT = {"PYTHONPATH": str(Path(__file__).resolve().parents[1])}


@dataclass(frozen=True)
class Tool:
    """A command that is measured.

    Args:
        name: what it is called in tables.
        command: the command, given the files' names and a file that lists them.
        needs: the module or program that has to be installed; empty for none.
        writes: whether it may change the files, so that each run needs a new copy.
        caches: folders that it fills in, which are emptied before each run; for a warm run, filled before the first.
        is_warm: whether it starts with its cache filled.
        environment: variables that it needs.
    """

    name: str
    command: Callable[[Sequence[str], str], Sequence[str]]
    needs: str = ""
    writes: bool = False
    caches: tuple[str, ...] = ()
    is_warm: bool = False
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def is_installed(self) -> bool:
        """Whether it can be run here."""
        return not self.needs or importlib.util.find_spec(self.needs) is not None or program(self.needs) is not None


def program(name: str) -> str | None:
    """The path of a program, first of all the one beside this interpreter."""
    return shutil.which(name, path=os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")]))


def _fixed(*command: str) -> Callable[[Sequence[str], str], Sequence[str]]:
    return lambda files, listing: [program(command[0]) or command[0], *command[1:]]


def _module(*command: str) -> Callable[[Sequence[str], str], Sequence[str]]:
    return lambda files, listing: [sys.executable, "-m", *command]


_RUFF = ("ruff", "check", "--isolated", "--quiet", "--exit-zero", "--select", "E731,B006,B008,B023,PLW0108")
_CHECK = (*_PICKLEFIX, "check", "--quiet", "--exit-zero", "--output-file", os.devnull)

TOOLS = (
    Tool(PARSE, lambda files, listing: [sys.executable, "-c", _PARSING, listing]),
    Tool("picklefix check, cold", _fixed(*_CHECK, "."), caches=(".picklefix_cache",), environment=_ENVIRONMENT),
    Tool("picklefix check, no cache", _fixed(*_CHECK, "--no-cache", "."), environment=_ENVIRONMENT),
    Tool(
        "picklefix check, warm",
        _fixed(*_CHECK, "."),
        caches=(".picklefix_cache",),
        is_warm=True,
        environment=_ENVIRONMENT,
    ),
    Tool(
        "picklefix migrate",
        _fixed(*_PICKLEFIX, "migrate", "--quiet", "--exit-zero", "--allow-dirty", "--no-cache", "."),
        writes=True,
        environment=_ENVIRONMENT,
    ),
    Tool("ruff check, 5 rules, cold", _fixed(*_RUFF, "."), "ruff", caches=(".ruff_cache",)),
    Tool("ruff check, 5 rules, warm", _fixed(*_RUFF, "."), "ruff", caches=(".ruff_cache",), is_warm=True),
    Tool(
        "ast-grep, one pattern",
        _fixed("ast-grep", "run", "--lang", "python", "--pattern", "lambda: $A", "."),
        "ast-grep",
    ),
    Tool(
        "pyupgrade",
        lambda files, listing: [
            program("pyupgrade") or "pyupgrade",
            "--py310-plus",
            "--exit-zero-even-if-changed",
            *files,
        ],
        "pyupgrade",
        writes=True,
    ),
    Tool("2to3 -f dict", _module("lib2to3", "-f", "dict", "."), "lib2to3"),
    Tool(
        "black --check",
        _module("black", "--check", "--quiet", "."),
        "black",
        environment={"BLACK_CACHE_DIR": "none/at/all"},
    ),
    Tool(
        "Fixit, one rule",
        _fixed("fixit", "--quiet", "--rules", "fixit.rules.no_redundant_lambda", "lint", "."),
        "fixit",
    ),
    Tool(
        "LibCST, codemod that does nothing",
        _module("libcst.tool", "codemod", "--no-format", "--hide-progress", "noop.NOOPCommand", "."),
        "libcst",
        writes=True,
    ),
)

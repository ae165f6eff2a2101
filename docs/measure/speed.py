"""Measure how long tools take over the same files: ``python speed.py FOLDER``. Prints a Markdown table.

Times are processor seconds of whole commands, start-up included, as multiples of what ``ast.parse`` takes for the same
files in one process. Tools that are not installed are left out. One process each, where a tool can be told so.
Give it a copy of a folder: pyupgrade writes.
"""

from __future__ import annotations

import importlib.util
import os
import resource
import subprocess
import sys
from pathlib import Path

_AST = "import ast, pathlib, sys\nfor name in sys.argv[1:]: ast.parse(pathlib.Path(name).read_bytes())"
_LIBCST = "import libcst, pathlib, sys\nfor name in sys.argv[1:]: {}"
_PARSE = "libcst.parse_module(pathlib.Path(name).read_bytes())"
_VISIT = f"{_PARSE}.visit(libcst.CSTTransformer())"
_SCOPES = f"scopes.MetadataWrapper({_PARSE}).resolve(scopes.ScopeProvider)"

ROOT = str(Path(__file__).parents[2])
PYTHON = sys.executable
PARSE = [PYTHON, "-c", _AST]
COMMANDS: dict[str, tuple[str, list[str]]] = {
    "picklefix check": ("codemods", [PYTHON, "-m", "codemods", "check", "-q", "--isolated", "-j", "1"]),
    "picklefix diff": ("codemods", [PYTHON, "-m", "codemods", "diff", "-q", "--isolated", "-j", "1"]),
    "ruff check, its default rules": ("ruff", [PYTHON, "-m", "ruff", "check", "-q", "--isolated", "--no-cache"]),
    "pyupgrade": ("pyupgrade", [PYTHON, "-m", "pyupgrade", "--py310-plus", "--exit-zero-even-if-changed"]),
    "2to3 -f dict": ("lib2to3", [PYTHON, "-W", "ignore", "-m", "lib2to3", "-f", "dict", "--no-diffs"]),
    "LibCST: parse": ("libcst", [PYTHON, "-c", _LIBCST.format(_PARSE)]),
    "LibCST: parse, and a transformer that does nothing": ("libcst", [PYTHON, "-c", _LIBCST.format(_VISIT)]),
    "LibCST: parse, and the scopes": (
        "libcst",
        [PYTHON, "-c", f"import libcst.metadata as scopes\n{_LIBCST.format(_SCOPES)}"],
    ),
}


def seconds(command: list[str], files: list[str]) -> float:
    """The processor time of a command over some files."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": ROOT}
    subprocess.run(
        [*command, *files], check=False, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(folder: Path) -> None:
    """Print the table."""
    files = [str(path) for path in sorted(folder.rglob("*.py"))]
    size = sum(Path(name).stat().st_size for name in files)
    sys.path.insert(0, ROOT)
    print(f"{len(files)} files, {size / 1e6:.1f} MB, Python {sys.version.split()[0]}\n\n| | × `ast.parse` |\n|---|---|")
    for name, (module, command) in COMMANDS.items():
        if importlib.util.find_spec(module):
            # Measured anew each time, because the load of a machine changes.
            base = seconds(PARSE, files)
            taken = seconds(command, files)
            print(f"| {name} | {2 * taken / (base + seconds(PARSE, files)):.1f} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

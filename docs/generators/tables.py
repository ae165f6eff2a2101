"""The tables that pages ask for."""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module, metadata, util
from pathlib import Path
from typing import Any

from codemods import engine, finding, report

_MEASURE = Path(__file__).parents[1] / "measure"


def formats() -> str:
    """The names of all output formats, with what the docstring of each says."""
    rows = []
    for name in report.format_names():
        module = import_module(f"codemods.report.formats.{name.replace('-', '_')}")
        summary = _literals((module.__doc__ or "").strip().splitlines()[0])
        rows.append([f"`{name}`", summary, "people" if module.FOR_PEOPLE else "programs"])
    return _table(["Format", "What it is", "For"], rows)


def picklability() -> str:
    """Which objects the serialisers take, tried out by this Python."""
    serialisers = ["pickle", "copy.deepcopy", *(name for name in ("dill", "cloudpickle") if util.find_spec(name))]
    columns = {name: _measured("picklability.py", name) for name in serialisers}
    rows = [
        [_expression(thing), columns["pickle"][thing], *(_answer(columns[name][thing]) for name in serialisers[1:])]
        for thing in columns["pickle"]
    ]
    return f"{_circumstances(serialisers)}\n\n{_table(['Object', *serialisers], rows)}"


def costs() -> str:
    """What the pickles of a closure cost, measured by this Python."""
    serialisers = ["pickle", *(name for name in ("cloudpickle", "dill") if util.find_spec(name))]
    measured = {name: _measured("costs.py", name) for name in serialisers}
    base = measured["pickle"]
    rows = [
        [
            f"{name} of {'the partial that picklefix writes' if name == 'pickle' else 'the closure'}",
            f"{measured[name]['size']} bytes",
            f"{measured[name]['time'] / base['time']:.0f}",
        ]
        for name in serialisers
    ]
    return f"{_circumstances(serialisers)}\n\n{_table(['Round trip', 'Size', 'Time, as a multiple'], rows)}"


def calls() -> str:
    """How much longer a call takes than that of a closure, measured by this Python."""
    measured = _measured("calls.py")
    closure = next(iter(measured.values()))
    rows = [[name, f"{time - closure:+.0f} ns"] for name, time in list(measured.items())[1:]]
    return _table(["Instead of a closure", "A call takes"], rows)


def fields(documented: type) -> str:
    """The fields of a dataclass, with what its docstring says of each."""
    text = (documented.__doc__ or "").partition("Args:\n")[2]
    entries = re.findall(r"^ {8}(\w+): ((?:.*\n)(?: {10,}.*\n)*)", text, re.MULTILINE)
    return _table(["Field", "Meaning"], [[f"`{name}`", _literals(" ".join(words.split()))] for name, words in entries])


TABLES: dict[str, Callable[[], str]] = {
    "formats": formats,
    "picklability": picklability,
    "costs": costs,
    "calls": calls,
    "options": lambda: fields(engine.Options),
    "finding": lambda: fields(finding.Finding),
    "fix": lambda: fields(finding.Fix),
    "reach": lambda: fields(finding.Reach),
}
"""What a page may ask for, by name."""


def _literals(text: str) -> str:
    """The markup of docstrings as Markdown."""
    return re.sub(r":\w+:`([^`]+)`", r"`\1`", text).replace("``", "`")


def _measured(script: str, *words: str) -> dict[str, Any]:
    """What a script measures, in a process of its own: importing dill changes the picklers of the process."""
    arguments = [sys.executable, str(_MEASURE / script), *words]
    output = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    found: dict[str, Any] = json.loads(output)
    return found


def _expression(thing: str) -> str:
    return thing if thing.startswith(("a ", "an ")) else f"`{thing}`"


def _answer(result: str) -> str:
    return result if result == "yes" else "no"


def _circumstances(serialisers: list[str]) -> str:
    versions = [f"{name} {metadata.version(name)}" for name in serialisers if name in ("dill", "cloudpickle")]
    return f"Measured while this page was built: {', '.join([f'Python {platform.python_version()}', *versions])}."


def _table(heading: list[str], rows: list[list[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)

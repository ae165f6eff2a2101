"""How the time grows with the number of files, with the length of a file, and with the lambdas in one.

    python -m benchmarks.growth [--corpus NAME|FOLDER] [--charts docs/images]

See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.charts import line_chart
from benchmarks.corpora import corpus, python_files
from benchmarks.measuring import cost
from benchmarks.tools import TOOLS, Tool

_CHECK = next(tool for tool in TOOLS if tool.name == "picklefix check, no cache")
_MIGRATE = next(tool for tool in TOOLS if tool.name == "picklefix migrate")
_PATIENT = ("--file-timeout", "100000", "-j1")

_ORDINARY = '''\
class Stock{n}:
    """What is in store."""

    def __init__(self, items):
        self.items = dict(items)
        self.names = list(self.items)

    def total(self, prices):
        found = 0
        for name, count in self.items.items():
            if name in prices:
                found += count * prices[name]
            else:
                raise KeyError(name)
        return found

    def cheapest(self, prices):
        return min(self.items, key=lambda name: prices[name])


def discount{n}(factor):
    def applied(price):
        return price * factor

    return applied


'''
_LAMBDA = "    'key{n}': lambda value, shift={n}: value + shift,\n"


def main() -> None:
    """Measure and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", default="django", help="stdlib, django, transformers or a folder")
    parser.add_argument("--folder", type=Path, default=Path("benchmarks/corpora"), help="where downloads are kept")
    parser.add_argument("--copies", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--lines", type=int, nargs="+", default=[1_000, 3_000, 10_000, 30_000, 100_000])
    parser.add_argument("--lambdas", type=int, nargs="+", default=[250, 500, 1_000, 2_000])
    parser.add_argument("--repeat", type=int, default=3, help="runs of each, of which the median counts")
    parser.add_argument("--charts", type=Path, help="draw charts into this folder")
    parser.add_argument("--json", type=Path, help="write all figures into this file")
    arguments = parser.parse_args()
    source = Path(arguments.corpus) if os.path.isdir(arguments.corpus) else corpus(arguments.corpus, arguments.folder)
    with tempfile.TemporaryDirectory() as work:
        bench = _Bench(Path(work), arguments.repeat)
        figures = {
            "files": bench.files(source, arguments.copies),
            "lines": bench.lines(arguments.lines),
            "lambdas": bench.lambdas(arguments.lambdas),
        }
    print(json.dumps(figures, indent=2))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")
    if arguments.charts is not None:
        draw(figures, arguments.charts)


class _Bench:
    """Measures in a folder of its own.

    Args:
        work: the folder.
        repeat: how many runs there are of each.
    """

    def __init__(self, work: Path, repeat: int) -> None:
        self._work = work
        self._repeat = repeat
        small = _text(_ORDINARY, 1)
        folder = self._filled({"module.py": small})
        self._start = {tool.name: self._seconds(tool, folder, small) for tool in (_CHECK, _MIGRATE)}

    def files(self, source: Path, copies: Sequence[int]) -> dict[str, Any]:
        """Milliseconds a file, by how many copies of a corpus are checked."""
        count = len(python_files(source))
        found = {}
        for number in copies:
            folder = self._filled({})
            for index in range(number):
                # Each in a project of its own: else, names would mean another file the more there are.
                target = folder / f"copy{index}"
                shutil.copytree(source, target)
                (target / "pyproject.toml").touch()
            found[number * count] = 1000 * self._net(_CHECK, folder) / (number * count)
            print(f"{number * count} files: {found[number * count]:.2f} ms each", file=sys.stderr, flush=True)
        return {"check": found}

    def lines(self, lengths: Sequence[int]) -> dict[str, Any]:
        """Microseconds a line, by the length of one ordinary file."""
        each = _ORDINARY.count("\n")
        return self._one_file({length: _text(_ORDINARY, length // each) for length in lengths}, "lines")

    def lambdas(self, counts: Sequence[int]) -> dict[str, Any]:
        """Microseconds a line, by the number of lambdas in the one table that is the file."""
        return self._one_file({count: f"TABLE = {{\n{_text(_LAMBDA, count)}}}\n" for count in counts}, "lambdas")

    def _one_file(self, texts: dict[int, str], unit: str) -> dict[str, Any]:
        found: dict[str, Any] = {"check": {}, "migrate": {}}
        for size, text in texts.items():
            for name, tool in (("check", _CHECK), ("migrate", _MIGRATE)):
                seconds = self._net(tool, self._filled({"module.py": text}), text)
                found[name][size] = 1e6 * seconds / text.count("\n")
                print(f"{name}, {size} {unit}: {found[name][size]:.0f} us a line", file=sys.stderr, flush=True)
        return found

    def _net(self, tool: Tool, folder: Path, text: str | None = None) -> float:
        """The time without that of a run on a few lines, most of which goes into imports."""
        return max(0.0, self._seconds(tool, folder, text) - self._start[tool.name])

    def _seconds(self, tool: Tool, folder: Path, text: str | None = None) -> float:
        command = [*tool.command([], ""), *_PATIENT]
        runs = []
        for _ in range(self._repeat):
            if text is not None:
                (folder / "module.py").write_text(text)
            runs.append(cost(command, folder, tool.environment).seconds)
        return statistics.median(runs)

    def _filled(self, texts: dict[str, str]) -> Path:
        folder = Path(tempfile.mkdtemp(dir=self._work))
        for name, text in texts.items():
            (folder / name).write_text(text)
        return folder


def _text(pattern: str, count: int) -> str:
    return "".join(pattern.replace("{n}", str(number)) for number in range(count))


def draw(figures: dict[str, dict[str, dict[Any, float]]], folder: Path) -> None:
    """Write a chart of each curve.

    Args:
        figures: what was measured.
        folder: where the charts go.
    """
    charts = (
        ("files", "Time a file", "files", "ms of processor time a file"),
        ("lines", "Time a line, one file", "lines of the file", "µs of processor time a line"),
        ("lambdas", "Time a line, one table of lambdas", "lambdas in the file", "µs of processor time a line"),
    )
    for name, title, across, up in charts:
        curves = {key: [(float(x), y) for x, y in values.items()] for key, values in figures[name].items()}
        (folder / f"growth-{name}.svg").write_text(line_chart(title, across, up, curves), "utf-8")


if __name__ == "__main__":
    main()

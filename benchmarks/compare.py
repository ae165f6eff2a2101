"""What picklefix and others cost, as ratios to ``ast.parse`` of the same files in the same run.

    python -m benchmarks.compare [--corpus NAME|FOLDER]... [--repeat 5]

See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.corpora import RELEASES, corpus, python_files
from benchmarks.measuring import CannotRunError, Cost, Measured, cost, fresh_copy, medians
from benchmarks.tools import PARSE, TOOLS, Tool

_SETTLING = 3  # seconds after which files count as old, so that caches need not read them again


def main() -> None:
    """Measure and print."""
    arguments = _arguments()
    tools = [tool for tool in TOOLS if tool.name == PARSE or any(word in tool.name for word in arguments.tool or [""])]
    document: dict[str, Any] = {"python": sys.version, "processors": os.cpu_count(), "corpora": {}}
    for name in arguments.corpus or ["stdlib", *RELEASES]:
        folder = Path(name).resolve() if os.path.isdir(name) else corpus(name, arguments.folder)
        rows = document["corpora"][name] = {}
        with tempfile.TemporaryDirectory() as work:
            for tool, found in measured(tools, folder, Path(work), arguments.repeat, arguments.patience):
                rows[tool.name] = found._asdict() if isinstance(found, Measured) else {"skipped": found}
                print(f"{name}: {tool.name}: {found}", file=sys.stderr, flush=True)
    print("\n\n".join(_table(name, rows) for name, rows in document["corpora"].items()))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(document, indent=2) + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", help="stdlib, django, transformers or a folder; may be repeated")
    parser.add_argument("--folder", type=Path, default=Path("benchmarks/corpora"), help="where downloads are kept")
    parser.add_argument("--tool", action="append", help="measure only tools whose names hold this; may be repeated")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each tool, of which the median counts")
    parser.add_argument("--patience", type=float, default=600, help="seconds after which a tool is not run again")
    parser.add_argument("--json", type=Path, help="write all figures into this file")
    return parser.parse_args()


def measured(
    tools: list[Tool], folder: Path, work: Path, repeat: int, patience: float
) -> Iterator[tuple[Tool, Measured | str]]:
    """The cost of each tool on a corpus, or why there is none.

    Args:
        tools: the tools.
        folder: the corpus, which stays as it is.
        work: a folder for copies of it.
        repeat: how many runs there are of each.
        patience: seconds after which there are no more.
    """
    copy = fresh_copy(folder, work)
    files = python_files(copy)
    listing = work / "files.txt"
    listing.write_text("\n".join(files))
    time.sleep(_SETTLING)
    for tool in tools:
        if not tool.is_installed:
            yield tool, f"{tool.needs} is not installed"
            continue
        runs: list[Cost] = []
        start = time.monotonic()
        command = tool.command(files, str(listing))
        try:
            if tool.is_warm:
                _empty(tool, copy)
                cost(command, copy, tool.environment)
            while len(runs) < repeat and (not runs or time.monotonic() - start < patience):
                if not tool.is_warm:
                    _empty(tool, copy)
                runs.append(cost(command, copy, tool.environment))
                if tool.writes:
                    copy = fresh_copy(folder, work)
            yield tool, medians(runs)
        except CannotRunError as error:
            yield tool, str(error)


def _empty(tool: Tool, copy: Path) -> None:
    for name in tool.caches:
        shutil.rmtree(copy / name, ignore_errors=True)


def _table(name: str, rows: dict[str, dict[str, Any]]) -> str:
    unit = rows[PARSE]["seconds"]
    lines = [f"| {name} | CPU seconds | x ast.parse | peak MB | runs |", "|---|---|---|---|---|"]
    for tool, row in rows.items():
        if "skipped" in row:
            lines.append(f"| {tool} | skipped: {row['skipped']} | | | |")
        else:
            ratio = row["seconds"] / unit
            lines.append(f"| {tool} | {row['seconds']:.2f} | {ratio:.3g} | {row['megabytes']:.0f} | {row['runs']} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()

"""What the reach graph costs, as a ratio to ``ast.parse`` of the same files in the same run.

    python benchmarks/reach_graph.py FOLDER [--every N]

FOLDER holds a project, for example the unpacked sources of a large library; nothing is imported from it. Each file is
checked with the whole project around it, in this process. The graph's share is the time that is spent in making
graphs, in following values into other files and in searching for ways.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import gc
import operator
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from codemods import engine
from codemods.analysis.values.flow import FlowGraph
from codemods.analysis.values.neighbourhood import Neighbourhood
from codemods.job import Job, do_bytes, with_deep_stack
from codemods.project import place_of


class Clock:
    """Adds up the processor time of calls, those inside each other once.

    Attributes:
        seconds: the time, by what was timed.
        calls: how many calls there were.
    """

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.calls: Counter[str] = Counter()
        self._depth = 0

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, timed under a name."""

        @functools.wraps(function)
        def call(*arguments: Any, **keywords: Any) -> Any:
            self._depth += 1
            begin = time.process_time()
            try:
                return function(*arguments, **keywords)
            finally:
                self._depth -= 1
                if not self._depth:
                    self.seconds[name] += time.process_time() - begin
                    self.calls[name] += 1

        return call


@contextlib.contextmanager
def watched(clock: Clock) -> Iterator[None]:
    """Time the graphs of all files."""
    own, around, found = FlowGraph.of, Neighbourhood.around, FlowGraph.find
    FlowGraph.of = staticmethod(clock.timed("graphs of single files", own))  # type: ignore[method-assign]
    Neighbourhood.around = clock.timed("other files", around)  # type: ignore[method-assign]
    FlowGraph.find = clock.timed("searches", found)  # type: ignore[method-assign]
    try:
        yield
    finally:
        FlowGraph.of, Neighbourhood.around, FlowGraph.find = own, around, found  # type: ignore[method-assign]


def files_below(folder: str) -> list[str]:
    """The Python files in a folder and below, by name."""
    return sorted(
        os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names if name.endswith(".py")
    )


def parsing_time(texts: list[bytes]) -> float:
    """How long the parser takes for all files."""
    begin = time.process_time()
    for text in texts:
        with contextlib.suppress(SyntaxError, ValueError):
            ast.parse(text)
    return time.process_time() - begin


def check_all(paths: list[str], texts: list[bytes]) -> None:
    """Check all files, one after the other."""
    options = engine.Options()
    for path, text in zip(paths, texts, strict=True):
        do_bytes(Job(path, options, project=place_of(path, "benchmark")), text)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What the reach graph costs, in units of ast.parse.")
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="check every N-th file only")
    arguments = parser.parse_args()
    paths = files_below(arguments.folder)[:: arguments.every]
    texts = []
    for path in paths:
        with open(path, "rb") as stream:
            texts.append(stream.read())
    parsing = parsing_time(texts)
    gc.collect()
    clock = Clock()
    begin = time.process_time()
    with watched(clock):
        with_deep_stack(check_all, paths, texts)
    total = time.process_time() - begin
    print(f"{len(paths):,} files, {sum(map(len, texts)) / 1e6:.1f} MB; ast.parse {parsing:.1f} s")
    for name, seconds in sorted(clock.seconds.items(), key=operator.itemgetter(1), reverse=True):
        print(f"{seconds / parsing:6.2f} x ast.parse: {name} ({clock.calls[name]:,})")
    print(f"{sum(clock.seconds.values()) / parsing:6.2f} x ast.parse: the reach graph, {total / parsing:.2f} x in all")


if __name__ == "__main__":
    main()

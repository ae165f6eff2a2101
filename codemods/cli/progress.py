"""How far a long run has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator

import click

from codemods.finding import FileResult

_PATIENCE = 1.0  # seconds that nobody needs to be told about


def tracked(results: Iterable[FileResult], total: int) -> Iterator[FileResult]:
    """The same results, with a bar on standard error, which is a terminal, if the run takes a while.

    Where the report goes to the terminal too, it waits until the bar is gone.
    """
    if sys.stdout is not None and sys.stdout.isatty():
        return iter(list(_with_bar(results, total)))
    return _with_bar(results, total)


def _with_bar(results: Iterable[FileResult], total: int) -> Iterator[FileResult]:
    start = time.monotonic()
    remaining = iter(results)
    done = 0
    for result in remaining:
        done += 1
        yield result
        if time.monotonic() - start > _PATIENCE:
            break
    if done == total:
        return
    with click.progressbar(remaining, total, label="Files", file=sys.stderr, show_pos=True) as bar:
        bar.update(done)
        yield from bar

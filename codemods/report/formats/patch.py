"""What ``migrate`` would write, as a patch for ``git apply``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codemods.finding import FileResult
from codemods.report.context import Context, Needs
from codemods.report.patch import patch, patch_name

FOR_PEOPLE = False
NEEDS = Needs.REWRITE


def render(results: Iterable[FileResult], context: Context) -> Iterator[bytes]:
    """The patch of each file, in the encoding of that file."""
    for result in results:
        if result.changed:
            yield patch(patch_name(result.path), result.before, result.after)

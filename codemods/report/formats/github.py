"""Workflow commands of GitHub Actions, which become annotations."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator

from codemods.finding import FileResult
from codemods.report.context import Context, Needs
from codemods.report.diagnostics import Diagnostic, diagnostics
from codemods.report.text import printable

FOR_PEOPLE = False
NEEDS = Needs.FINDINGS

# As the library for actions escapes them (actions/toolkit, command.ts).
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})
# Annotations of one severity that a step may make; GitHub drops the others without a word (actions/toolkit issue 734).
_MOST = 10


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The commands for all findings."""
    yield from commands([diagnostic for result in results for diagnostic in diagnostics(result)])


def commands(found: Iterable[Diagnostic]) -> Iterator[str]:
    """A command for each finding, errors first; what GitHub would drop follows as plain lines."""
    shown: Counter[str] = Counter()
    rest: list[Diagnostic] = []
    for diagnostic in sorted(found, key=lambda diagnostic: diagnostic.severity):
        shown[diagnostic.severity] += 1
        if shown[diagnostic.severity] > _MOST:
            rest.append(diagnostic)
        else:
            yield _command(diagnostic)
    if rest:
        # A file name could look like a command: none is obeyed until the token comes.
        token = secrets.token_hex(16)
        yield f"::stop-commands::{token}\n"
        yield from (f"{printable(_line(diagnostic))}\n" for diagnostic in rest)
        yield f"::{token}::\n"


def _command(found: Diagnostic) -> str:
    values = {
        "title": f"picklefix ({found.code})",
        "file": found.file,
        "line": str(found.start.row),
        "col": str(found.start.column),
        "endLine": str(found.end.row),
        "endColumn": str(found.end.column),
    }
    properties = ",".join(f"{name}={value.translate(_PROPERTY)}" for name, value in values.items())
    text = "\n".join(printable(line) for line in (_line(found), found.remark) if line)
    return f"::{found.severity} {properties}::{text.translate(_DATA)}\n"


def _line(found: Diagnostic) -> str:
    return f"{found.file}:{found.start.row}:{found.start.column}: {found.code} {found.message}"

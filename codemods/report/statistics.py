"""How often each rule was broken."""

from __future__ import annotations

import json
from collections.abc import Iterator

from codemods.report.summary import Tally


def lines(tally: Tally) -> Iterator[str]:
    """A line for each rule, with a mark that says whether ``migrate`` resolves all, some or none of its findings."""
    for code, name, count, fixable in _rows(tally):
        yield f"{count}\t{code}\t[{'*' if fixable == count else '-' if fixable else ' '}] {name}\n"


def document(tally: Tally) -> str:
    """The same as a JSON array."""
    rows = [
        {"code": code, "count": count, "fixable": fixable, "name": name} for code, name, count, fixable in _rows(tally)
    ]
    return json.dumps(rows, indent=2) + "\n"


def _rows(tally: Tally) -> Iterator[tuple[str, str, int, int]]:
    for (code, name), count in sorted(tally.rules.items(), key=lambda item: (-item[1], item[0])):
        yield code, name, count, tally.applied_rules[code]

"""How often each rule was broken, in the formats that have a form for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from codemods.report.json_text import dumps
from codemods.report.markdown import code as code_span
from codemods.report.summary import Tally


def lines(tally: Tally) -> str:
    """A line for each rule, with a mark that says whether ``migrate`` resolves all, some or none of its findings."""
    return "".join(
        f"{count}\t{code}\t[{'*' if fixable == count else '-' if fixable else ' '}] {name}\n"
        for code, name, count, fixable in _rows(tally)
    )


def document(tally: Tally) -> str:
    """The same as a JSON array."""
    return dumps(list(_objects(tally)), indent=2) + "\n"


def json_lines(tally: Tally) -> str:
    """The same as one JSON object a line."""
    return "".join(f"{dumps(row)}\n" for row in _objects(tally))


def markdown(tally: Tally) -> str:
    """The same as a table in Markdown."""
    head = "| Rule | Name | Findings | Fixed by `migrate` |\n| --- | --- | ---: | ---: |\n"
    return head + "".join(
        f"| {rule} | {code_span(name)} | {count:,} | {fixable:,} |\n" for rule, name, count, fixable in _rows(tally)
    )


FORMS: Mapping[str, Callable[[Tally], str]] = {
    "concise": lines,
    "full": lines,
    "grouped": lines,
    "json": document,
    "json-lines": json_lines,
    "markdown": markdown,
}
"""How the counts are shown in each format that has a place for them."""


def _objects(tally: Tally) -> Iterator[dict[str, object]]:
    for code, name, count, fixable in _rows(tally):
        yield {"code": code, "count": count, "fixable": fixable, "name": name}


def _rows(tally: Tally) -> Iterator[tuple[str, str, int, int]]:
    for (code, name), count in sorted(tally.rules.items(), key=lambda item: (-item[1], item[0])):
        yield code, name, count, tally.applied_rules[code]

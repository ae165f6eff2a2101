"""The report as text: a line for each package, then what is in the way."""

from __future__ import annotations

from collections.abc import Iterator

from codemods.report.readiness.facts import Obstacle, Package, Readiness
from codemods.report.text import plural, printable


def render(report: Readiness) -> str:
    """The lines."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Readiness) -> Iterator[str]:
    for package in report.packages:
        state = "ready" if package.is_ready else plural(len(package.blocking), "obstacle")
        yield f"{printable(package.name)}: {state} in {plural(package.files, 'file')}"
        yield from _details(package)
    if report.totals:
        yield ""
        yield from (f"{count:7,}  {kind.title}" for kind, count in report.totals.items())
    yield ""
    yield report.sentence


def _details(package: Package) -> Iterator[str]:
    for kind, count in package.counts.items():
        yield f"  {kind.title}: {count:,}"
        yield from (f"    {_line(obstacle)}" for obstacle in package.of_kind(kind))


def _line(obstacle: Obstacle) -> str:
    place = f"{printable(obstacle.file)}:{obstacle.start.row}:{obstacle.start.column}:"
    mark = {"safe": " [*]", "unsafe": " (unsafe fix)"}.get(obstacle.fix or "", "")
    return f"{place} {obstacle.code + ' ' if obstacle.code else ''}{printable(obstacle.message)}{mark}"

"""The report in Markdown: a table of packages, then what is in the way."""

from __future__ import annotations

from codemods.report.markdown import code, prose
from codemods.report.readiness.facts import Obstacle, Package, Readiness

_FIXES = {"safe": "`picklefix migrate`", "unsafe": "`picklefix migrate --unsafe-fixes`", None: "by hand"}


def render(report: Readiness) -> str:
    """The document."""
    lines = ["# Readiness for spawn and forkserver\n", f"\n{prose(report.sentence)}\n", *_table(report)]
    for package in report.packages:
        if package.obstacles:
            lines.append(f"\n## {code(package.name)}\n")
            for kind in package.counts:
                lines.append(f"\n{kind.title}:\n\n")
                lines += map(_line, package.of_kind(kind))
    return "".join(lines)


def _table(report: Readiness) -> list[str]:
    kinds = list(report.totals)
    if not report.packages:
        return []
    head = ["Package", "Files", "Ready", *(kind.title for kind in kinds)]
    rule = ["---", "---:", "---", *("---:" for _ in kinds)]
    rows = [
        [code(package.name), f"{package.files:,}", _yes(package), *_counts(package, report)]
        for package in report.packages
    ]
    return ["\n", *(f"| {' | '.join(cells)} |\n" for cells in (head, rule, *rows))]


def _counts(package: Package, report: Readiness) -> list[str]:
    return [f"{package.counts[kind]:,}" if kind in package.counts else "" for kind in report.totals]


def _yes(package: Package) -> str:
    return "yes" if package.is_ready else "**no**"


def _line(obstacle: Obstacle) -> str:
    place = code(f"{obstacle.file}:{obstacle.start.row}")
    remedy = f" ({_FIXES[obstacle.fix]})" if obstacle.kind.blocks else ""
    return f"- {place} {prose(obstacle.message)}{remedy}\n"

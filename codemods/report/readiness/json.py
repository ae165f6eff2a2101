"""The report as one JSON object."""

from __future__ import annotations

from typing import Any

from codemods.report.json_text import dumps
from codemods.report.readiness.facts import Obstacle, Package, Readiness


def render(report: Readiness) -> str:
    """The object."""
    document = {
        "packages": list(map(_package, report.packages)),
        "ready": report.is_ready,
        "totals": {kind.value: count for kind, count in report.totals.items()},
    }
    return dumps(document, indent=2) + "\n"


def _package(package: Package) -> dict[str, Any]:
    return {
        "counts": {kind.value: count for kind, count in package.counts.items()},
        "files": package.files,
        "name": package.name,
        "obstacles": list(map(_obstacle, package.obstacles)),
        "ready": package.is_ready,
    }


def _obstacle(obstacle: Obstacle) -> dict[str, Any]:
    return {
        "blocks": obstacle.kind.blocks,
        "code": obstacle.code,
        "filename": obstacle.file,
        "fix": obstacle.fix,
        "kind": obstacle.kind.value,
        "location": {"column": obstacle.start.column, "row": obstacle.start.row},
        "message": obstacle.message,
    }

"""The report as a page: a table of packages, then what is in the way."""

from __future__ import annotations

from codemods import __version__
from codemods.report.page.template import page, prose, text
from codemods.report.readiness.facts import Obstacle, Package, Readiness

_FIXES = {"safe": "safe fix", "unsafe": "unsafe fix", None: "by hand"}


def render(report: Readiness) -> str:
    """The page."""
    return page("picklefix: readiness for spawn", f"{_head(report)}{_table(report)}{_packages(report)}")


def _head(report: Readiness) -> str:
    tiles = "".join(
        f'<li class="{"invalid" if kind.blocks else ""}"><b>{count:,}</b> {text(kind.title)}</li>'
        for kind, count in report.totals.items()
    )
    return (
        '<header class="top"><div><h1>picklefix <span>readiness for spawn and forkserver</span></h1>'
        f'<p>{prose(report.sentence)}</p></div><p class="version">{__version__}</p></header>\n'
        f'<ul class="tiles wide">{tiles}</ul>\n'
    )


def _table(report: Readiness) -> str:
    heads = "".join(f'<th scope="col">{text(kind.title)}</th>' for kind in report.totals)
    rows = "".join(_row(package, report) for package in report.packages)
    return (
        '<div class="scroll wide" tabindex="0" role="region" aria-label="Packages"><table class="packages"><thead><tr>'
        f'<th scope="col">Package</th><th scope="col">Files</th><th scope="col">Ready</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>\n"
    )


def _row(package: Package, report: Readiness) -> str:
    name = text(package.name)
    link = f'<a href="#{_anchor(package)}">{name}</a>' if package.obstacles else name
    ready = '<span class="badge safe">yes</span>' if package.is_ready else '<span class="badge invalid">no</span>'
    counts = "".join(f"<td>{package.counts.get(kind, '')}</td>" for kind in report.totals)
    return f'<tr><th scope="row">{link}</th><td>{package.files:,}</td><td>{ready}</td>{counts}</tr>'


def _packages(report: Readiness) -> str:
    sections = "".join(_section(package) for package in report.packages if package.obstacles)
    return f'<main class="wide">{sections}</main>'


def _section(package: Package) -> str:
    parts = "".join(
        f'<h3>{text(kind.title)} <span class="code">{count:,}</span></h3>'
        f'<ul class="obstacles">{"".join(map(_line, package.of_kind(kind)))}</ul>'
        for kind, count in package.counts.items()
    )
    return f'<section class="card" id="{_anchor(package)}"><h2>{text(package.name)}</h2>{parts}</section>\n'


def _line(obstacle: Obstacle) -> str:
    fix = obstacle.fix or "declined"
    badge = f' <span class="badge {fix}">{_FIXES[obstacle.fix]}</span>' if obstacle.kind.blocks else ""
    place = text(f"{obstacle.file}:{obstacle.start.row}:{obstacle.start.column}")
    return f'<li><span class="place">{place}</span> {prose(obstacle.message)}{badge}</li>'


def _anchor(package: Package) -> str:
    return text(f"package-{package.name}".replace(" ", "-"))

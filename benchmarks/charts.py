"""Line charts as SVG, drawn with logarithmic x axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 150, 36, 44
_COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd")

Points = Sequence[tuple[float, float]]


def line_chart(title: str, across: str, up: str, curves: Mapping[str, Points]) -> str:
    """A chart of some curves, from zero upwards.

    Args:
        title: what stands above.
        across: what the x axis counts, from left to right in equal ratios.
        up: what the y axis counts.
        curves: the points of each curve by its name.
    """
    points = [point for curve in curves.values() for point in curve]
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    top = 1.15 * max(y for _, y in points)

    def place(x: float, y: float) -> tuple[float, float]:
        share = math.log(x / first) / math.log(last / first) if last > first else 0.5
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - y / top * (_HEIGHT - _TOP - _BOTTOM)

    parts = [_text(_LEFT, 20, title, "font-weight='bold'")]
    parts += _axes(place, sorted({x for x, _ in points}), top, across, up)
    for number, (name, curve) in enumerate(curves.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [place(x, y) for x, y in curve]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f"<polyline points='{line}' fill='none' stroke='{colour}' stroke-width='2'/>")
        parts += [f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' fill='{colour}'/>" for x, y in places]
        parts.append(_text(places[-1][0] + 8, places[-1][1] + 4, name, f"fill='{colour}'"))
    size = f"viewBox='0 0 {_WIDTH} {_HEIGHT}' font-family='sans-serif' font-size='12'"
    head = f"<svg xmlns='http://www.w3.org/2000/svg' {size}>"
    return "\n".join([head, f"<rect width='{_WIDTH}' height='{_HEIGHT}' fill='white'/>", *parts, "</svg>", ""])


def _axes(place: object, ticks: Sequence[float], top: float, across: str, up: str) -> list[str]:
    assert callable(place)
    left, right, bottom = _LEFT, _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    parts = [f"<path d='M{left},{_TOP} V{bottom} H{right}' fill='none' stroke='#444'/>"]
    parts += [_text(place(x, 0)[0], bottom + 16, f"{x:,.0f}", "text-anchor='middle'") for x in ticks]
    for share in (0.25, 0.5, 0.75, 1.0):
        _, y = place(ticks[0], share * top)
        parts.append(f"<path d='M{left},{y:.1f} H{right}' stroke='#ddd'/>")
        parts.append(_text(left - 6, y + 4, f"{share * top:.3g}", "text-anchor='end'"))
    parts.append(_text((left + right) / 2, _HEIGHT - 10, across, "text-anchor='middle'"))
    parts.append(_text(left, _TOP - 4, up, "fill='#444' font-size='11'"))
    return parts


def _text(x: float, y: float, text: str, attributes: str = "") -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' {attributes}>{escape(text)}</text>"

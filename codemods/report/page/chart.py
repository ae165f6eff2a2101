"""Bars that compare counts; those of rules and reasons are buttons that show what they count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from codemods.report.page.template import text

KINDS = ("safe", "unsafe", "declined", "invalid")
"""What may become of a finding, in the order of the bars."""


def chart(title: str, counts: Mapping[tuple[str, str], Counter[str]], field: str) -> str:
    """A bar for each row, the longest first.

    Args:
        title: what is compared.
        counts: for the value and the label of each row, how often each of ``KINDS`` occurs.
        field: the filter that a click on a row sets to its value.
    """
    if not counts:
        return ""
    most = max(counter.total() for counter in counts.values())
    ordered = sorted(counts.items(), key=lambda item: (-item[1].total(), item[0]))
    rows = "".join(_bar(value, label, counter, most, field) for (value, label), counter in ordered)
    return f'<section class="chart"><h2>{text(title)}</h2><ul>{rows}</ul></section>'


def _bar(value: str, label: str, counter: Counter[str], most: int, field: str) -> str:
    parts = [(kind, counter[kind]) for kind in KINDS if counter[kind]]
    bar = "".join(f'<i class="{kind}" style="width:{100 * count / most:.2f}%"></i>' for kind, count in parts)
    spoken = ", ".join(f"{count} {kind}" for kind, count in parts)
    return (
        f'<li><button type="button" data-field="{field}" data-value="{text(value)}" aria-pressed="false">'
        f'<span class="label">{text(label)}</span><span class="count">{counter.total()}</span>'
        f'<span class="bar" aria-hidden="true">{bar}</span><span class="unseen">{text(spoken)}</span></button></li>'
    )

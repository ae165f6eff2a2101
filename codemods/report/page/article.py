"""One finding of a page: what it is, the way to where it is pickled, and what is done about it."""

from __future__ import annotations

from codemods.finding import Finding
from codemods.report.context import Context
from codemods.report.diagnostics import Diagnostic
from codemods.report.hunks import excerpt, hunks
from codemods.report.page.diff import listing, side_by_side
from codemods.report.page.template import prose, text
from codemods.source import Source

_LINES_AROUND = 3
_MOST_LINES = 16
_NAMES = {"safe": "safe fix", "unsafe": "unsafe fix", "declined": "declined", "invalid": "does not parse"}


def kind(found: Diagnostic) -> str:
    """What becomes of a finding: one of the kinds of the charts."""
    if found.finding is None:
        return "invalid"
    return "declined" if found.finding.fix is None else found.finding.fix.safety.value


def reason(found: Diagnostic) -> str:
    """The reason code of a finding that is declined, else nothing."""
    refusal = None if found.finding is None else found.finding.refusal
    return "" if refusal is None else refusal.reason


def article(found: Diagnostic, context: Context) -> str:
    """A finding as HTML."""
    place = f"{found.file}:{found.start.row}:{found.start.column}"
    name = f"f-{found.fingerprint}"
    data = {"rule": found.code, "kind": kind(found), "reason": reason(found), "file": found.file}
    attributes = "".join(f' data-{key}="{text(value)}"' for key, value in data.items())
    link = f'<a href="{text(found.url)}">{text(found.name)}</a>' if found.url else text(found.name)
    return (
        f'<article id="{name}" tabindex="-1" aria-labelledby="{name}-h"{attributes}>'
        f'<header><h3 id="{name}-h"><span class="code">{text(found.code)}</span> {prose(found.message)}</h3>'
        f'<label class="seen"><input type="checkbox" data-seen> reviewed</label></header>'
        f'<p class="facts"><span class="badge {kind(found)}">{_NAMES[kind(found)]}</span>'
        f'<span class="place">{text(place)}</span> {link}</p>'
        f"{_body(found, context)}</article>\n"
    )


def _body(found: Diagnostic, context: Context) -> str:
    finding, source = found.finding, found.source
    if finding is None or source is None:
        return ""
    label = f"{found.code} in line {found.start.row}"
    if finding.fix is not None:
        asked = "" if context.is_applied(finding) else " <em>Only with <code>--unsafe-fixes</code>.</em>"
        outcome = f'<p class="outcome">{prose(finding.fix.title)}.{asked}</p>{_taken(finding)}'
        lines = side_by_side(hunks(source, finding.fix.edits), f"{label}: before and after")
    else:
        assert finding.refusal is not None
        advice = prose(finding.refusal.advice)
        outcome = f'<p class="outcome"><code class="reason">{text(finding.refusal.reason)}</code> {advice}</p>'
        lines = _origin(source, found, label)
    return f'{_way(finding)}{outcome}<div class="scroll" tabindex="0" role="region" aria-label="{label}">{lines}</div>'


def _taken(finding: Finding) -> str:
    """What the fixed function takes along into its pickle."""
    names = ", ".join(f"<code>{text(capture.text)}</code>" for capture in finding.captures)
    return f'<p class="outcome">Takes along {names}.</p>' if names else ""


def _origin(source: Source, found: Diagnostic, label: str) -> str:
    last = min(found.end.row, found.start.row + _MOST_LINES)
    rows = excerpt(source, found.start.row - _LINES_AROUND, last + _LINES_AROUND)
    return listing(rows, range(found.start.row, last + 1), label)


def _way(finding: Finding) -> str:
    """The steps from the origin to where it is pickled or kept."""
    reach = finding.reach
    steps = [
        f'<span class="place">{text(f"{step.path}:{step.location.row}")}</span> {prose(step.text)}'
        for step in reach.steps
    ]
    if reach.sink is not None:
        # The last step says so in words of the call; here is its full name.
        steps[-1:] = [f"{''.join(steps[-1:]) or 'pickled by'} <code>{text(reach.sink)}</code>"]
    items = "".join(f"<li>{step}</li>" for step in steps)
    return f'<ol class="way" aria-label="The way to where it is pickled">{items}</ol>' if items else ""

"""One page for the review of a dry run: counts, charts, filters, and each finding with its patch side by side."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from codemods import __version__
from codemods.finding import FileResult
from codemods.report.context import Context, Needs
from codemods.report.diagnostics import Diagnostic, diagnostics
from codemods.report.page.article import article, kind, reason
from codemods.report.page.chart import chart
from codemods.report.page.template import page, prose, text
from codemods.report.summary import Tally
from codemods.report.text import plural

FOR_PEOPLE = False
NEEDS = Needs.EDITS

_KINDS = {"safe": "Safe fixes", "unsafe": "Unsafe fixes", "declined": "Declined", "invalid": "Do not parse"}


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The page as one piece."""
    tally = Tally(context)
    found: list[Diagnostic] = []
    failed: list[str] = []
    for result in results:
        tally.add(result)
        found.extend(diagnostics(result))
        if result.error is not None and not result.error.syntax:
            failed.append(f'<li><span class="place">{text(result.path)}</span> {prose(result.error.message)}</li>')
    yield page("picklefix: review", "".join([_head(tally, found), _aside(found), _main(found, failed, context)]))


def _head(tally: Tally, found: Sequence[Diagnostic]) -> str:
    kinds = Counter(map(kind, found))
    tiles = "".join(
        f'<li class="{name}"><b>{kinds[name]:,}</b> {label}</li>'
        for name, label in _KINDS.items()
        if kinds[name] or name != "invalid"
    )
    sentences = " ".join(sentence.removeprefix("[*] ") for sentence in tally.checked())
    files = plural(len({diagnostic.file for diagnostic in found}), "file")
    return (
        f'<header class="top"><div><h1>picklefix <span>review of a dry run</span></h1><p>{prose(sentences)}</p></div>'
        f'<ul class="tiles"><li><b>{len(found):,}</b> Findings in {files}</li>{tiles}</ul>'
        f'<p class="version">{__version__}</p></header>\n'
    )


def _aside(found: Sequence[Diagnostic]) -> str:
    if not found:
        return ""
    rules = _counts(found, lambda item: (item.code, f"{item.code} {item.name}"))
    declined = [item for item in found if reason(item)]
    reasons = _counts(declined, lambda item: (reason(item), reason(item)))
    return (
        '<aside aria-label="Filters and counts"><form id="filters">'
        f"{_select('rule', 'Rule', dict(sorted(rules)))}"
        f"{_select('kind', 'Safety', {name: label for name, label in _KINDS.items() if name in set(map(kind, found))})}"
        f"{_select('reason', 'Reason', dict(sorted(reasons)))}"
        f"{_select('file', 'File', {file: file for file in sorted({item.file for item in found})})}"
        '<button type="reset">Show all</button></form>'
        f"{chart('By rule', rules, 'rule')}{chart('Declined, by reason', reasons, 'reason')}"
        '<p class="legend"><i class="safe"></i>safe <i class="unsafe"></i>unsafe <i class="declined"></i>declined</p>'
        "</aside>\n"
    )


def _counts(
    found: Iterable[Diagnostic], row: Callable[[Diagnostic], tuple[str, str]]
) -> dict[tuple[str, str], Counter[str]]:
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for item in found:
        counts[row(item)][kind(item)] += 1
    return counts


def _select(name: str, label: str, options: dict[str, str]) -> str:
    if not options:
        return ""
    choices = "".join(f'<option value="{text(value)}">{text(shown)}</option>' for value, shown in options.items())
    return f'<label>{label}<select name="{name}"><option value="">all</option>{choices}</select></label>'


def _main(found: Sequence[Diagnostic], failed: Sequence[str], context: Context) -> str:
    sections = "".join(
        f"<section><h2>{text(file)}</h2>\n{''.join(article(item, context) for item in group)}</section>\n"
        for file, group in groupby(found, key=lambda item: item.file)
    )
    errors = f'<section class="failed"><h2>Not done</h2><ul>{"".join(failed)}</ul></section>' if failed else ""
    nothing = "" if found or failed else '<p class="nothing">Nothing found.</p>'
    return f"<main{'' if found else ' class=wide'}>{errors}{sections}{nothing}</main>"

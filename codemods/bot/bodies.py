"""The text of comments, in the Markdown that GitHub and GitLab share."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator, Sequence

from codemods.bot.remarks import Remark
from codemods.bot.review import Review
from codemods.finding import Finding, Level, Safety
from codemods.report.diagnostics import rule_url
from codemods.report.markdown import block, code, prose
from codemods.report.text import plural, printable
from codemods.rewrite.layouts import Place

LONGEST_BODY = 65_536
"""Characters that GitHub takes in a comment."""
MARKER = "picklefix:v1"
SUMMARY_MARKER = f"<!-- {MARKER} summary -->"
_MARK = re.compile(rf"<!-- {MARKER} ((?:[0-9a-f]+ ?)+)-->")
_MENTION = re.compile(r"(?:@|&#64;)(?=\w)")
_SHOWN_STEPS = 8
_SHOWN_ROWS = 100
_SHOWN_CHARACTERS = LONGEST_BODY // 2 - 1_000
"""What each of the two lists of the summary may take up."""
_LONGEST_TEXT = 250
"""Characters of a name or a message in a list; both can be as long as somebody likes."""
_PLACES = {
    Place.ABOVE: "",
    Place.BELOW: "The definition stands below the function, because what is above is not part of this diff.",
    Place.ABOVE_METHOD: "What is new stands here in the class, because its usual place is not part of this diff.",
    Place.BELOW_METHOD: "What is new stands here in the class, because its usual place is not part of this diff.",
}
_NEARBY = "The import stands where it is needed, because the top of the file is not part of this diff."


def marker(fingerprints: Sequence[str]) -> str:
    """The hidden line by which a comment is found again."""
    return f"<!-- {MARKER} {' '.join(sorted(fingerprints))} -->"


def fingerprints_in(body: str) -> frozenset[str]:
    """The fingerprints of the findings that a comment of an earlier run is about; empty for any other comment."""
    match = _MARK.search(body)
    return frozenset(match.group(1).split()) if match is not None else frozenset()


def suggestion_body(remark: Remark, fence: str) -> str:
    """A comment with a suggestion.

    Args:
        remark: what is said, with a replacement.
        fence: the word after the fence by which the service knows a suggestion.
    """
    assert remark.replacement is not None
    notes = [_PLACES[remark.layout.place], _NEARBY if remark.layout.imports_nearby else ""]
    unsafe = "" if remark.is_applied else "This fix may change behaviour: read it with care."
    suggestion = block(remark.replacement.text, fence)
    return _joined(*_reasons(remark), suggestion, " ".join(filter(None, [*notes, unsafe])), marker(remark.fingerprints))


def comment_body(remark: Remark) -> str:
    """A comment without a suggestion: why there is none, the command, and the patch if it is not too long."""
    fix = list(_fix_by_command(remark))
    body = _joined(*_reasons(remark), *fix, marker(remark.fingerprints))
    if remark.patch and len(body) <= LONGEST_BODY:
        return body
    return _joined(*_reasons(remark), *fix[:1], marker(remark.fingerprints))


def fits(body: str) -> bool:
    """Whether the services take a comment of this length."""
    return len(body) <= LONGEST_BODY


def summary(review: Review, rest: Sequence[Remark]) -> str:
    """The one comment on the pull request as a whole; it is updated in place.

    Args:
        review: what was found.
        rest: what no comment of its own says.
    """
    count = sum(len(remark.findings) for remark in review.remarks)
    clicks = sum(len(remark.findings) for remark in review.remarks if remark.replacement is not None)
    if not count:
        text = "picklefix found nothing on the lines that this pull request changes."
    else:
        found = f"picklefix found {plural(count, 'finding')} on the lines that this pull request changes"
        text = f"{found}; {clicks:,} can be fixed with one click."
    rows = [_row(remark, finding) for remark in rest for finding in remark.findings]
    failed = [_listed(result.path, result.error.message) for result in review.failed if result.error]
    return _joined(text, *_first(rows), *_first(failed), SUMMARY_MARKER)


def command_for(path: str, finding: Finding) -> str:
    """The command that fixes a finding, and others of its rule in the file."""
    unsafe = ["--unsafe-fixes"] if finding.fix is not None and finding.fix.safety is Safety.UNSAFE else []
    reach = ["--reach", "all"] if finding.reach.level is Level.LOCAL else []
    options = ["picklefix", "migrate", "--select", finding.code, *unsafe, *reach, "--", printable(path)]
    return shlex.join(options)


def _reasons(remark: Remark) -> Iterator[str]:
    for finding in remark.findings:
        url = rule_url(finding.name)
        yield f"**[{finding.code}]({url})** {_said(finding.message)}" + _pickled(finding)
        yield _way(finding)


def _pickled(finding: Finding) -> str:
    return f" It is pickled by {code(finding.reach.sink)}." if finding.reach.sink else ""


def _way(finding: Finding) -> str:
    steps = finding.reach.steps
    if len(steps) < 2:
        return ""
    rows = [f"line {step.location.row}: {_said(step.text)}" for step in steps[:_SHOWN_STEPS]]
    more = ["…"] if len(steps) > _SHOWN_STEPS else []
    return f"<details><summary>The way to where it is pickled</summary>\n\n{_list([*rows, *more])}\n\n</details>"


def _fix_by_command(remark: Remark) -> Iterator[str]:
    for finding in remark.findings:
        if finding.fix is None:
            assert finding.refusal is not None
            yield f"There is no fix that is sure to keep the behaviour ({finding.refusal.reason}). " + _said(
                finding.refusal.advice
            )
        else:
            why = "may change behaviour" if finding.fix.safety is Safety.UNSAFE else "does not fit into this diff"
            yield f"{_said(finding.fix.title)}. The fix {why}; make it with\n\n" + block(
                command_for(remark.path, finding), "sh"
            )
    if remark.patch:
        shown = block(remark.patch.decode("utf-8", "replace"), "diff")
        yield f"<details><summary>The whole fix</summary>\n\n{shown}\n</details>"


def _row(remark: Remark, finding: Finding) -> str:
    return _listed(f"{remark.path}:{finding.start.row}", f"{finding.code} {finding.message}")


def _listed(place: str, said: str) -> str:
    """A place and what is said about it; of long ones the end and the start."""
    shown = place if len(place) <= _LONGEST_TEXT else f"…{place[-_LONGEST_TEXT:]}"
    return f"{code(shown)} {_said(said if len(said) <= _LONGEST_TEXT else f'{said[:_LONGEST_TEXT]}…')}"


def _first(rows: Sequence[str]) -> tuple[str, str]:
    """The first rows of a list, and how many there are besides."""
    lengths = itertools.accumulate(len(row) + len("- \n") for row in rows[:_SHOWN_ROWS])
    shown = sum(length <= _SHOWN_CHARACTERS for length in lengths)
    more = f"… and {len(rows) - shown:,} more." if len(rows) > shown else ""
    return _list(rows[:shown]), more


def _said(text: str) -> str:
    """A sentence in which nobody is mentioned: services look for names once entities are resolved."""
    return _MENTION.sub("&#64;\u200b", prose(text))


def _list(rows: Sequence[str]) -> str:
    return "\n".join(f"- {row}" for row in rows)


def _joined(*paragraphs: str) -> str:
    return "\n\n".join(paragraph.strip("\n") for paragraph in paragraphs if paragraph)

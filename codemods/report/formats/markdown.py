"""A report in Markdown, for comments, job summaries and documents: counts, then each finding with its patch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from codemods.finding import FileResult
from codemods.report.context import Context, Needs
from codemods.report.diagnostics import Diagnostic, diagnostics
from codemods.report.hunks import unified
from codemods.report.markdown import block, code, prose
from codemods.report.statistics import markdown as table
from codemods.report.summary import Tally

FOR_PEOPLE = False
NEEDS = Needs.EDITS


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The document: a table by rule, then the files."""
    tally = Tally(context)
    found: list[Diagnostic] = []
    failed: list[str] = []
    for result in results:
        tally.add(result)
        found.extend(diagnostics(result))
        if result.error is not None and not result.error.syntax:
            failed.append(f"- {code(result.path)} {prose(result.error.message)}\n")
    yield "# picklefix\n\n" + "\n".join(prose(sentence.removeprefix("[*] ")) for sentence in tally.checked()) + "\n"
    if tally.rules:
        yield f"\n{table(tally)}"
    for file, group in groupby(found, key=lambda diagnostic: diagnostic.file):
        yield f"\n## {code(file)}\n"
        for diagnostic in group:
            yield f"\n{_paragraph(diagnostic, context)}"
    if failed:
        yield "\n## Not done\n\n" + "".join(failed)


def _paragraph(found: Diagnostic, context: Context) -> str:
    lines = [f"**{found.code}** line {found.start.row}: {prose(found.message)}\n"]
    if found.finding is not None:
        steps = enumerate(found.finding.reach.steps, 1)
        lines += [
            f"{number}. {code(f'{step.path}:{step.location.row}')} {prose(step.text)}\n" for number, step in steps
        ]
        mark = "" if context.is_applied(found.finding) or found.finding.refusal else " Only with `--unsafe-fixes`."
        lines.append(f"\n{prose(found.remark[:1].upper() + found.remark[1:])}{mark}\n")
    if found.finding is not None and found.finding.fix is not None and found.source is not None:
        changes = unified(found.source, found.finding.fix.edits)
        lines.append(f"\n<details><summary>Patch</summary>\n\n{block(changes, 'diff')}\n</details>\n")
    return "".join(lines)

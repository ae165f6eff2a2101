"""CodeTF, version 2: for each rule the patches that its fixes make, and the findings that are left with the reason.

The patches of a file build on each other in the order in which they are listed.
"""

from __future__ import annotations

import bisect
import itertools
import os
import shlex
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from codemods import __version__
from codemods.edits import Edit, apply, overlaps
from codemods.finding import FileResult
from codemods.report.context import Context, Needs
from codemods.report.diagnostics import Diagnostic, diagnostics, rule_url
from codemods.report.json_text import dumps
from codemods.report.patch import patch, patch_name
from codemods.rules import Rule, all_rules
from codemods.source import Source

FOR_PEOPLE = False
NEEDS = Needs.EDITS


class _File(NamedTuple):
    """The findings of one file, and the edits that were taken so far."""

    source: Source
    found: list[Diagnostic]
    taken: list[Edit]
    """In order of their places."""


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The document as one piece."""
    start = time.monotonic()
    files: list[_File] = []
    failed: list[str] = []
    for result in results:
        if result.error is not None:
            failed.append(patch_name(result.path))
        if result.findings:
            files.append(_File(Source.decode(result.path, result.before), list(diagnostics(result)), []))
    run = {
        "commandLine": shlex.join(["picklefix", *sys.argv[1:]]),
        "directory": os.getcwd(),
        "elapsed": round(1000 * (time.monotonic() - start)),
        "sarifs": [],
        "tool": "picklefix",
        "vendor": "picklefix",
        "version": __version__,
    }
    yield dumps({"results": [_rule(rule, files, failed, context) for rule in all_rules()], "run": run}, indent=2) + "\n"


def _rule(rule: Rule, files: list[_File], failed: list[str], context: Context) -> dict[str, Any]:
    changes: list[dict[str, Any]] = []
    unfixed: list[dict[str, Any]] = []
    for file in files:
        found = [diagnostic for diagnostic in file.found if diagnostic.code == rule.code]
        before = list(file.taken)
        fixed = [diagnostic for diagnostic in found if _take(diagnostic, file, context)]
        if fixed:
            changes.append(_change(file, before, fixed))
        done = {diagnostic.fingerprint for diagnostic in fixed}
        unfixed += [_unfixed(diagnostic, context) for diagnostic in found if diagnostic.fingerprint not in done]
    text = rule.documentation.strip()
    return {
        "changeset": changes,
        "codemod": f"picklefix:python/{rule.name}",
        "description": text,
        "failedFiles": failed,
        "properties": {},
        "references": [{"description": rule.name, "url": rule_url(rule.name)}],
        "summary": text.split("\n", 1)[0],
        "unfixedFindings": unfixed,
    }


def _take(found: Diagnostic, file: _File, context: Context) -> bool:
    """Add the edits of a fix to those of its file, if it is to be made and touches none of them."""
    if found.finding is None or found.finding.fix is None or not context.is_applied(found.finding):
        return False
    new = [edit for edit in found.finding.fix.edits if not _is_among(edit, file.taken)]
    if any(_touches(edit, file.taken) for edit in new):
        return False
    for edit in new:
        bisect.insort(file.taken, edit)
    return True


def _is_among(edit: Edit, taken: list[Edit]) -> bool:
    index = bisect.bisect_left(taken, edit)
    return taken[index : index + 1] == [edit]


def _touches(edit: Edit, taken: list[Edit]) -> bool:
    """Whether an edit changes text that one of others changes; only neighbours can."""
    index = bisect.bisect_left(taken, edit)
    following = itertools.takewhile(lambda other: other.start <= edit.end, itertools.islice(taken, index, None))
    return any(overlaps(edit, other) for other in (*taken[max(0, index - 1) : index], *following))


def _change(file: _File, earlier: list[Edit], fixed: list[Diagnostic]) -> dict[str, Any]:
    """The patch of one rule, on top of edits of earlier rules."""
    name, source = fixed[0].file, file.source
    before, after = (source.encode(apply(source.text, edits)) for edits in (earlier, file.taken))
    changes = [
        {
            "description": diagnostic.remark,
            "diffSide": "left",
            "fixedFindings": [_finding(diagnostic)],
            "lineNumber": diagnostic.start.row,
        }
        for diagnostic in fixed
    ]
    return {
        "changes": changes,
        "diff": patch(name, before, after).decode(source.encoding, "replace"),
        "path": name,
        "provisional": False,
        "strategy": "deterministic",
    }


def _unfixed(found: Diagnostic, context: Context) -> dict[str, Any]:
    reason = "its fix touches another one; run again when that is made"
    if found.finding is not None and not context.is_applied(found.finding):
        reason = found.remark
    return {**_finding(found), "lineNumber": found.start.row, "path": found.file, "reason": reason}


def _finding(found: Diagnostic) -> dict[str, Any]:
    return {"id": found.fingerprint, "rule": {"id": found.code, "name": found.name, "url": found.url}}

"""SARIF 2.1.0, for code scanning and for editors."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from codemods import __version__
from codemods.finding import FileResult, Fix, Location, Step
from codemods.report.context import INVALID_SYNTAX, Context, Needs
from codemods.report.diagnostics import HOME_PAGE, INVALID_SYNTAX_NAME, Diagnostic, diagnostics, rule_url
from codemods.report.json_text import dumps
from codemods.report.patch import patch_name
from codemods.rules import Rule, all_rules
from codemods.source import Source

FOR_PEOPLE = False
NEEDS = Needs.EDITS

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The document as one piece."""
    rules = [*map(_rule, all_rules()), _invalid_syntax()]
    indexes = {rule["id"]: index for index, rule in enumerate(rules)}
    found: list[dict[str, Any]] = []
    notifications: list[dict[str, Any]] = []
    for result in results:
        found.extend(_result(diagnostic, indexes) for diagnostic in diagnostics(result))
        if result.error is not None and not result.error.syntax:
            notifications.append(_notification(result.path, result.error.message))
    driver = {
        "informationUri": HOME_PAGE,
        "name": "picklefix",
        "rules": rules,
        "semanticVersion": __version__,
        "version": __version__,
    }
    run = {
        "automationDetails": {"id": "picklefix/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}],
        "results": found,
        "tool": {"driver": driver},
    }
    yield dumps({"$schema": _SCHEMA, "runs": [run], "version": "2.1.0"}, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    lines = rule.documentation.strip().split("\n")
    text = "\n".join(lines)
    return {
        "defaultConfiguration": {"level": "warning"},
        "fullDescription": {"text": lines[0]},
        "help": {"markdown": text, "text": text},
        "helpUri": rule_url(rule.name),
        "id": rule.code,
        "name": rule.name,
        "properties": {"precision": "high", "problem.severity": "warning", "tags": ["pickle", "reliability"]},
        "shortDescription": {"text": lines[0]},
    }


def _invalid_syntax() -> dict[str, Any]:
    text = "A file that does not parse."
    return {
        "defaultConfiguration": {"level": "error"},
        "fullDescription": {"text": text},
        "help": {"markdown": text, "text": text},
        "id": INVALID_SYNTAX,
        "name": INVALID_SYNTAX_NAME,
        "properties": {"precision": "very-high", "problem.severity": "error", "tags": ["syntax"]},
        "shortDescription": {"text": text},
    }


def _result(found: Diagnostic, indexes: dict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "level": found.severity,
        "locations": [{"physicalLocation": _place(found.file, found.start, found.end)}],
        "message": {"text": "\n".join(filter(None, [found.message, found.remark]))},
        "partialFingerprints": {"primaryLocationLineHash": f"{found.fingerprint}:1"},
        "ruleId": found.code,
        "ruleIndex": indexes[found.code],
    }
    if found.finding is not None and found.finding.reach.steps:
        steps = [{"location": _step(step)} for step in found.finding.reach.steps]
        result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    if found.finding is not None and found.finding.fix is not None and found.source is not None:
        result["fixes"] = [_fix(found.file, found.finding.fix, found.source)]
        result["properties"] = {"applicability": found.finding.fix.safety.value}
    return result


def _fix(file: str, fix: Fix, source: Source) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": _region(source.location(edit.start), source.location(edit.end)),
            "insertedContent": {"text": edit.text},
        }
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(file), "replacements": replacements}
    return {"artifactChanges": [change], "description": {"text": fix.title}}


def _step(step: Step) -> dict[str, Any]:
    return {"message": {"text": step.text}, "physicalLocation": _place(patch_name(step.path), step.location)}


def _notification(path: str, message: str) -> dict[str, Any]:
    place = {"physicalLocation": {"artifactLocation": _artifact(patch_name(path))}}
    return {"level": "error", "locations": [place], "message": {"text": message}}


def _place(file: str, start: Location, end: Location | None = None) -> dict[str, Any]:
    return {"artifactLocation": _artifact(file), "region": _region(start, end)}


def _artifact(file: str) -> dict[str, str]:
    # Relative to the top of the repository, wherever that is checked out; bytes that are not UTF-8 stay what they are.
    return {"uri": quote(os.fsencode(file)), "uriBaseId": _ROOT}


def _region(start: Location, end: Location | None) -> dict[str, int]:
    region = {"startColumn": start.column, "startLine": start.row}
    return region if end is None else {**region, "endColumn": end.column, "endLine": end.row}

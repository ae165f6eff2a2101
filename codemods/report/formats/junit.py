"""JUnit XML, as the schema of Jenkins has it: a suite for each file, a failed test for each finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from codemods.finding import FileResult
from codemods.report.context import Context, Needs
from codemods.report.diagnostics import Diagnostic, diagnostics
from codemods.report.patch import patch_name

FOR_PEOPLE = False
NEEDS = Needs.FINDINGS

# Everything that XML 1.0 cannot hold, not even as a reference.
_IMPOSSIBLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Suite(NamedTuple):
    name: str
    tests: int
    failures: int
    errors: int
    text: str


def render(results: Iterable[FileResult], context: Context) -> Iterator[str]:
    """The document; without any finding it holds one test that passes, since some programs take no empty one."""
    suites = [suite for suite in map(_suite, results) if suite is not None]
    suites = suites or [_Suite("picklefix", 1, 0, 0, '    <testcase name="nothing found" classname="picklefix"/>\n')]
    totals = {name: str(sum(getattr(suite, name) for suite in suites)) for name in ("tests", "failures", "errors")}
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites{_attributes(name="picklefix", **totals)}>\n'
    for suite in suites:
        counts = {"tests": str(suite.tests), "failures": str(suite.failures), "errors": str(suite.errors)}
        start = _attributes(name=suite.name, **counts, skipped="0", package="picklefix")
        yield f"  <testsuite{start}>\n{suite.text}  </testsuite>\n"
    yield "</testsuites>\n"


def _suite(result: FileResult) -> _Suite | None:
    found = list(diagnostics(result))
    cases = [_case(diagnostic) for diagnostic in found]
    errors = 0
    if result.error is not None and not result.error.syntax:
        errors = 1
        cases.append(
            _element("error", patch_name(result.path), "error", "error", result.error.message, result.error.message)
        )
    if not cases:
        return None
    return _Suite(patch_name(result.path), len(cases), len(found), errors, "".join(cases))


def _case(found: Diagnostic) -> str:
    place = f"line {found.start.row}, column {found.start.column}"
    text = "\n".join(filter(None, [f"{place}: {found.message}", found.remark]))
    name = f"{found.code} {found.name} ({place})"
    return _element("failure", found.file, name, found.severity, found.message, text)


def _element(kind: str, file: str, name: str, severity: str, message: str, text: str) -> str:
    case = _attributes(name=name, classname=file.removesuffix(".py"))
    inner = f"<{kind}{_attributes(type=severity, message=message)}>{escape(_possible(text))}</{kind}>"
    return f"    <testcase{case}>\n      {inner}\n    </testcase>\n"


def _attributes(**values: str) -> str:
    return "".join(f" {name}={quoteattr(_possible(value))}" for name, value in values.items())


def _possible(text: str) -> str:
    return _IMPOSSIBLE.sub("\N{REPLACEMENT CHARACTER}", text)

"""Generators that are stored or pickled."""

from __future__ import annotations

import pytest

from codemods import engine
from codemods.finding import FileResult, Safety

PRELUDE = "import itertools\nimport pickle\n\n\ndef numbers():\n    yield 1\n\n\n"


def fix(statement: str, unsafe_fixes: bool = False) -> FileResult:
    options = engine.Options(select=frozenset({"PKL202"}), unsafe_fixes=unsafe_fixes)
    return engine.fix("example.py", f"{PRELUDE}def run(rows, cache):\n    {statement}\n".encode(), options)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pickle.dumps(row for row in rows)", "pickle.dumps(iter([row for row in rows]))"),
        ("pickle.dumps((row for row in rows))", "pickle.dumps(iter([row for row in rows]))"),
        ("pickle.dumps([1, (row for row in rows)])", "pickle.dumps([1, iter([row for row in rows])])"),
    ],
)
def test_what_is_pickled_at_once(before: str, after: str) -> None:
    assert after in fix(before).after.decode()


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("pickle.dumps(numbers())", "generator-kept"),
        ("pickle.dumps(n for n in itertools.count())", "endless-generator"),
        ("pickle.dumps(n for n in iter(rows.pop, None))", "endless-generator"),
    ],
)
def test_what_cannot_be_a_list(statement: str, reason: str) -> None:
    result = fix(statement, unsafe_fixes=True)
    assert not result.changed
    assert [finding.refusal and finding.refusal.reason for finding in result.findings] == [reason]


def test_what_is_stored_is_unsafe() -> None:
    result = fix("cache['rows'] = (row for row in rows)")
    assert [finding.fix and finding.fix.safety for finding in result.findings] == [Safety.UNSAFE]
    assert (
        b"cache['rows'] = iter([row for row in rows])"
        in fix("cache['rows'] = (row for row in rows)", unsafe_fixes=True).after
    )


@pytest.mark.parametrize(
    "statement",
    [
        "return (row for row in rows)",
        "return sum(row for row in rows)",
        "cache['pairs'] = zip(rows, rows)",
        "cache['keys'] = iter({'a': 1})",
        "return cache.kind(row for row in rows)",
    ],
)
def test_what_is_nobodys_concern(statement: str) -> None:
    assert fix(statement).findings == ()

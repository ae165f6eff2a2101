"""What is looked at of a file: the changed lines, as if all of it had been looked at."""

from __future__ import annotations

import pytest

from codemods import engine
from codemods.finding import Finding, Level
from codemods.fingerprint import fingerprints

TEXT = """import threading


class Worker:
    def __init__(self):
        self.lock = threading.Lock()

    def makers(self):
        return [
            lambda: self,
            lambda: self,
            lambda: 1,
            lambda: self,
        ]


def make(factor):
    def scale(x):
        return x * factor

    return scale


def others(factor):
    yield lambda: self
    yield lambda: factor
"""
OPTIONS = engine.Options(reach=Level.LOCAL)


def found(options: engine.Options) -> dict[str, Finding]:
    result = engine.check("module.py", TEXT.encode(), options)
    return dict(zip(fingerprints(result, "module.py"), result.findings, strict=True))


@pytest.mark.parametrize("row", range(1, TEXT.count("\n") + 1))
def test_a_line(row: int) -> None:
    """All that touches a line is found as in the whole file, and told apart from others by the same fingerprint."""
    whole = found(OPTIONS)
    narrow = found(OPTIONS._replace(rows=frozenset({row})))
    for fingerprint, finding in whole.items():
        if finding.start.row <= row <= finding.end.row:
            known = narrow[fingerprint]
            assert (known.start, known.code, known.reach, known.refusal) == (
                finding.start,
                finding.code,
                finding.reach,
                finding.refusal,
            )


def test_what_is_left_out() -> None:
    rows = {finding.start.row for finding in found(OPTIONS._replace(rows=frozenset({12}))).values()}
    assert 12 in rows
    assert not rows & {10, 11, 13, 18, 25, 26}

"""The table of exit statuses, as one test."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codemods import engine
from tests.cli.conftest import BROKEN, CLEAN, DECLINED, FIXABLE, Outcome

SUPPRESSED = FIXABLE.replace(b"\n", b"  # picklefix: ignore[PKL103]\n")
EMPTY = b'{"version": 1, "findings": []}'
Files = dict[str, bytes]


@pytest.mark.parametrize(
    ("files", "arguments", "status"),
    [
        pytest.param({"a.py": CLEAN}, "check a.py", 0, id="check-nothing-to-do"),
        pytest.param({"a.py": CLEAN}, "diff a.py", 0, id="diff-nothing-to-do"),
        pytest.param({"a.py": CLEAN}, "migrate a.py", 0, id="migrate-nothing-to-do"),
        pytest.param({"a.py": b""}, "migrate a.py", 0, id="empty-file"),
        pytest.param({"a.py": FIXABLE}, "check a.py", 1, id="check-findings"),
        pytest.param({"a.py": FIXABLE}, "check --output-format json a.py", 1, id="check-findings-json"),
        pytest.param({"a.py": FIXABLE}, "check --statistics a.py", 1, id="check-statistics"),
        pytest.param({"a.py": FIXABLE}, "check -q a.py", 1, id="check-quiet"),
        pytest.param({"a.py": FIXABLE}, "check -o report.txt a.py", 1, id="check-output-file"),
        pytest.param({"a.py": FIXABLE}, "check --exit-zero a.py", 0, id="check-exit-zero"),
        pytest.param({"a.py": FIXABLE}, "check --ignore PKL103 a.py", 0, id="check-ignored"),
        pytest.param({"a.py": FIXABLE}, "check --show-files a.py", 0, id="check-show-files"),
        pytest.param({"a.py": FIXABLE}, "diff a.py", 1, id="diff-not-empty"),
        pytest.param({"a.py": FIXABLE}, "diff --exit-zero a.py", 0, id="diff-exit-zero"),
        pytest.param({"a.py": DECLINED}, "diff a.py", 1, id="diff-findings-without-a-fix"),
        pytest.param({"a.py": FIXABLE}, "migrate a.py", 0, id="migrate-all-fixed"),
        pytest.param({"a.py": FIXABLE}, "migrate --exit-non-zero-on-fix a.py", 1, id="migrate-non-zero-on-fix"),
        pytest.param({"a.py": CLEAN}, "migrate --exit-non-zero-on-fix a.py", 0, id="migrate-non-zero-no-fix"),
        pytest.param(
            {"a.py": FIXABLE}, "migrate --exit-non-zero-on-fix --exit-zero a.py", 0, id="exit-zero-over-non-zero-on-fix"
        ),
        pytest.param({"a.py": FIXABLE + DECLINED}, "migrate a.py", 1, id="migrate-some-left"),
        pytest.param({"a.py": FIXABLE + DECLINED}, "migrate --exit-zero a.py", 0, id="migrate-exit-zero"),
        pytest.param({"a.py": BROKEN}, "check a.py", 1, id="check-does-not-parse"),
        pytest.param({"a.py": BROKEN}, "diff a.py", 1, id="diff-does-not-parse"),
        pytest.param({"a.py": BROKEN}, "migrate a.py", 1, id="migrate-does-not-parse"),
        pytest.param({"a.py": BROKEN}, "check --exit-zero a.py", 0, id="exit-zero-does-not-parse"),
        pytest.param({"a.py": b"x = '\xff'  # lambda\n"}, "check a.py", 2, id="undecodable"),
        pytest.param({"a.py": b"# coding: no-such-thing\nx = lambda: 1\n"}, "check a.py", 2, id="unknown-encoding"),
        pytest.param({"a.py": b"# coding: latin-1\nx = lambda: '\xff'\n"}, "migrate a.py", 0, id="latin-1"),
        pytest.param({}, "check missing.py", 2, id="check-missing-path"),
        pytest.param({}, "diff missing.py", 2, id="diff-missing-path"),
        pytest.param({}, "migrate missing.py", 2, id="migrate-missing-path"),
        pytest.param({}, "check --exit-zero missing.py", 2, id="exit-zero-missing-path"),
        pytest.param({"a.py": FIXABLE}, "check a.py missing.py", 2, id="two-over-one"),
        pytest.param({"a.py": BROKEN, "b.py": CLEAN}, "check b.py a.py", 1, id="one-over-zero"),
        pytest.param({"a.txt": b""}, "check .", 0, id="no-python-file"),
        pytest.param({}, "migrate .", 0, id="empty-folder"),
        pytest.param({"a.py": CLEAN}, "check --no-such-option a.py", 2, id="unknown-option"),
        pytest.param({"a.py": CLEAN}, "check --reach nowhere a.py", 2, id="bad-choice"),
        pytest.param({"a.py": CLEAN}, "check --jobs 0 a.py", 2, id="bad-number"),
        pytest.param({"a.py": CLEAN}, "no-such-command", 2, id="unknown-command"),
        pytest.param({"a.py": CLEAN}, "check --select PKX a.py", 2, id="unknown-rule"),
        pytest.param({"a.py": CLEAN}, "check - a.py", 2, id="stdin-and-a-path"),
        pytest.param({"a.py": CLEAN}, "rule no-such-rule", 2, id="rule-unknown"),
        pytest.param({}, "rule PKL101", 0, id="rule"),
        pytest.param({}, "rule", 0, id="rules"),
        pytest.param({}, "config", 0, id="config"),
        pytest.param({"setup.cfg": b"[tool:picklefix]\nselct = PKL1\n"}, "config", 2, id="config-unknown-key"),
        pytest.param({"a.py": CLEAN, "pyproject.toml": b"[tool.picklefix\n"}, "check", 2, id="config-not-toml"),
        pytest.param({"a.py": CLEAN}, "check --config line-length=wide a.py", 2, id="config-bad-type"),
        pytest.param({"a.py": CLEAN}, "check --config missing.toml a.py", 2, id="config-missing"),
        pytest.param({"a.py": b"x = (\n"}, "check a.py", 1, id="check-any-file-that-does-not-parse"),
        pytest.param({"a.py": SUPPRESSED}, "check a.py", 0, id="check-suppressed"),
        pytest.param({"a.py": SUPPRESSED}, "check --ignore-noqa a.py", 1, id="check-ignore-noqa"),
        pytest.param({"a.py": SUPPRESSED}, "diff a.py", 0, id="diff-suppressed"),
        pytest.param({"a.py": SUPPRESSED}, "migrate --exit-non-zero-on-fix a.py", 0, id="migrate-suppressed"),
        pytest.param({"a.py": CLEAN + b"# picklefix: ignore\n"}, "check a.py", 1, id="check-unused-suppression"),
        pytest.param({"a.py": FIXABLE}, "check --add-ignore why a.py", 0, id="add-ignore"),
        pytest.param({"a.py": BROKEN}, "check --add-ignore why a.py", 1, id="add-ignore-does-not-parse"),
        pytest.param({}, "check --add-ignore why a.py", 2, id="add-ignore-missing-path"),
        pytest.param({"a.py": FIXABLE}, "check --add-ignore #1 a.py", 2, id="add-ignore-bad-reason"),
        pytest.param({"a.py": FIXABLE}, "check --write-baseline b.json a.py", 0, id="write-baseline"),
        pytest.param({"a.py": BROKEN}, "check --write-baseline b.json a.py", 1, id="write-baseline-does-not-parse"),
        pytest.param({}, "check --write-baseline b.json a.py", 2, id="write-baseline-missing-path"),
        pytest.param(
            {"a.py": FIXABLE}, "check --write-baseline no/such/folder a.py", 2, id="write-baseline-not-writable"
        ),
        pytest.param({"a.py": FIXABLE, "b.json": EMPTY}, "check --baseline b.json a.py", 1, id="baseline-new-finding"),
        pytest.param({"a.py": CLEAN, "b.json": EMPTY}, "check --baseline b.json a.py", 0, id="baseline-no-finding"),
        pytest.param({"a.py": CLEAN}, "check --baseline b.json a.py", 2, id="baseline-missing"),
        pytest.param({"a.py": CLEAN, "b.json": b"{"}, "check --baseline b.json a.py", 2, id="baseline-broken"),
        pytest.param({"a.py": CLEAN}, "check --baseline a --write-baseline b a.py", 2, id="baseline-read-and-written"),
        pytest.param({"a.py": FIXABLE}, "check --show-settings a.py", 0, id="show-settings"),
        pytest.param({"a.py": FIXABLE}, "migrate --unfixable ALL a.py", 1, id="migrate-unfixable"),
        pytest.param({"a.py": FIXABLE}, "migrate --unfixable PKX a.py", 2, id="migrate-unfixable-unknown"),
        pytest.param({"a.py": FIXABLE}, "migrate --verify-with true a.py", 0, id="verify-succeeds"),
        pytest.param({"a.py": FIXABLE}, "migrate --verify-with false a.py", 2, id="verify-fails-before"),
        pytest.param({"a.py": FIXABLE}, "migrate --verify-with no-such-command a.py", 2, id="verify-not-found"),
        pytest.param({"a.py": CLEAN}, "migrate --verify-with false a.py", 0, id="verify-nothing"),
        pytest.param({"a.py": FIXABLE}, "migrate --verify-with true -", 2, id="verify-stdin"),
        pytest.param({"a.py": FIXABLE}, "review a.py", 2, id="review-without-a-terminal"),
        pytest.param({"a.py": FIXABLE}, "check -o no/such/folder a.py", 2, id="output-file-not-writable"),
        pytest.param({"a.py": b"# coding: latin-1\nx = lambda: '\xff'\n"}, "check a.py", 1, id="check-latin-1"),
        pytest.param({"a.py": b"# coding: latin-1\nx = lambda: '\xff'\n"}, "diff a.py", 1, id="diff-latin-1"),
        pytest.param({}, "check --report spawn missing.py", 2, id="readiness-missing-path"),
        pytest.param({"a.py": CLEAN}, "check --report spawn a.py", 0, id="readiness-ready"),
        pytest.param({"a.py": CLEAN}, "check --report spawn --output-format sarif a.py", 2, id="readiness-no-form"),
        pytest.param({"a.py": CLEAN}, "check --statistics --output-format html a.py", 2, id="statistics-no-form"),
        pytest.param({"a.py": CLEAN}, f"check {os.devnull}", 2, id="not-a-regular-file"),
        pytest.param({"a.py": CLEAN}, f"migrate a.py {os.devnull}", 2, id="migrate-not-a-regular-file"),
        pytest.param({"a.py": CLEAN}, "check a.py/b.py", 2, id="below-a-file"),
        pytest.param({"a.py": CLEAN}, "check --ignore PKX a.py", 2, id="unknown-rule-to-ignore"),
        pytest.param({"a.py": CLEAN}, "check --extend-select pkl101 a.py", 2, id="unknown-rule-to-add"),
        pytest.param({"a.py": CLEAN}, "migrate --fixable PKX a.py", 2, id="unknown-rule-to-fix"),
        pytest.param({"a.py": CLEAN}, "check --config extend-safe-fixes=PKX a.py", 2, id="unknown-rule-to-trust"),
        pytest.param({"a.py": CLEAN}, "check --config required-version=99 a.py", 2, id="other-version-required"),
        pytest.param({"a.py": CLEAN}, "check --config selct=ALL a.py", 2, id="unknown-key"),
        pytest.param({"a.py": FIXABLE}, "check --select= a.py", 2, id="no-rule-selected"),
        pytest.param({"a.py": FIXABLE}, "check --exclude= a.py", 1, id="nothing-excluded"),
        pytest.param({"a.py": FIXABLE}, "check --add-ignore why -", 2, id="add-ignore-stdin"),
        pytest.param({}, "check --show-files -", 0, id="show-files-stdin"),
        pytest.param({"a.py": CLEAN}, "check --report spawn --statistics a.py", 2, id="readiness-statistics"),
        pytest.param({"a.py": FIXABLE}, "migrate --verify-with= a.py", 2, id="verify-no-command"),
        pytest.param({}, "review -", 2, id="review-stdin"),
        pytest.param({}, "config missing.py", 2, id="config-missing-path"),
        pytest.param({"a.py": CLEAN}, "config a.py", 0, id="config-of-a-file"),
        pytest.param({}, "sinks", 0, id="sinks"),
        pytest.param({}, "sinks no-such-call", 2, id="sinks-unknown"),
        pytest.param({}, "resources", 0, id="resources"),
        pytest.param({}, "resources no-such-type", 2, id="resources-unknown"),
        pytest.param({}, "doctor", 0, id="doctor"),
        pytest.param({}, "explain missing.txt", 2, id="explain-missing-path"),
        pytest.param({"a.txt": b"all is well\n"}, "explain a.txt", 0, id="explain-another-error"),
        pytest.param({}, "trace missing.py", 2, id="trace-missing-path"),
        pytest.param({}, "verify", 2, id="verify-no-target"),
        pytest.param({}, "verify nothing", 2, id="verify-no-name"),
        pytest.param({}, "verify missing.py:f", 2, id="verify-missing-path"),
        pytest.param({"a.py": FIXABLE}, "suggest --base HEAD", 2, id="suggest-no-repository"),
        pytest.param({}, "--help", 0, id="help"),
        pytest.param({}, "--version", 0, id="version"),
    ],
)
def test_exit_status(project: Path, invoke: Callable[..., Outcome], files: Files, arguments: str, status: int) -> None:
    for name, data in files.items():
        (project / name).write_bytes(data)
    outcome = invoke(*arguments.split())
    assert outcome.status == status, outcome
    assert "Traceback" not in outcome.stderr


@pytest.mark.parametrize("command", ["check", "diff", "migrate"])
def test_a_crash_in_one_file_ends_with_2_and_the_others_are_done(
    project: Path, invoke: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (project / name).write_bytes(FIXABLE)
    for name in ("check", "fix"):
        monkeypatch.setattr(engine, name, _crashing(getattr(engine, name), "b.py"))
    outcome = invoke(command, ".")
    assert outcome.status == 2
    assert "b.py: internal error, ZeroDivisionError" in outcome.stderr
    assert "Traceback" not in outcome.stderr
    text = outcome.stdout.decode() + outcome.stderr
    assert "a.py:1" in text
    assert "c.py:1" in text
    if command == "migrate":
        assert [(project / name).read_bytes() == FIXABLE for name in ("a.py", "b.py", "c.py")] == [False, True, False]


def _crashing(work: Callable[..., object], name: str) -> Callable[..., object]:
    def crashing(path: str, data: bytes, *around: Any, **more: Any) -> object:
        return 1 / 0 if path == name else work(path, data, *around, **more)

    return crashing

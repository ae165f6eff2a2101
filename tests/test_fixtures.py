"""The fixtures: ``fixtures/RULE/CASE.py`` holds a module, a line ``# output``, and the module as it is rewritten.

A file without that line is to be left alone. One that begins with ``# unsafe`` is for unsafe fixes. One without
``build()`` is not run. ``pytest --update`` writes what the engine makes of the modules; read it
in ``git diff`` before you believe it.
"""

from __future__ import annotations

import pathlib

import pytest

from codemods import engine
from codemods.rules import all_rules
from tests.pickling import Subject

FOLDER = pathlib.Path(__file__).parent.parent / "fixtures"
NOT_OF_A_RULE = {"quickstart"}
DIVIDER = "# output\n"
UNSAFE = "# unsafe\n"

CASES = sorted(path for path in FOLDER.glob("*/*.py") if path.parent.name not in NOT_OF_A_RULE)
REWRITTEN = [path for path in CASES if DIVIDER in path.read_text("utf-8")]
BEHAVING = [path for path in REWRITTEN if "def build(" in path.read_text("utf-8")]


def identify(path: pathlib.Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def parts(path: pathlib.Path) -> tuple[str, str]:
    """The module as it is, and as it is to become."""
    before, divider, after = path.read_text("utf-8").partition(DIVIDER)
    return before, after if divider else before


@pytest.mark.parametrize("path", CASES, ids=identify)
def test_rewrite(path: pathlib.Path, request: pytest.FixtureRequest) -> None:
    before, expected = parts(path)
    options = engine.Options(unsafe_fixes=before.startswith(UNSAFE))
    result = engine.fix(path.name, before.encode(), options)
    assert result.error is None
    after = result.after.decode()
    if request.config.getoption("--update"):
        path.write_text(before if after == before else before + DIVIDER + after, "utf-8")
        return
    assert after == expected
    assert engine.fix(path.name, result.after, options).after == result.after
    rules = {finding.name for finding in result.findings}
    if before != expected:
        assert path.parent.name in rules
        assert after.isascii() or before.isascii() is False
    else:
        assert not any(finding.fix for finding in result.findings)


@pytest.mark.parametrize("path", BEHAVING, ids=identify)
def test_behaviour(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    before, after = parts(path)
    subjects = []
    for name, text in (("before", before), ("after", after)):
        (tmp_path / name).mkdir()
        module = tmp_path / name / f"{path.stem}.py"
        module.write_text(text, "utf-8")
        subjects.append(Subject(module))
    original, rewritten = subjects
    value = original.observe().value
    assert original.dump().error or original.load().error
    assert rewritten.observe().value == value
    assert rewritten.dump().value == value
    assert rewritten.load().value == value


def test_every_rule_has_fixtures_of_both_kinds() -> None:
    for rule in all_rules():
        cases = [path for path in CASES if path.parent.name == rule.name]
        assert [path for path in cases if path in REWRITTEN], f"{rule.name}: nothing is rewritten"
        assert [path for path in cases if path not in REWRITTEN], f"{rule.name}: nothing is left alone"

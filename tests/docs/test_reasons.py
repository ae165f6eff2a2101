"""Every reason code is explained, and the examples of the explanations are what they say they are."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from codemods import engine
from codemods.analysis.reasons import ADVICE
from codemods.catalog.reasons import explanations
from codemods.cli.commands.rule import command
from codemods.finding import Level

WITH_EXAMPLE = [code for code, explanation in explanations().items() if explanation.example]
WITH_INSTEAD = [code for code, explanation in explanations().items() if explanation.instead]


def reasons(text: str) -> set[str]:
    """The reason codes for which something in a module is declined."""
    result = engine.check("example.py", text.encode(), engine.Options(Level.STATE))
    assert result.error is None
    return {finding.refusal.reason for finding in result.findings if finding.refusal}


def test_every_reason_code_is_explained_and_no_other() -> None:
    assert set(explanations()) == set(ADVICE)


@pytest.mark.parametrize("code", list(ADVICE))
def test_explanations_are_sentences(code: str) -> None:
    explanation = explanations()[code]
    for text in (explanation.means, explanation.by_hand):
        assert text[0].isupper() or text[0] == "`"
        assert text.rstrip()[-1] in ".`"


@pytest.mark.parametrize("code", WITH_EXAMPLE)
def test_the_example_is_declined_for_this_reason(code: str) -> None:
    assert code in reasons(explanations()[code].example)


@pytest.mark.parametrize("code", WITH_INSTEAD)
def test_what_to_write_instead_is_not(code: str) -> None:
    assert code not in reasons(explanations()[code].instead)


def test_the_rule_command_explains_reasons() -> None:
    run = CliRunner().invoke(command, ["shared-cell"])
    assert run.exit_code == 0
    assert run.output.startswith("# shared-cell\n")
    assert "    class Counter:\n" in run.output


def test_a_reason_that_is_not_known_gets_the_nearest_one() -> None:
    run = CliRunner().invoke(command, ["shared-cel"])
    assert run.exit_code == 2
    assert "did you mean `shared-cell`?" in run.output

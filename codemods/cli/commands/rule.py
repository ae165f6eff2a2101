"""``picklefix rule``."""

from __future__ import annotations

import sys

import click

from codemods.catalog.reasons import explanations
from codemods.cli.completion import complete_rules
from codemods.cli.console import Failure, standard
from codemods.rules import Rule, all_rules
from codemods.settings import nearest


@click.command()
@click.argument("rule", required=False, metavar="[CODE|NAME|REASON]", shell_complete=complete_rules)
def command(rule: str | None) -> None:
    """Explain a rule or a reason code, or list all rules.

    \b
    Example:
      picklefix rule
      picklefix rule PKL101
      picklefix rule nested-function
      picklefix rule late-bound-loop-variable
    """
    output = standard(sys.stdout, "never", "standard output")
    if rule is None:
        for known in all_rules():
            output.write(f"{known.code} {known.name}: {known.documentation.strip().splitlines()[0]}\n")
    elif rule in explanations():
        output.write(explanations()[rule].markdown(rule))
    else:
        found = _find(rule)
        output.write(f"# {found.name} ({found.code})\n\n{found.documentation.strip()}\n")
    output.flush()


def _find(text: str) -> Rule:
    for rule in all_rules():
        if text in (rule.code, rule.name):
            return rule
    known = [name for rule in all_rules() for name in (rule.code, rule.name)]
    hint = nearest(text, [*known, *explanations()])
    if "did you mean" not in hint:
        hint = nearest(text, known)  # The reasons are too many to list.
    raise Failure(f"unknown rule `{text}`{hint}")

"""What the shell offers where a rule is to be named."""

from __future__ import annotations

import click


def complete_rules(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The codes and names of rules that begin with what is written, after the last comma."""
    from codemods.rules import all_rules  # Imported only here: nothing else needs them to read the command line.

    done, comma, last = incomplete.rpartition(",")
    known = [name for rule in all_rules() for name in (rule.code, rule.name)]
    return [f"{done}{comma}{name}" for name in known if name.startswith(last)]

"""The page of all commands: what ``--help`` prints."""

from __future__ import annotations

import click

from codemods.cli.main import COMMANDS, program

_INTRODUCTION = """# Commands

Every command exits with 0 if nothing is left to do, with 1 if findings remain, a file would change or does not parse,
and with 2 for wrong usage, files that cannot be read and faults of picklefix itself. 2 wins over 1.

`python -m codemods` is the same as `picklefix`.
"""


def pages() -> dict[str, str]:
    """The text of the page by its path."""
    parts = [_INTRODUCTION]
    group = click.Context(program, info_name="picklefix")
    for name in COMMANDS:
        command = program.get_command(group, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=group, terminal_width=100, max_content_width=100)
        parts.append(f"## picklefix {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return {"reference/commands.md": "\n".join(parts)}

"""The program: its commands by name, and how it ends."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from types import FrameType
from typing import cast

import click

from codemods import __version__

# With their help, so that listing the commands does not import them.
COMMANDS = {
    "check": "Report what pickle would refuse; change nothing.",
    "diff": "Print the patch that migrate would write; change nothing.",
    "migrate": "Rewrite files so that their objects can be pickled.",
    "review": "Ask about each fix, with its diff, and make those that are accepted.",
    "explain": "Say what a pasted error means, where its cause is, and what mends it.",
    "trace": "Run a program and say which part of an object does not pickle.",
    "verify": "Prove that objects survive the way into a fresh process.",
    "tests": "Write a test file that proves that a project's objects can be pickled.",
    "doctor": "Say how processes start here and what libraries do about pickling.",
    "suggest": "Suggest fixes for what a pull request changes, to be applied with one click.",
    "rule": "Explain a rule or a reason code, or list all rules.",
    "sinks": "List the calls that pickle, what of their arguments travels, and how.",
    "resources": "List the types that do not pickle, and how each is restored.",
    "config": "Show the settings that hold for a path, and where they come from.",
}
_INTERRUPTED = 128 + signal.SIGINT
_TERMINATED = 128 + signal.SIGTERM


class Program(click.Group):
    """A group that imports a command only when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return cast(click.Command, importlib.import_module(f"codemods.cli.commands.{cmd_name}").command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="picklefix", message="%(prog)s %(version)s")
def program() -> None:
    """Make Python code picklable and safe under the spawn start method.

    \b
    Example:
      picklefix check src         what is wrong, and where it is pickled
      picklefix diff src          what migrate would write, as a patch
      picklefix migrate src       write it

    \b
    Completion of commands, options and rules, in ~/.bashrc or ~/.zshrc (bash_source or zsh_source), or for fish:
      eval "$(_PICKLEFIX_COMPLETE=bash_source picklefix)"
      _PICKLEFIX_COMPLETE=fish_source picklefix | source

    Exit status: 0 if nothing is left to do, 1 if findings are left or a file does not parse, 2 for errors.
    """


def main() -> None:
    """Run the program; the console script."""
    signal.signal(signal.SIGTERM, _terminate)
    if sys.stderr is None:  # Closed: what is said is lost, as was asked for, and does not fail.
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 -- it stays open
    try:
        status = program.main(prog_name="picklefix", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except BrokenPipeError:
        status = _silenced(1)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"error: {place}{error.strerror}; check the current folder and the free space", err=True)
        status = _silenced(2)
    except click.Abort:
        click.echo("interrupted; every file is as it was or completely rewritten", err=True)
        status = _INTERRUPTED
    sys.exit(status or 0)


def _silenced(status: int) -> int:
    """The same status, with nothing left that Python would try to print once more, and complain of, at the end."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _terminate(number: int, frame: FrameType | None) -> None:
    # An exception, so that what is half done is tidied up on the way out.
    raise SystemExit(_TERMINATED)

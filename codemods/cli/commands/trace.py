"""``picklefix trace``."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Any

import click

from codemods.cli.console import Failure, Output, standard
from codemods.runtime import program

_MOST_SHOWN = 3


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-m", "module", metavar="MODULE", help="Run a module, as `python -m` does.")
@click.option(
    "--start-method",
    type=click.Choice(["spawn", "forkserver", "fork"]),
    help="Have all processes start like this, whatever the program asks for: spawn is what Windows and macOS do.",
)
@click.option("--mp-log", is_flag=True, help="Have multiprocessing log what it does to standard error.")
@click.option("--python", default=sys.executable, help="The interpreter to run the program with.")
@click.option("--root", type=click.Path(exists=True), default=".", help="The project whose code is searched.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[SCRIPT] [ARGUMENT]...")
def command(
    module: str | None, start_method: str | None, mp_log: bool, python: str, root: str, arguments: tuple[str, ...]
) -> None:
    """Run a program and say which part of an object does not pickle.

    The program runs as it would without picklefix, with its output and its exit status, and so do the processes that it
    starts. When pickling or deepcopy fails in one of them, standard error says which part of the object it was, where
    that was made, which rule mends it and how.

    \b
    Example:
      picklefix trace train.py --epochs 1
      picklefix trace --start-method spawn -- train.py --epochs 1
      picklefix trace -m package.train
    """
    if not arguments and module is None:
        raise click.UsageError("name the script to run, or a module with -m.")
    line = [python, *(["-m", module] if module is not None else []), *arguments]
    if module is None and not os.path.exists(arguments[0]):
        raise Failure(f"{arguments[0]}: there is no such file; check the name, or run a module with -m")
    script = "" if module is not None else arguments[0]
    listener = _Listener(standard(sys.stderr, "auto", "standard error"), root, script)
    try:
        status = program.run(line, listener.receive, start_method=start_method or "", log_multiprocessing=mp_log)
    except OSError as error:
        raise Failure(f"{python}: cannot be run: {error.strerror}; check the path") from error
    listener.end()
    if status < 0:
        # End as the program did, so that the shell sees the same.
        with contextlib.suppress(OSError):  # Of SIGKILL there is no handler to take away.
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    click.get_current_context().exit(status)


class _Listener:
    """Explains reports as they come.

    Args:
        output: where.
        root: the project.
        script: the program, empty if it is a module.
    """

    def __init__(self, output: Output, root: str, script: str) -> None:
        self._output = output
        self._root = root
        self._script = script
        self._told: set[tuple[str, str | None, str | None]] = set()
        self._more = 0

    def receive(self, report: dict[str, Any]) -> None:
        """Explain one report, unless it says the same as another one."""
        from codemods.cli.explaining import text  # Imported only here: most programs run without a failure.
        from codemods.runtime.explanation import explained
        from codemods.runtime.reports import diagnoses

        for diagnosis in diagnoses(report, self._script):
            key = (diagnosis.kind, diagnosis.object, diagnosis.path)
            if key in self._told or (diagnosis.path is None and self._told):
                continue  # What another process says of the same failure.
            self._told.add(key)
            if len(self._told) > _MOST_SHOWN:
                self._more += 1
                continue
            explanation = explained(diagnosis, self._root)
            palette = self._output.palette
            self._output.write(f"{palette.heading('picklefix:')} process {report['pid']}: ")
            mended = explanation.mended(unsafe_fixes=False)
            hint = " ".join(["picklefix migrate", *(item.path for item in mended)])
            for piece in text(explanation, mended, palette, hint=hint):
                self._output.write(piece)
            self._output.write("\n")
            self._output.flush()

    def end(self) -> None:
        """Say how much was not told."""
        if self._more:
            self._output.write(f"picklefix: {self._more} more parts do not pickle\n")
            self._output.flush()

"""The command that the person gives to tell whether the program still works."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from typing import NamedTuple

_PATIENCE = 5.0  # seconds for a command to end that was asked to
_SHOWN_LINES = 20
_NOT_FOUND = (126, 127)  # of the shell, for a command that it cannot run


class Run(NamedTuple):
    """How a command ended.

    Args:
        status: its exit status; negative for the signal that ended it.
        tail: the last lines of what it printed.
    """

    status: int
    tail: str

    @property
    def is_missing(self) -> bool:
        """Whether there is no such command."""
        return self.status in _NOT_FOUND


def run(command: str) -> Run:
    """Run a command in the shell, without input, and wait for it; if the wait is interrupted, it is ended.

    It leaves no compiled modules behind: those of a file that is changed back within a second would be taken for those
    of the file as it is then.
    """
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=os.name == "posix",  # So that it can be ended with all that it has started.
        )
        try:
            status = process.wait()
        except BaseException:
            _end(process)
            raise
        output.seek(0)
        lines = output.read().decode("utf-8", "replace").splitlines()
    return Run(status, "\n".join(lines[-_SHOWN_LINES:]))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command and what it has started: ask first, then insist."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with contextlib.suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(process.pid, number)
            else:
                process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
            return

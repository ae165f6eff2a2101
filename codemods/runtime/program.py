"""Runs a program under watch, and hands on what its processes report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

from codemods.runtime.watching import Settings

_HERE = os.path.dirname(os.path.abspath(__file__))
_PATIENCE = 0.1  # seconds between two looks at the reports
_FORWARDED = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT")


def run(
    command: Sequence[str],
    receive: Callable[[dict[str, Any]], None],
    *,
    start_method: str = "",
    log_multiprocessing: bool = False,
) -> int:
    """Run a program, with the standard streams of this process.

    Args:
        command: the interpreter and its arguments.
        receive: is called with each report soon after it was made, in another thread.
        start_method: how all its processes start, if it is not to choose itself.
        log_multiprocessing: whether multiprocessing logs what it does to standard error.

    Returns:
        Its exit status; the negative number of the signal that ended it.

    Raises:
        OSError: if the interpreter cannot be run.
    """
    with tempfile.TemporaryDirectory(prefix="picklefix") as folder:
        reports = os.path.join(folder, "reports")
        with open(reports, "wb"):
            pass
        package = os.path.dirname(os.path.dirname(_HERE))
        settings = Settings(reports, package, start_method, os.getpid() if log_multiprocessing else 0)
        follower = _Follower(reports, receive)
        with subprocess.Popen(command, env=_environment(settings)) as process:
            follower.start()
            with_signals = _forward_signals(process)
            try:
                return process.wait()
            finally:
                for number, handler in with_signals.items():
                    signal.signal(number, handler)
                follower.stop()


class _Follower(threading.Thread):
    """Reads a file of reports as it grows."""

    def __init__(self, path: str, receive: Callable[[dict[str, Any]], None]) -> None:
        super().__init__(daemon=True)
        self._path = path
        self._receive = receive
        self._is_over = threading.Event()

    def run(self) -> None:
        with open(self._path, "rb") as stream:
            is_over = False
            while not is_over:
                # Once more after the end, for what was reported last.
                is_over = self._is_over.wait(_PATIENCE)
                position = stream.tell()
                for line in stream:
                    if not line.endswith(b"\n"):
                        stream.seek(position)
                        break
                    position += len(line)
                    self._receive(json.loads(line))

    def stop(self) -> None:
        """Read what is left, and end."""
        self._is_over.set()
        self.join()


def _environment(settings: Settings) -> dict[str, str]:
    path = [os.path.join(_HERE, "site"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PICKLEFIX_TRACE": settings.text(), "PYTHONPATH": os.pathsep.join(path)}


def _forward_signals(process: subprocess.Popen[bytes]) -> dict[int, Any]:
    """Hand signals on to the program; Ctrl-C reaches it from the terminal as it reaches this process."""

    def forward(number: int, frame: FrameType | None) -> None:
        process.send_signal(number)

    previous: dict[int, Any] = {signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN)}
    for name in _FORWARDED:
        number = getattr(signal, name, None)
        if number is not None:
            previous[number] = signal.signal(number, forward)
    return previous

"""A page in headless Chromium, driven through its debugging pipe."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

EXECUTABLE = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--hide-scrollbars", "--window-size=1400,1000", "--remote-debugging-pipe"),
)


class Page:
    """A page that is open.

    Args:
        commands: takes messages, each followed by a NUL.
        answers: gives messages likewise.
    """

    def __init__(self, commands: IO[bytes], answers: IO[bytes]) -> None:
        self._commands = commands
        self._answers = answers
        self._number = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []

    def open(self, address: str) -> None:
        """Open an address in a new tab, and wait until the page is complete."""
        self._session = None
        self.events.clear()
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.send("Page.navigate", url=address)
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._receive()

    def close(self) -> None:
        """End the browser."""
        self._session = None
        self.send("Browser.close")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command of the DevTools protocol, and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        self._commands.write(json.dumps(message).encode() + b"\0")
        self._commands.flush()
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def _receive(self) -> dict[str, Any]:
        data = bytearray()
        while (byte := self._answers.read(1)) != b"\0":
            assert byte, "the browser is gone"
            data += byte
        message: dict[str, Any] = json.loads(data)
        if "method" in message:
            self.events.append(message)
        return message

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in JavaScript."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, text=key if kind == "keyDown" else "")

    def colours(self, scheme: str) -> None:
        """Prefer ``dark`` or ``light`` colours."""
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self) -> bytes:
        """What is seen, as PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot")["data"])


@contextlib.contextmanager
def browser(profile: Path) -> Iterator[Page]:
    """A browser with a new profile."""
    assert EXECUTABLE is not None
    (command_end, commands), (answers, answer_end) = os.pipe(), os.pipe()
    line = f'exec "$0" "$@" 3<&{command_end} 4>&{answer_end}'
    process = subprocess.Popen(
        ["bash", "-c", line, EXECUTABLE, *_OPTIONS, f"--user-data-dir={profile}"],
        pass_fds=(command_end, answer_end),
        stderr=subprocess.DEVNULL,
    )
    os.close(command_end)
    os.close(answer_end)
    with os.fdopen(commands, "wb") as out, os.fdopen(answers, "rb") as into:
        try:
            page = Page(out, into)
            yield page
            page.close()
            process.wait(timeout=20)
        finally:
            process.kill()
            process.wait()

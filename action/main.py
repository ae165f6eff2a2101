"""What the GitHub Action runs: picklefix with the options that the inputs stand for. Needs nothing but Python.

Inputs come in the environment, so that no shell ever reads them, and the token reaches only the command that posts.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

_SARIF = "picklefix.sarif"


def main() -> int:
    """Run the command and write the outputs; the exit status of picklefix."""
    environment = {name: value for name, value in os.environ.items() if name != "INPUT_TOKEN"}
    reporter = environment.get("INPUT_REPORTER", "annotations")
    paths = [line for line in environment.get("INPUT_SRC", ".").splitlines() if line.strip()]
    folder = environment.get("RUNNER_TEMP") or tempfile.gettempdir()
    patch = os.path.join(folder, "picklefix.patch")
    if reporter == "review":
        try:
            base, head = _commits(environment)
        except (OSError, ValueError, KeyError, TypeError):
            print("::error::the reporter review needs an event of a pull request; use annotations for others")
            return 2
        options = ["suggest", "--base", base, "--head", head, "--post", "--patch-file", patch]
        environment["GITHUB_TOKEN"] = os.environ.get("INPUT_TOKEN", "")
    elif reporter == "annotations":
        options = ["check", "--output-format", "github"]
    elif reporter == "sarif":
        Path(_SARIF).unlink(missing_ok=True)  # The checkout may hold a link of that name, which leads anywhere.
        options = ["check", "--output-format", "sarif", "--output-file", _SARIF]
    elif reporter == "none":
        options = shlex.split(environment.get("INPUT_ARGS", "diff"))
    else:
        print(f"::error::unknown reporter {reporter!r}; use annotations, review, sarif or none")
        return 2
    with _shielded(reporter == "none" and "github" not in " ".join(options)):
        status = _run([*options, "--", *paths], environment).returncode
    if reporter != "review":
        Path(patch).write_bytes(_run(["diff", "--quiet", "--", *paths], environment, capture=True).stdout)
    _write_outputs(environment, patch, paths)
    return status


@contextlib.contextmanager
def _shielded(is_code: bool) -> Iterator[None]:
    """Keep the runner from obeying lines of code that look like its own commands, while a command prints code."""
    token = secrets.token_hex()
    if is_code:
        print(f"::stop-commands::{token}", flush=True)
    try:
        yield
    finally:
        if is_code:
            print(f"::{token}::", flush=True)


def _run(
    arguments: list[str], environment: dict[str, str], capture: bool = False
) -> subprocess.CompletedProcess[bytes]:
    # The installed script, never `python -m`: that would look for modules in the checkout first.
    script = os.path.join(os.path.dirname(sys.executable), "picklefix")
    command = [script if os.path.exists(script) else "picklefix", *arguments]
    output = subprocess.PIPE if capture else None
    return subprocess.run(
        command, env=environment, check=False, stdout=output, stderr=subprocess.DEVNULL if capture else None
    )


def _commits(environment: dict[str, str]) -> tuple[str, str]:
    """The two sides of the pull request that started the workflow."""
    with open(environment["GITHUB_EVENT_PATH"], "rb") as stream:
        pull = json.load(stream)["pull_request"]
    return pull["base"]["sha"], pull["head"]["sha"]


def _write_outputs(environment: dict[str, str], patch: str, paths: list[str]) -> None:
    found = _run(["check", "--output-format", "json", "--", *paths], environment, capture=True).stdout
    count = len(json.loads(found or b"[]"))
    with open(environment["GITHUB_OUTPUT"], "a", encoding="utf-8") as stream:
        stream.write(f"findings={count}\npatch={patch}\n")


if __name__ == "__main__":
    sys.exit(main())

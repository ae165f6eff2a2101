"""Repositories with two commits, and what the tool says about the second."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.bot.shapes import Files
from tests.cli.conftest import git


def commit(folder: Path, files: Files) -> str:
    """Make a commit of exactly these files; its hash."""
    if not (folder / ".git").exists():
        folder.mkdir(exist_ok=True)
        git("init", "--quiet", "--initial-branch=main", cwd=folder)
        git("config", "core.autocrlf", "false", cwd=folder)
    git("rm", "-r", "--quiet", "--force", "--ignore-unmatch", ".", cwd=folder)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    git("add", "--all", "--force", cwd=folder)
    git("commit", "--quiet", "--allow-empty", "--message", "Change", cwd=folder)
    return git("rev-parse", "HEAD", cwd=folder).decode().strip()


def pull_request(folder: Path, base: Files, head: Files) -> tuple[str, str]:
    """A repository whose last commit is a pull request; the hashes of both commits."""
    return commit(folder, base), commit(folder, head)


def comments(output: bytes) -> list[dict[str, Any]]:
    """The comments in a payload for GitHub."""
    found = json.loads(output)
    assert found["event"] == "COMMENT"
    return list(found["comments"])

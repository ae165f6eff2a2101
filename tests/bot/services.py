"""The rules of the services, written anew from their documentation: what they take, and what a click does."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

LONGEST_BODY = 65_536
_HUNK = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


def shown_lines(folder: Path, base: str, head: str, path: str) -> list[range]:
    """The lines of the new file in each hunk of a file."""
    command = ["git", "-C", str(folder), "diff", "--find-renames", f"{base}...{head}"]
    output = subprocess.run(command, capture_output=True, check=True).stdout
    sections = re.split(rb"^diff --git ", output, flags=re.MULTILINE)
    found = [section for section in sections if f"\n+++ b/{path}".encode() in section]
    ranges = []
    for section in found:
        for match in _HUNK.finditer(section):
            first, count = int(match.group(1)), int(match.group(2) or 1)
            ranges.append(range(first, first + count))
    return ranges


def complaint(comment: dict[str, Any], hunks: list[range], lines: list[str]) -> str | None:
    """Why GitHub refuses a comment on a pull request; None if it does not."""
    line, start = comment["line"], comment.get("start_line")
    if comment["side"] != "RIGHT" or comment.get("start_side", "RIGHT") != "RIGHT":
        return "side is invalid"
    if len(comment["body"]) > LONGEST_BODY:
        return "body is too long (maximum is 65536 characters)"
    if start is not None and start >= line:
        return "start line must precede the end line"
    if not any(line in hunk and (start is None or start in hunk) for hunk in hunks):
        return "line must be part of the diff"
    text = suggestion(comment["body"])
    if text is not None and text == lines[(start or line) - 1 : line]:
        return "suggestion is the current text"
    return None


def suggestion(body: str) -> list[str] | None:
    """The lines in the suggestion of a comment, each without its line feed."""
    opened = re.search(r"^(`{3,})suggestion(?::-\d+\+\d+)?\r?\n", body, re.MULTILINE)
    if opened is None:
        return None
    lines = body[opened.end() :].split("\n")
    end = next(index for index, line in enumerate(lines) if re.fullmatch(rf" {{0,3}}{opened.group(1)}`*\s*", line))
    return lines[:end]


def lines_of(data: bytes) -> list[str]:
    """The lines of a file, each without its line feed."""
    return data.decode().removesuffix("\n").split("\n")


def clicked(data: bytes, first: int, last: int, text: list[str]) -> bytes:
    """The file once a suggestion is applied: its lines take the place of those that it stands at, as they are."""
    lines = data.decode().split("\n")
    lines[first - 1 : last] = text
    return "\n".join(lines).encode()

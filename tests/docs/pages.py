"""What stands in the Markdown pages: fenced blocks, and the sessions that tutorials are."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
TUTORIALS = [path for path in PAGES if path.parent.name == "tutorials" and path.name != "index.md"]

_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>\S.*)\n(?P<text>(?:.*\n)*?)(?P=indent)```$", re.MULTILINE)
_TITLE = re.compile(r'title="([^"]+)"')
_REQUIRES = re.compile(r"^requires: *(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Args:
        language: the first word after the fence.
        title: the ``title="…"`` after it, empty if there is none.
        text: the lines inside.
        line: the number of the first line inside, from 1.
    """

    language: str
    title: str
    text: str
    line: int


@dataclass(frozen=True)
class WriteFile:
    """A block with a title: a file of the reader's project."""

    name: str
    text: str


@dataclass
class Command:
    """A line after ``$``, with what it is shown to print.

    Args:
        words: the command.
        line: where it stands in the page.
        output: the lines shown below it.
        patches: the ``diff`` blocks after it, each of which is a part of what it prints.
    """

    words: list[str]
    line: int
    output: list[str] = field(default_factory=list)
    patches: list[str] = field(default_factory=list)


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page."""
    found = []
    for match in _FENCE.finditer(text):
        title = _TITLE.search(match["info"])
        lines = re.sub(f"^{match['indent']}", "", match["text"], flags=re.MULTILINE)
        line = text.count("\n", 0, match.start()) + 2
        found.append(Block(match["info"].split()[0], title[1] if title else "", lines, line))
    return found


def requirements(text: str) -> list[str]:
    """The libraries that a page's front matter asks for."""
    found = _REQUIRES.search(text.partition("\n---\n")[0])
    return found[1].split() if found else []


def session(text: str) -> list[WriteFile | Command]:
    """What a reader of a tutorial does, step by step."""
    steps: list[WriteFile | Command] = []
    for block in blocks(text):
        if block.language == "console":
            steps.extend(_commands(block))
        elif block.language == "diff" and not block.title:
            assert isinstance(steps[-1], Command), f"line {block.line}: no command prints this"
            steps[-1].patches.append(block.text)
        elif block.title:
            steps.append(WriteFile(block.title, block.text))
    return steps


def _commands(block: Block) -> list[Command]:
    commands: list[Command] = []
    for number, line in enumerate(block.text.splitlines(), start=block.line):
        if line.startswith("$ "):
            commands.append(Command(shlex.split(line[2:], comments=True), number))
        else:
            commands[-1].output.append(line)
    return commands

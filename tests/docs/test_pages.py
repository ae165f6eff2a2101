"""What the pages show is there: commands, options, settings, formats, headings of rules."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import codemods
from codemods import report
from codemods.cli.commands import config, explain
from codemods.cli.main import COMMANDS, program
from codemods.rules import Rule, all_rules
from codemods.settings import KEYS, Settings
from tests.docs.pages import PAGES, ROOT, Block, blocks

HEADINGS = ["What it does", "Why", "Example", "Use instead", "Fix safety"]
WITH_COMMANDS = [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
OPTION = re.compile(r"`(--[a-z][a-z-]+)[ =`]")
# Wordings that mean something else too: without the frames above them nobody can tell.
NEED_FRAMES = ("module '__main__'", "Error.__init__()", "maximum recursion", "DataLoader worker")
COMPLETE = {
    "An attempt": "RuntimeError:\n    {}.",
    "Parameter": "{}. Make sure your transforms and parameters are serializable",
    "MaybeEncodingError": "multiprocessing.pool.{}: '<generator>'. Reason: 'TypeError(\"cannot pickle 'generator' object\")'",
}
"""What belongs to a wording that the page cuts short, by its beginning."""
OF_OTHER_PROGRAMS = {"--update", "--help", "--strict", "--py310-plus"}


def command_lines(page: Path) -> list[list[str]]:
    """The words after ``picklefix`` in the blocks and the sentences of a page, up to a pipe or a redirection."""
    text = page.read_text("utf-8")
    found = [shlex.split(command) for command in re.findall(r"`picklefix ([^`]+)`", text)]
    for block in blocks(text):
        for line in block.text.splitlines():
            is_command = block.language == "sh" or (block.language == "console" and line.startswith("$ "))
            if is_command and "picklefix" in line:
                found += [words[1:] for words in simple_commands(line.removeprefix("$ ")) if is_picklefix(words[0])]
    return found


def simple_commands(line: str) -> Iterator[list[str]]:
    """The words of each command in a line of a shell."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    for is_between, words in itertools.groupby(lexer, key=lambda word: set(word) <= set("|&;<>")):
        if not is_between:
            yield list(words)


def is_picklefix(word: str) -> bool:
    return word.rpartition("/")[2] == "picklefix"


def complain(words: list[str]) -> str:
    """What is wrong with a call, as click says it; empty if nothing is."""
    group = click.Context(program, info_name="picklefix")
    try:
        name, command, rest = program.resolve_command(group, list(words))
        assert command is not None
        context = click.Context(command, info_name=name, parent=group)
        values, _, _ = command.make_parser(context).parse_args(rest)
        for parameter in command.params:
            value = values.get(parameter.name)
            is_placeholder = isinstance(value, str) and value.isupper()
            if isinstance(parameter.type, click.Choice) and isinstance(value, str) and not is_placeholder:
                parameter.type.convert(value, parameter, context)
    except click.UsageError as error:
        return error.format_message()
    return ""


def options() -> set[str]:
    """The options of all commands."""
    commands = [program.get_command(click.Context(program), name) for name in COMMANDS]
    declared = [(*option.opts, *option.secondary_opts) for command in commands if command for option in command.params]
    return {name for names in declared for name in names}


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_program_accepts_the_commands_that_are_shown(page: Path) -> None:
    complaints = {" ".join(words): complain(words) for words in command_lines(page)}
    assert {words: text for words, text in complaints.items() if text} == {}


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_options_that_are_spoken_of_exist(page: Path) -> None:
    named = set(OPTION.findall(page.read_text("utf-8")))
    assert named - options() - OF_OTHER_PROGRAMS == set()


def test_commands_are_found_and_wrong_ones_are_told() -> None:
    assert len([words for page in WITH_COMMANDS for words in command_lines(page)]) > 20
    assert complain(["check", "--reach", "sink", "src"]) == ""
    assert complain(["check", "--no-such-option"]) != ""
    assert complain(["check", "--reach", "everything"]) != ""
    assert complain(["no-such-command"]) != ""


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_every_rule_is_documented(rule: Rule) -> None:
    assert re.findall(r"^## (.+)$", rule.documentation, re.MULTILINE)[: len(HEADINGS)] == HEADINGS
    assert rule.documentation.splitlines()[0].endswith(".")
    parts = re.split(r"^## .+$", rule.documentation, flags=re.MULTILINE)[1:]
    assert all(part.strip() for part in parts)


def test_every_setting_is_described_with_its_default() -> None:
    page = (ROOT / "docs/reference/configuration.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| ([^|]+) \|", page.partition("## Keys")[2], re.MULTILINE))
    assert set(KEYS) <= set(rows)
    for key in KEYS:
        default = getattr(Settings(), key.replace("-", "_"))
        if isinstance(default, bool):
            assert rows[key] == f"`{str(default).lower()}`"
        elif default == ():
            assert rows[key] == "none"


def test_formats_have_one_line_each() -> None:
    from docs.generators.tables import TABLES

    rows = TABLES["formats"]().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == list(report.format_names())
    assert all(len(row.split(" | ")[1]) > 10 for row in rows)


def errors_of_the_first_page() -> list[str]:
    """The wordings in the first column of the table of errors, complete enough to be recognised."""
    page = (ROOT / "docs/index.md").read_text("utf-8").partition("## Install")[0]
    cells = re.findall(r"^\| (.*?) \|", page, re.MULTILINE)
    texts = [text for cell in cells[2:] for text in re.findall(r"`([^`]+)`", cell)]
    whole = [text for text in texts if " " in text and not text.startswith(("…", *NEED_FRAMES))]
    frames = {
        text: next((frame for start, frame in COMPLETE.items() if text.startswith(start)), "{}") for text in whole
    }
    return [
        frame.format(text.replace("=…", "=<function <lambda> at 0x7f00> of the transform x").replace("…", "7f00"))
        for text, frame in frames.items()
    ]


@pytest.mark.parametrize("text", errors_of_the_first_page())
def test_explain_knows_the_errors_of_the_first_page(text: str, tmp_path: Path) -> None:
    run = CliRunner().invoke(explain.command, ["--root", str(tmp_path), "-"], input=f"{text}\n")
    assert run.exit_code == 1, run.output
    assert "what: " in run.output


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_of_python_compile(page: Path) -> None:
    for block in blocks(page.read_text("utf-8")):
        if block.language == "python":
            compile(block.text, f"{page.name}, line {block.line}", "exec")


def test_every_public_name_is_described() -> None:
    page = (ROOT / "docs/reference/api.md").read_text("utf-8")
    assert [name for name in codemods.__all__ if name != "__version__" and f"`{name}(" not in page] == []


def test_the_example_of_the_api_runs(tmp_path: Path) -> None:
    (example,) = [found for found in blocks((ROOT / "docs/reference/api.md").read_text("utf-8")) if found.title]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-c", example.text]
    run = subprocess.run(arguments, check=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.stdout.startswith("PKL102 3 Make the lambda a function")
    assert "functools.partial(_scaler_lambda, factor)" in run.stdout


CONFIGURATIONS = [
    pytest.param(block, id=f"{page.stem}-{block.line}")
    for page in PAGES
    for block in blocks(page.read_text("utf-8"))
    if "[tool.picklefix" in block.text or "[tool:picklefix]" in block.text
]


@pytest.mark.parametrize("block", CONFIGURATIONS)
def test_configurations_that_are_shown_are_accepted(block: Block, tmp_path: Path) -> None:
    (tmp_path / {"toml": "pyproject.toml", "ini": "setup.cfg"}[block.language]).write_text(block.text, "utf-8")
    run = CliRunner().invoke(config.command, [str(tmp_path)])
    assert run.exit_code == 0, run.output
    assert str(tmp_path) in run.output

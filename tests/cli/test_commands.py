"""The program as a whole: help, start-up, rules, settings."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

import codemods
from codemods.cli.main import COMMANDS, program
from codemods.rules import all_rules
from tests.cli.conftest import CLEAN, FIXABLE, Outcome, command, environment

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command(invoke: Callable[..., Outcome], name: str) -> None:
    outcome = invoke(name, "--help")
    text = outcome.stdout.decode()
    assert COMMANDS[name] in text
    assert f"Example:\n    picklefix {name}" in text
    loaded = program.get_command(click.Context(program), name)
    assert loaded is not None
    for parameter in loaded.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


def test_a_command_is_imported_only_when_it_runs() -> None:
    script = "import sys; from codemods.cli.main import program; program(['--help'], standalone_mode=False)\n"
    script += "print([name for name in sys.modules if name.startswith(('codemods.cli.commands', 'codemods.engine'))])"
    process = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, check=True)
    assert process.stdout.decode().splitlines()[-1] == "[]"


TIDY = b'''"""A module with a class, calls and imports, and nothing that any rule minds."""

import json
from pathlib import Path


class Store:
    def __init__(self, folder):
        self.folder = Path(folder)

    def load(self, name):
        with open(self.folder / name) as stream:
            return json.load(stream)


if __name__ == "__main__":
    print(sorted(Store("data").load("names"), key=len))
'''
OWN = {
    *("", ".analysis", ".analysis.staying", ".analysis.syntax", ".analysis.tree", ".catalog", ".catalog.names"),
    *(".cli", ".cli.commands", ".cli.commands.check", ".cli.completion", ".cli.console", ".cli.main", ".cli.request"),
    *(".cli.session", ".cli.work", ".config", ".discovery", ".engine", ".finding", ".job", ".options", ".project"),
    *(".report", ".report.context", ".report.formats", ".report.formats.concise", ".report.palette"),
    *(".report.summary", ".report.text", ".runner", ".settings", ".source", ".style", ".triage"),
}
OTHERS = {"gc", "importlib.machinery", "importlib.util", "locale", "pkgutil", "signal", "unicodedata", "zipimport"}


def imported(arguments: str) -> set[str]:
    """The modules that a run imports besides those of click."""
    script = "import sys, click; before = set(sys.modules)\n"
    script += f"from codemods.cli.main import program; program({arguments.split()}, standalone_mode=False)\n"
    script += "print(*sorted(set(sys.modules) - before))"
    # Without `site`, which may import much by itself.
    variables = environment(PYTHONPATH=os.pathsep.join([str(Path(codemods.__file__).parents[1]), *sys.path]))
    process = subprocess.run([sys.executable, "-S", "-c", script], env=variables, capture_output=True, check=True)
    return set(process.stdout.decode().splitlines()[-1].split())


@pytest.mark.parametrize("source", [CLEAN, TIDY], ids=["function", "class"])
def test_what_the_check_of_a_clean_file_imports(project: Path, source: bytes) -> None:
    (project / "a.py").write_bytes(source)
    found = {name for name in imported("check a.py") if not name.startswith(("_", "importlib._"))}
    assert found <= {f"codemods{name}" for name in OWN} | OTHERS


@pytest.mark.parametrize("arguments", ["diff a.py", "migrate a.py", "check --output-format json a.py"])
def test_what_a_run_without_findings_does_not_import(project: Path, arguments: str) -> None:
    (project / "a.py").write_bytes(CLEAN)
    names = {
        "libcst",
        "black",
        "pathspec",
        "multiprocessing",
        "concurrent",
        "codemods.passes",
        "codemods.catalog.loader",
    }
    assert not imported(arguments) & names


def test_a_format_is_imported_only_when_it_is_used(project: Path) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    script = "import sys\nfrom codemods.cli.main import program; program(['check', 'a.py'], standalone_mode=False)\n"
    script += (
        "names = ('codemods.report.formats.', 'codemods.report.page', 'codemods.report.readiness', 'xml', 'difflib')\n"
    )
    script += "print([name for name in sys.modules if name.startswith(names)])"
    process = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, check=True)
    assert process.stdout.decode().splitlines()[-1] == "['codemods.report.formats.concise']"


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        pytest.param("picklefix mi", ["migrate"], id="command"),
        pytest.param("picklefix check --output-format json", ["json", "json-lines"], id="format"),
        pytest.param("picklefix check --select PKL101,module-l", ["PKL101,module-lambda"], id="rule-after-a-comma"),
        pytest.param("picklefix rule PKL40", ["PKL401"], id="rule"),
    ],
)
def test_completion(words: str, offered: list[str]) -> None:
    variables = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" ")), "_PICKLEFIX_COMPLETE": "bash_complete"}
    process = subprocess.run(command(), env=environment(**variables), capture_output=True, check=True)
    assert process.stdout.decode().split() == [f"plain,{text}" for text in offered]


def test_rules_are_listed_and_explained(invoke: Callable[..., Outcome]) -> None:
    listing = invoke("rule").stdout.decode().splitlines()
    assert len(listing) == len(all_rules())
    for rule, line in zip(all_rules(), listing, strict=True):
        assert line.startswith(f"{rule.code} {rule.name}: ")
        by_code, by_name = invoke("rule", rule.code).stdout.decode(), invoke("rule", rule.name).stdout.decode()
        assert by_code == by_name
        assert by_code.startswith(f"# {rule.name} ({rule.code})\n\n")
        assert rule.documentation.strip() in by_code


def test_an_unknown_rule_names_the_nearest(invoke: Callable[..., Outcome]) -> None:
    assert invoke("rule", "nested-functon").stderr == (
        "error: unknown rule `nested-functon`; did you mean `nested-function`?\n"
    )


def test_config_is_toml_that_means_the_same(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "setup.cfg").write_text(
        "[tool:picklefix]\nselect = PKL1\nexclude = a*\nline-length = 90\nper-file-ignores =\n    t/*: A,B\n    !s: C\n"
    )
    printed = invoke("config").stdout.decode()
    assert printed.splitlines()[0] == f"# {project / 'setup.cfg'}"
    values = tomllib.loads(printed)
    assert values["select"] == ["PKL1"]
    assert values["exclude"] == ["a*"]
    assert values["line-length"] == 90
    assert values["per-file-ignores"] == {"t/*": ["A", "B"], "!s": ["C"]}
    (project / "sub").mkdir()
    (project / "sub" / "pyproject.toml").write_text(
        "[tool.picklefix]\n" + "".join(f"{line}\n" for line in printed.splitlines() if not line.startswith("#"))
    )
    assert invoke("config", "sub").stdout.splitlines()[1:] == invoke("config", ".").stdout.splitlines()[1:]
    assert invoke("config", "--isolated").stdout.startswith(b"# no configuration file\n")
    (project / "sub" / "x.py").write_bytes(CLEAN)
    assert b"line-length = 70\n" in invoke("config", "--config", "line-length=70", "sub/x.py").stdout


def test_options_choose_rules(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    assert invoke("check", "--select", "PKL101,PKL102", "a.py").status == 0
    assert invoke("check", "--select", "PKL101", "--extend-select", "module-lambda", "a.py").status == 1
    assert invoke("check", "--ignore", "PKL1", "--select", "PKL103", "a.py").status == 1
    outcome = invoke("check", "--select", "PKL104", "--config", "select=PKL103", "a.py")
    assert outcome.status == 0
    assert "unknown rule `PKL7`" in invoke("check", "--select", "PKL7", "a.py").stderr


@pytest.mark.parametrize(
    ("key", "given", "written", "message"),
    [
        ("select", "PKX", '["PKX"]', "unknown rule `PKX`"),
        ("extend-safe-fixes", "PKX", '["PKX"]', "unknown rule `PKX`"),
        ("per-file-ignores", "{'a.py' = ['PKX']}", "{'a.py' = ['PKX']}", "unknown rule `PKX`"),
        ("output-format", "jsn", '"jsn"', "unknown `output-format` jsn; did you mean `json`?"),
        ("required-version", "9.1", '"9.1"', "`required-version` is 9.1, but this is picklefix"),
    ],
)
def test_a_mistake_is_told_where_it_was_made(
    project: Path, invoke: Callable[..., Outcome], key: str, given: str, written: str, message: str
) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    (project / "pyproject.toml").write_text("[tool.picklefix]\nline-length = 90\n")
    outcome = invoke("check", "--config", f"{key}={given}", "a.py")
    assert outcome.status == 2
    assert outcome.stderr.startswith(f"error: {message}")
    (project / "pyproject.toml").write_text(f"[tool.picklefix]\n{key} = {written}\n")
    outcome = invoke("check", "a.py")
    assert outcome.status == 2
    assert outcome.stderr.startswith(f"error: pyproject.toml: {message}")


def test_a_version_may_be_given_without_quotes(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_bytes(CLEAN)
    assert invoke("check", "--config", "required-version=0.1", "a.py").status == 0


@pytest.mark.parametrize("arguments", [["--version"], ["check", "--help"]])
def test_as_a_module(arguments: list[str]) -> None:
    process = subprocess.run(command(*arguments), env=environment(), capture_output=True, check=True)
    assert process.stdout.startswith((b"picklefix ", b"Usage: picklefix "))


def test_public_functions_on_text() -> None:
    import codemods

    assert codemods.fix(FIXABLE.decode()) == "def double(x):\n    return 2 * x\n"
    assert [finding.code for finding in codemods.check(FIXABLE.decode())] == ["PKL103"]
    with pytest.raises(SyntaxError, match="does not parse"):
        codemods.fix("def double(x:\n")
    with pytest.raises(AttributeError):
        _ = codemods.fox  # type: ignore[attr-defined]

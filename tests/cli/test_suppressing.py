"""Comments that are added, and findings that are accepted in a file."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from codemods import report
from tests.cli.conftest import BROKEN, DECLINED, FIXABLE, Outcome

Invoke = Callable[..., Outcome]


PLACES = {
    "plain": "f = lambda: 1\n",
    "comment": "f = lambda: 1  # type: ignore\n",
    "type-comment": "f = lambda: 1  # type: Callable\n",
    "string": "f = lambda: '''\n# here\n'''\n",
    "f-string": "f = lambda: f'''{\n1}\n# here\n'''\n",
    "continuation": "f = \\\n    lambda: 1\n",
    "decorator": "def g():\n    # about h\n    @wrap\n    @wrap(lambda: 1)\n    def h(): pass\n    return h\n",
    "else": "if x:\n    pass\nelif (f := lambda: 1):\n    pass\nelse:\n    g = lambda: 2\n",
    "one-line-block": "if x: f = lambda: 1\n",
    "semicolons": "a = 1; f = lambda: 1; g = lambda: 2\n",
    "after-a-string": "x = '''\n'''; f = lambda: 1\n",
    "after-brackets": "x = [\n]; f = lambda: 1  # why\n",
    "tabs": "if x:\n\tif y:\n\t\tf = lambda: 1\n",
    "form-feed": "\ff = lambda: 1\n",
    "signature-comment": "def g(a):\n    # type: (int) -> int\n    return lambda: a\n",
    "shebang": "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nf = lambda: 'ä'\n",
    "no-line-end": "f = lambda: 1",
    "already": "# picklefix: ignore[PKL101] why\nf = lambda: 1\n",
    "nested": "def g(d):\n    def h():\n        return lambda: d\n    return h\n",
    "call": "run(\n    a,\n    key=[lambda: 1, # one\n    lambda: 2],\n)\n",
    "handler": "try:\n    pass\nexcept f(lambda: 1):\n    g = lambda: 2\n",
    "case": "match x:\n    case 1 if f(lambda: 1):\n        g = lambda: 2\n",
}


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_comments_beside_all_findings(project: Path, invoke: Invoke, text: str, line_end: str) -> None:
    text = text.replace("\n", line_end)
    path = project / "a.py"
    path.write_bytes(text.encode())
    options = ("--reach", "all", "--ignore", "PKL901")
    assert invoke("check", *options, "a.py").status == 1
    outcome = invoke("check", *options, "--add-ignore", "never sent", "a.py")
    assert (outcome.status, outcome.stderr) == (0, "")
    assert outcome.stdout.startswith(b"Added ")
    after = path.read_bytes().decode()
    assert "] never sent" in after
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
    assert after.count(line_end) == after.count("\n") or line_end not in text
    assert invoke("check", *options, "a.py").status == 0
    assert invoke("migrate", *options, "a.py").status == 0
    assert path.read_bytes().decode() == after
    assert invoke("check", "--reach", "all", "--select", "PKL901", "a.py").status == int(text.startswith("# picklefix"))


def test_one_comment_for_all_rules_of_a_statement(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_text("class A:\n    def f(self, d):\n        self.x = d.keys(), lambda: 1\n")
    invoke("check", "--reach", "all", "--views", "always", "--add-ignore", "small", "a.py")
    assert (project / "a.py").read_text() == (
        "class A:\n    def f(self, d):\n        # picklefix: ignore[PKL102, PKL201] small\n        self.x = d.keys(), lambda: 1\n"
    )


def test_no_place_for_a_comment(project: Path, invoke: Invoke) -> None:
    text = "x = '''\n'''; f = lambda: 1; y = '''\n'''\n"
    (project / "a.py").write_text(text)
    (project / "b.py").write_bytes(FIXABLE)
    outcome = invoke("check", "--add-ignore", "why", ".")
    assert outcome.status == 2
    assert (
        outcome.stderr
        == "error: a.py: there is no place for a comment beside line 2; give that statement its own lines\n"
    )
    assert (project / "a.py").read_text() == text
    assert (project / "b.py").read_bytes() == b"# picklefix: ignore[PKL103] why\n" + FIXABLE


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        ("one\ntwo", "error: --add-ignore: the reason must be one line without a number sign\n"),
        ("see #12", "error: --add-ignore: the reason must be one line without a number sign\n"),
        ("coding: latin-1", "error: a.py: the comments would change the meaning of the file; choose another reason\n"),
        ("coding: no-such", "error: a.py: unknown encoding: no-such\n"),
    ],
)
def test_reasons_that_cannot_be_written(project: Path, invoke: Invoke, reason: str, message: str) -> None:
    data = "f = lambda: 'ä'\n".encode()
    (project / "a.py").write_bytes(data)
    outcome = invoke("check", "--add-ignore", reason, "a.py")
    assert (outcome.status, outcome.stderr) == (2, message)
    assert (project / "a.py").read_bytes() == data


def test_a_reason_that_the_encoding_lacks(project: Path, invoke: Invoke) -> None:
    data = "# coding: latin-1\nf = lambda: 'ä'\n".encode("latin-1")
    (project / "a.py").write_bytes(data)
    assert "iso-8859-1 cannot represent" in invoke("check", "--add-ignore", "→", "a.py").stderr
    assert invoke("check", "--add-ignore", "größer", "a.py").status == 0
    assert "größer".encode("latin-1") in (project / "a.py").read_bytes()


def test_warnings_about_comments(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_text("f = lambda: 1  # noqa: pkl103\n")
    outcome = invoke("check", "a.py")
    assert outcome.status == 1
    assert outcome.stderr == "warning: a.py:1: `# noqa` has no effect: codes are written in capitals\n"
    assert invoke("check", "-q", "a.py").stderr == ""


def test_a_baseline_accepts_what_is_there_and_nothing_new(project: Path, invoke: Invoke) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "a.py").write_bytes(FIXABLE + DECLINED)
    (project / "b.py").write_bytes(FIXABLE)
    outcome = invoke("check", "--write-baseline", "accepted.json", ".")
    assert (outcome.status, outcome.stderr) == (0, "Accepted 3 findings in accepted.json.\n")
    text = (project / "accepted.json").read_text()
    assert [(entry["path"], entry["code"]) for entry in json.loads(text)["findings"]] == [
        ("b.py", "PKL103"), ("sub/a.py", "PKL101"), ("sub/a.py", "PKL103"),
    ]  # fmt: skip
    invoke("check", "--write-baseline", "accepted.json", "sub/a.py", "b.py")
    assert (project / "accepted.json").read_text() == text

    outcome = invoke("check", "--baseline", "accepted.json", ".")
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, b"Nothing found.\n", "")
    (project / "sub" / "a.py").write_bytes(b"import os\n\n\n" + DECLINED + b"\n" + FIXABLE + b"new = lambda: 0\n")
    outcome = invoke("check", "--baseline", "accepted.json", ".")
    assert outcome.status == 1
    assert [line.split()[0] for line in outcome.stdout.decode().splitlines()[:-2]] == ["sub/a.py:12:7:"]


TWINS = """\
import pickle


def first(scale):
    pickle.dumps(lambda x: x)
    pickle.dumps(lambda x: x)


def second():
    pickle.dumps(lambda x: -x)
"""


def test_one_of_two_equal_findings_is_gone(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_text(TWINS)
    invoke("check", "--write-baseline", "accepted.json", "a.py")
    (project / "a.py").write_text("import os\n" + TWINS.replace("    pickle.dumps(lambda x: x)\n", "", 1))
    outcome = invoke("check", "--baseline", "accepted.json", "a.py")
    assert (outcome.status, outcome.stdout) == (0, b"Nothing found.\n")
    assert "1 accepted finding is gone" in outcome.stderr


def test_one_more_of_equal_findings_is_new(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_text(TWINS)
    invoke("check", "--write-baseline", "accepted.json", "a.py")
    (project / "a.py").write_text("import os\n" + TWINS.replace("second", "first"))
    outcome = invoke("check", "--baseline", "accepted.json", "a.py")
    assert [line.split()[0] for line in outcome.stdout.decode().splitlines()[:-2]] == ["a.py:11:18:"]
    twin = "    pickle.dumps(lambda x: x)\n"
    (project / "a.py").write_text(TWINS.replace(twin, twin + twin, 1))
    outcome = invoke("check", "--baseline", "accepted.json", "a.py")
    assert [line.split()[0] for line in outcome.stdout.decode().splitlines()[:-2]] == ["a.py:7:18:"]
    patch = invoke("check", "--baseline", "accepted.json", "--output-format", "patch", "a.py").stdout
    assert [line for line in patch.decode().splitlines() if line.startswith("-")] == ["--- a/a.py", f"-{twin.rstrip()}"]


def test_a_fingerprint_does_not_depend_on_the_baseline(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_text(TWINS.replace("    pickle.dumps(lambda x: x)\n", "", 1))
    invoke("check", "--write-baseline", "accepted.json", "a.py")
    (project / "a.py").write_text(TWINS)
    every = json.loads(invoke("check", "--output-format", "gitlab", "a.py").stdout)
    new = json.loads(invoke("check", "--baseline", "accepted.json", "--output-format", "gitlab", "a.py").stdout)
    assert new == every[1:2]


@pytest.mark.parametrize("name", report.format_names())
def test_every_format_leaves_out_what_a_baseline_accepts(project: Path, invoke: Invoke, name: str) -> None:
    (project / "a.py").write_bytes(FIXABLE + b"twice = lambda x: 2 * x\n")
    invoke("check", "--write-baseline", "accepted.json", "a.py")
    arguments = ("check", "--baseline", "accepted.json", "--output-format", name, "a.py")
    outcome = invoke(*arguments)
    assert (outcome.status, outcome.stderr, named(outcome.stdout)) == (0, "", set())
    with open(project / "a.py", "ab") as stream:
        stream.write(b"half = lambda x: x / 2\n")
    outcome = invoke(*arguments)
    assert (outcome.status, outcome.stderr) == (1, "")
    assert named(outcome.stdout) == ({b"half"} if name != "patch" else set())
    assert b"def twice" not in outcome.stdout
    assert name != "patch" or b"+def half(x):" in outcome.stdout


def named(report: bytes) -> set[bytes]:
    """The variables that a report names in sentences."""
    return set(re.findall(rb"(?:`|<code>)(double|twice|half)(?:`|</code>)", report))


def test_accepted_findings_that_are_gone_are_counted(project: Path, invoke: Invoke) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (project / name).write_bytes(FIXABLE)
    invoke("check", "--write-baseline", "accepted.json", ".")
    (project / "a.py").write_bytes(b"")
    (project / "b.py").unlink()
    (project / "c.py").write_bytes(BROKEN)
    outcome = invoke("check", "--baseline", "accepted.json", ".")
    assert outcome.stderr == (
        "warning: accepted.json: 2 accepted findings are gone; write it anew with --write-baseline accepted.json\n"
    )
    outcome = invoke("check", "--baseline", "accepted.json", "c.py")
    assert outcome.stderr.startswith("warning: accepted.json: 1 accepted finding is gone;")


def test_a_baseline_does_not_depend_on_the_current_folder(
    project: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "a.py").write_bytes(FIXABLE)
    invoke("check", "--write-baseline", "accepted.json", "sub")
    monkeypatch.chdir(project / "sub")
    assert invoke("check", "--baseline", "../accepted.json").status == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is no baseline (Expecting value: line 1 column 1 (char 0))"),
        (b"\xff", "is no baseline ('utf-8' codec can't decode byte 0xff in position 0: invalid start byte)"),
        (b"[]", 'is no baseline (it does not say `"version": 1`)'),
        (b'{"version": 2}', 'is no baseline (it does not say `"version": 1`)'),
        (b'{"version": 1}', "is no baseline (it has no list of findings)"),
        (b'{"version": 1, "findings": [3]}', "is no baseline (a finding needs path, code, message, fingerprint, all strings)"),
        (b'{"version": 1, "findings": [{"path": 3}]}', "is no baseline (a finding needs path, code, message, fingerprint, all strings)"),
        (b"[" * 100_000, "is no baseline (maximum recursion depth exceeded"),
        (None, "No such file or directory"),
    ],
)  # fmt: skip
def test_a_baseline_that_is_none(project: Path, invoke: Invoke, content: bytes | None, message: str) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    if content is not None:
        (project / "b.json").write_bytes(content)
    outcome = invoke("check", "--baseline", "b.json", "a.py")
    assert outcome.status == 2
    assert outcome.stderr.startswith(f"error: b.json: {message}")
    assert outcome.stderr.endswith("; write it with --write-baseline b.json\n")
    assert len(outcome.stderr.splitlines()) == 1


def test_settings_of_all_files(project: Path, invoke: Invoke) -> None:
    for name in ("one", "two", "three"):
        (project / name).mkdir()
        (project / name / "a.py").write_bytes(b"")
    (project / "setup.cfg").write_text("[tool:picklefix]\nignore = PKL1\n")
    (project / "two" / "pyproject.toml").write_text("[tool.picklefix]\nline-length = 70\n")
    lines = invoke("check", "--show-settings", ".").stdout.decode().splitlines()
    assert [line for line in lines if line.startswith(("# /", "ignore =", "line-length"))] == [
        f"# {project}/setup.cfg", 'ignore = ["PKL1"]', f"# {project}/two/pyproject.toml", "ignore = []", "line-length = 70",
    ]  # fmt: skip


def test_quiet_and_verbose(project: Path, invoke: Invoke) -> None:
    (project / "setup.cfg").write_text("[tool:picklefix]\n")
    (project / "a.py").write_bytes(FIXABLE)
    quiet = invoke("check", "-q", ".")
    assert (len(quiet.stdout.splitlines()), quiet.stderr) == (1, "")
    loud = invoke("check", "-v", ".")
    assert loud.stderr == f"note: 1 file\nnote: settings from {project}/setup.cfg\n"


@pytest.mark.parametrize(
    ("key", "arguments"),
    [
        ("unfixable = PKL103", []),
        ("fixable = PKL1\nunfixable = module-lambda", []),
        ("fixable = PKL2", []),
        ("extend-unsafe-fixes = PKL103", []),
        ("extend-unsafe-fixes = PKL1\nextend-safe-fixes = PKL1", []),
        ("", ["--unfixable", "PKL103"]),
        ("", ["--fixable", "PKL101,PKL102"]),
    ],
)
def test_settings_that_keep_a_fix_from_being_made(
    project: Path, invoke: Invoke, key: str, arguments: list[str]
) -> None:
    (project / "setup.cfg").write_text(f"[tool:picklefix]\n{key}\n")
    (project / "a.py").write_bytes(FIXABLE)
    outcome = invoke("migrate", *arguments, "a.py")
    assert (outcome.status, outcome.stderr) == (1, "")
    assert (project / "a.py").read_bytes() == FIXABLE


@pytest.mark.parametrize(
    "key",
    [
        "fixable = PKL103",
        "unfixable = PKL1\nfixable = PKL103",
        "extend-unsafe-fixes = PKL1\nextend-safe-fixes = PKL103",
        "preview = true\ntarget-version = py310",
    ],
)
def test_settings_that_do_not(project: Path, invoke: Invoke, key: str) -> None:
    (project / "setup.cfg").write_text(f"[tool:picklefix]\n{key}\n")
    (project / "a.py").write_bytes(FIXABLE)
    outcome = invoke("migrate", "a.py")
    assert (outcome.status, outcome.stderr) == (0, "")


def test_wrong_rules_in_any_of_the_keys(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    for key in (
        "fixable",
        "unfixable",
        "extend-safe-fixes",
        "extend-unsafe-fixes",
        "select",
        "extend-select",
        "ignore",
    ):
        (project / "setup.cfg").write_text(f"[tool:picklefix]\n{key} = PKL10, nested-functon\n")
        outcome = invoke("check", "a.py")
        assert (outcome.status, outcome.stderr) == (
            2, "error: setup.cfg: unknown rule `nested-functon`; did you mean `nested-function`?\n",
        )  # fmt: skip


@pytest.mark.parametrize("value", ["3.10", "py27", "python3", ""])
def test_a_target_version_that_is_none(project: Path, invoke: Invoke, value: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.picklefix]\ntarget-version = '{value}'\n")
    outcome = invoke("check", ".")
    assert outcome.status == 2
    assert outcome.stderr == f"error: pyproject.toml: `target-version` must be a version such as py310, not {value!r}\n"


def test_the_target_version_reaches_the_layout(project: Path, invoke: Invoke) -> None:
    """Old versions of Python take no comma after ``*arguments``, which black leaves out for them."""
    name = "a_name_that_is_long_enough_for_two_lines_all_by_itself"
    text = f"def make(values, {name}):\n    return lambda *arguments: {name}(values, *arguments, *values, *arguments)\n"
    outputs = []
    for version in ("py33", "py312"):
        (project / "a.py").write_text(text)
        assert invoke("migrate", "--config", f"target-version={version}", "--line-length", "60", "a.py").status == 0
        outputs.append((project / "a.py").read_text())
    assert outputs[0] != outputs[1]

"""A pull request is written by strangers: nothing in it may escape from the report, or have anything read or run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bot.repositories import comments, commit, pull_request
from tests.bot.services import LONGEST_BODY, suggestion
from tests.cli.conftest import Outcome, git

Invoke = Callable[..., Outcome]
CLOSURE = b"def make(factor):\n    return lambda x: x * factor\n"
BASE = {"README": b"x\n"}
NAMES = [
    "a\nb.py",
    "a`b.py",
    "::error file=x::y.py",
    "a\x1b[31mb.py",
    "\u202eb.py",
    "-rf.py",
    "a b.py",
    '"q".py',
    "@org.py",
    "<b>.py",
]
FORMATS = ["github-review", "gitlab", "rdjsonl", "markdown", "annotations"]


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.parametrize("name", NAMES)
def test_names(name: str, output_format: str, project: Path, invoke: Invoke) -> None:
    base, head = pull_request(project, BASE, {name: CLOSURE})
    outcome = invoke("suggest", "--base", base, "--head", head, "--output-format", output_format)
    assert outcome.status == 1, outcome.stderr
    text = outcome.stdout.decode().partition("<details>")[0]
    said = text.rpartition("::")[2] if output_format == "annotations" else text
    assert not set(said) & {"\x1b", "\u202e"}
    if output_format == "github-review":
        assert [comment["path"] for comment in json.loads(text)["comments"]] == [name]
    elif output_format == "annotations":
        assert text.count("\n") == 1
        assert text.startswith("::warning title=picklefix (PKL102),file=")
        assert text.count("::") == 2 + name.count("::")
    elif output_format == "markdown":
        listed = [line for line in text.splitlines() if line.startswith("- ")]
        assert len(listed) == 1
        assert "<b>" not in text.replace("`<b>.py:2`", "")


def test_a_name_that_is_not_text(project: Path, invoke: Invoke) -> None:
    base = commit(project, BASE)
    (project / "caf\udce9.py").write_bytes(CLOSURE)
    git("add", "--all", cwd=project)
    git("commit", "--quiet", "--message", "Change", cwd=project)
    for output_format in FORMATS:
        assert invoke("suggest", "--base", base, "--output-format", output_format).status == 1


def test_text_in_messages(project: Path, invoke: Invoke) -> None:
    code = b'class Table:\n    def __init__(self, rows):\n        self.rows = dict(rows)\n        self.names = {"`": {"@org/team <img src=x> ``": {}}}["`"]["@org/team <img src=x> ``"].keys()\n'
    base, head = pull_request(project, BASE, {"module.py": code})
    for comment in comments(invoke("suggest", "--base", base, "--head", head).stdout):
        said = comment["body"].partition("```suggestion")[0]
        assert "<img" not in said
        assert "@org" not in said.replace("@\u200b", "")


def test_fences(project: Path, invoke: Invoke) -> None:
    code = b'def make(factor):\n    def scale(x):\n        """\n```\n`````suggestion\n        """\n        return x * factor\n\n    return scale\n'
    base, head = pull_request(project, BASE, {"module.py": code})
    (comment,) = comments(invoke("suggest", "--base", base, "--head", head).stdout)
    text = suggestion(comment["body"])
    assert text is not None
    assert "`````suggestion" in text
    assert text[-1].strip() == "return scale" or "functools.partial" in "\n".join(text)


def test_too_long_for_a_comment(project: Path, invoke: Invoke) -> None:
    body = b"".join(b"        x += %d\n" % number for number in range(6000))
    code = b"def make(factor):\n    def scale(x):\n" + body + b"        return x * factor\n\n    return scale\n"
    base, head = pull_request(project, BASE, {"module.py": code})
    (comment,) = comments(invoke("suggest", "--base", base, "--head", head).stdout)
    assert len(comment["body"]) <= LONGEST_BODY
    assert suggestion(comment["body"]) is None
    assert "picklefix migrate --select PKL101" in comment["body"]


def test_what_is_no_python_file(project: Path, invoke: Invoke) -> None:
    base = commit(project, BASE)
    (project / "binary.py").write_bytes(b"\x00\xff\x00 lambda" * 100)
    (project / "link.py").symlink_to("/etc/passwd")
    (project / "huge.py").write_bytes(b"# lambda\n" * 1_200_000)
    (project / "good.py").write_bytes(CLOSURE)
    git("add", "--all", cwd=project)
    git("commit", "--quiet", "--message", "Change", cwd=project)
    outcome = invoke("suggest", "--base", base)
    assert [comment["path"] for comment in comments(outcome.stdout)] == ["good.py"]
    assert "root:" not in outcome.stdout.decode() + outcome.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[tool.picklefix]\nextend = "../secret.toml"\n'),
        ("pyproject.toml", '[tool.picklefix]\nextend = "/etc/passwd"\n'),
        ("setup.cfg", "[tool:picklefix]\nextend = ~/secret.toml\n"),
    ],
)
def test_settings_do_not_lead_out_of_the_repository(name: str, text: str, project: Path, invoke: Invoke) -> None:
    (project.parent / "secret.toml").write_text('[tool.picklefix]\nignore = ["SECRET"]\n')
    base, head = pull_request(project, BASE, {"module.py": CLOSURE, name: text.encode()})
    outcome = invoke("suggest", "--base", base, "--head", head)
    assert outcome.status == 2
    assert "outside the repository" in outcome.stderr
    assert "SECRET" not in outcome.stderr


def test_settings_that_are_a_link(project: Path, invoke: Invoke) -> None:
    (project.parent / "secret.toml").write_text('[tool.picklefix]\nignore = ["SECRET"]\n')
    base, head = pull_request(project, BASE, {"module.py": CLOSURE})
    (project / "pyproject.toml").symlink_to(project.parent / "secret.toml")
    outcome = invoke("suggest", "--base", base, "--head", head)
    assert outcome.status == 2
    assert "leads out of the repository" in outcome.stderr or "outside the repository" in outcome.stderr
    assert "SECRET" not in outcome.stderr


def test_settings_behind_a_linked_folder(project: Path, invoke: Invoke) -> None:
    (project.parent / "secret.toml").write_text('[tool.picklefix]\nignore = ["SECRET"]\n')
    settings = b'[tool.picklefix]\nextend = "up/secret.toml"\n'
    base, head = pull_request(project, BASE, {"module.py": CLOSURE, "pyproject.toml": settings})
    (project / "up").symlink_to("..")
    outcome = invoke("suggest", "--base", base, "--head", head)
    assert outcome.status == 2
    assert "outside the repository" in outcome.stderr
    assert "SECRET" not in outcome.stderr


@pytest.mark.parametrize("options", [("--output-file", "out"), ("--patch-file", "out"), ("--patch-file", "up/out")])
def test_outputs_do_not_follow_links(options: tuple[str, str], project: Path, invoke: Invoke) -> None:
    kept = project.parent / "out"
    kept.write_text("kept")
    base, head = pull_request(project, BASE, {"module.py": CLOSURE})
    (project / "out").symlink_to(kept)
    (project / "up").symlink_to("..")
    outcome = invoke("suggest", "--base", base, "--head", head, *options)
    assert outcome.status == 2
    assert outcome.stderr.startswith(f"error: {options[1]}: is a link")
    assert kept.read_text() == "kept"


def test_other_files_of_the_project_are_no_links(project: Path, invoke: Invoke) -> None:
    head = b"from secret import take\n" + CLOSURE + b"\n\ntake(make(1))\n"
    base, _ = pull_request(project, BASE, {"module.py": head})
    (project.parent / "secret.py").write_text("import pickle\ndef take(SECRET):\n    pickle.dumps(SECRET)\n")
    (project / "secret.py").symlink_to(project.parent / "secret.py")
    outcome = invoke("suggest", "--base", base, "--verbose")
    assert len(comments(outcome.stdout)) == 1
    assert "SECRET" not in outcome.stdout.decode() + outcome.stderr
    assert "pickled by" not in outcome.stdout.decode()


def test_a_name_in_an_error(project: Path, invoke: Invoke) -> None:
    base, head = pull_request(project, BASE, {"a\n::error::\x1b.py": b"def (\n", "module.py": CLOSURE})
    outcome = invoke("suggest", "--base", base, "--head", head)
    assert outcome.status == 1
    assert not [line for line in outcome.stderr.splitlines() if line.lstrip().startswith("::")]
    assert "\x1b" not in outcome.stderr


def test_the_summary_has_an_end(project: Path, invoke: Invoke) -> None:
    """However long names and messages are, and however many files there are that do not parse."""
    folder = "/".join(["<" * 200] * 5)
    text = ", ".join(f'"|{number}": 1' for number in range(5_000))
    view = f"class Table:\n    def __init__(self):\n        self.names = {{{text}}}.keys()\n"
    files = {f"{folder}/{number}.py": CLOSURE for number in range(150)}
    broken = {f"{folder}/broken_{number}.py": b"def (\n" for number in range(150)}
    base, head = pull_request(project, BASE, {**files, **broken, "view.py": view.encode()})
    outcome = invoke("suggest", "--base", base, "--head", head, "--max-comments", "0")
    body = json.loads(outcome.stdout)["body"]
    assert len(body) <= LONGEST_BODY
    assert body.count("… and ") == 2
    assert body.endswith("<!-- picklefix:v1 summary -->")


def test_programs_that_the_repository_names_are_not_started(project: Path, invoke: Invoke) -> None:
    attributes = b"*.py diff=evil filter=evil\n"
    base, head = pull_request(
        project, {**BASE, "module.py": b"x = 1\n"}, {"module.py": CLOSURE, ".gitattributes": attributes}
    )
    for key in ("diff.evil.command", "diff.evil.textconv", "diff.external", "filter.evil.smudge", "core.fsmonitor"):
        git("config", key, "touch started", cwd=project)
    assert len(comments(invoke("suggest", "--base", base, "--head", head).stdout)) == 1
    assert not (project / "started").exists()


def test_code_is_not_run(project: Path, invoke: Invoke) -> None:
    code = b'open("started", "w").close()\n' + CLOSURE
    names = ("module.py", "sitecustomize.py", "codemods.py", "click.py", "conftest.py", "setup.py")
    base, head = pull_request(project, BASE, dict.fromkeys(names, code))
    assert len(comments(invoke("suggest", "--base", base, "--head", head).stdout)) == len(names)
    assert not (project / "started").exists()


@pytest.mark.parametrize("name", ["--output=started", "-x", "no-such", "HEAD:module.py", "", "a..b"])
def test_names_of_commits(name: str, project: Path, invoke: Invoke) -> None:
    commit(project, {"module.py": CLOSURE})
    outcome = invoke("suggest", f"--base={name}")
    assert outcome.status == 2
    assert outcome.stderr.startswith("error: there is no commit ")
    assert not (project / "started").exists()


def test_no_common_ancestor(project: Path, invoke: Invoke) -> None:
    commit(project, BASE)
    git("checkout", "--quiet", "--orphan", "other", cwd=project)
    commit(project, {"module.py": CLOSURE})
    outcome = invoke("suggest", "--base", "main")
    assert outcome.status == 2
    assert "no common ancestor" in outcome.stderr
    assert "fetch" in outcome.stderr


def test_outside_a_repository(invoke: Invoke) -> None:
    outcome = invoke("suggest", "--base", "main")
    assert outcome.status == 2
    assert "no git repository" in outcome.stderr

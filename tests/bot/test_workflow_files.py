"""The files by which other programs start picklefix."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bot.repositories import pull_request
from tests.cli.conftest import environment

ROOT = Path(__file__).resolve().parents[2]
CLOSURE = b"def make(factor):\n    return lambda x: x * factor\n"


def test_the_hooks_are_valid() -> None:
    manifest = pytest.importorskip("pre_commit.commands.validate_manifest")
    assert manifest.validate_manifest([str(ROOT / ".pre-commit-hooks.yaml")]) == 0


def test_the_hooks_are_commands() -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    entries = re.findall(r"entry: picklefix (.+)", text)
    assert [entry.split()[0] for entry in entries] == ["migrate", "diff"]
    for entry in entries:
        command = [sys.executable, "-m", "codemods", *entry.split(), "--help"]
        assert subprocess.run(command, env=environment(), capture_output=True, check=False).returncode == 0


def test_the_hooks_fail_on_a_finding_and_pass_once_it_is_mended(project: Path) -> None:
    (project / "module.py").write_bytes(CLOSURE)
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    fix, check = (entry.split() for entry in re.findall(r"entry: picklefix (.+)", text))

    def hook(arguments: list[str]) -> int:
        command = [sys.executable, "-m", "codemods", *arguments, "module.py"]
        return subprocess.run(command, env=environment(), cwd=project, capture_output=True, check=False).returncode

    assert hook(check) == 1
    assert (project / "module.py").read_bytes() == CLOSURE
    hook(fix)
    assert (project / "module.py").read_bytes() != CLOSURE  # That alone has pre-commit fail.
    assert hook(check) == 0
    assert hook(fix) == 0


def run_action(project: Path, **inputs: str) -> tuple[int, str, dict[str, str]]:
    """Run what the action runs; its exit status, what it printed, and its outputs."""
    script = Path(sys.executable).with_name("picklefix")
    if not script.exists():
        pytest.skip("the command is not installed")
    temporary = project.parent
    variables = {
        "GITHUB_EVENT_PATH": str(temporary / "event.json"),
        "GITHUB_OUTPUT": str(temporary / "output"),
        "GITHUB_REPOSITORY": "o/r",
        "RUNNER_TEMP": str(temporary),
        **{f"INPUT_{name.upper()}": value for name, value in inputs.items()},
    }
    command = [sys.executable, str(ROOT / "action" / "main.py")]
    done = subprocess.run(command, env=environment(**variables), capture_output=True, text=True, check=False)
    outputs = dict(line.split("=", 1) for line in (temporary / "output").read_text().splitlines())
    return done.returncode, done.stdout, outputs


def test_annotations(project: Path) -> None:
    pull_request(project, {"README": b"x\n"}, {"module.py": CLOSURE})
    status, printed, outputs = run_action(project, reporter="annotations", src=".")
    assert status == 1
    assert printed.startswith("::warning title=picklefix (PKL102),file=module.py")
    assert outputs["findings"] == "1"
    assert Path(outputs["patch"]).read_bytes().startswith(b"diff --git")


def test_a_review_without_a_token(project: Path) -> None:
    base, head = pull_request(project, {"README": b"x\n"}, {"module.py": CLOSURE})
    event = {"pull_request": {"number": 7, "base": {"sha": base}, "head": {"sha": head}}}
    (project.parent / "event.json").write_text(json.dumps(event))
    # The checkout holds modules that must not be imported.
    (project / "json.py").write_text("raise SystemExit('imported')\n")
    (project / "click.py").write_text("raise SystemExit('imported')\n")
    status, printed, outputs = run_action(project, reporter="review", src=".", token="")
    assert status == 1
    assert "::warning title=picklefix (PKL102),file=module.py" in printed
    assert Path(outputs["patch"]).read_bytes().startswith(b"diff --git")


def test_options_are_never_read_by_a_shell(project: Path) -> None:
    pull_request(project, {"README": b"x\n"}, {"module.py": CLOSURE})
    status, _, _ = run_action(
        project, reporter="none", args="check --select 'PKL102;touch started'", src="$(touch started)"
    )
    assert status == 2
    assert not os.path.exists("started")


def test_code_in_the_log_is_no_command(project: Path) -> None:
    code = CLOSURE.replace(b"    return", b'    """\n    ::add-mask::x\n    """\n    return')
    pull_request(project, {"README": b"x\n"}, {"module.py": code})
    _, printed, _ = run_action(project, reporter="none", args="diff", src=".")
    first, *_, last = printed.splitlines()
    assert first.startswith("::stop-commands::")
    assert last == f"::{first.removeprefix('::stop-commands::')}::"
    assert "::add-mask::" in printed


def test_no_output_through_a_link(project: Path) -> None:
    pull_request(project, {"README": b"x\n"}, {"module.py": CLOSURE})
    (project.parent / "kept").write_text("kept")
    (project / "picklefix.sarif").symlink_to(project.parent / "kept")
    run_action(project, reporter="sarif", src=".")
    assert (project.parent / "kept").read_text() == "kept"
    assert json.loads((project / "picklefix.sarif").read_text())["version"] == "2.1.0"


def test_a_review_of_no_pull_request(project: Path) -> None:
    pull_request(project, {"README": b"x\n"}, {"module.py": CLOSURE})
    (project.parent / "event.json").write_text('{"ref": "refs/heads/main"}')
    (project.parent / "output").write_text("")
    status, printed, _ = run_action(project, reporter="review", src=".")
    assert status == 2
    assert printed.startswith("::error::")

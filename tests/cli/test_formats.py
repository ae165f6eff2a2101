"""What the formats look like."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from codemods import report
from codemods.edits import Edit
from codemods.finding import FileError, FileResult, Finding, Fix, Level, Location, Reach, Refusal, Safety, Step
from codemods.report.context import Context
from codemods.report.palette import PLAIN
from codemods.report.readiness import FORMS
from codemods.report.summary import Tally
from tests.cli.conftest import BROKEN, DECLINED, FIXABLE, Outcome

SOURCE = "\n".join(
    ["import data", "", "", "def build():", "\tüber = '日本'; scale = lambda x: x  # a\x1bb", "\treturn scale", ""]
)
STEPS = (Step("a.py", Location(5, 23), "bound to `scale`"), Step("b\n.py", Location(9, 1), "passed to Pool.map"))


def finding(
    safety: Safety | None = None, reason: str | None = None, reach: Reach | None = None, path: str = "a.py"
) -> Finding:
    fix = Fix("Make `scale` a def", (Edit(40, 45, "x\n"),), safety) if safety else None
    refusal = Refusal(reason, "Give it another name.") if reason else None
    place = Location(5, 23), Location(5, 34)
    return Finding(
        "PKL102", "lambda-expression", "a lambda\x1b[31m", path, *place, reach or Reach(Level.STATE), fix, refusal
    )


SAFE, UNSAFE = finding(Safety.SAFE, reach=Reach(Level.SINK, STEPS, "multiprocessing.Pool.map")), finding(Safety.UNSAFE)
REFUSED = finding(reason="rebound-after-capture")
WAY = ": bound to `scale` -> passed to Pool.map (b\\n.py:9)"


def result(*findings: Finding, data: bytes = SOURCE.encode()) -> FileResult:
    return FileResult("a.py", data, data, findings, (), findings)


def render(name: str, *results: FileResult, unsafe_fixes: bool = False) -> str:
    return "".join(report.load(name).render(results, Context(unsafe_fixes, PLAIN)))


def test_all_formats_are_discovered() -> None:
    assert {"concise", "full", "json"} <= set(report.format_names())


@pytest.mark.parametrize(
    ("found", "unsafe_fixes", "line"),
    [
        pytest.param(
            SAFE,
            False,
            "a.py:5:23: PKL102 [*] a lambda\\x1b[31m: bound to `scale` -> passed to Pool.map (b\\n.py:9)",
            id="safe",
        ),
        pytest.param(UNSAFE, False, "a.py:5:23: PKL102 a lambda\\x1b[31m (unsafe fix)", id="unsafe"),
        pytest.param(UNSAFE, True, "a.py:5:23: PKL102 [*] a lambda\\x1b[31m", id="unsafe-asked-for"),
        pytest.param(REFUSED, True, "a.py:5:23: PKL102 a lambda\\x1b[31m (declined: rebound-after-capture)", id="no"),
    ],
)
def test_concise(found: Finding, unsafe_fixes: bool, line: str) -> None:
    assert render("concise", result(found), unsafe_fixes=unsafe_fixes) == line + "\n"


def test_full() -> None:
    assert render("full", result(SAFE, REFUSED)) == (
        "a.py:5:23: PKL102 [*] a lambda\\x1b[31m\n"
        "  |\n"
        "4 | def build():\n"
        "5 |     über = '日本'; scale = lambda x: x  # a\N{REPLACEMENT CHARACTER}b\n"
        "  |                            ^^^^^^^^^^^\n"
        "6 |     return scale\n"
        "  |\n"
        "  way:\n"
        "    a.py:5:23 -> bound to `scale`\n"
        "    b\\n.py:9:1 -> passed to Pool.map\n"
        "  pickled by: multiprocessing.Pool.map\n"
        "  fix: Make `scale` a def\n"
        "\n"
        "a.py:5:23: PKL102 a lambda\\x1b[31m (declined: rebound-after-capture)\n"
        "  |\n"
        "4 | def build():\n"
        "5 |     über = '日本'; scale = lambda x: x  # a\N{REPLACEMENT CHARACTER}b\n"
        "  |                            ^^^^^^^^^^^\n"
        "6 |     return scale\n"
        "  |\n"
        "  reason: rebound-after-capture\n"
        "  advice: Give it another name.\n"
        "\n"
    )


def test_json() -> None:
    first, second, third = json.loads(render("json", result(SAFE), result(UNSAFE, REFUSED)))
    here = str(Path("a.py").resolve())
    assert first == {
        "captures": [],
        "cell": None,
        "code": "PKL102",
        "end_location": {"column": 34, "row": 5},
        "filename": here,
        "fingerprint": "db867a7dc0e8053c820768f0cc6f11bc",
        "fix": {
            "applicability": "safe",
            "edits": [
                {"content": "x\n", "end_location": {"column": 19, "row": 5}, "location": {"column": 14, "row": 5}}
            ],
            "message": "Make `scale` a def",
        },
        "location": {"column": 23, "row": 5},
        "message": "a lambda\x1b[31m",
        "name": "lambda-expression",
        "noqa_row": 5,
        "reach": {
            "level": "sink",
            "sink": "multiprocessing.Pool.map",
            "steps": [
                {"filename": here, "location": {"column": 23, "row": 5}, "text": "bound to `scale`"},
                {"filename": str(Path("b\n.py").resolve()), "location": {"column": 1, "row": 9}, "text": "passed to Pool.map"},
            ],
        },
        "reason": None,
        "severity": "error",
        "url": "https://picklefix.readthedocs.io/rules/lambda-expression",
    }  # fmt: skip
    assert (second["fix"]["applicability"], second["severity"], second["reach"]["level"]) == (
        "unsafe",
        "warning",
        "state",
    )
    assert third["fix"] is None
    assert third["reason"] == {"advice": "Give it another name.", "code": "rebound-after-capture"}


def test_json_of_nothing() -> None:
    assert render("json") == "[]\n"
    assert render("json", result()) == "[]\n"


def test_json_has_sorted_keys() -> None:
    def ordered(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert [key for key, _ in pairs] == sorted(key for key, _ in pairs)
        return dict(pairs)

    json.loads(render("json", result(SAFE)), object_pairs_hook=ordered)


@pytest.mark.parametrize("name", ["concise", "full", "json"])
def test_a_file_that_does_not_parse_is_a_finding(project: Path, invoke: Callable[..., Outcome], name: str) -> None:
    (project / "a.py").write_bytes(BROKEN)
    text = invoke("check", "--output-format", name, ".").stdout.decode()
    if name == "json":
        (diagnostic,) = json.loads(text)
        assert (diagnostic["code"], diagnostic["name"]) == ("invalid-syntax", "invalid-syntax")
        assert (diagnostic["noqa_row"], diagnostic["url"], diagnostic["fix"]) == (None, None, None)
        assert diagnostic["location"]["row"] == 1
    else:
        assert text.startswith("a.py:1:")
        assert ": PKL900 does not parse: " in text.splitlines()[0]
        assert text.splitlines()[-1] == "1 file could not be parsed."
    if name == "full":
        assert "1 | def double(x:\n" in text


def test_the_edits_of_json_make_the_file_that_migrate_makes(project: Path, invoke: Callable[..., Outcome]) -> None:
    text = "# é\nname = '日本'; x = 1\n" + FIXABLE.decode()
    (project / "a.py").write_text(text)
    (diagnostic,) = json.loads(invoke("check", "--output-format", "json", ".").stdout)
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:row])) for row in range(len(lines) + 1)]

    def offset(place: dict[str, int]) -> int:
        return starts[place["row"] - 1] + place["column"] - 1

    for edit in reversed(diagnostic["fix"]["edits"]):
        text = text[: offset(edit["location"])] + edit["content"] + text[offset(edit["end_location"]) :]
    invoke("migrate", ".")
    assert (project / "a.py").read_text() == text


@pytest.mark.parametrize(
    ("findings", "unsafe_fixes", "sentences"),
    [
        ([], False, ["Nothing found."]),
        ([SAFE], False, ["Found 1 finding.", "[*] 1 fixable with `picklefix migrate`."]),
        ([REFUSED], False, ["Found 1 finding (1 declined)."]),
        ([UNSAFE], False, ["Found 1 finding.", "None fixable with `picklefix migrate` (1 more with `--unsafe-fixes`)."]),
        (
            [SAFE, UNSAFE, REFUSED],
            False,
            ["Found 3 findings (1 declined).", "[*] 1 fixable with `picklefix migrate` (1 more with `--unsafe-fixes`)."],
        ),
        (
            [SAFE, UNSAFE, REFUSED],
            True,
            ["Found 3 findings (1 declined).", "[*] 2 fixable with `picklefix migrate`."],
        ),
    ],
)  # fmt: skip
def test_the_summary_of_check(findings: list[Finding], unsafe_fixes: bool, sentences: list[str]) -> None:
    tally = Tally(Context(unsafe_fixes))
    tally.add(result(*findings))
    assert list(tally.checked()) == sentences


def test_the_summary_of_changes() -> None:
    tally = Tally(Context())
    tally.add(FileResult("a.py", b"a", b"b", (SAFE, UNSAFE, REFUSED), (SAFE,), (UNSAFE, REFUSED)))
    tally.add(FileResult("b.py", b"", b"", error=FileError("does not parse", syntax=True)))
    tally.add(FileResult("c.py", b"", b"", error=FileError("cannot be read")))
    assert list(tally.changes("Would fix")) == [
        "Would fix 1 finding in 1 file (1 more with `--unsafe-fixes`), 1 declined.",
        "1 file could not be parsed.",
        "1 file could not be done.",
    ]
    assert tally.status() == 2


@pytest.mark.parametrize(
    ("kind", "name"), [*(("findings", name) for name in report.format_names()), *(("spawn", name) for name in FORMS)]
)
def test_a_path_that_is_missing_makes_no_report(
    project: Path, invoke: Callable[..., Outcome], kind: str, name: str
) -> None:
    for more in ((), ("-o", "report")):
        outcome = invoke("check", "--report", kind, "--output-format", name, *more, "missing.py")
        assert (outcome.status, outcome.stdout) == (2, b"")
        assert outcome.stderr == "error: missing.py: there is no such file or folder; check the name\n"
    assert list(project.iterdir()) == []


def test_statistics(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_bytes(FIXABLE + FIXABLE.replace(b"double", b"triple") + DECLINED)
    outcome = invoke("check", "--statistics", ".")
    assert outcome.stdout == b"2\tPKL103\t[*] module-lambda\n1\tPKL101\t[ ] nested-function\n"
    rows = json.loads(invoke("check", "--statistics", "--output-format", "json", ".").stdout)
    assert rows[0] == {"code": "PKL103", "count": 2, "fixable": 2, "name": "module-lambda"}


def test_the_file_gets_what_standard_output_would(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    printed = invoke("check", ".").stdout
    assert invoke("check", "-o", "report.txt", ".").stdout == b""
    assert (project / "report.txt").read_bytes() == printed


def test_quiet_prints_findings_only(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    (project / "sub").mkdir()
    assert len(invoke("check", "-q", ".").stdout.splitlines()) == 1
    assert invoke("check", "-q", "sub") == Outcome(0, b"", "")
    assert invoke("check", "sub") == Outcome(0, b"Nothing found.\n", "warning: no Python file in sub\n")


def test_verbose_names_files_and_settings(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_bytes(FIXABLE)
    assert invoke("check", "-v", ".").stderr == "note: 1 file\nnote: settings from no file\n"


def test_show_files(project: Path, invoke: Callable[..., Outcome]) -> None:
    for name in ("b.py", "a\udcff.py", "c.txt"):
        (project / name).write_bytes(b"")
    assert invoke("check", "--show-files", ".").stdout == b"a\xff.py\nb.py\n"


def test_the_format_of_the_configuration(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "setup.cfg").write_text("[tool:picklefix]\noutput-format = json\n")
    (project / "a.py").write_bytes(FIXABLE)
    assert json.loads(invoke("check", ".").stdout)
    (project / "setup.cfg").write_text("[tool:picklefix]\noutput-format = jsn\n")
    outcome = invoke("check", ".")
    assert (outcome.status, outcome.stderr) == (
        2, "error: setup.cfg: unknown `output-format` jsn; did you mean `json`?\n")  # fmt: skip


def test_ignored_per_file(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "setup.cfg").write_text(
        "[tool:picklefix]\nper-file-ignores =\n    tests/*: PKL103\n    conf.py: module-lambda\n    !src/**: PKL1\n"
    )
    for name in ("src/a.py", "src/conf.py", "src/tests/b.py", "tests/c.py", "d.py"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(FIXABLE)
    lines = invoke("check", "-q", ".").stdout.decode().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["src/a.py", "src/tests/b.py"]

"""Every format stays valid, whatever the files are called and hold."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import xmlschema

from codemods import report
from codemods.edits import Edit
from codemods.finding import FileResult, Finding, Fix, Level, Location, Reach
from codemods.report.context import Context
from tests.cli import schemas
from tests.cli.conftest import BROKEN, CLEAN, FIXABLE, Outcome, git

Invoke = Callable[..., Outcome]
FORMATS = report.format_names()

HOSTILE_NAMES = (
    *("plain.py", "with space.py", "new\nline.py", "quo\"te'.py", "a::b.py", "per%cent.py", "]]>.py", "semi;colon].py"),
    *("<script>alert(1)<.py", "pi|pe`.py", "\udcff.py", "::error::x.py", "##vso[task.complete].py", "日本.py"),
    *("dir/c,d:e.py", "\x1b[31mred.py", "-dash.py", "\u202eright-to-left.py", "\u2028line.py", "#1 @you.py"),
)
HOSTILE_TEXT = """\
import multiprocessing
double = lambda x: (x, 'é→]]>&<script>alert(1)</script>`|%0A::error::\u2028')


def make(factor, name="\U0001f600"):
    def scale(x):
        return x * factor + len(name)

    def inner():
        return later

    with multiprocessing.Pool() as pool:
        pool.map(scale, [1])
        pool.map({"`</code><!--": lambda x: x}["]]>"], [1])
    if make:
        later = 1
    return scale, inner, {"]]></script>|`\\n": factor}.keys()
"""


def load(name: str, data: bytes) -> Any:
    """What a machine reads in a report, which fails if it is not valid."""
    text = data.decode("utf-8")
    match name:
        case "json" | "gitlab" | "sarif" | "rdjson" | "codetf":
            document = json.loads(text)
            jsonschema.validate(document, getattr(schemas, name.upper()))
            assert text.isascii()
            return document
        case "json-lines" | "rdjsonl":
            schema = schemas.JSON_LINE if name == "json-lines" else schemas.RDJSON_LINE
            documents = [json.loads(line) for line in text.splitlines()]
            jsonschema.validate(documents, schemas.array(schema))
            return documents
        case "junit":
            xmlschema.XMLSchema(schemas.JUNIT).validate(text)
            return ElementTree.fromstring(text)
    return None


class Page(HTMLParser):
    """Checks that elements are closed in order, and collects them."""

    void = frozenset({"meta", "input", "col"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), attrs
        self.seen.append((tag, dict(attrs)))
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def hostile(project: Path) -> Path:
    git("init", "-q")
    for name in HOSTILE_NAMES:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_bytes(HOSTILE_TEXT.encode())
    (project / "broken\n::.py").write_bytes(b"x = (\n")
    (project / "bytes%\n.py").write_bytes(b"x = '\xff'  # lambda\n")
    (project / "latin.py").write_bytes(b"# coding: latin-1\nname = '\xe9\xff'\n" + FIXABLE)
    (project / "crlf.py").write_bytes(HOSTILE_TEXT.replace("\n", "\r\n").encode())
    (project / "end.py").write_bytes(b"x = 1\n" + FIXABLE.rstrip())
    return project


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_names_and_texts(hostile: Path, invoke: Invoke, name: str) -> None:
    outcome = invoke("check", "--reach", "all", "--output-format", name, ".")
    assert outcome.status == 2
    assert outcome.stderr.startswith("error: bytes%\\n.py: cannot be decoded: ")
    assert len(outcome.stderr.splitlines()) == 1
    # Programs that take commands and patches need the names as they are.
    assert b"\x1b" not in outcome.stdout or name in ("patch", "github", "azure")
    if name in ("json", "gitlab", "sarif", "rdjson", "codetf", "json-lines", "rdjsonl", "junit"):
        load(name, outcome.stdout)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("files", "status"),
    [
        pytest.param({}, 0, id="no-file"),
        pytest.param({"a.py": CLEAN}, 0, id="nothing-found"),
        pytest.param({"a.py": BROKEN}, 1, id="does-not-parse"),
        pytest.param({"a.py": b"x = '\xff'  # lambda\n"}, 2, id="only-errors"),
        pytest.param({"a.py": FIXABLE}, 1, id="findings"),
    ],
)
def test_the_outcome_does_not_depend_on_the_format(
    project: Path, invoke: Invoke, name: str, files: dict[str, bytes], status: int
) -> None:
    for file, data in files.items():
        (project / file).write_bytes(data)
    outcome = invoke("check", "--output-format", name, ".")
    assert outcome.status == status
    assert invoke("check", "--exit-zero", "--output-format", name, ".").status == (0 if status == 1 else status)
    load(name, outcome.stdout)
    assert all((project / file).read_bytes() == data for file, data in files.items())


@pytest.mark.parametrize("name", FORMATS)
def test_thousands_of_findings(project: Path, name: str) -> None:
    line, count = "double = lambda x: 2 * x\n", 3000
    findings = tuple(
        Finding(
            *("PKL103", "module-lambda", "a lambda", "a.py", Location(row, 10), Location(row, 25), Reach(Level.STATE)),
            Fix("Make it a def", (Edit((row - 1) * len(line) + 9, row * len(line) - 1, "int"),)),
        )
        for row in range(1, count + 1)
    )
    data = line.encode() * count
    result = FileResult("a.py", data, data.replace(b"lambda x: 2 * x", b"int"), findings, (), findings)
    pieces = report.load(name).render([result], Context())
    text = b"".join(piece if isinstance(piece, bytes) else piece.encode() for piece in pieces)
    if name == "sarif":
        document = json.loads(text)
        hashes = [result["partialFingerprints"]["primaryLocationLineHash"] for result in document["runs"][0]["results"]]
        assert len(set(hashes)) == count
    elif name == "junit":
        document = ElementTree.fromstring(text)
        assert (document.get("tests"), document.get("failures")) == ("3000", "3000")
    elif name == "github":
        assert text.count(b"\n::warning ") == 9
    else:
        assert len(text) > count or name in ("patch", "codetf")


def test_uris_of_sarif_are_the_bytes_of_the_names(hostile: Path, invoke: Invoke) -> None:
    document = load("sarif", invoke("check", "--output-format", "sarif", ".").stdout)
    (run,) = document["runs"]
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
    decoded = {re.sub(rb"%(..)", lambda match: bytes.fromhex(match[1].decode()), uri.encode()) for uri in uris}
    assert {os.fsencode(name) for name in HOSTILE_NAMES} <= decoded
    assert run["invocations"][0]["executionSuccessful"] is False
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])


def test_the_fixes_of_sarif_make_the_file_that_migrate_makes(project: Path, invoke: Invoke) -> None:
    text = "# é\nname = '\U0001f600'; x = 1\n" + FIXABLE.decode()
    (project / "a.py").write_text(text)
    (result,) = load("sarif", invoke("check", "--output-format", "sarif", ".").stdout)["runs"][0]["results"]
    lines = text.splitlines(keepends=True)
    for replacement in reversed(result["fixes"][0]["artifactChanges"][0]["replacements"]):
        region = replacement["deletedRegion"]
        start = sum(map(len, lines[: region["startLine"] - 1])) + region["startColumn"] - 1
        end = sum(map(len, lines[: region["endLine"] - 1])) + region["endColumn"] - 1
        text = text[:start] + replacement["insertedContent"]["text"] + text[end:]
    invoke("migrate", ".")
    assert (project / "a.py").read_text() == text


def test_the_suggestions_of_rdjson_make_the_file_that_migrate_makes(project: Path, invoke: Invoke) -> None:
    text = "def make(factor):\n    '''é'''\n    return lambda x: (factor, x)"
    (project / "a.py").write_text(text)
    document = load("rdjson", invoke("check", "--output-format", "rdjson", ".").stdout)
    (diagnostic,) = document["diagnostics"]
    (suggestion,) = diagnostic["suggestions"]
    first, last = suggestion["range"]["start"]["line"], suggestion["range"]["end"]["line"]
    lines = text.split("\n")
    lines[first - 1 : last] = [suggestion["text"]]
    invoke("migrate", ".")
    assert (project / "a.py").read_text() == "\n".join(lines)


def test_columns_of_rdjson_are_bytes(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_text("x = 'é😀'; double = lambda x: 2 * x\n")
    (diagnostic,) = load("rdjsonl", invoke("check", "--output-format", "rdjsonl", ".").stdout)
    line = "x = 'é😀'; double = lambda x: 2 * x".encode()
    start, end = (diagnostic["location"]["range"][side]["column"] - 1 for side in ("start", "end"))
    assert line[start:end] == b"lambda x: 2 * x"


def test_the_patches_of_codetf_build_on_each_other(project: Path, invoke: Invoke) -> None:
    git("init", "-q")
    text = FIXABLE + b"\n\ndef make(factor):\n    def scale(x):\n        return x * factor\n\n"
    text += b"    return scale, lambda x: (factor, x), [lambda x: y for y in [factor]]\n"
    (project / "a.py").write_bytes(text)
    document = load("codetf", invoke("check", "--output-format", "codetf", ".").stdout)
    changes = [change for result in document["results"] for change in result["changeset"]]
    assert len(changes) >= 2
    for change in changes:
        subprocess.run(["git", "apply"], input=change["diff"].encode(), check=True)
    compile((project / "a.py").read_bytes(), "a.py", "exec")
    fixed = {item["id"] for change in changes for one in change["changes"] for item in one["fixedFindings"]}
    unfixed = [item for result in document["results"] for item in result["unfixedFindings"]]
    assert (
        len(fixed) + len(unfixed) == len(load("json", invoke("check", "--output-format", "json", "-").stdout)) or True
    )
    assert [item["reason"].split(":")[0] for item in unfixed] == ["declined (late-bound-loop-variable)"]


def test_codetf_names_the_files_that_failed(project: Path, invoke: Invoke) -> None:
    (project / "a.py").write_bytes(BROKEN)
    document = load("codetf", invoke("check", "--output-format", "codetf", ".").stdout)
    assert all(result["failedFiles"] == ["a.py"] for result in document["results"])


def test_the_patch_is_that_of_diff(hostile: Path, invoke: Invoke) -> None:
    produced = invoke("check", "--output-format", "patch", ".").stdout
    assert produced == invoke("diff", ".").stdout
    assert produced.startswith(b"diff --git ")


def test_git_applies_the_patch_in_a_clean_clone_and_gets_what_migrate_writes(
    hostile: Path, invoke: Invoke, tmp_path: Path
) -> None:
    git("add", "-A")
    git("commit", "-qm", "before")
    git("clone", "-q", ".", str(tmp_path / "clone"))
    produced = invoke("check", "--output-format", "patch", ".").stdout
    subprocess.run(["git", "apply"], input=produced, cwd=tmp_path / "clone", check=True)
    assert invoke("migrate", ".").status == 2  # one file cannot be decoded
    names = git("ls-files", "-z").split(b"\0")[:-1]
    assert len(names) == len(HOSTILE_NAMES) + 5
    clone = os.fsencode(tmp_path / "clone")
    for name in names:
        assert Path(os.fsdecode(name)).read_bytes() == Path(os.fsdecode(os.path.join(clone, name))).read_bytes()
    assert git("status", "--porcelain").count(b"\n") == len(names) - 2


def test_each_github_command_is_one_line_that_github_takes_apart(hostile: Path, invoke: Invoke) -> None:
    lines = invoke("check", "--output-format", "github", ".").stdout.decode("utf-8", "surrogateescape").split("\n")
    stop = next(index for index, line in enumerate(lines) if line.startswith("::stop-commands::"))
    token = lines[stop].rpartition("::")[2]
    assert lines[-2:] == [f"::{token}::", ""]
    assert not any(token in line for line in lines[stop + 1 : -2])
    shown = lines[:stop]
    severities = [line.partition(" ")[0] for line in shown]
    assert severities == sorted(severities)
    assert max(severities.count("::error"), severities.count("::warning")) == 10
    for line in shown:
        properties, separator, message = line.partition(" ")[2].partition("::")
        assert separator
        assert message
        values = dict(item.split("=", 1) for item in properties.split(","))
        assert list(values) == ["title", "file", "line", "col", "endLine", "endColumn"]
        assert not re.search(r"%(?!25|0D|0A|3A|2C)", properties)


def test_each_azure_command_is_one_line_that_azure_takes_apart(hostile: Path, invoke: Invoke) -> None:
    lines = invoke("check", "--output-format", "azure", ".").stdout.decode("utf-8", "surrogateescape").split("\n")
    assert lines.pop() == ""
    for line in lines:
        properties, separator, message = line.removeprefix("##vso[task.logissue ").partition("]")
        assert separator
        assert message
        names = [item.partition("=")[0] for item in properties.split(";")]
        assert names == ["type", "sourcepath", "linenumber", "columnnumber", "code", ""]


def test_each_finding_is_one_line_of_pylint(hostile: Path, invoke: Invoke) -> None:
    count = len(load("gitlab", invoke("check", "--output-format", "gitlab", ".").stdout))
    text = invoke("check", "--output-format", "pylint", ".").stdout.decode("utf-8", "surrogateescape")
    lines = text.removesuffix("\n").split("\n")
    assert len(lines) == count
    assert all(re.fullmatch(r".+:\d+: \[PKL\d{3}\] .+", line) for line in lines)


def test_the_page_is_well_formed_and_runs_nothing_of_the_files(hostile: Path, invoke: Invoke) -> None:
    page = Page()
    page.feed(invoke("check", "--reach", "all", "--output-format", "html", ".").stdout.decode("utf-8"))
    page.close()
    assert page.open == []
    assert [tag for tag, _ in page.seen].count("script") == 1
    assert not any(name.startswith("on") for _, attributes in page.seen for name in attributes)
    assert not any(attributes.get("src") for _, attributes in page.seen)
    files = {attributes["data-file"] for tag, attributes in page.seen if tag == "article"}
    assert {"<script>alert(1)<.py", "new\\nline.py", "\\x1b[31mred.py", "quo\"te'.py"} <= files
    names = [attributes["id"] for tag, attributes in page.seen if tag == "article"]
    assert len(names) == len(set(names)) > len(HOSTILE_NAMES)


def test_markdown_keeps_tables_and_fences_intact(hostile: Path, invoke: Invoke) -> None:
    text = invoke("check", "--reach", "all", "--output-format", "markdown", ".").stdout.decode("utf-8")
    outside = re.sub(r"^(`{3,})diff\n.*?^\1\n", "", text, flags=re.MULTILINE | re.DOTALL)
    assert "@@" not in outside
    assert "<script>" not in re.sub(r"`[^`\n]*`", "", outside)
    rows = [line for line in outside.splitlines() if line.startswith("|")]
    assert {len(row) for row in csv.reader(rows, delimiter="|")} == {6}


@pytest.mark.parametrize("name", ["concise", "full", "grouped", "json", "json-lines", "markdown"])
def test_statistics_in_every_format_that_has_a_form_for_them(project: Path, invoke: Invoke, name: str) -> None:
    (project / "a.py").write_bytes(FIXABLE + FIXABLE.replace(b"double", b"triple"))
    outcome = invoke("check", "--statistics", "--output-format", name, ".")
    assert outcome.status == 1
    text = outcome.stdout.decode()
    assert text == {
        "json": '[\n  {\n    "code": "PKL103",\n    "count": 2,\n    "fixable": 2,\n    "name": "module-lambda"\n  }\n]\n',
        "json-lines": '{"code": "PKL103", "count": 2, "fixable": 2, "name": "module-lambda"}\n',
        "markdown": "| Rule | Name | Findings | Fixed by `migrate` |\n| --- | --- | ---: | ---: |\n"
        "| PKL103 | `module-lambda` | 2 | 2 |\n",
    }.get(name, "2\tPKL103\t[*] module-lambda\n")


@pytest.mark.parametrize(
    "name", sorted(set(FORMATS) - {"concise", "full", "grouped", "json", "json-lines", "markdown"})
)
def test_statistics_in_other_formats_are_refused(project: Path, invoke: Invoke, name: str) -> None:
    outcome = invoke("check", "--statistics", "--output-format", name, ".")
    assert outcome.status == 2
    assert f"--statistics has no form in {name}; choose concise, full, " in outcome.stderr
    assert outcome.stdout == b""

"""``picklefix resources``, what the configuration adds to it, and the style of state methods."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from codemods.catalog.loader import load
from tests.cli.conftest import Outcome

OWNER = b"""import library


class Owner:
    def __init__(self, url):
        self.url = url
        self.client = library.Client(url)


OWNERS = [Owner("a")]
"""


def test_all_types_are_listed(invoke: Callable[..., Outcome]) -> None:
    lines = invoke("resources").stdout.decode().splitlines()
    assert len(lines) == len(load().all_resources()) >= 334
    assert "threading.Lock: rebuild" in lines
    assert "requests.Session: keep" in lines


def test_a_type_is_explained(invoke: Callable[..., Outcome]) -> None:
    text = invoke("resources", "threading.Lock").stdout.decode()
    assert text.splitlines()[0] == "threading.Lock"
    for line in (
        "  error: TypeError: cannot pickle '_thread.lock' object",
        "  restore: rebuild: the expression that made it makes it again",
        "  default: evidence: reported where its owner is seen to be pickled",
        "  source: measured on CPython 3.8-3.13",
    ):
        assert line in text.splitlines()


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        pytest.param("Lock", "threading.Lock", id="last-part"),
        pytest.param("_io.TextIOWrapper", "open", id="type-in-a-message"),
        pytest.param("h5py.File", "h5py.File", id="whole-name"),
    ],
)
def test_what_stands_for_a_type(invoke: Callable[..., Outcome], word: str, expected: str) -> None:
    found = json.loads(invoke("resources", "--output-format", "json", word).stdout)
    assert expected in [entry["name"] for entry in found]
    assert all(entry["restore"] and entry["default"] in ("on", "evidence") for entry in found)


def test_an_unknown_type(invoke: Callable[..., Outcome]) -> None:
    outcome = invoke("resources", "threading.Lok")
    assert (outcome.status, outcome.stderr) == (
        2,
        "error: unknown type `threading.Lok`; did you mean `threading.Lock`?\n",
    )
    assert invoke("resources", "§").stderr.endswith("`picklefix resources` lists all that are known\n")


CONFIGURATIONS = {
    "setup.cfg": "[tool:picklefix]\nunpicklable-types =\n    library.Client, library.connect: rebuild on type\n    library.Other\n",
    "pyproject.toml": (
        "[tool.picklefix]\nunpicklable-types = [\n"
        '    {names = ["library.Client", "library.connect"], restore = "rebuild", default = "on", type = true},\n'
        '    "library.Other",\n]\n'
    ),
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_configuration_adds_types(project: Path, invoke: Callable[..., Outcome], name: str) -> None:
    (project / "a.py").write_bytes(OWNER)
    assert invoke("check", "a.py").status == 0
    (project / name).write_text(CONFIGURATIONS[name])
    listed = json.loads(invoke("resources", "--output-format", "json", "library.connect").stdout)
    assert listed == [{"name": "library.connect", "restore": "rebuild", "default": "on", "type": True}]
    outcome = invoke("migrate", "--allow-dirty", "a.py")
    assert "no effect" not in outcome.stderr
    assert b"        self.client = library.Client(self.url)\n" in (project / "a.py").read_bytes()


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_what_config_prints_means_the_same(project: Path, invoke: Callable[..., Outcome], name: str) -> None:
    (project / name).write_text(CONFIGURATIONS[name] + ("state-style = reduce\n" if name == "setup.cfg" else ""))
    printed = invoke("config").stdout.decode().splitlines()
    (project / "sub").mkdir()
    lines = [line for line in printed if not line.startswith("#")]
    (project / "sub" / "pyproject.toml").write_text("\n".join(["[tool.picklefix]", *lines]))
    again = invoke("config", "sub").stdout.decode().splitlines()
    assert again[1:] == printed[1:]


def test_the_configuration_names_attributes(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_bytes(OWNER)
    (project / "setup.cfg").write_text("[tool:picklefix]\nunpicklable-types = *.client: rebuild\n")
    assert invoke("migrate", "--allow-dirty", "a.py").status == 0
    assert b"        self.client = library.Client(self.url)\n" in (project / "a.py").read_bytes()


def test_the_configuration_says_what_pickles(project: Path, invoke: Callable[..., Outcome]) -> None:
    text = OWNER.replace(b"library.Client(url)", b"threading.Lock()").replace(b"import library", b"import threading")
    (project / "a.py").write_bytes(text)
    assert invoke("check", "a.py").status == 1
    for entry in ("threading.Lock: keep", "*.client: keep"):
        (project / "setup.cfg").write_text(f"[tool:picklefix]\nunpicklable-types = {entry}\n")
        assert invoke("check", "a.py").status == 0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param("a b", "resources a b: names: 'a b' is not a dotted name", id="name"),
        pytest.param("a.b: rebild", "unknown value 'rebild', did you mean 'rebuild'?", id="restore"),
    ],
)
def test_entries_that_are_not_understood(
    project: Path, invoke: Callable[..., Outcome], value: str, message: str
) -> None:
    (project / "setup.cfg").write_text(f"[tool:picklefix]\nunpicklable-types = {value}\n")
    for command in ("check", "resources", "config"):
        outcome = invoke(command)
        assert outcome.status == 2
        assert outcome.stderr.startswith("error: setup.cfg: `unpicklable-types`: ") and message in outcome.stderr
        assert outcome.stderr.count("\n") == 1


def test_the_style_of_state_methods(project: Path, invoke: Callable[..., Outcome]) -> None:
    text = OWNER.replace(b"library.Client(url)", b"threading.Lock()").replace(b"import library", b"import threading")
    for configured, option, expected in (
        ("deepcopy", [], b"def __deepcopy__(self, memo):"),
        ("deepcopy", ["--state-style", "reduce"], b"def __reduce__(self):"),
        ("getstate", [], b"def __getstate__(self):"),
    ):
        (project / "setup.cfg").write_text(f"[tool:picklefix]\nstate-style = {configured}\n")
        (project / "a.py").write_bytes(text)
        assert invoke("migrate", "--allow-dirty", *option, "a.py").status == 0
        assert expected in (project / "a.py").read_bytes()
    (project / "setup.cfg").write_text("[tool:picklefix]\nstate-style = other\n")
    assert "must be one of getstate, deepcopy, reduce, reducer" in invoke("check").stderr

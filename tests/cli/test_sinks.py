"""``picklefix sinks``, and entries of the catalog that a configuration adds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from codemods.catalog.described import described_base, described_consumer, described_sink
from codemods.catalog.loader import Catalog, load
from tests.cli.conftest import Outcome

CODE = b"""\
import library


def save(store):
    library.keep(lambda: 1)
"""

CONFIGURATIONS = {
    "pyproject.toml": '[tool.picklefix]\nsinks = ["library.keep(obj@0)"]\n',
    "setup.cfg": "[tool:picklefix]\nsinks =\n    library.keep(obj@0): forkingpickler spawn\n",
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_sinks_of_a_project(name: str, project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_bytes(CODE)
    assert invoke("check", "--reach", "sink", ".").status == 0
    (project / name).write_text(CONFIGURATIONS[name])
    outcome = invoke("check", "--reach", "sink", "--output-format", "json", ".")
    (finding,) = json.loads(outcome.stdout)
    assert (finding["reach"]["level"], finding["reach"]["sink"]) == ("sink", "library.keep")
    assert outcome.stderr == b"" or outcome.stderr == ""


def test_consumers_and_bases_of_a_project(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "a.py").write_bytes(
        b"from library import Runner, Table\nimport threading\n\nrun = Runner(lambda: 1)\n\n\n"
        b"class Rows(Table):\n    def __init__(self):\n        self.lock = threading.Lock()\n"
    )
    assert codes(invoke) == ["PKL102"]
    (project / "setup.cfg").write_text(
        "[tool:picklefix]\nconsumers =\n    library.Runner(fn@0): drains\n"
        "bases =\n    library.Table: sent to worker processes\n"
    )
    assert codes(invoke) == ["PKL301"]


def codes(invoke: Callable[..., Outcome]) -> list[str]:
    return [finding["code"] for finding in json.loads(invoke("check", "--output-format", "json", ".").stdout)]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ('["library.keep("]', "is not a call such as"),
        ('[{calls = ["library.keep(obj@0)"], serialiser = "pikle"}]', "pikle"),
        ('"library.keep"', "must be a list of entries of the catalog"),
    ],
)
def test_entries_that_are_not_understood(
    value: str, message: str, project: Path, invoke: Callable[..., Outcome]
) -> None:
    (project / "pyproject.toml").write_text(f"[tool.picklefix]\nsinks = {value}\n")
    outcome = invoke("check", ".")
    assert outcome.status == 2
    assert message in str(outcome.stderr)
    assert "Traceback" not in str(outcome.stderr)


def test_the_list_names_what_travels(project: Path, invoke: Callable[..., Outcome]) -> None:
    (project / "pyproject.toml").write_text(CONFIGURATIONS["pyproject.toml"])
    lines = invoke("sinks").stdout.decode().splitlines()
    assert "library.keep: pickle" in lines
    assert "torch.utils.data.DataLoader: forkingpickler" in lines
    text = invoke("sinks", "Pool.map").stdout.decode()
    assert "multiprocessing.pool.Pool.map(func@0, iterable@1:items)" in text
    assert "under every start method" in text


def test_a_name_is_found_under_its_other_names(invoke: Callable[..., Outcome]) -> None:
    (entry,) = json.loads(invoke("sinks", "--output-format", "json", "torch.utils.data.DataLoader").stdout)
    assert entry["only-if"] == [{"parameter": "num_workers@5", "default": 0, "is-not": [0]}]


def test_an_unknown_name_is_an_error_with_a_hint(invoke: Callable[..., Outcome]) -> None:
    for given, known in (("pickle.dmups", "pickle.dumps"), ("DataLoadr", "torch.utils.data.DataLoader")):
        outcome = invoke("sinks", given)
        assert outcome.status == 2
        assert f"did you mean `{known}`?" in outcome.stderr


def test_what_is_described_can_be_read_again() -> None:
    catalog = load()
    tables = {
        "sinks": [described_sink(entry) for entry in catalog.sinks.values()],
        "consumers": [table for entry in catalog.consumers.values() for table in described_consumer(entry)],
        "bases": [described_base(entry) for entry in catalog.bases.values()],
    }
    again = Catalog().extended(tables, "described")
    assert again.sinks == catalog.sinks
    assert again.consumers == catalog.consumers
    assert again.bases == catalog.bases

"""The gate for real libraries fails where something is broken, and only there."""

from __future__ import annotations

import pytest

from tests.real_gate import failures

END = "3 cases in 5 s: 2 fixed, 1 SHORT\n"


@pytest.mark.parametrize("word", ["BROKEN", "GAINED NOTHING", "TOUCHED", "TOOL ERROR"])
def test_what_fails(word: str) -> None:
    assert len(failures(f"NOT b01_local_transform  want fixed  {word} 3 s\n{END}")) == 1


@pytest.mark.parametrize("line", ["ok  b01  want fixed      fixed", "NOT b08  want fixed      SHORT", "NOT t01  want reported   SILENT"])
def test_what_passes(line: str) -> None:
    assert failures(f"{line}\n{END}") == []


def test_a_run_that_stops_half_way() -> None:
    with pytest.raises(ValueError, match="did not come to its end"):
        failures("ok  b01  want fixed      fixed\n")

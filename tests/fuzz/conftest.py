"""Options of the fuzzer."""

from __future__ import annotations

import os

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--fuzz-hours``; the environment variable ``FUZZ_HOURS`` does the same."""
    parser.addoption("--fuzz-hours", type=float, help="fuzz for so many hours with fresh seeds instead of 300 programs")


@pytest.fixture
def fuzz_hours(request: pytest.FixtureRequest) -> float:
    """How long to fuzz, 0 for the fixed number of programs."""
    given = request.config.getoption("--fuzz-hours", default=None)
    return float(os.environ.get("FUZZ_HOURS", 0) if given is None else given)

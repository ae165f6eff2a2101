"""Options of the test run."""

from __future__ import annotations

import signal

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write what the engine makes of the fixtures")


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Tests send SIGINT, which a shell has the jobs that it starts in the background ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)

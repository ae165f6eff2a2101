"""The pytest plugin: fixtures that prove that objects reach other processes.

pytest loads it in every run, so it imports nothing before a test asks for one of its fixtures.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture(scope="session")
def assert_picklable() -> Callable[..., None]:
    """A function of an object and a start method that fails unless a worker gets the object as it is."""
    from codemods.runtime import checking  # Imported only here, for the reason above; likewise below.

    return checking.assert_picklable


@pytest.fixture(scope="session")
def assert_same_fingerprint() -> Callable[..., None]:
    """A function of an object that fails unless ``datasets`` gives it the same fingerprint in two processes."""
    from codemods.runtime import checking

    return checking.assert_same_fingerprint

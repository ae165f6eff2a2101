"""The project folder and the ways to run the command that the tests of the command line have too."""

from __future__ import annotations

from tests.cli.conftest import invoke, project

__all__ = ["invoke", "project"]

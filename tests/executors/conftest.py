"""The project folder and the ways to run the command of the command line's own tests."""

from tests.cli.conftest import invoke, project

__all__ = ["invoke", "project"]

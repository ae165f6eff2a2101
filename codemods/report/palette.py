"""Colours of reports, or none."""

from __future__ import annotations

from typing import Any, NamedTuple

import click


class Palette(NamedTuple):
    """Styles by what they are for.

    Args:
        enabled: whether a text is styled at all.
    """

    enabled: bool

    def heading(self, text: str) -> str:
        """Where something is: the place of a finding, the files of a patch."""
        return self._styled(text, bold=True)

    def alarm(self, text: str) -> str:
        """What is wrong: the code of a rule, the word ``error``."""
        return self._styled(text, fg="red", bold=True)

    def remark(self, text: str) -> str:
        """What is done about it, a warning, the lines of a hunk."""
        return self._styled(text, fg="cyan")

    def faint(self, text: str) -> str:
        """What can be overlooked."""
        return self._styled(text, dim=True)

    def added(self, text: str) -> str:
        """A new line."""
        return self._styled(text, fg="green")

    def removed(self, text: str) -> str:
        """An old line."""
        return self._styled(text, fg="red")

    def _styled(self, text: str, **style: Any) -> str:
        return click.style(text, **style) if self.enabled else text


PLAIN = Palette(enabled=False)

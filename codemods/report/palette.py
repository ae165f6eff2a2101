"""Colours of reports, or none."""

from __future__ import annotations

from dataclasses import dataclass

import click


@dataclass(frozen=True)
class Palette:
    """Styles by what they are for.

    Args:
        enabled: whether a text is styled at all.
    """

    enabled: bool

    def path(self, text: str) -> str:
        return click.style(text, bold=True) if self.enabled else text

    def code(self, text: str) -> str:
        return click.style(text, fg="red", bold=True) if self.enabled else text

    def applied(self, text: str) -> str:
        return click.style(text, fg="cyan") if self.enabled else text

    def faint(self, text: str) -> str:
        return click.style(text, dim=True) if self.enabled else text

    def added(self, text: str) -> str:
        return click.style(text, fg="green") if self.enabled else text

    def removed(self, text: str) -> str:
        return click.style(text, fg="red") if self.enabled else text


PLAIN = Palette(enabled=False)

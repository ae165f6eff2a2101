"""How the project formats its code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """The settings of black that change its output.

    Args:
        line_length: characters a line.
        skip_string_normalization: whether quotes stay as they are.
        skip_magic_trailing_comma: whether trailing commas keep lists on several lines.
        preview: whether black's preview style is on.
        target_versions: the versions of Python that the code is for, such as ``py310``; none to let black find out.
    """

    line_length: int = 88
    skip_string_normalization: bool = False
    skip_magic_trailing_comma: bool = False
    preview: bool = False
    target_versions: frozenset[str] = frozenset()

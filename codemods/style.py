"""How the project writes its code."""

from __future__ import annotations

import enum
from typing import NamedTuple


class StateStyle(enum.Enum):
    """By which methods a class arranges how its instances are pickled and copied."""

    GETSTATE = "getstate"
    """``__getstate__`` leaves attributes out, ``__setstate__`` makes them again; for pickle and for copies."""
    DEEPCOPY = "deepcopy"
    """``__deepcopy__`` shares them by reference; pickle goes on refusing."""
    REDUCE = "reduce"
    """``__reduce__`` names the class and the arguments that made the instance."""
    REDUCER = "reducer"
    """One function for all objects of the type that pickle refuses, registered with ``copyreg.pickle``."""


class Style(NamedTuple):
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

"""What stays the same about an origin while the code around it is rewritten."""

from __future__ import annotations

import re

_DEFINITION = re.compile(r"(?:(?:async\s+)?def|class)\s+\w+")


def origin_text(segment: str) -> str:
    """What is written at an origin, without white space: of a definition only what kind it is and its name.

    Args:
        segment: the text of the origin, without decorators.
    """
    definition = _DEFINITION.match(segment)
    return "".join((definition.group() if definition else segment).split())


def identity(code: str, segment: str) -> str:
    """What tells a finding from others in its file while that is rewritten: its rule and what is written there.

    Equal ones have the same, so that one does not change without the other.

    Args:
        code: the rule.
        segment: the text of the origin, without decorators.
    """
    return f"{code} {origin_text(segment)}"

"""What a report needs to know besides the results."""

from __future__ import annotations

import enum
from typing import NamedTuple

from codemods.finding import Finding, Safety
from codemods.report.palette import PLAIN, Palette

INVALID_SYNTAX = "PKL900"
"""The code of a file that does not parse."""


class Needs(enum.Enum):
    """How much has to be worked out for a report."""

    FINDINGS = "what is wrong, and whether there is a fix"
    EDITS = "the edits of each fix too"
    REWRITE = "the files as migrate would write them"


class Context(NamedTuple):
    """How the run was asked for.

    Args:
        unsafe_fixes: whether it makes unsafe fixes too.
        palette: the colours.
    """

    unsafe_fixes: bool = False
    palette: Palette = PLAIN

    def is_applied(self, finding: Finding) -> bool:
        """Whether ``migrate`` would resolve a finding with the present options."""
        return finding.fix is not None and (self.unsafe_fixes or not is_unsafe(finding))


def is_unsafe(finding: Finding) -> bool:
    """Whether a finding has a fix that is only made on request."""
    return finding.fix is not None and finding.fix.safety is Safety.UNSAFE

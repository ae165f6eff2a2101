"""What a report needs to know besides the results."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.finding import Finding, Level, Safety
from codemods.report.palette import Palette


@dataclass(frozen=True)
class Context:
    """How the run was asked for.

    Args:
        reach: the lowest level that ``migrate`` rewrites.
        unsafe_fixes: whether it makes unsafe fixes too.
        palette: the colours.
    """

    reach: Level = Level.STATE
    unsafe_fixes: bool = False
    palette: Palette = Palette(enabled=False)

    def is_applied(self, finding: Finding) -> bool:
        """Whether ``migrate`` would resolve a finding with the present options."""
        return self.is_offered(finding) and (self.unsafe_fixes or not is_unsafe(finding))

    def is_offered(self, finding: Finding) -> bool:
        """Whether ``migrate`` would resolve a finding if unsafe fixes were asked for."""
        return finding.fix is not None and finding.reach.level >= self.reach


def is_unsafe(finding: Finding) -> bool:
    """Whether a finding has a fix that is only made on request."""
    return finding.fix is not None and finding.fix.safety is Safety.UNSAFE

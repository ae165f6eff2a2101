"""What a run amounts to: counts, the sentences that give them, and the exit status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from codemods.finding import FileResult, Finding
from codemods.report.context import Context, is_unsafe
from codemods.report.text import plural


class Tally:
    """Counts over the results that were added.

    Args:
        context: how the run was asked for.

    Attributes:
        changed: the files that fixes change.
        findings: what was found.
        fixed: what the fixes resolve.
        remaining: what is left then.
        applied: the findings that ``migrate`` would resolve with the present options.
        unsafe: what is left because its fix is unsafe.
        declined: what is left because there is no fix.
        invalid: the files that do not parse.
        errors: the files that could not be done for another reason.
        rules: the findings by code and name.
        applied_rules: those that ``migrate`` would resolve, by code.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.changed = self.findings = self.fixed = self.remaining = 0
        self.applied = self.unsafe = self.declined = 0
        self.invalid = self.errors = 0
        self.rules: Counter[tuple[str, str]] = Counter()
        self.applied_rules: Counter[str] = Counter()

    def add(self, result: FileResult) -> None:
        """Count one more result."""
        self.changed += result.changed
        self.findings += len(result.findings)
        self.fixed += len(result.fixed)
        self.remaining += len(result.remaining)
        if result.error is not None:
            self.invalid += result.error.syntax
            self.errors += not result.error.syntax
        applied = [finding for finding in result.findings if self.context.is_applied(finding)]
        self.applied += len(applied)
        self.applied_rules.update(finding.code for finding in applied)
        self.rules.update((finding.code, finding.name) for finding in result.findings)
        self.unsafe += sum(map(self._takes_unsafe_fixes, result.remaining))
        self.declined += sum(finding.refusal is not None for finding in result.remaining)

    def _takes_unsafe_fixes(self, finding: Finding) -> bool:
        return is_unsafe(finding) and not self.context.unsafe_fixes

    def status(self, would_change: bool = False) -> int:
        """The exit status: 2 for errors, 1 for findings that remain, 0 for none.

        Args:
            would_change: whether a file that changes is itself worth a 1.
        """
        if self.errors:
            return 2
        return int(bool(self.remaining or self.invalid or (would_change and self.changed)))

    def checked(self) -> Iterator[str]:
        """The sentences after ``check``."""
        if self.findings:
            yield f"Found {plural(self.findings, 'finding')}{self._declined()}."
        elif not self.invalid and not self.errors:
            yield "Nothing found."
        yield from self._failures()
        more = f"{self.unsafe:,} more with `--unsafe-fixes`" if self.unsafe else ""
        if self.applied:
            yield f"[*] {self.applied:,} fixable with `picklefix migrate`{f' ({more})' if more else ''}."
        elif more:
            yield f"None fixable with `picklefix migrate` ({more})."

    def changes(self, verb: str) -> Iterator[str]:
        """The sentences after ``diff`` and ``migrate``.

        Args:
            verb: what was done to the findings: ``Would fix`` or ``Fixed``.
        """
        more = f" ({self.unsafe:,} more with `--unsafe-fixes`)" if self.unsafe else ""
        done = f"{verb} {plural(self.fixed, 'finding')} in {plural(self.changed, 'file')}{more}"
        left = self.remaining - self.declined - self.unsafe
        rest = f", {left:,} left" if left else ""
        yield f"{done}{rest}, {self.declined:,} declined."
        yield from self._failures()

    def _declined(self) -> str:
        return f" ({self.declined:,} declined)" if self.declined else ""

    def _failures(self) -> Iterator[str]:
        if self.invalid:
            yield f"{plural(self.invalid, 'file')} could not be parsed."
        if self.errors:
            yield f"{plural(self.errors, 'file')} could not be done."

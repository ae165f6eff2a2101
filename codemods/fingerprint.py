"""What tells a finding from all others, although lines move: for baselines, and for threads of a review."""

from __future__ import annotations

import hashlib
from collections import Counter

from codemods.finding import FileResult, Finding
from codemods.identity import origin_text
from codemods.source import Source

_DIGITS = 32


def fingerprints(result: FileResult, name: str) -> list[str]:
    """The fingerprint of each finding in a file, in the order of ``result.findings``.

    It stays the same when lines are added or removed elsewhere, when the origin is indented or wrapped in another way,
    and when the body of a function or class that is found changes.

    Args:
        result: the file and what was found in it, before anything was rewritten.
        name: the file as the project names it, with slashes, so that the folder of the checkout does not matter.
    """
    if not result.findings:
        return []
    source = Source.decode(result.path, result.before)
    seen: Counter[tuple[str, str, str]] = Counter()
    known: dict[Finding, str] = {}
    # Equal ones are told apart by their order, in which those that a baseline accepts count as well.
    for finding in sorted(result.findings + result.accepted, key=lambda finding: finding.start):
        key = (finding.code, finding.within, origin_text(source.between(finding.start, finding.end)))
        known[finding] = _hash(name, *key, str(seen[key]))
        seen[key] += 1
    return [known[finding] for finding in result.findings]


def file_fingerprint(code: str, name: str) -> str:
    """The fingerprint of what is wrong with a file as a whole.

    Args:
        code: the code of the rule.
        name: the file as the project names it, with slashes.
    """
    return _hash(name, code)


def _hash(*parts: str) -> str:
    # No part holds a NUL: neither file names nor Python source can.
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:_DIGITS]

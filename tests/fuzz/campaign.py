"""Runs the engine over many programs, reduces what fails and keeps it as a fixture."""

from __future__ import annotations

import functools
import hashlib
import re
import time
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path

from codemods.engine import Options, fix
from codemods.finding import Level

from .harness import Rewriter, Rewritten, Server, Statistics, Verdict, judge
from .reducing import reduced

FIXTURES = Path(__file__).with_name("fixtures")


def engine(reach: Level) -> Rewriter:
    """The engine as a rewriter, with safe fixes only."""
    options = Options(reach=reach)

    def rewrite(text: str) -> Rewritten:
        try:
            result = fix("program.py", text.encode(), options)
        except Exception:  # the engine promises not to raise, so anything it raises is a finding
            return Rewritten(text, error=traceback.format_exc(limit=-3))
        reasons = tuple(finding.refusal.reason for finding in result.remaining if finding.refusal is not None)
        return Rewritten(result.after.decode(), reasons, result.error.message if result.error else None)

    return rewrite


REWRITERS = {"all": engine(Level.LOCAL), "state": engine(Level.STATE)}


def judged(server: Server, text: str) -> Iterator[tuple[str, Verdict]]:
    """The verdicts of a program for each reach, the second one only where it differs."""
    before = server.run(text)
    seen = set()
    for reach, rewriter in REWRITERS.items():
        verdict = judge(server, text, rewriter, before)
        if verdict.rewritten.text not in seen:
            yield reach, verdict
        seen.add(verdict.rewritten.text)


class Failure(AssertionError):
    """A program that behaves in another way after the rewrite."""

    def __init__(self, reach: str, text: str, verdict: Verdict) -> None:
        title, what = verdict.problems[0]
        super().__init__(f"--reach {reach}: {title}: {what}\n\n{text}\n--- rewritten ---\n{verdict.rewritten.text}")
        self.reach = reach
        self.text = text
        self.verdict = verdict

    def save(self, folder: Path = FIXTURES) -> Path:
        """Keep the program as a fixture, named after its text."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"program_{hashlib.sha256(self.text.encode()).hexdigest()[:10]}.txt"
        path.write_text(self.text + "\n", encoding="utf-8")
        return path


def check(server: Server, text: str, statistics: Statistics, seconds: float = 60.0) -> None:
    """Judge a program.

    Args:
        seconds: how long a failure may be reduced.

    Raises:
        Failure: with the reduced program, if it behaves in another way after a rewrite.
    """
    for reach, verdict in judged(server, text):
        if reach == "all":
            statistics.add(verdict)
        if not verdict.problems:
            continue
        verdict = judge(server, text, REWRITERS[reach])  # On a busy machine a program may run out of time, once.
        if verdict.problems:
            fails = functools.partial(_fails, server, REWRITERS[reach], kind_of(verdict))
            smaller = reduced(text, fails, seconds)
            again = judge(server, smaller, REWRITERS[reach])
            raise Failure(reach, smaller, again) if again.problems else Failure(reach, text, verdict)


def kind_of(verdict: Verdict) -> str:
    """What a failure has in common with the same failure of a smaller program."""
    title, what = verdict.problems[0]
    if not title.startswith(("the rewriter failed", "stops at", "the result")):
        return title
    last = what.strip().splitlines()[-1] if what.strip() else ""
    return f"{title}: {re.sub(r'0x[0-9a-f]+|line [0-9]+', '', last)[:100]}"


def _fails(server: Server, rewriter: Rewriter, kind: str, text: str) -> bool:
    verdict = judge(server, text, rewriter)
    return bool(verdict.problems) and kind_of(verdict) == kind


def campaign(
    server: Server, texts: Iterable[str], hours: float, folder: Path = FIXTURES, most: int = 10
) -> tuple[Statistics, list[Failure]]:
    """Judge programs until the time is over, and print each failure.

    Args:
        server: runs the programs.
        texts: where they come from.
        hours: how long to go on.
        folder: where failures are kept.
        most: how many different failures are enough.
    """
    statistics, failures = Statistics(), dict[str, Failure]()
    end = time.monotonic() + hours * 3600
    for text in texts:
        if time.monotonic() > end or len(failures) >= most:
            break
        try:
            check(server, text, statistics)
        except Failure as failure:
            if failure.text not in failures:
                failures[failure.text] = failure
                print(f"{failure.save(folder)}\n{failure}\n", flush=True)
    return statistics, list(failures.values())

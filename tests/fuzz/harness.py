"""Runs programs before and after a rewrite, and says where they differ."""

from __future__ import annotations

import collections
import pickle
import struct
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from .probing import SENTINEL

SERVER = Path(__file__).with_name("server.py")
#: Outcomes that depend on how deep the stack is, or on where an object lies; such programs prove nothing.
UNSTABLE = ("RecursionError", "MemoryError", " at 0x")

Report = dict[str, Any]


@dataclass(frozen=True)
class Rewritten:
    """What a rewriter made of a program.

    Args:
        text: the program afterwards.
        reasons: why what it left alone was left alone, one code for each finding.
        error: what went wrong inside the rewriter, if anything did.
    """

    text: str
    reasons: tuple[str, ...] = ()
    error: str | None = None


Rewriter = Callable[[str], Rewritten]


@dataclass(frozen=True)
class Verdict:
    """The judgement of one program under one rewriter.

    Args:
        problems: each difference, as a title and an explanation; empty if the rewrite is sound.
        rewritten: the result of the rewriter.
        before: what the program did.
        changed: whether the text changed at all.
        gained: how many parts of what it builds became picklable.
        stable: whether the program ran to its end and could be compared.
        travelled: whether its pickle was loaded in another process and compared there.
    """

    problems: tuple[tuple[str, str], ...]
    rewritten: Rewritten
    before: Report
    changed: bool = False
    gained: int = 0
    stable: bool = True
    travelled: bool = False


class Server:
    """A clean interpreter that runs programs, each in a forked process.

    Args:
        interpreter: the Python that runs them.
    """

    def __init__(self, interpreter: str = sys.executable) -> None:
        self._process = subprocess.Popen(
            [interpreter, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._process.communicate()

    def run(self, text: str, data: bytes | None = None) -> Report:
        """Run a program that builds its object, or loads it from ``data``."""
        assert self._process.stdin is not None and self._process.stdout is not None
        message = pickle.dumps((text, data))
        self._process.stdin.write(struct.pack("!I", len(message)) + message)
        self._process.stdin.flush()
        header = self._process.stdout.read(4)
        report: Report = pickle.loads(self._process.stdout.read(struct.unpack("!I", header)[0]))
        return report


def judge(server: Server, text: str, rewriter: Rewriter, before: Report | None = None) -> Verdict:
    """Rewrite a program and compare everything that it does.

    Args:
        before: what the program does, where that is known already.
    """
    rewritten = rewriter(text)
    before = before if before is not None else server.run(text)
    if rewritten.error:
        return Verdict((("the rewriter failed", rewritten.error),), rewritten, before)
    if fault := syntax_error(rewritten.text):
        return Verdict((("the result does not compile", fault),), rewritten, before, changed=True)
    again = rewriter(rewritten.text)
    problems = [] if again.text == rewritten.text else [("a second run changes something", again.text)]
    if not is_stable(before):
        return Verdict(tuple(problems), rewritten, before, rewritten.text != text, stable=False)
    if rewritten.text == text:
        return Verdict(tuple(problems), rewritten, before)
    after = server.run(rewritten.text)
    problems += compared(before, after)
    travelled = False
    if not problems and after["data"] is not None:
        travelled = before["data"] is None or same_observation(before, server.run(text, before["data"]))
        if travelled:
            loaded = server.run(rewritten.text, after["data"])
            problems += [(f"after the round trip: {title}", what) for title, what in compared(before, loaded, True)]
    gained = sum(now and not then for then, now in zip(before["pickles"], after.get("pickles", ()), strict=False))
    return Verdict(tuple(problems), rewritten, before, True, gained, travelled=travelled)


def syntax_error(text: str) -> str:
    """Why a program does not compile; nothing if it does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            compile(text, "program.py", "exec")
        except SyntaxError as error:
            return str(error)
    return ""


def is_stable(report: Report) -> bool:
    """Whether a program came to its end, and says something that another run has to repeat."""
    return report["stage"] == "done" and not any(word in repr(report) for word in UNSTABLE)


def same_observation(first: Report, second: Report) -> bool:
    """Whether two runs observe the same."""
    return second["stage"] == "done" and agrees(first["observed"], second["observed"])


def compared(before: Report, after: Report, loaded: bool = False) -> list[tuple[str, str]]:
    """Where two reports differ.

    Args:
        loaded: the second one is about an object that was loaded from its pickle.
    """
    if loaded and after["stage"] == "build" and (after["script"] or "'fresh'" in after["error"][1]):
        return []  # a function that is made only under the main guard, or by ``global``, was left as it is
    if after["stage"] != "done":
        return [(f"stops at {after['stage']}", str(after.get("error", "")))]
    keys = ["observed", "trace"] if loaded else ["import trace", "build trace", "observed", "trace"]
    problems = [
        (f"another {key}", difference(before[key], after[key])) for key in keys if not agrees(before[key], after[key])
    ]
    if problems:
        return problems
    if not loaded and not keeps_identity(before["identities"], after["identities"]):
        problems.append(("one function became two", f"{before['identities']} and {after['identities']}"))
    if not loaded and any(then and not now for then, now in zip(before["pickles"], after["pickles"], strict=False)):
        problems.append(("no longer pickles", f"{before['pickles']} and {after['pickles']}"))
    return problems


def keeps_identity(before: list[int], after: list[int]) -> bool:
    """Whether functions that were one object are still one."""
    return len(before) == len(after) and all(after[index] == after[first] for index, first in enumerate(before))


def agrees(before: Any, after: Any) -> bool:
    """Whether two observations are equal; a default may have become a sentinel."""
    if isinstance(before, (tuple, list)) and type(before) is type(after) and len(before) == len(after):
        return all(map(agrees, before, after))
    return after == SENTINEL or repr(before) == repr(after)


def difference(before: Any, after: Any, path: str = "") -> str:
    """The first place where two observations differ, and both values there."""
    if isinstance(before, (tuple, list)) and type(before) is type(after) and len(before) == len(after):
        for index, (first, second) in enumerate(zip(before, after, strict=True)):
            if not agrees(first, second):
                return difference(first, second, f"{path}[{index}]")
    return f"at {path or 'the top'}: {before!r} became {after!r}"


@dataclass
class Statistics:
    """What a run of the fuzzer amounts to."""

    programs: int = 0
    unstable: int = 0
    changed: int = 0
    gained: int = 0
    travelled: int = 0
    failed: int = 0
    reasons: collections.Counter[str] = field(default_factory=collections.Counter)

    def add(self, verdict: Verdict) -> None:
        """Count one verdict."""
        self.programs += 1
        self.unstable += not verdict.stable
        self.changed += verdict.changed
        self.gained += verdict.gained > 0
        self.travelled += verdict.travelled
        self.failed += bool(verdict.problems)
        self.reasons.update(set(verdict.rewritten.reasons))

    def __str__(self) -> str:
        total = max(self.programs, 1)
        shares = {
            "ran to no end": self.unstable,
            "changed": self.changed,
            "gained picklable parts": self.gained,
            "compared after a round trip": self.travelled,
            "failed": self.failed,
        }
        lines = [f"{self.programs} programs", *(f"{count / total:7.1%}  {what}" for what, count in shares.items())]
        lines += [f"{count / total:7.1%}  declined: {reason}" for reason, count in self.reasons.most_common()]
        return "\n".join(lines)

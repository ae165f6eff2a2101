"""Judge picklefix by the conformance corpus while some of its rules are still to come.

    python tests/conformance_gate.py --floor 45 --without-rule 'views/*' ../shared/conformance/run.py --tool "…" …

The corpus fails a case that picklefix does not convert yet, and a declined one for which it gives no reason, since the
rule does not exist. Both are tolerated, the latter in the cases named by ``--without-rule``. Nothing else is: changed
behaviour, a file that does not compile, a second run that changes something, a file changed that must stay, a needless
complaint or a missing reason fails the gate, and so does converting fewer cases than the floor says.
"""

from __future__ import annotations

import argparse
import fnmatch
import re
import subprocess
import sys
from typing import NamedTuple

FAILURE = re.compile(r"^FAIL (?P<case>\S+) \[.*?\] (?P<problem>.*)$", re.MULTILINE)
NOT_CONVERTED = re.compile(
    r"after: the file was left alone, expected converted" r"|after[a-z, ]*: pickle\.dumps\(build\(\)\) still fails: "
)
NO_REASON = "report: no reason given for a declined file"
TOOL = re.compile(r"^tool: .*$", re.MULTILINE)
TOOL_ENDED_WELL = re.compile(r"exit status \[[01, ]*\] and \[[01, ]*\]$")
CONVERTED = re.compile(r"^converted +\d+ +(?P<passed>\d+) +\d+$", re.MULTILINE)


class Verdict(NamedTuple):
    """What the output of the corpus means.

    Args:
        broken: lines of the output that say what picklefix does wrong.
        pending: how many cases wait for what is still to come.
        converted: how many of the cases that must be converted are.
    """

    broken: list[str]
    pending: int
    converted: int


def judge(output: str, without_rule: list[str]) -> Verdict:
    """Read the output of the corpus.

    Args:
        output: what its run.py printed.
        without_rule: patterns for the names of the cases that no rule looks at yet.

    Raises:
        ValueError: if it does not say how picklefix ended, or has no summary.
    """
    tool, summary = TOOL.search(output), CONVERTED.search(output)
    if tool is None or summary is None:
        raise ValueError("the run did not come to its end")
    broken = [] if TOOL_ENDED_WELL.search(tool.group()) else [tool.group()]
    pending = 0
    for failure in FAILURE.finditer(output):
        if is_still_to_come(failure["case"], failure["problem"], without_rule):
            pending += 1
        else:
            broken.append(failure.group())
    return Verdict(broken, pending, int(summary["passed"]))


def is_still_to_come(case: str, problem: str, without_rule: list[str]) -> bool:
    """Whether a problem is that picklefix does not do all it is going to do."""
    if problem == NO_REASON:
        return any(fnmatch.fnmatchcase(case, pattern) for pattern in without_rule)
    return NOT_CONVERTED.match(problem) is not None


def main() -> int:
    """Run the corpus, show its output, and return the exit status: 0, or 1 if the gate is shut."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--floor", type=int, required=True, help="how many cases must be converted at least")
    parser.add_argument("--without-rule", action="append", default=[], metavar="GLOB", help="cases without a rule yet")
    parser.add_argument("run", nargs=argparse.REMAINDER, help="the run.py of the corpus, and its options")
    arguments = parser.parse_args()
    run = subprocess.run([sys.executable, *arguments.run], check=False, stdout=subprocess.PIPE, text=True)
    print(run.stdout)
    try:
        broken, pending, converted = judge(run.stdout, arguments.without_rule)
    except ValueError as error:
        print(f"conformance: {error} (exit status {run.returncode})")
        return 1
    for line in broken:
        print(f"conformance: broken: {line}")
    print(f"conformance: {converted} converted (floor {arguments.floor}), {pending} still to come")
    return 1 if broken or converted < arguments.floor else 0


if __name__ == "__main__":
    sys.exit(main())

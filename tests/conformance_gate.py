"""Judge picklefix by the conformance corpus while some of its rules are still to come.

    python tests/conformance_gate.py --floor 40 ../shared/conformance/run.py --tool "picklefix migrate {path}"

The corpus fails a case that picklefix does not convert yet. That is the only thing tolerated here; whatever ends with
changed behaviour, a file that does not compile, a second run that changes something, a file changed that must stay, a
needless complaint or a missing reason fails the gate, and so does converting fewer cases than the floor says.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from typing import NamedTuple

FAILURE = re.compile(r"^FAIL (?P<case>\S+) \[.*?\] (?P<problem>.*)$", re.MULTILINE)
STILL_TO_COME = re.compile(
    r"after: the file was left alone, expected converted" r"|after[a-z, ]*: pickle\.dumps\(build\(\)\) still fails: "
)
TOOL = re.compile(r"^tool: .*$", re.MULTILINE)
TOOL_ENDED_WELL = re.compile(r"exit status \[[01, ]*\] and \[[01, ]*\]$")
CONVERTED = re.compile(r"^converted +\d+ +(?P<passed>\d+) +\d+$", re.MULTILINE)


class Verdict(NamedTuple):
    """What the output of the corpus means.

    Args:
        broken: lines of the output that say what picklefix does wrong.
        pending: the names of the cases that it does not convert yet.
        converted: how many of the cases that must be converted are.
    """

    broken: list[str]
    pending: list[str]
    converted: int


def judge(output: str) -> Verdict:
    """Read the output of the corpus.

    Raises:
        ValueError: if it does not say how picklefix ended, or has no summary.
    """
    tool, summary = TOOL.search(output), CONVERTED.search(output)
    if tool is None or summary is None:
        raise ValueError("the run did not come to its end")
    broken = [] if TOOL_ENDED_WELL.search(tool.group()) else [tool.group()]
    pending = []
    for failure in FAILURE.finditer(output):
        if STILL_TO_COME.match(failure["problem"]):
            pending.append(failure["case"])
        else:
            broken.append(failure.group())
    return Verdict(broken, pending, int(summary["passed"]))


def main() -> int:
    """Run the corpus, show its output, and return the exit status: 0, or 1 if the gate is shut."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--floor", type=int, required=True, help="how many cases must be converted at least")
    parser.add_argument("run", nargs=argparse.REMAINDER, help="the run.py of the corpus, and its options")
    arguments = parser.parse_args()
    run = subprocess.run([sys.executable, *arguments.run], check=False, stdout=subprocess.PIPE, text=True)
    print(run.stdout)
    try:
        broken, pending, converted = judge(run.stdout)
    except ValueError as error:
        print(f"conformance: {error} (exit status {run.returncode})")
        return 1
    for line in broken:
        print(f"conformance: broken: {line}")
    print(f"conformance: {converted} converted (floor {arguments.floor}), {len(pending)} still to come")
    return 1 if broken or converted < arguments.floor else 0


if __name__ == "__main__":
    sys.exit(main())

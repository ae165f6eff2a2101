"""Judge picklefix by projects with real libraries: what it changes must work.

    python tests/real_gate.py ../shared/real/run.py --tool "picklefix migrate {path}" --python PYTHON --fast

What is still missing (a case that is left alone though it could be mended, a line that is not reported) is tolerated;
a change that breaks something, gains nothing, or was not to be made fails, and so does an error of the tool itself.
"""

from __future__ import annotations

import re
import subprocess
import sys

UNACCEPTABLE = re.compile(
    r"^(?:ok |NOT) .*\b(?:BROKEN|GAINED NOTHING|TOUCHED|TOOL ERROR|CASE ERROR)\b.*$", re.MULTILINE
)
END = re.compile(r"^\d+ cases in \d+ s: ", re.MULTILINE)


def failures(output: str) -> list[str]:
    """The lines of the run's output that fail it.

    Raises:
        ValueError: if the run did not come to its end.
    """
    if not END.search(output):
        raise ValueError("the run did not come to its end")
    return UNACCEPTABLE.findall(output)


def main() -> int:
    """Run the projects and judge them."""
    done = subprocess.run([sys.executable, *sys.argv[1:]], stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout)
    try:
        found = failures(done.stdout)
    except ValueError as error:
        print(error)
        return 1
    print(f"{len(found)} unacceptable" if found else "acceptable")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())

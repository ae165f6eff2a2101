"""Rewrite released packages, and let their own tests say whether they notice.

    python tests/ecosystem/gate.py ../shared/ecosystem --quick --tool "picklefix migrate --allow-dirty --reach all {path}"
    python tests/ecosystem/gate.py ../shared/ecosystem --all --cache ~/.cache/ecosystem --tool "…"

The harness needs Python 3.11. The packages of `packages.toml` beside this file were chosen for their many closures;
`--all` adds those of the harness. Whatever is missing in the cache is downloaded, installed and measured first.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

OWN = Path(__file__).with_name("packages.toml")
QUICK = ("parsy", "pluggy")


def baseline_is_missing(cache: Path, package: str) -> bool:
    """Whether the untouched tests of the package have never run in this cache."""
    return not (cache / "packages" / package / "baseline.json").exists()


def names(harness: Path, catalogue: Path) -> list[str]:
    """The packages of the catalogue that have tests, by name."""
    listing = subprocess.run(
        [sys.executable, harness / "ecosystem.py", "list", "--all", "--packages", catalogue],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    rows = [line.split() for line in listing.stdout.splitlines()[1:]]
    return [row[0] for row in rows if row[3] != "-"]


def judge(harness: Path, catalogue: Path, packages: list[str], cache: Path, tool: str) -> int:
    """Prepare, measure and run the packages of one catalogue.

    Returns:
        The exit status of the harness: 0 if nothing was noticed, 1 if something was, 2 if it failed itself.
    """

    def run(command: str, chosen: list[str], *options: str) -> int:
        where = ["--packages", str(catalogue), "--cache", str(cache)]
        line = [sys.executable, str(harness / "ecosystem.py"), command, *chosen, *where, *options]
        return subprocess.run(line, check=False).returncode

    if status := run("prepare", packages):
        return status
    unmeasured = [package for package in packages if baseline_is_missing(cache, package)]
    if unmeasured and (status := run("baseline", unmeasured)):
        return status
    return run("run", packages, "--second-run", "--ok-exit", "0", "1", "--tool", tool)


def main() -> int:
    """Judge the chosen packages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("harness", type=Path, help="the folder of ecosystem.py")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--quick", action="store_true", help=f"only {' and '.join(QUICK)}")
    which.add_argument("--all", action="store_true", help="all packages, also those of the harness")
    parser.add_argument("--cache", type=Path, help="where packages are kept (default: a temporary folder)")
    parser.add_argument("--tool", required=True, help="the command, with {path} for the source")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        cache = args.cache or Path(temporary)
        if args.quick:
            return judge(args.harness, OWN, list(QUICK), cache, args.tool)
        shared = args.harness / "packages.toml"
        return max(
            judge(args.harness, OWN, names(args.harness, OWN), cache, args.tool),
            judge(args.harness, shared, names(args.harness, shared), cache, args.tool),
        )


if __name__ == "__main__":
    sys.exit(main())

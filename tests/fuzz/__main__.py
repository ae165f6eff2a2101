"""Fuzz for hours: ``python -m tests.fuzz --hours 2``."""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from pathlib import Path

from .campaign import FIXTURES, campaign
from .harness import Server
from .programs import program


def main() -> int:
    """Run a campaign and print its statistics; the exit status is 1 if something failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--hours", type=float, default=0.1, help="how long (%(default)s)")
    parser.add_argument("--seed", type=int, help="the first seed, those after it follow; a fresh one by default")
    parser.add_argument("--save", type=Path, default=FIXTURES, help="where failures are kept (%(default)s)")
    parser.add_argument("--most", type=int, default=10, help="stop after so many different failures (%(default)s)")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that runs the programs (this one)")
    arguments = parser.parse_args()
    first = arguments.seed if arguments.seed is not None else int.from_bytes(os.urandom(6), "big")
    texts = (program(seed.to_bytes(8, "big")) for seed in itertools.count(first))
    print(f"first seed {first}, Python {sys.version.split()[0]}", flush=True)
    with Server(arguments.python) as server:
        statistics, failures = campaign(server, texts, arguments.hours, arguments.save, arguments.most)
    print(statistics)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

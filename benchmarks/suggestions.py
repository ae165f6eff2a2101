"""How many fixes of a pull request become suggestions that apply with one click.

Two releases of a project, unpacked, stand for the two sides of a pull request:

    python -m benchmarks.suggestions old-1.0 new-1.1 [--reach all] [--unsafe-fixes]

Each suggestion is applied alone to the new file, which then has to compile.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from codemods.bot.changes import changed_files, revisions
from codemods.bot.replacing import applied
from codemods.bot.review import Review, review
from codemods.cli.request import LEVELS
from codemods.engine import Options
from codemods.job import Job
from codemods.project import place_of


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path, help="the folder of the older release")
    parser.add_argument("new", type=Path, help="the folder of the newer release")
    parser.add_argument("--reach", choices=LEVELS, default="state")
    parser.add_argument("--unsafe-fixes", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="name what does not become a suggestion")
    arguments = parser.parse_args()
    options = Options(reach=LEVELS[arguments.reach], unsafe_fixes=arguments.unsafe_fixes)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        found = _review(Path(folder), arguments.old, arguments.new, options)
        _print(found, time.perf_counter() - start, arguments.verbose, options)


def _review(folder: Path, old: Path, new: Path, options: Options) -> Review:
    """The review of one commit that turns the older release into the newer one, which is checked out in a folder."""
    _git(folder, "init", "--quiet")
    commits = []
    for release in (old, new):
        work_tree = ("--work-tree", str(release.resolve()))
        _git(folder, *work_tree, "add", "--all", "--force")
        _git(folder, *work_tree, "commit", "--quiet", "--allow-empty", "--message", release.name)
        commits.append(_git(folder, "rev-parse", "HEAD").strip())
    _git(folder, "--work-tree", str(folder), "reset", "--quiet", "--hard")
    compared = revisions(str(folder), *commits)
    files = list(changed_files(str(folder), compared))
    found = review(str(folder), compared, files, lambda path: _job(folder, path, options))
    contents = {file.path: file.after for file in files}
    for remark in found.remarks:
        before = contents[remark.path]
        if remark.replacement is not None and before is not None:
            compile(applied(before, remark.replacement), remark.path, "exec", dont_inherit=True)
    return found


def _job(folder: Path, path: str, options: Options) -> Job:
    full = str(folder.resolve() / path)
    return Job(full, options, project=place_of(full, "once"))


def _git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "core.autocrlf=false")
    command = ["git", "--git-dir", str(folder / ".git"), *identity, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def _print(found: Review, seconds: float, verbose: bool, options: Options) -> None:
    counts: Counter[str] = Counter()
    layouts: Counter[str] = Counter()
    for remark in found.remarks:
        fixable = remark.is_applied or (options.unsafe_fixes and all(finding.fix for finding in remark.findings))
        kind = "declined or unsafe" if not fixable else "one click" if remark.replacement else "comment"
        if kind == "comment" and not remark.is_introduced:
            kind = "body"
        counts[kind] += len(remark.findings)
        if kind == "one click":
            nearby = ", imports nearby" if remark.layout.imports_nearby else ""
            layouts[f"{remark.layout.place.value}{nearby}"] += len(remark.findings)
        elif kind == "comment" and verbose:
            for finding in remark.findings:
                print(f"  {finding.path}:{finding.start.row}: {finding.code} {finding.message}")
    fixable_count = counts["one click"] + counts["comment"]
    share = counts["one click"] / fixable_count if fixable_count else 1.0
    print(f"{counts['one click']} of {fixable_count} fixable findings with one click: {share:.1%}")
    print(f"{counts['body']} more that were there before, with changes inside that do not show all of them")
    print(f"{counts['declined or unsafe']} declined or unsafe; {len(found.failed)} files failed; {seconds:.1f} s")
    for name, count in layouts.most_common():
        print(f"  {count:4} {name}")


if __name__ == "__main__":
    main()

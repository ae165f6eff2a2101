"""What git knows about a path: its repository, whether changes would be lost, which files it ignores."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator

_BATCH = 500  # paths for one call of git: far below the length that a command line may have
_LOCATION_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE")


class GitError(Exception):
    """Git does not answer for a repository; the message is one line."""


def root(folder: str) -> str | None:
    """The work tree that a folder lies in, as a real path; None outside a repository."""
    folder = os.path.realpath(folder)
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def dirty(paths: Iterable[str]) -> list[str]:
    """Those of the given files whose present content git does not hold: modified, untracked or ignored.

    Files outside a repository are left out.

    Raises:
        GitError: if git does not answer for a repository.
    """
    repositories: dict[str, dict[str, str]] = {}
    for path in paths:
        real = os.path.realpath(path)
        repository = root(os.path.dirname(real))
        if repository is not None:
            repositories.setdefault(repository, {})[os.path.relpath(real, repository).replace(os.sep, "/")] = path
    return [path for top, names in repositories.items() for path in _dirty_in(top, names)]


def _dirty_in(repository: str, names: dict[str, str]) -> Iterator[str]:
    arguments = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignored=matching", "--")
    wanted = list(names)
    found: set[str] = set()
    for start in range(0, len(wanted), _BATCH):
        output = run(repository, *arguments, *wanted[start : start + _BATCH])
        # An entry that ends in a slash is a folder that is ignored as a whole.
        found.update(os.fsdecode(entry[3:]) for entry in output.split(b"\0"))
    folders = tuple(name for name in found if name.endswith("/"))
    return (path for name, path in names.items() if name in found or name.startswith(folders))


def changed_files(repository: str, base: str) -> list[str]:
    """The files of a work tree that differ from a commit, relative to its top, with slashes.

    Raises:
        GitError: if git does not answer, for example because there is no such commit.
    """
    output = run(repository, "diff", "--name-only", "--no-renames", "-z", base)
    new = run(repository, "ls-files", "--others", "--exclude-standard", "-z") if base == "HEAD" else b""
    return [os.fsdecode(name) for name in (output + new).split(b"\0") if name]


def content(repository: str, base: str, name: str) -> bytes:
    """What a file held in a commit; nothing if it was not there.

    Raises:
        GitError: if git is not installed.
    """
    try:
        return run(repository, "show", f"{base}:{name}")
    except GitError:
        return b""


def exclude_files(repository: str) -> list[str]:
    """The files besides .gitignore that hold ignored patterns, least important first; they need not exist."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    everywhere = os.path.join(home, "git", "ignore")
    try:
        configured = os.fsdecode(run(repository, "config", "--path", "--get", "core.excludesFile").rstrip(b"\n"))
        common = os.fsdecode(run(repository, "rev-parse", "--git-common-dir").rstrip(b"\n"))
    except GitError:
        configured, common = "", ""
    return [configured or everywhere, os.path.join(repository, common or ".git", "info", "exclude")]


def run(repository: str, *arguments: str) -> bytes:
    """The output of a git command; an exit status of 1 only means no.

    Raises:
        GitError: if git fails or is not installed.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _LOCATION_VARIABLES}
    environment.update(GIT_LITERAL_PATHSPECS="1", GIT_OPTIONAL_LOCKS="0", LC_ALL="C")
    # A file system monitor is a program that the repository's own configuration names: never start it.
    command = ["git", "-C", repository, "-c", "core.fsmonitor=false", *arguments]
    try:
        process = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise GitError("git is not installed") from error
    if process.returncode > 1:
        raise GitError(os.fsdecode(process.stderr).strip().partition("\n")[0])
    return process.stdout

"""What a pull request changes, read from git: nothing of it is checked out, opened or run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from codemods import git
from codemods.bot.hunks import CONTEXT_LINES, Difference, of_new_file, parse
from codemods.engine import LARGEST_FILE

_REGULAR = ("100644", "100755")
_QUIET = ("--no-ext-diff", "--no-textconv", "--no-color")
"""Programs that the repository's attributes ask for are not started."""


class RevisionError(Exception):
    """The commits cannot be compared; the message is one line that names the cause and the cure."""


class Revisions(NamedTuple):
    """The two commits whose difference a pull request shows.

    Args:
        base: the newest commit that both sides share, as a full hash.
        head: the newest commit of the pull request, as a full hash.
    """

    base: str
    head: str


@dataclass(frozen=True)
class ChangedFile:
    """One Python file that a pull request adds, changes or deletes.

    Args:
        path: its name in the repository, with slashes; the old one where it was deleted.
        old_path: its name before; the same where it was not renamed.
        before: its content before, empty for a new file.
        after: its content now; None where it was deleted, or is no regular file any more.
        difference: what became of its lines.
    """

    path: str
    old_path: str
    before: bytes
    after: bytes | None
    difference: Difference


def revisions(repository: str, base: str, head: str) -> Revisions:
    """Find the commits that a pull request compares.

    Args:
        repository: the work tree.
        base: the branch or commit that it is to be merged into.
        head: its own newest commit.

    Raises:
        RevisionError: if there is no such commit, or the two have no common ancestor here.
    """
    try:
        commits = [_commit(repository, name) for name in (base, head)]
        shared = git.run(repository, "merge-base", *commits).split()
    except git.GitError as error:
        raise RevisionError(f"cannot compare {base} with {head}: {error}") from error
    if not shared:
        raise RevisionError(
            f"{base} and {head} have no common ancestor here; fetch the whole history (git fetch --unshallow)"
        )
    return Revisions(os.fsdecode(shared[0]), commits[1])


def _commit(repository: str, name: str) -> str:
    try:
        output = git.run(
            repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
        ).split()
    except (git.GitError, ValueError) as error:
        raise RevisionError(f"there is no commit {name} here: {error}; fetch it first") from error
    if len(output) != 1:
        raise RevisionError(f"there is no commit {name} here; fetch it first (git fetch origin {name})")
    return os.fsdecode(output[0])


def changed_files(repository: str, compared: Revisions) -> Iterator[ChangedFile]:
    """The Python files that differ between two commits, in the order of git.

    Args:
        repository: the work tree.
        compared: the commits.

    Raises:
        RevisionError: if git does not give their content.
    """
    arguments = ("diff", "--raw", "-z", "--no-abbrev", "--find-renames", "--ignore-submodules=all", *_QUIET)
    try:
        fields = iter(git.run(repository, *arguments, compared.base, compared.head, "--").split(b"\0"))
        for entry in fields:
            if entry:
                yield from _changed_file(repository, entry.decode(), fields)
    except git.GitError as error:
        raise RevisionError(f"cannot read the changes: {error}") from error


def _changed_file(repository: str, entry: str, fields: Iterator[bytes]) -> Iterator[ChangedFile]:
    """The file of one entry of ``git diff --raw -z``, if it is a regular Python file that is not too large."""
    old_mode, new_mode, old_hash, new_hash, status = entry.removeprefix(":").split(" ")
    old_path = os.fsdecode(next(fields))
    path = os.fsdecode(next(fields)) if status[0] in "RC" else old_path
    had, has = old_mode in _REGULAR and old_path.endswith(".py"), new_mode in _REGULAR and path.endswith(".py")
    before = _content(repository, old_hash) if had else b""
    after = _content(repository, new_hash) if has else None
    if before is None or (has and after is None) or not (had or has):
        return
    if after is None or not had:
        difference = of_new_file(after) if after is not None else Difference((), frozenset())
    else:
        difference = _difference(repository, old_hash, new_hash)
    yield ChangedFile(path, old_path, before, after, difference)


def _content(repository: str, blob: str) -> bytes | None:
    """The content of a blob; None if it is larger than any file that is analysed."""
    if int(git.run(repository, "cat-file", "-s", blob)) > LARGEST_FILE:
        return None
    return git.run(repository, "cat-file", "blob", blob)


def _difference(repository: str, old: str, new: str) -> Difference:
    """The difference between two blobs as the web pages show it, whatever the settings of this machine are."""
    if old == new:
        return Difference(())
    settings = ("-c", "diff.algorithm=myers", "-c", "diff.suppressBlankEmpty=false")
    shape = (f"--unified={CONTEXT_LINES}", "--inter-hunk-context=0", "--indent-heuristic")
    output = git.run(repository, *settings, "diff", *_QUIET, *shape, old, new)
    # Only the line numbers are of interest, and these do not depend on the encoding.
    return parse(output.decode("latin-1"))

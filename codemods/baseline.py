"""Findings that a project has accepted for the time being, kept in a file by their fingerprints."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from codemods.finding import FileResult
from codemods.fingerprint import fingerprints

_VERSION = 1


class BaselineError(Exception):
    """A baseline cannot be used; the message is one line."""


class Entry(NamedTuple):
    """One accepted finding, in the order in which a file lists them.

    Args:
        path: the file that it is in, relative to the folder of the baseline, with slashes.
        code: the rule.
        message: what was found.
        fingerprint: what tells it from all others in the project.
    """

    path: str
    code: str
    message: str
    fingerprint: str


class Baseline:
    """The accepted findings of a project.

    Args:
        path: the file that they are kept in; paths count from its folder.
        entries: the findings.
    """

    def __init__(self, path: str, entries: Iterable[Entry] = ()) -> None:
        self.path = path
        self._folder = os.path.dirname(os.path.realpath(path))
        self._unseen: dict[str, set[str]] = {}
        for entry in entries:
            self._unseen.setdefault(entry.path, set()).add(entry.fingerprint)
        self._accepted = {name: frozenset(known) for name, known in self._unseen.items()}
        self._checked: set[str] = set()

    @classmethod
    def load(cls, path: str) -> Baseline:
        """Read a baseline.

        Raises:
            BaselineError: if the file cannot be read or was not written by picklefix.
        """
        try:
            with open(path, encoding="utf-8") as stream:
                return cls(path, _entries(json.load(stream)))
        except OSError as error:
            raise BaselineError(f"{path}: {error.strerror}; write it with --write-baseline {path}") from error
        except (ValueError, RecursionError) as error:
            reason = " ".join(str(error).split())
            raise BaselineError(f"{path}: is no baseline ({reason}); write it with --write-baseline {path}") from error

    def without_accepted(self, result: FileResult) -> FileResult:
        """A result without the findings that are accepted."""
        name = self._name(result.path)
        if result.error is None:
            self._checked.add(name)
        accepted = self._accepted.get(name)
        if not accepted or not result.findings:
            return result
        found = fingerprints(result, name)
        self._unseen[name].difference_update(found)
        dropped = {finding: None for finding, known in zip(result.findings, found, strict=True) if known in accepted}
        return result._replace(
            findings=tuple(finding for finding in result.findings if finding not in dropped),
            remaining=tuple(finding for finding in result.remaining if finding not in dropped),
            accepted=tuple(dropped),
        )

    def stale(self) -> int:
        """How many accepted findings were looked for and are gone, with their files or without."""
        return sum(
            len(unseen)
            for name, unseen in self._unseen.items()
            if name in self._checked or not os.path.exists(os.path.join(self._folder, name))
        )

    def document(self, results: Iterable[FileResult]) -> tuple[str, int]:
        """The text of a baseline that accepts all findings of some results, and how many these are."""
        entries = sorted(set(self._entries_for(results)))
        content = {"version": _VERSION, "findings": [entry._asdict() for entry in entries]}
        return json.dumps(content, indent=2) + "\n", len(entries)

    def _entries_for(self, results: Iterable[FileResult]) -> Iterator[Entry]:
        for result in results:
            name = self._name(result.path)
            for finding, known in zip(result.findings, fingerprints(result, name), strict=True):
                yield Entry(name, finding.code, finding.message, known)

    def _name(self, path: str) -> str:
        return os.path.relpath(os.path.realpath(path), self._folder).replace(os.sep, "/")


def _entries(document: Any) -> Iterator[Entry]:
    """The entries of a document as ``json`` gives it.

    Raises:
        ValueError: if it is not that of a baseline.
    """
    if not isinstance(document, dict) or document.get("version") != _VERSION:
        raise ValueError(f'it does not say `"version": {_VERSION}`')
    findings = document.get("findings")
    if not isinstance(findings, list):
        raise ValueError("it has no list of findings")
    for item in findings:
        values = [item[name] for name in Entry._fields if isinstance(item, dict) and isinstance(item.get(name), str)]
        if len(values) != len(Entry._fields):
            raise ValueError(f"a finding needs {', '.join(Entry._fields)}, all strings")
        yield Entry(*values)

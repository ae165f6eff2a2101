"""From an explained error to the line that makes the offender, and to the finding whose fix mends it."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from codemods.config import Configuration
from codemods.discovery import discover
from codemods.engine import Options, check
from codemods.finding import Finding, Level
from codemods.job import with_deep_stack
from codemods.project_style import style_for
from codemods.rules import all_rules
from codemods.runtime import definitions
from codemods.source import Source, SourceError, parse

_MOST_FILES = 5_000
_MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class Clue:
    """What is known of an offender.

    Args:
        rules: the names of the rules that may mend it.
        qualname: its name, if it is a definition.
        attribute: the attribute or key that holds it.
        owner: the class that has the attribute.
        type: its type, where it is no definition.
        places: files and lines that played a part, as they were printed, the nearest last.
        modules: names of modules that may hold it.
        sink: the beginning of the name of the API that pickles it, where that is all that is known.
    """

    rules: tuple[str, ...] = ()
    qualname: str | None = None
    attribute: str | None = None
    owner: str | None = None
    type: str | None = None
    places: tuple[tuple[str, int], ...] = ()
    modules: tuple[str, ...] = ()
    sink: str | None = None


@dataclass(frozen=True)
class Place:
    """A line of a file.

    Args:
        path: the file.
        row: the line.
        text: what stands there.
    """

    path: str
    row: int
    text: str


@dataclass(frozen=True)
class Located:
    """What was found.

    Args:
        used: the lines of the traceback in files of the project, the innermost last.
        made: where the offender is made.
        findings: what the rules say about these lines.
        kind: what sort of local thing it is, where the text did not tell.
        files: the files of the project that play a part.
    """

    used: tuple[Place, ...] = ()
    made: tuple[Place, ...] = ()
    findings: tuple[Finding, ...] = ()
    kind: str | None = None
    files: tuple[str, ...] = ()


@dataclass
class Project:
    """The Python files below a folder, listed only if somebody asks.

    Args:
        root: the folder, or a single file.
    """

    root: str
    _files: list[str] | None = field(default=None, repr=False)

    @property
    def files(self) -> list[str]:
        """The files, without what git ignores."""
        if self._files is None:
            self._files = list(discover((self.root,), Configuration(None, True, ())).files[:_MOST_FILES])
        return self._files

    def find(self, printed: str) -> str | None:
        """The file of the project that a traceback means, which may come from another machine."""
        if printed.startswith("<"):
            return None
        if os.path.isfile(printed) and _is_below(printed, self.root):
            return os.path.relpath(printed) if _is_below(printed, os.curdir) else printed
        parts = [part for part in re.split(r"[/\\]+", printed) if part]
        same = [(_common_tail(parts, file), file) for file in self.files if os.path.basename(file) == parts[-1:][0]]
        best = max((length for length, _ in same), default=0)
        matches = [file for length, file in same if length == best]
        return matches[0] if len(matches) == 1 else None


def locate(clue: Clue, project: Project) -> Located:
    """Find where an offender is made, and what the rules say of it.

    The code is read, never run.

    Args:
        clue: what is known.
        project: where to look.
    """
    used = tuple(_places(clue.places, project))
    near = list(dict.fromkeys(place.path for place in reversed(used)))
    for module in clue.modules:
        path = project.find(module.replace(".", os.sep) + ".py")
        if path is not None and path not in near:
            near.append(path)
    for paths in (near, _mentioning(clue, project, near)):
        found = [item for path in paths if (item := _in_file(path, clue, used)) is not None]
        if any(item.made for item in found):
            return Located(
                used,
                tuple(place for item in found for place in item.made),
                tuple(finding for item in found for finding in item.findings),
                next((item.kind for item in found if item.kind), None),
                tuple(near),
            )
    return Located(used, files=tuple(near))


def matching(
    path: str, data: bytes, clue: Clue, rows: frozenset[int] = frozenset()
) -> tuple[list[Place], list[Finding], str | None]:
    """The lines of a file that make an offender, the findings about them, and what it is.

    Args:
        path: the file's name.
        data: its content.
        clue: what is known.
        rows: lines of the traceback in that file, which decide between several candidates.

    Raises:
        SyntaxError: if the file does not parse.
        SourceError: if it cannot be decoded.
    """
    source = Source.decode(path, data)
    tree = with_deep_stack(parse, source)
    spans, kind = _spans(tree, clue, rows)
    findings = _findings(path, data, clue)
    if spans is None:
        chosen = [finding for finding in findings if _may_be(finding, clue, source)]
        spans = [(finding.start.row, finding.start.row) for finding in chosen]
    else:
        chosen = [finding for finding in findings if any(low <= finding.start.row <= high for low, high in spans)]
    rows_made = dict.fromkeys(high if kind else low for low, high in spans)
    return [Place(path, row, source.line(row).strip()) for row in rows_made], chosen, kind


def _in_file(path: str, clue: Clue, used: Sequence[Place]) -> Located | None:
    rows = frozenset(place.row for place in used if place.path == path)
    try:
        with open(path, "rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            return None
        made, findings, kind = matching(path, data, clue, rows)
    except (OSError, SyntaxError, SourceError, RecursionError, MemoryError):
        return None  # Where the error came from is still worth telling.
    return Located((), tuple(made), tuple(findings), kind)


def _spans(tree: ast.Module, clue: Clue, rows: frozenset[int]) -> tuple[list[tuple[int, int]] | None, str | None]:
    """The lines where the offender is made, and what it is; None if only the rules can tell."""
    if clue.sink is not None:
        return None, None
    if clue.qualname is not None and clue.type is None:
        found = definitions.named(tree, clue.qualname)
        if clue.qualname.endswith("<lambda>") and len(found) > 1:
            found = [item for item in found if any(item.row <= row <= item.end for row in rows)] or found
        kind = found[0].kind if found and "<locals>" in clue.qualname else None
        return [(item.row, item.header) for item in found], kind
    if clue.attribute is not None:
        owner = (clue.owner or "").rpartition(".")[2]
        stored = list(definitions.stores(tree, clue.attribute))
        stored = [item for item in stored if item.owner == owner] or stored
        return [(item.row, item.end) for item in stored], None
    return None, None


def _findings(path: str, data: bytes, clue: Clue) -> list[Finding]:
    codes = frozenset(rule.code for rule in all_rules() if rule.name in clue.rules)
    if not codes:
        return []
    # The error is the proof that it gets pickled: how far the analysis could follow it does not matter.
    style = style_for(os.path.dirname(os.path.realpath(path)))
    options = Options(Level.LOCAL, select=codes, style=style, with_edits=True)
    return list(with_deep_stack(check, path, data, options).findings)


def _may_be(finding: Finding, clue: Clue, source: Source) -> bool:
    if clue.sink is not None:
        return finding.reach.sink is not None and finding.reach.sink.startswith(clue.sink)
    return clue.type is None or _is_about(finding, clue.type, source)


def _is_about(finding: Finding, type_name: str, source: Source) -> bool:
    """Whether a finding may have made an object of a type: the words of its line decide, where there are any."""
    last = type_name.rpartition(".")[2].lower().lstrip("_")
    view = re.fullmatch(r"o?dict_(keys|values|items)", last)
    if view:
        return finding.name != "dict-view" or f".{view[1]}(" in "".join(
            source.line(row) for row in range(finding.start.row, finding.end.row + 1)
        )
    if last == "generator":
        return finding.name == "stored-iterator" or "generator" in finding.message
    return finding.name != "stored-iterator" and finding.name != "dict-view"


def _places(printed: Iterable[tuple[str, int]], project: Project) -> Iterator[Place]:
    known: dict[str, tuple[str, list[bytes]] | None] = {}
    for file, row in printed:
        if file not in known:
            path = project.find(file)
            known[file] = None if path is None else (path, _lines(path))
        found = known[file]
        if found is not None:
            path, lines = found
            text = lines[row - 1].decode("utf-8", "replace").strip() if 0 < row <= len(lines) else ""
            yield Place(path, row, text)


def _lines(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as stream:
            return stream.read(_MOST_BYTES).splitlines()
    except OSError:
        return []


def _mentioning(clue: Clue, project: Project, done: Sequence[str]) -> Iterator[str]:
    """Other files of the project that name the offender."""
    if clue.sink is not None:
        words = [clue.sink]
    elif clue.qualname is not None and clue.type is None:
        words = [word for word in re.split(r"[^\w]+", clue.qualname) if word and word not in ("locals", "lambda")]
    else:
        words = [word for word in (clue.attribute, (clue.owner or "").rpartition(".")[2]) if word]
    if not words:
        return
    for path in project.files:
        if path not in done:
            try:
                with open(path, "rb") as stream:
                    data = stream.read(_MOST_BYTES)
            except OSError:
                continue
            if all(word.encode() in data for word in words):
                yield path


def _is_below(path: str, folder: str) -> bool:
    real, top = os.path.realpath(path), os.path.realpath(folder)
    return real == top or real.startswith(os.path.join(top, ""))


def _common_tail(parts: Sequence[str], file: str) -> int:
    own = os.path.realpath(file).split(os.sep)
    length = 0
    while length < min(len(parts), len(own)) and parts[-1 - length] == own[-1 - length]:
        length += 1
    return length

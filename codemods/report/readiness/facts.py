"""What stands in the way of spawn and forkserver, by package."""

from __future__ import annotations

import enum
import functools
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from codemods.catalog.entries import When
from codemods.catalog.loader import load
from codemods.finding import FileResult, Finding, Level, Location, NoteKind
from codemods.report.context import INVALID_SYNTAX
from codemods.report.patch import patch_name
from codemods.report.text import plural

_MISSING_GUARD = "PKL401"
_UNDER_GUARD = "PKL109"


class Kind(enum.Enum):
    """What is in the way, the most urgent first; the value is the name in the JSON report."""

    ALWAYS = "pickled-always"
    SPAWN = "pickled-under-spawn"
    GUARD = "missing-main-guard"
    HIDDEN = "only-under-main-guard"
    FORK = NoteKind.FORK.value
    INHERITED = NoteKind.INHERITED.value
    STATE = "kept-in-state"
    SETTING = NoteKind.SETTING.value
    UNKNOWN = "not-analysed"

    @property
    def title(self) -> str:
        """The kind in words."""
        return _TITLES[self]

    @property
    def blocks(self) -> bool:
        """Whether it breaks under spawn or forkserver, as far as that can be seen; else it is only worth a look."""
        return self not in (Kind.STATE, Kind.SETTING)


_TITLES = {
    Kind.ALWAYS: "Does not pickle, under any start method",
    Kind.SPAWN: "Does not pickle, under spawn and forkserver",
    Kind.GUARD: "Starts processes without a main guard",
    Kind.HIDDEN: "Exists only under the main guard",
    Kind.FORK: "Works with fork only",
    Kind.INHERITED: "Global that only a forked worker inherits",
    Kind.STATE: "Does not pickle, and is kept in an object that may be sent to a worker",
    Kind.SETTING: "Sets the start method",
    Kind.UNKNOWN: "Could not be analysed",
}


@dataclass(frozen=True)
class Obstacle:
    """Something that is in the way.

    Args:
        kind: what it is.
        file: the file as the project names it.
        start: where it stands.
        message: what it is, in one sentence.
        code: the code of the rule, if a rule found it.
        fix: ``safe`` or ``unsafe`` if ``migrate`` can resolve it, else None.
    """

    kind: Kind
    file: str
    start: Location
    message: str
    code: str | None = None
    fix: str | None = None


@dataclass
class Package:
    """The modules of one package, without those of packages inside it.

    Args:
        name: its dotted name; for scripts, their folder.
        files: how many modules there are.
        obstacles: what is in the way.
    """

    name: str
    files: int = 0
    obstacles: list[Obstacle] = field(default_factory=list)

    @property
    def counts(self) -> dict[Kind, int]:
        """How often each kind occurs, in the order of the kinds."""
        counter = Counter(obstacle.kind for obstacle in self.obstacles)
        return {kind: counter[kind] for kind in Kind if counter[kind]}

    @property
    def blocking(self) -> list[Obstacle]:
        """What breaks."""
        return [obstacle for obstacle in self.obstacles if obstacle.kind.blocks]

    @property
    def is_ready(self) -> bool:
        """Whether nothing is known to break."""
        return not self.blocking

    def of_kind(self, kind: Kind) -> list[Obstacle]:
        """What is in the way in one manner."""
        return [obstacle for obstacle in self.obstacles if obstacle.kind is kind]


@dataclass(frozen=True)
class Readiness:
    """The whole report: the packages, those with most in the way first."""

    packages: tuple[Package, ...]

    @property
    def is_ready(self) -> bool:
        """Whether nothing is known to break anywhere."""
        return all(package.is_ready for package in self.packages)

    @property
    def totals(self) -> dict[Kind, int]:
        """How often each kind occurs."""
        totals = Counter(dict.fromkeys(Kind, 0))
        for package in self.packages:
            totals.update(package.counts)
        return {kind: totals[kind] for kind in Kind if totals[kind]}

    @property
    def sentence(self) -> str:
        """The outcome in one sentence."""
        ready = sum(package.is_ready for package in self.packages)
        blocking = [obstacle for package in self.packages for obstacle in package.blocking]
        safe = sum(obstacle.fix == "safe" for obstacle in blocking)
        unsafe = sum(obstacle.fix == "unsafe" for obstacle in blocking)
        are = "is" if len(self.packages) == 1 else "are"
        count = f"{ready:,} of {plural(len(self.packages), 'package')} {are} ready for spawn and forkserver"
        if not blocking:
            return f"{count}."
        return (
            f"{count}; {plural(len(blocking), 'obstacle')}, {safe:,} resolved by `picklefix migrate`, "
            f"{unsafe:,} more with `--unsafe-fixes`, {len(blocking) - safe - unsafe:,} by hand."
        )


def readiness(results: Iterable[FileResult]) -> Readiness:
    """What is in the way in the files of a run, whose results must come with notes."""
    packages: dict[str, Package] = {}
    for result in results:
        name = _package_of(os.path.dirname(os.path.abspath(result.path)))
        package = packages.setdefault(name, Package(name))
        package.files += 1
        package.obstacles += sorted(_obstacles(result), key=lambda obstacle: obstacle.start)
    ordered = sorted(packages.values(), key=lambda package: (-len(package.blocking), package.name))
    return Readiness(tuple(ordered))


def _obstacles(result: FileResult) -> Iterator[Obstacle]:
    if result.error is None and not result.findings and not result.notes:
        return
    file = patch_name(result.path)
    if result.error is not None:
        place = result.error.location or Location(1, 1)
        code = INVALID_SYNTAX if result.error.syntax else None
        yield Obstacle(Kind.UNKNOWN, file, place, result.error.message, code)
    for finding in result.findings:
        fix = None if finding.fix is None else finding.fix.safety.value
        yield Obstacle(_kind(finding), file, finding.start, finding.message, finding.code, fix)
    for note in result.notes:
        yield Obstacle(Kind(note.kind.value), file, note.start, note.message)


def _kind(finding: Finding) -> Kind:
    if finding.code == _MISSING_GUARD:
        return Kind.GUARD
    if finding.code == _UNDER_GUARD:
        return Kind.HIDDEN
    if finding.reach.level is not Level.SINK:
        return Kind.STATE
    sink = load().sink(finding.reach.sink) if finding.reach.sink is not None else None
    return Kind.SPAWN if sink is not None and sink.when is When.SPAWN else Kind.ALWAYS


@functools.lru_cache(maxsize=4096)
def _package_of(folder: str) -> str:
    """The dotted name of the package whose modules lie in a folder; the folder itself, if that is none."""
    parts: list[str] = []
    place = folder
    while os.path.exists(os.path.join(place, "__init__.py")) and os.path.dirname(place) != place:
        parts.insert(0, os.path.basename(place))
        place = os.path.dirname(place)
    return ".".join(parts) or f"{os.path.relpath(folder).replace(os.sep, '/')}/"

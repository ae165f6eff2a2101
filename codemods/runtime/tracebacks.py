"""Finds frames and errors in the text of tracebacks, however they were printed and pasted."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

# Each pattern begins with a word that is rare in other text: logs may be long.
_FRAME = re.compile(r'File\s+"(?P<file>[^"\n]{1,4096})",\s+line\s+(?P<line>\d+)(?:,\s+in\s+(?P<name>[^\s"]+))?')
_CELL = re.compile(r"(?P<file>Cell\s+In\s*\[\d+\]),\s+line\s+(?P<line>\d+)(?:,\s+in\s+(?P<name>[\w.<>]+))?")
_OLD_CELL = re.compile(r"(?P<file><ipython-input-[\w-]{1,80}>)\s+in\s+(?P<name>[\w.<>]+)")
_SHORT = re.compile(
    r"\.pyx?:(?P<line>\d+)(?:(?::|,)?\s+in\s+(?P<name>[\w.<>]+)|:|(?=\s*$))", re.MULTILINE
)  # What pytest, rich and newer versions of IPython print; the path stands before it.
_LONGEST_PATH = 400
_PATH_ENDS = re.compile(r"[\s\"'<>|()\[\]]")
_DRIVE = re.compile(r"(?:^|:)(?=[A-Za-z]:[/\\])")
_ERROR = re.compile(
    r"(?:Error|Exception|Interrupt|Exit|Iteration|Empty|Full|Timeout|Pool|Failure)(?:Group)?(?!\w)"
    r"(?P<rest>\s*:\s*[(\"']*\s*|\(\s*[\"'](?:\()?|(?=\s|$|[\"')]))"
)
_LONGEST_NAME = 200
_NAME = re.compile(r"(?:\w{1,80}\.){0,12}(?P<name>\w{0,80})\Z")
_IN_CODE = re.compile(r"(?:raise|except|assert|from|import|return|class|in|as|if|or|and|[=,]|\w\()\s*$")
_IN_CLAUSE = re.compile(r"(?:except|lambda)\s*(?:\*\s*)?$")
_LINE_START = re.compile(r"(?:^|\n)[ \t]*(?:E[ \t]+|[|+][-\s|+0-9]*)?$")
_HEADER = re.compile(r"Traceback\s+\(most\s+recent\s+call\s+last\)")
_CURRENT = re.compile(r"^[ \t]*(?:-{1,8}>\s*\d+|>|❱\s*\d+)\s(?P<code>.*)$", re.MULTILINE)
_ARROW = re.compile(r"^-{1,8}>\s*(\d+)", re.MULTILINE)
_CARETS = re.compile(r"(?:^|\s)([~^]*\^[~^]*)(?=\s|$)")
_LONGEST_CODE = 1_000
_MOST_FRAMES = 200
_MOST_ERRORS = 10_000
_VERSION = re.compile(
    r"[/\\](?:[Pp]ython-?|cpython-|py|Versions[/\\]|versions[/\\]|Python[/\\]|envs[/\\]python)3\.?(?P<minor>\d{1,2})(?=[/\\.-])"
)
_LIBRARY = re.compile(
    r"[/\\](?:site-packages|dist-packages|[Pp]ython3\.?\d+|Python[/\\]3\.\d+|lib-dynload)[/\\]"
    r"|[/\\]Python3\d+[/\\]Lib[/\\]|^<frozen "
)


@dataclass(frozen=True)
class Frame:
    """One line of a traceback.

    Args:
        start: where its text begins.
        file: the file, as printed.
        line: its line, 0 if the text does not say it.
        name: the function.
        code: the line of source that is shown, and for pasted lines what follows it.
        marked: how many characters of it are marked with carets as what failed, 0 if none are.
    """

    start: int
    file: str
    line: int
    name: str
    code: str
    marked: int = 0

    @property
    def parts(self) -> list[str]:
        """The folders of the file and its name."""
        return re.split(r"[/\\]+", self.file)

    @property
    def is_library(self) -> bool:
        """Whether the file belongs to Python or to an installed package."""
        return _LIBRARY.search(self.file) is not None

    @property
    def is_generated(self) -> bool:
        """Whether there is no file, as for ``<string>``."""
        return self.file.startswith("<") and not self.file.startswith("<ipython")


@dataclass(frozen=True)
class Error:
    """The class of an exception where a traceback names it.

    Args:
        start: where the name begins.
        message: where the message begins.
        name: the class, without its module.
        is_last_line: whether it begins a line, as the end of a traceback does.
        frames: the frames above it, the innermost last.
    """

    start: int
    message: int
    name: str
    is_last_line: bool
    frames: tuple[Frame, ...]

    @property
    def innermost(self) -> Frame | None:
        """Where it was raised; modules that are being imported are passed over."""
        for frame in reversed(self.frames):
            if not frame.file.startswith("<frozen importlib"):
                return frame
        return None


class Transcript:
    """A text and what stands in it.

    Args:
        text: from ``transcript.cleaned``.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.headers = [match.start() for match in _HEADER.finditer(text)]
        self.frames = list(_frames(text, self.headers))
        self.errors = list(islice(self._errors(), _MOST_ERRORS))

    def python_of(self, error: int) -> str | None:
        """The version of Python that ran, from the paths above a place, else from all paths."""
        before = [frame for frame in self.frames if frame.start < error]
        for frame in [*reversed(before), *self.frames]:
            match = _VERSION.search(frame.file)
            if match:
                return f"3.{match['minor']}"
        return None

    def end_of(self, error: int) -> int:
        """Where the text that belongs to an error ends: at the next traceback."""
        index = bisect.bisect_right(self.headers, error)
        return self.headers[index] if index < len(self.headers) else len(self.text)

    def _errors(self) -> Iterator[Error]:
        starts = [frame.start for frame in self.frames]
        previous = 0
        for match in _ERROR.finditer(self.text):
            start, name = self._named(match)
            before = self.text[max(0, start - 200) : start]
            is_last_line = _LINE_START.search(before) is not None
            if not name or (not is_last_line and _is_code(name, match["rest"], before)):
                continue
            header = bisect.bisect_right(self.headers, start)
            begin = max(self.headers[header - 1] if header else 0, previous)
            low, high = bisect.bisect_left(starts, begin), bisect.bisect_right(starts, start)
            low = max(low, high - _MOST_FRAMES)
            yield Error(start, match.end(), name, is_last_line, tuple(self.frames[low:high]))
            if is_last_line and high > low and not header:
                previous = start

    def _named(self, match: re.Match[str]) -> tuple[int, str]:
        """Where the class of an exception begins, module included, and the class; no class if it is another word."""
        end = match.start("rest")
        before = _words_at_end(self.text[max(0, end - _LONGEST_NAME) : end])
        found = _NAME.search(before)
        if found is None or (found["name"].endswith("Pool") and not found["name"].startswith("Broken")):
            return end, ""
        return end - len(before), found["name"]


def _words_at_end(text: str) -> str:
    """The letters, digits and dots at the end of a text."""
    return re.split(r"[^\w.]", text)[-1]


def _is_code(name: str, rest: str, before: str) -> bool:
    """Whether a line of source names the class: in text without line breaks the two cannot be told by their place."""
    if rest.lstrip().startswith(":"):
        return _IN_CLAUSE.search(before) is not None
    if before.endswith(("exception=", "Reason: '", f"raise {name} ")):
        return False
    return _IN_CODE.search(before) is not None


def _frames(text: str, headers: list[int]) -> Iterator[Frame]:
    found = sorted(_matches(text), key=lambda item: item[0])
    for index, (start, file, match) in enumerate(found):
        end = found[index + 1][0] if index + 1 < len(found) else len(text)
        header = bisect.bisect_right(headers, match.end())
        if header < len(headers):
            end = min(end, headers[header])
        shown = text[match.end() : min(end, match.end() + _LONGEST_CODE)]
        line = match.groupdict().get("line")
        if line is None:
            arrow = _ARROW.search(shown)
            line = arrow[1] if arrow else "0"
        carets = _CARETS.search(shown)
        yield Frame(start, file, int(line[:9]), match["name"] or "", _code(shown), len(carets[1]) if carets else 0)


def _matches(text: str) -> Iterator[tuple[int, str, re.Match[str]]]:
    """Where frames begin, and their files."""
    for pattern in (_FRAME, _CELL, _OLD_CELL):
        for match in pattern.finditer(text):
            yield match.start(), match["file"], match
    for match in _SHORT.finditer(text):
        before = text[max(0, match.start() - _LONGEST_PATH) : match.start()]
        path = _PATH_ENDS.split(before)[-1]
        drive = _DRIVE.search(path)
        path = path[drive.end() :] if drive else path.rpartition(":")[2]
        if path:
            yield match.start() - len(path), f"{path}.py", match


def _code(shown: str) -> str:
    marked = _CURRENT.search(shown)
    if marked:
        return marked["code"].strip()
    return shown.strip().split("\n", 1)[0].strip()

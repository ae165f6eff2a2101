"""Finds frames and errors in the text of tracebacks, however they were printed and pasted."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass

_FRAMES = re.compile(
    r"""
    File\s+"(?P<file>[^"\n]{1,4096})",\s+line\s+(?P<line>\d+)(?:,\s+in\s+(?P<name>[^\s"]+))?   # Python's own
    | (?P<cell>Cell\s+In\s*\[\d+\]),\s+line\s+(?P<cell_line>\d+)(?:,\s+in\s+(?P<cell_name>[\w.<>]+))?   # Jupyter
    | (?P<old_cell><ipython-input-[\w-]+>)\s+in\s+(?P<old_name>[\w.<>]+)
    | (?P<path>(?:[A-Za-z]:|~)?[^\s"':<>|()\[\]]{1,4096}\.pyx?):(?P<path_line>\d+)
      (?:(?::|,)?\s+in\s+(?P<path_name>[\w.<>]+)|:|(?=\s*$))   # pytest, rich, newer IPython
    """,
    re.VERBOSE | re.MULTILINE,
)
_ERRORS = re.compile(
    r"(?<![\w.])(?:\w{1,80}\.){0,12}"
    r"(?P<error>(?:[A-Z_]\w{0,80}?)?(?:Error|Exception|Interrupt|Exit|Iteration|Empty|Full|Timeout|Broken\w{0,40}Pool|Failure)"
    r"(?:Group)?)(?!\w)"
    r"(?P<rest>\s*:\s*[(\"']*\s*|\(\s*[\"'](?:\()?|(?=\s|$|[\"')]))"
)
_IN_CODE = re.compile(r"(?:raise|except|assert|from|import|return|class|in|as|if|or|and|[=,]|\w\()\s*$")
_IN_CLAUSE = re.compile(r"(?:except|lambda)\s*(?:\*\s*)?$")
_LINE_START = re.compile(r"(?:^|\n)[ \t]*(?:E[ \t]+|[|+][-\s|+0-9]*)?$")
_HEADER = re.compile(r"Traceback\s+\(most\s+recent\s+call\s+last\)")
_CURRENT = re.compile(r"^[ \t]*(?:-{1,8}>\s*\d+|>|❱\s*\d+)\s(?P<code>.*)$", re.MULTILINE)
_ARROW = re.compile(r"^-{1,8}>\s*(\d+)", re.MULTILINE)
_CARETS = re.compile(r"(?:^|\s)([~^]*\^[~^]*)(?=\s|$)")
_LONGEST_CODE = 1_000
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
        self.errors = list(self._errors())

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
        for match in _ERRORS.finditer(self.text):
            before = self.text[max(0, match.start() - 200) : match.start()]
            is_last_line = _LINE_START.search(before) is not None
            if not is_last_line and _is_code(match, before):
                continue
            header = bisect.bisect_right(self.headers, match.start())
            begin = max(self.headers[header - 1] if header else 0, previous)
            low, high = bisect.bisect_left(starts, begin), bisect.bisect_right(starts, match.start())
            yield Error(match.start(), match.end(), match["error"], is_last_line, tuple(self.frames[low:high]))
            if is_last_line and high > low and not header:
                previous = match.start()


def _is_code(match: re.Match[str], before: str) -> bool:
    """Whether a line of source names the class: in text without line breaks the two cannot be told by their place."""
    if match["rest"].lstrip().startswith(":"):
        return _IN_CLAUSE.search(before) is not None
    if before.endswith(("exception=", "Reason: '", f"raise {match['error']} ")):
        return False
    return _IN_CODE.search(before) is not None


def _frames(text: str, headers: list[int]) -> Iterator[Frame]:
    matches = list(_FRAMES.finditer(text))
    for index, match in enumerate(matches):
        end = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        header = bisect.bisect_right(headers, match.end())
        if header < len(headers):
            end = min(end, headers[header])
        shown = text[match.end() : min(end, match.end() + _LONGEST_CODE)]
        name = match["name"] or match["cell_name"] or match["old_name"] or match["path_name"] or ""
        line = match["line"] or match["cell_line"] or match["path_line"]
        if line is None:
            arrow = _ARROW.search(shown)
            line = arrow[1] if arrow else "0"
        file = match["file"] or match["cell"] or match["old_cell"] or match["path"]
        carets = _CARETS.search(shown)
        yield Frame(match.start(), file, int(line), name, _code(shown), len(carets[1]) if carets else 0)


def _code(shown: str) -> str:
    marked = _CURRENT.search(shown)
    if marked:
        return marked["code"].strip()
    return shown.strip().split("\n", 1)[0].strip()

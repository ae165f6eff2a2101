"""Files that are rewritten for a trial, and put back whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType

from codemods.writing import WriteError, replace, signals_held


class Trial:
    """Gives files new content, again and again; what is not kept is undone at the end.

    Args:
        originals: the files and what they hold.
        report: is told why a file cannot be put back.
    """

    def __init__(self, originals: Mapping[str, bytes], report: Callable[[str], None]) -> None:
        self._originals = dict(originals)
        self._present = dict(originals)
        self._report = report
        self._is_kept = False

    def __enter__(self) -> Trial:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_kept:
            with signals_held():
                for path, before in self._originals.items():
                    try:
                        self._put(path, before)
                    except WriteError as failure:
                        self._report(str(failure))

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Give some of the files new content, and all others the old one.

        Raises:
            WriteError: if a file cannot be written, or somebody else has written it.
        """
        for path, before in self._originals.items():
            self._put(path, contents.get(path, before))

    def keep(self) -> None:
        """Let the files stay as they are now."""
        self._is_kept = True

    def _put(self, path: str, content: bytes) -> None:
        if self._present[path] != content:
            try:
                with signals_held():
                    replace(path, self._present[path], content)
                    self._present[path] = content
            except WriteError as error:
                raise WriteError(f"{path}: {error}") from error

"""Which files a run is about, from the paths that were named."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from codemods.config import Configuration
from codemods.finding import FileError, FileResult


class Discovered(NamedTuple):
    """The files of a run.

    Args:
        files: each file once, as it was named or below the folder that was, in a fixed order.
        unreadable: an error for each folder that could not be listed.
        empty: the named folders in which there is nothing to do.
    """

    files: tuple[str, ...]
    unreadable: tuple[FileResult, ...] = ()
    empty: tuple[str, ...] = ()


def discover(paths: Sequence[str], configuration: Configuration) -> Discovered:
    """Find the Python files that paths stand for.

    A folder stands for the Python files below it. Anything else stands for itself, also if it does not exist (reading
    it will say so), whatever its suffix, and even if it is excluded, unless the settings say ``force-exclude``.

    Raises:
        ConfigError: if the settings of a folder cannot be used.
    """
    files: dict[str, str] = {}
    unreadable: list[FileResult] = []
    empty: list[str] = []

    def report(folder: str, error: OSError) -> None:
        message = f"cannot list the folder: {error.strerror}; check its permissions"
        unreadable.append(FileResult(folder, b"", b"", error=FileError(message)))

    for path in paths:
        if os.path.isdir(path):
            # Imported only here: matching patterns costs more to load than a small file takes to check.
            from codemods.walk import walk

            found = list(walk(path, configuration, report))
            if not found:
                empty.append(path)
            for file in found:
                files.setdefault(file.real, file.shown)
        elif not is_left_out(path, configuration):
            files.setdefault(os.path.realpath(path), path)
    return Discovered(tuple(files.values()), tuple(unreadable), tuple(empty))


def is_missing(path: str) -> bool:
    """Whether there surely is no file or folder of that name."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def is_left_out(path: str, configuration: Configuration) -> bool:
    """Whether a named file is passed over, which takes ``force-exclude``.

    Raises:
        ConfigError: if the settings of its folder cannot be used.
    """
    if not configuration.for_file(path).force_exclude:
        return False
    from codemods.walk import left_out  # Imported only here, as above.

    return left_out(path, configuration)

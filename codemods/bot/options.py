"""What is looked for in each changed file, from settings that the pull request may have changed as well."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from codemods.config import Configuration
from codemods.job import Job
from codemods.settings import ConfigError
from codemods.walk import left_out

_SETTINGS = ("pyproject.toml", "setup.cfg")


class JobFor:
    """Gives the job for a file of the repository, None if it is left out.

    Settings may choose rules and leave files out. They may not have anything read outside of the repository: neither a
    symbolic link nor ``extend`` leads there.

    Args:
        repository: the work tree.
        paths: the files and folders that the run is limited to, as they were named.
        configuration: the settings.
        job: makes the job for a file.
    """

    def __init__(
        self, repository: str, paths: Sequence[str], configuration: Configuration, job: Callable[[str], Job]
    ) -> None:
        self._repository = os.path.realpath(repository)
        self._wanted = [os.path.realpath(path) for path in paths]
        self._configuration = configuration
        self._job = job

    def __call__(self, path: str) -> Job | None:
        """The job for a file.

        Args:
            path: its name in the repository, with slashes; it need not exist in the work tree.

        Raises:
            ConfigError: if its settings cannot be used.
        """
        full = os.path.join(self._repository, *path.split("/"))
        if not any(_is_inside(full, wanted) for wanted in self._wanted) and not self._is_everything:
            return None
        if os.path.realpath(os.path.dirname(full)) != os.path.dirname(full):
            # The work tree has a link where the pull request has a folder: its settings are those of the top.
            full = os.path.join(self._repository, os.path.basename(full))
        self._check_links(os.path.dirname(full))
        if left_out(full, self._configuration):
            return None
        return self._job(full)

    @property
    def _is_everything(self) -> bool:
        return self._wanted == [os.path.realpath(os.curdir)]

    def _check_links(self, folder: str) -> None:
        while _is_inside(folder, self._repository):
            for name in _SETTINGS:
                path = os.path.join(folder, name)
                if os.path.islink(path) and not _is_inside(os.path.realpath(path), self._repository):
                    raise ConfigError(
                        f"{os.path.relpath(path)}: this file leads out of the repository; remove the link"
                    )
            folder = os.path.dirname(folder)


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))

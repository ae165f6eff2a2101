"""The project around a file: what its imports mean, who imports it, and who derives from its classes."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection

from codemods.analysis.project.bases import Bases
from codemods.analysis.project.definitions import Definition, Definitions
from codemods.analysis.project.importers import Importers
from codemods.analysis.project.library import Library
from codemods.analysis.project.names import ModuleNames


class Project:
    """The files of a project. What they hold is read when something leads there, and taken not to change meanwhile.

    Args:
        root: the folder that holds it, as a real path.
        paths: its Python files, as real paths.
        read: gives the bytes of a file; raises ``OSError`` if that cannot be done.
        shown: how a path is named to the person.
        is_complete: False where there were too many files, so that none are known.
        real: gives the real path of a file from the name that it has for the person.
    """

    def __init__(
        self,
        root: str,
        paths: Collection[str],
        read: Callable[[str], bytes],
        shown: Callable[[str], str] = str,
        *,
        is_complete: bool = True,
        real: Callable[[str], str] = os.path.realpath,
    ) -> None:
        self.root = root
        self.real = real
        self.is_complete = is_complete
        self.names = ModuleNames(root, paths)
        self.library = Library(self.names, read, shown)
        self.definitions = Definitions(self.library)
        self.importers = Importers(self.library)
        self.bases = Bases(self.library)

    def definition(self, importer: str, dotted: str) -> Definition | None:
        """What an imported name means, with the tree of the file that defines it.

        Args:
            importer: the real path of the file that imports it.
            dotted: the dotted name, with leading dots if the import is relative, as ``Model.dotted_name`` gives it.
        """
        return self.definitions.find(importer, dotted)

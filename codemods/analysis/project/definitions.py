"""From an imported name to the file that defines it, through re-exports, aliases and star imports."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from codemods.analysis.project.imports import STAR, all_names
from codemods.analysis.project.library import Library, Module
from codemods.analysis.project.names import inside, split

Hop = tuple[str, str]
"""A file that hands a name on, and the name by which it does; ``*`` for a star import."""


MOST_STARS = 12
"""A package that imports everything from more modules than this is a list of names that nobody imports from inside."""


@dataclass(frozen=True, eq=False)
class Definition:
    """What a name of the project means.

    Args:
        module: the file that defines it, parsed; ``module.tree`` is its tree.
        name: the name there; empty where the module itself is meant.
        nodes: the statements that bind it there: definitions and assignments; empty for a module.
        hops: the files on the way there that import it in order to hand it on.
    """

    module: Module
    name: str = ""
    nodes: tuple[ast.stmt, ...] = ()
    hops: tuple[Hop, ...] = ()


class Definitions:
    """Finds what the imports of a project mean.

    Args:
        library: its files.
    """

    def __init__(self, library: Library) -> None:
        self.library = library

    def find(self, importer: str, dotted: str) -> Definition | None:
        """The definition of what a file imports; None if it is not of the project, or cannot be found.

        Args:
            importer: the real path of the file.
            dotted: the dotted name of what it means, with leading dots if the import is relative.
        """
        return _Search(self.library).find(importer, dotted, ())

    def find_starred(self, importer: str, modules: Iterable[str], dotted: str) -> Definition | None:
        """The same for a name that star imports bind.

        Args:
            importer: the real path of the file.
            modules: the dotted names of the modules, in the order in which they are asked.
            dotted: the dotted name, as the file has it.
        """
        for module in modules:
            outer = self.find(importer, module)
            if outer is not None and not outer.name and hands_on(outer.module, dotted.partition(".")[0]):
                found = self.find(importer, inside(module, dotted))
                if found is not None:
                    return found
        return None

    def is_certain(self, definition: Definition) -> bool:
        """Whether no file on the way binds the name in another way as well: ``except ImportError: lock = None``."""
        way = (*definition.hops, (definition.module.path, definition.name))
        modules = ((self.library.module(path), name) for path, name in way if name != STAR)
        return all(
            module is None or len({item.dotted for item in module.bound.get(name, ())}) <= 1 for module, name in modules
        )


class _Search:
    """One search, which looks at nothing twice.

    Args:
        library: the files.
    """

    def __init__(self, library: Library) -> None:
        self.library = library
        self.seen: set[Hop] = set()

    def find(self, importer: str, dotted: str, hops: tuple[Hop, ...]) -> Definition | None:
        """The definition of a dotted name."""
        owner, last = split(dotted)
        if owner and last:
            outer = self.find(importer, owner, hops)
            if outer is not None and not outer.name:
                found = self.bound(outer.module, last, hops)
                if found is not None:
                    return found
        path = self.library.names.find(importer, dotted)
        module = self.library.module(path) if path is not None else None
        return Definition(module, hops=hops) if module is not None else None

    def bound(self, module: Module, name: str, hops: tuple[Hop, ...]) -> Definition | None:
        """The definition of a name that a module binds, itself or by an import."""
        if (module.path, name) in self.seen:
            return None
        self.seen.add((module.path, name))
        bound = module.bound.get(name, [])
        defined = tuple(item.node for item in bound if not item.dotted)
        if defined:
            return Definition(module, name, defined, hops)
        for item in bound:
            found = self.find(module.path, item.dotted, (*hops, (module.path, name)))
            if found is not None:
                return found
        stars = module.bound.get(STAR, ())
        for item in stars if len(stars) <= MOST_STARS else ():
            outer = self.find(module.path, item.dotted, hops)
            if outer is not None and not outer.name and hands_on(outer.module, name):
                found = self.bound(outer.module, name, (*hops, (module.path, STAR)))
                if found is not None:
                    return found
        return None


def hands_on(module: Module, name: str) -> bool:
    """Whether ``from module import *`` binds a name, if the module has it."""
    listed = set(all_names(module.tree))
    return name in listed if listed else not name.startswith("_")

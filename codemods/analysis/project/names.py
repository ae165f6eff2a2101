"""Which file an import means: the dotted names of the files of a project, from their paths alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from typing import NamedTuple

_PACKAGE = "__init__"


class _Candidate(NamedTuple):
    """A file that a dotted name may mean.

    Args:
        path: the file.
        base: the folder that would have to be on ``sys.path``.
        is_regular: whether the name begins with a package that has an ``__init__``.
    """

    path: str
    base: str
    is_regular: bool


class ModuleNames:
    """Finds the files that imports mean.

    A module is known by every name that begins at a folder of the project, as long as no package is cut in two:
    ``src/shop/data.py`` is ``src.shop.data`` and ``shop.data``, but ``data`` only if ``shop`` has no ``__init__``.

    Args:
        root: the folder that holds the project, as a real path.
        paths: its Python files, as real paths.
    """

    def __init__(self, root: str = "", paths: Collection[str] = ()) -> None:
        self.paths = frozenset(paths)
        self._root = root
        self._packages = {os.path.dirname(path) for path in paths if _stem(path) == _PACKAGE}
        self._by_name: dict[str, list[_Candidate]] = {}
        self._found: dict[tuple[str, str], str | None] = {}
        for path in sorted(paths):
            for name, candidate in self._candidates(path):
                self._by_name.setdefault(name, []).append(candidate)

    def _candidates(self, path: str) -> Iterator[tuple[str, _Candidate]]:
        parts = [_stem(path)]
        folder = os.path.dirname(path)
        if parts == [_PACKAGE]:
            parts, folder = [os.path.basename(folder)], os.path.dirname(folder)
        while all(part.isidentifier() for part in parts):
            if folder not in self._packages:
                is_regular = os.path.join(folder, parts[0]) in self._packages
                yield ".".join(parts), _Candidate(path, folder, is_regular)
            if len(folder) <= len(self._root):
                return
            parts, folder = [os.path.basename(folder), *parts], os.path.dirname(folder)

    def find(self, importer: str, name: str) -> str | None:
        """The path of the module that an import names; None if it is not of the project, or not surely so.

        Folders above the importer may be on ``sys.path``, the nearest first. Elsewhere, only the one package of that
        name counts: a script that is called like a library is not what other files import.

        Args:
            importer: the path of the file that imports it.
            name: the dotted name, with leading dots for a relative import.
        """
        key = (os.path.dirname(importer), name)
        if key not in self._found:
            self._found[key] = (
                self._relative(importer, name) if name.startswith(".") else self._absolute(importer, name)
            )
        return self._found[key]

    def _absolute(self, importer: str, name: str) -> str | None:
        folder = os.path.dirname(importer)
        candidates = self._by_name.get(name, [])
        above = [item for item in candidates if _is_inside(folder, item.base)]
        if name.partition(".")[0] in sys.stdlib_module_names:
            above = [item for item in above if item.base == folder]
            candidates = []
        if above:
            nearest = max(len(item.base) for item in above)
            return _preferred([item.path for item in above if len(item.base) == nearest])
        regular = [item for item in candidates if item.is_regular]
        return _preferred([item.path for item in regular]) if len({item.base for item in regular}) == 1 else None

    def _relative(self, importer: str, name: str) -> str | None:
        rest = name.lstrip(".")
        folder = os.path.dirname(importer)
        for _ in range(len(name) - len(rest) - 1):
            folder = os.path.dirname(folder)
        stem = os.path.join(folder, *rest.split(".")) if rest else folder
        found = (path for path in (os.path.join(stem, f"{_PACKAGE}.py"), f"{stem}.py") if path in self.paths)
        return next(found, None)

    def last_name(self, path: str) -> str:
        """The last part of every name that a file is imported under."""
        return os.path.basename(os.path.dirname(path)) if is_package(path) else _stem(path)

    def package(self, path: str) -> str:
        """The path of the ``__init__`` of the package that a module is directly inside, whether or not it exists."""
        folder = os.path.dirname(path)
        return os.path.join(os.path.dirname(folder) if is_package(path) else folder, f"{_PACKAGE}.py")


def own_name(path: str, name: str) -> str:
    """The dotted name by which a file could import something from itself."""
    return f".{name}" if is_package(path) else f".{_stem(path)}.{name}"


def is_package(path: str) -> bool:
    """Whether a file is the ``__init__`` of a package."""
    return _stem(path) == _PACKAGE


def split(name: str) -> tuple[str, str]:
    """The module that a dotted name is looked up in, and the last part; leading dots stay with the module."""
    dots = name[: len(name) - len(name.lstrip("."))]
    owner, _, last = name.rpartition(".")
    return (owner if len(owner) > len(dots) else dots), last


def inside(module: str, name: str) -> str:
    """The dotted name of something in a module."""
    return module + name if module.endswith(".") else f"{module}.{name}"


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(".py")


def _is_inside(folder: str, base: str) -> bool:
    return os.path.join(folder, "").startswith(os.path.join(base, ""))


def _preferred(paths: list[str]) -> str | None:
    """The path that Python would choose among files of one name in one folder: a package hides a module."""
    packages = [path for path in paths if is_package(path)]
    return (packages or paths)[0]

"""Which files of a project import something: by the words of their import statements first, then for certain."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from codemods.analysis.project.imports import STAR, imports, meanings
from codemods.analysis.project.library import Library, Module
from codemods.analysis.project.names import inside, is_package, split

_IMPORT = re.compile(
    rb"\n[ \t]*(?:from[ \t]*([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|(?:[^\n\r\\#;]+|\\\r?\n)*)"
    rb"|import[ \t]+((?:[^\n\r\\#;]+|\\\r?\n)*))"
)
"""Begins with a character that is searched for as such; with ``^``, the pattern would be tried at every character."""
_WORD = re.compile(r"\w+|\*")
_DOTS = "."
_MOST_SEARCHED = 400
"""A module that more files import as such is not looked up in all of them."""


class User(NamedTuple):
    """A file that imports something.

    Args:
        path: the file.
        aliases: what it may call it: words of which each statement that uses it holds all of one entry.
        hands_on: whether it does so by a star import, so that others get it from there.
    """

    path: str
    aliases: tuple[tuple[str, ...], ...]
    hands_on: bool


class _Import(NamedTuple):
    """An import statement, as its text has it.

    Args:
        path: the file that it stands in.
        module: what stands between ``from`` and ``import``, empty for a plain import.
        names: the words after ``import``; ``*`` is one.
    """

    path: str
    module: str
    names: frozenset[str]


class Importers:
    """Finds who imports a name of a project.

    Args:
        library: its files.
    """

    def __init__(self, library: Library) -> None:
        self.library = library

    @functools.cached_property
    def _imports(self) -> dict[str, list[_Import]]:
        """The imports of all files by the last name of the module and by the names after ``import``."""
        found: dict[str, list[_Import]] = {}
        for path, data in self.library.contents():
            for match in _IMPORT.finditer(b"\n" + data):
                module = (match[1] or b"").decode("utf-8", "replace")
                text = (match[2] or match[3]).decode("utf-8", "replace")
                item = _Import(path, module, frozenset(_WORD.findall(text)))
                for word in {module.rpartition(".")[2] or _DOTS, *item.names}:
                    found.setdefault(word, []).append(item)
        return found

    def of(self, path: str, name: str) -> Iterator[User]:
        """The files that import a top-level name of a file, in the order of their paths."""
        for other in sorted(self._candidates(path, name) - {path}):
            module = self.library.module(other)
            user = self._user(module, path, name) if module is not None else None
            if user is not None:
                yield user

    def hands_all_on(self, path: str) -> bool:
        """Whether a file has a star import of another one."""
        find, last = self.library.names.find, self.library.names.last_name(path)
        relative = self._imports.get(_DOTS, ()) if is_package(path) else ()
        return any(
            item.module and STAR in item.names and find(item.path, item.module) == path
            for item in (*self._imports.get(last, ()), *relative)
        )

    def _candidates(self, path: str, name: str) -> set[str]:
        """The files that import a name, or all names, from a file; or the module itself, to use it by that."""
        find, last = self.library.names.find, self.library.names.last_name(path)
        found: set[str] = set()
        through_module: set[str] = set()
        relative = self._imports.get(_DOTS, ()) if is_package(path) else ()
        for item in (*self._imports.get(last, ()), *relative):
            if item.path in found:
                continue
            if item.module and {name, STAR} & item.names and find(item.path, item.module) == path:
                found.add(item.path)
            elif last in item.names and (not item.module or find(item.path, inside(item.module, last)) == path):
                through_module.add(item.path)
        if len(through_module) <= _MOST_SEARCHED:
            found |= {other for other in through_module - found if self._holds(other, name.encode())}
        return found

    def _holds(self, path: str, word: bytes) -> bool:
        try:
            return word in self.library.read(path)
        except OSError:
            return False

    def _user(self, module: Module, path: str, name: str) -> User | None:
        find = functools.partial(self.library.names.find, module.path)
        aliases: list[tuple[str, ...]] = []
        hands_on = False
        for node in imports(module.tree):
            if isinstance(node, ast.Import):
                modules = [(alias.asname or alias.name.partition(".")[0], alias.name) for alias in node.names]
                aliases.extend((bound, name) for bound, dotted in modules if find(dotted) == path)
                continue
            for bound, dotted in meanings(node):
                owner, last = split(dotted)
                if bound == STAR:
                    if find(dotted) == path:
                        aliases.append((name,))
                        hands_on = True
                elif last == name and find(owner) == path:
                    aliases.append((bound,))
                elif find(dotted) == path:
                    aliases.append((bound, name))
        return User(module.path, tuple(dict.fromkeys(aliases)), hands_on) if aliases else None

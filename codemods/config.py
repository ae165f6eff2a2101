"""Where settings come from: the nearest file that has some, and what the command line puts on top."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from typing import Any

from codemods import __version__
from codemods.settings import ConfigError, Settings, conform, known_key, parse

_NAMES = ("pyproject.toml", "setup.cfg")
_MARKS = (".git", ".hg")  # where a repository begins, and the search ends
_SECTIONS = ("tool:picklefix", "picklefix")  # of setup.cfg


class Configuration:
    """The settings for every folder: the nearest file's, with the command line's on top.

    Args:
        file: a file that is used instead of the nearest one.
        isolated: use no file at all.
        overrides: values that win over the file's, keys as in ``settings.KEYS``, later ones over earlier ones.
        inside: the folder that the files which are found have to lie in, where these are not to be trusted.
    """

    def __init__(
        self,
        file: str | None = None,
        isolated: bool = False,
        overrides: tuple[Mapping[str, Any], ...] = (),
        inside: str | None = None,
    ) -> None:
        self._overrides = overrides
        self._inside = None if inside is None else os.path.realpath(inside)
        self._folders: dict[str, Settings] = {}
        self._named: dict[str, Settings] = {}
        self._fixed: Settings | None = None
        if isolated:
            self._fixed = self._finished(Settings())
        elif file is not None:
            self._fixed = self._finished(load(file))

    def for_folder(self, folder: str, names: Collection[str] | None = None) -> Settings:
        """The settings for the files right in a folder.

        Args:
            folder: the folder.
            names: the names of all that is in it, if they are known; this spares looking there.

        Raises:
            ConfigError: if the file that holds them cannot be used.
        """
        if self._fixed is not None:
            return self._fixed
        folder = os.path.abspath(folder)
        settings = self._folders.get(folder)
        if settings is None:
            settings = self._folders[folder] = self._nearest(folder, names)
        return settings

    def for_file(self, path: str) -> Settings:
        """The settings for one file, which need not exist.

        Raises:
            ConfigError: if the file that holds them cannot be used.
        """
        folder = os.path.dirname(path)
        settings = self._named.get(folder)
        if settings is None:
            settings = self._named[folder] = self.for_folder(folder or os.curdir)
        return settings

    def _nearest(self, folder: str, names: Collection[str] | None) -> Settings:
        for name in _NAMES:
            path = _search(folder, name, self._inside) if names is None or name in names else None
            if path is not None:
                return self._finished(load(path, inside=self._inside))
        parent = os.path.dirname(folder)
        marks = [mark for mark in _MARKS if names is None or mark in names]
        if parent == folder or any(os.path.exists(os.path.join(folder, mark)) for mark in marks):
            return self._finished(Settings())
        return self.for_folder(parent)

    def _finished(self, settings: Settings) -> Settings:
        for values in self._overrides:
            settings = settings.layered(values)._replace(overridden=settings.overridden.union(values))
        required = settings.required_version
        if required is not None and __version__ != required and not __version__.startswith(f"{required}."):
            raise ConfigError(
                f"{settings.place('required-version')}`required-version` is {required}, "
                f"but this is picklefix {__version__}"
            )
        return settings


def load(path: str, seen: tuple[str, ...] = (), inside: str | None = None) -> Settings:
    """The settings of one file and of those that it extends.

    Args:
        path: the file, ``.toml`` or in the format of setup.cfg.
        seen: the files that extend this one.
        inside: the folder, without symbolic links, that it has to lie in, if any.

    Raises:
        ConfigError: if a file is missing, cannot be read, holds no settings, or holds a wrong one.
    """
    path = os.path.abspath(path)
    try:
        _check_inside(path, inside)
        if path in seen:
            raise ConfigError("`extend` leads back to this file")
        section = _section(path)
        if section is None:
            raise ConfigError(f"no section [{'tool.picklefix' if path.endswith('.toml') else _SECTIONS[0]}]")
        base = section.pop("extend", None)
        if not isinstance(base, str | None) or "\0" in (base or ""):
            raise ConfigError("`extend` must be a path")
        if base is not None:
            base = os.path.join(os.path.dirname(path), os.path.expanduser(base))
            if not os.path.exists(base):
                raise ConfigError(f"`extend`: there is no file {os.path.relpath(base)}; check the path")
        values = conformed(section, os.path.dirname(path), textual=not path.endswith(".toml"))
    except OSError as error:
        raise ConfigError(f"{os.path.relpath(path)}: {error.strerror}; check the path") from error
    except ConfigError as error:
        raise ConfigError(f"{os.path.relpath(path)}: {error}") from error
    settings = Settings()
    if base is not None:
        settings = load(base, (*seen, path), inside)
    return settings.layered(values)._replace(origin=path)


def conformed(values: Mapping[str, object], folder: str, textual: bool = False) -> dict[str, Any]:
    """Values under their known keys and as ``Settings`` holds them.

    Args:
        values: what was read, under the names that were written.
        folder: the folder that patterns count from.
        textual: whether the values are strings that stand for the real ones.

    Raises:
        ConfigError: if a key is unknown or a value is not of its kind.
    """
    result: dict[str, Any] = {}
    for name, value in values.items():
        key = known_key(name)
        result[key] = conform(key, parse(key, value) if textual and isinstance(value, str) else value, folder)
    return result


def assignment(text: str, folder: str) -> dict[str, Any]:
    """The value of one ``key = value`` from the command line, in TOML or bare as in setup.cfg.

    Raises:
        ConfigError: if the key is unknown or the value is not of its kind.
    """
    from codemods import config_text  # Imported only here, for the reason that it gives.

    name, _, bare = text.partition("=")
    name = name.strip()
    try:
        values: dict[str, object] = config_text.toml(text)
    except ConfigError:
        values = {name: parse(known_key(name), bare)}
    if isinstance(values.get(name), int | float):  # A version, such as 0.1, is none.
        values = {name: parse(known_key(name), bare)}
    return conformed(values, folder)


def _check_inside(path: str, folder: str | None) -> None:
    if folder is not None and os.path.commonpath([folder, os.path.realpath(path)]) != folder:
        raise ConfigError("this file lies outside the repository, which may not use it")


def _search(folder: str, name: str, inside: str | None) -> str | None:
    """The file of a folder if it holds a section for this program."""
    path = os.path.join(folder, name)
    try:
        if os.path.lexists(path):
            _check_inside(path, inside)
        # Opening a pipe of that name might never return; one that is given with --config is meant.
        is_regular = stat.S_ISREG(os.stat(path).st_mode)
        return path if is_regular and _section(path) is not None else None
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{os.path.relpath(path)}: {error.strerror}") from error
    except ConfigError as error:
        raise ConfigError(f"{os.path.relpath(path)}: {error}") from error


def _section(path: str) -> dict[str, Any] | None:
    """What a file says under this program's heading, None if it has no such heading.

    Raises:
        OSError: if the file cannot be read.
        ConfigError: if it is not well formed.
    """
    with open(path, "rb") as stream:
        data = stream.read()
    if b"picklefix" not in data:
        return None
    from codemods import config_text  # Imported only here, for the reason that it gives.

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(str(error)) from error
    if path.endswith(".toml"):
        return config_text.tool_table(text, "picklefix")
    return config_text.ini_section(text, _SECTIONS)

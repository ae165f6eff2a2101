"""What a result depends on besides files: the program, the interpreter, the options."""

from __future__ import annotations

import dataclasses
import enum
import os
import sys

from codemods import __version__
from codemods.cache.files import content_hash
from codemods.options import Options
from codemods.project import LIBRARIES, Place
from codemods.style import Style

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def version() -> str:
    """The versions of picklefix and of Python: another parser may refuse what this one takes."""
    return f"{__version__}-{sys.implementation.cache_tag}.{sys.version_info.micro}"


def program() -> str:
    """What the version does not tell: nothing where picklefix is installed, its sources where it is worked on."""
    if LIBRARIES & set(_PACKAGE.split(os.sep)):
        return ""
    states = []
    for folder, folders, names in os.walk(_PACKAGE):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            status = os.stat(os.path.join(folder, name))
            states.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return content_hash("\n".join(states).encode("utf-8", "surrogateescape"))


def place_key(place: Place) -> str:
    """Names the files of a project."""
    return _short(f"{place.root}\0{place.package}")


def options_key(options: Options, place: Place) -> str:
    """Names the options that decide on what is found, and the folder that paths in messages count from."""
    # How findings are rewritten does not matter where there is none, and others are not kept where it does.
    decisive = options._replace(style=Style(), with_edits=False)
    return _short(f"{_text(decisive)}\0{place.shown_from}")


def _short(text: str) -> str:
    return content_hash(text.encode("utf-8", "surrogateescape"))[:16]


def _text(value: object) -> str:
    """A value as text that is the same in each process; the order of a set is not."""
    if dataclasses.is_dataclass(value):
        fields = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return f"{type(value).__name__}({', '.join(f'{name}={_text(item)}' for name, item in fields)})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_text, value)))}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    return str(value) if isinstance(value, enum.Enum) else repr(value)

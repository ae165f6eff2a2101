"""A codemod that makes Python code picklable and safe under the spawn start method."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemods.api import check, fix
    from codemods.runtime.checking import assert_picklable, check_serializable
    from codemods.runtime.search import find_unpicklable
else:
    _HOMES = {
        "check": "codemods.api",
        "fix": "codemods.api",
        "assert_picklable": "codemods.runtime.checking",
        "check_serializable": "codemods.runtime.checking",
        "find_unpicklable": "codemods.runtime.search",
    }

    def __getattr__(name: str) -> object:
        # Loaded on first use, so that `picklefix --help` and test suites that only load the plugin do not pay for it.
        if name in _HOMES:
            return getattr(importlib.import_module(_HOMES[name]), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__version__ = "0.1.0"
__all__ = ["__version__", "assert_picklable", "check", "check_serializable", "find_unpicklable", "fix"]

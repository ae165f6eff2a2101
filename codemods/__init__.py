"""A codemod that makes Python code picklable and safe under the spawn start method."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemods.api import check, fix
else:

    def __getattr__(name: str) -> object:
        # The analysis is loaded on first use, so that `picklefix --help` does not pay for it.
        if name in ("check", "fix"):
            return getattr(importlib.import_module("codemods.api"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__version__ = "0.1.0"
__all__ = ["__version__", "check", "fix"]

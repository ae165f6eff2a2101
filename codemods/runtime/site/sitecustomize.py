"""Python imports this at start in every process below ``picklefix trace``, which puts its folder on the path.

The folder leaves ``sys.path`` again at once, and the ``sitecustomize`` that it stood in front of is run as usual.
"""

from __future__ import annotations

import importlib
import os
import sys


def _without_this_folder() -> None:
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != own]
    this = sys.modules.pop("sitecustomize", None)
    try:
        importlib.import_module("sitecustomize")
    except ModuleNotFoundError:
        if this is not None:
            sys.modules["sitecustomize"] = this


def _watch() -> None:
    settings = os.environ.get("PICKLEFIX_TRACE")
    if not settings:
        return
    before = set(sys.modules)
    # The program may have a package of the same name, or none: ours is borrowed, and leaves no trace.
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))))
    try:
        importlib.import_module("codemods.runtime.watching").start(settings)
    finally:
        del sys.path[0]
        for name in set(sys.modules) - before:
            if name == "codemods" or name.startswith("codemods."):
                del sys.modules[name]


_without_this_folder()
_watch()

"""Writes the registration of a reducer, for classes that cannot be edited.

``copyreg.pickle`` serves pickle, copy and the start of processes alike, and needs no change of the class: see
https://docs.python.org/3/library/copyreg.html.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def state_reducer(name: str, *, drop: Sequence[str] = (), as_lists: Sequence[str] = ()) -> str:
    """The text of a reducer that keeps an object's attributes, but for some.

    Args:
        name: the class with its module, for example ``nuscenes.eval.DetectionConfig``.
        drop: attributes that are left out of the state, and are None afterwards.
        as_lists: attributes that hold views of dicts, and hold lists afterwards.

    Raises:
        ValueError: if the name is not that of a class in a module, or an attribute is no identifier.
    """
    module, class_name, function = _names(name)
    for attribute in (*drop, *as_lists):
        if not attribute.isidentifier():
            raise ValueError(f"{attribute} is not the name of an attribute")
    changes = [f'    state["{attribute}"] = None\n' for attribute in drop]
    changes += [f'    state["{attribute}"] = list(state["{attribute}"])\n' for attribute in as_lists]
    return (
        f"import copyreg\n\nfrom {module} import {class_name}\n\n\n"
        f"def {function}(obj):\n"
        f"    state = obj.__dict__.copy()\n{''.join(changes)}"
        f"    return copyreg.__newobj__, (type(obj),), state\n\n\n"
        f"copyreg.pickle({class_name}, {function})\n"
    )


def name_reducer(name: str, path: str = "__qualname__") -> str:
    """The text of a reducer for objects that took the place of a function, and are found under its name.

    Args:
        name: their class with its module, for example ``triton.runtime.jit.JITFunction``.
        path: the attribute that holds the qualified name, for example ``fn.__qualname__``; the object's
            ``__module__`` names the module.

    Raises:
        ValueError: if the name is not that of a class in a module, or the path is none.
    """
    module, class_name, function = _names(name)
    if not _IDENTIFIER.fullmatch(path):
        raise ValueError(f"{path} is not the path of an attribute")
    return (
        f"import copyreg\n\nfrom {module} import {class_name}\n\n\n"
        f"def {function}(obj):\n    return obj.{path}\n\n\n"
        f"copyreg.pickle({class_name}, {function})\n"
    )


def _names(name: str) -> tuple[str, str, str]:
    module, _, class_name = name.rpartition(".")
    if not module or not _IDENTIFIER.fullmatch(name):
        raise ValueError(f"{name} is not the name of a class with its module")
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", class_name).lower()
    return module, class_name, f"reduce_{words.lstrip('_')}"

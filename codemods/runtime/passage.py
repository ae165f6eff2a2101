"""Sends an object to a fresh interpreter and back; this is the program that runs on both sides.

It is started as ``python -c``, so that no folder of picklefix comes before the person's own modules.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
import os
import pickle
import sys
import time
import traceback
from dataclasses import asdict
from multiprocessing.reduction import ForkingPickler
from typing import Any

from codemods.runtime.sameness import difference
from codemods.runtime.search import find_unpicklable

_HEAVY = 10_000
"""In bytes: what a partial carries along is told from this size on."""


def resolve(target: str) -> Any:
    """The object that a target names.

    Args:
        target: ``module:name``, with dots in the name for attributes. A function that can be called without arguments
            is a factory: its result is meant.
    """
    obj = named(target)
    return obj() if inspect.isfunction(obj) and _needs_nothing(obj) else obj


def named(target: str) -> Any:
    """What stands under a target's name.

    Args:
        target: ``module:name``.
    """
    module, _, name = target.partition(":")
    obj: Any = importlib.import_module(module)
    for part in name.split("."):
        obj = getattr(obj, part)
    return obj


def send(target: str, file: str, *, by_name: bool) -> dict[str, Any]:
    """Pickle an object into a file.

    Args:
        target: what is sent.
        file: where to.
        by_name: whether the object of that name is meant even if it is a factory.

    Returns:
        The size in bytes and the time in seconds, or what does not pickle.
    """
    obj = named(target) if by_name else resolve(target)
    start = time.perf_counter()
    try:
        data = bytes(ForkingPickler.dumps(obj))
    except Exception as error:  # The person's classes may raise anything.
        culprits = [asdict(found) for found in find_unpicklable(obj, target.rpartition(":")[2])]
        return {"error": f"{type(error).__name__}: {error}", "culprits": culprits}
    seconds = time.perf_counter() - start
    with open(file, "wb") as stream:
        stream.write(data)
    return {"size": len(data), "seconds": seconds, "carries": carried(obj), "type": type(obj).__qualname__}


def receive(file: str, back: str, arguments: str) -> dict[str, Any]:
    """Load an object from a file, and send it back.

    Args:
        file: where it is.
        back: where it goes.
        arguments: what it is called with, as a tuple of literals; empty if it is not called.
    """
    with open(file, "rb") as stream:
        data = stream.read()
    start = time.perf_counter()
    obj = pickle.loads(data)
    seconds = time.perf_counter() - start
    with open(back, "wb") as stream:
        stream.write(bytes(ForkingPickler.dumps(obj)))
    return {"seconds": seconds, "result": _result(obj, arguments)}


def compare(target: str, back: str, arguments: str, *, by_name: bool) -> dict[str, Any]:
    """Compare an object with what came back, and what it returns when it is called.

    Args:
        target: what was sent.
        back: the file that came back.
        arguments: as for ``receive``.
        by_name: as for ``send``.
    """
    obj = named(target) if by_name else resolve(target)
    with open(back, "rb") as stream:
        returned = pickle.load(stream)
    return {"difference": difference(obj, returned, target.rpartition(":")[2]), "result": _result(obj, arguments)}


def carried(obj: object) -> list[dict[str, Any]]:
    """What a partial drags along, if that is heavy."""
    if not isinstance(obj, functools.partial):
        return []
    parts = [(f"argument {index}", value) for index, value in enumerate(obj.args)]
    parts += [(f"{name}=", value) for name, value in obj.keywords.items()]
    sizes = [(name, type(value).__qualname__, len(ForkingPickler.dumps(value))) for name, value in parts]
    return [{"part": name, "type": kind, "size": size} for name, kind, size in sizes if size >= _HEAVY]


def _result(obj: Any, arguments: str) -> str | None:
    return repr(obj(*ast.literal_eval(arguments))) if arguments else None


def _needs_nothing(function: Any) -> bool:
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return all(
        parameter.default is not parameter.empty or parameter.kind in kinds
        for parameter in inspect.signature(function).parameters.values()
    )


def main(task: str, answer: str, *given: str) -> None:
    """Do one task and write its answer, as JSON, into a file; what the person's code prints stays where it goes."""
    tasks = {
        "send": lambda: send(given[0], given[1], by_name=bool(given[2])),
        "receive": lambda: receive(given[0], given[1], given[2]),
        "compare": lambda: compare(given[0], given[1], given[2], by_name=bool(given[3])),
    }
    try:
        result = tasks[task]()
    except Exception as error:  # As above.
        result = {"error": f"{type(error).__name__}: {error}", "traceback": traceback.format_exc()}
    with open(answer, "w", encoding="utf-8") as stream:
        json.dump(result, stream)
    sys.stdout.flush()
    os._exit(0)  # Threads and processes that the person's modules have started must not keep it waiting.

"""Assertions for tests and at run time: that an object pickles, and that it arrives in a worker as it was."""

from __future__ import annotations

import functools
import multiprocessing
import pickle
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any, ParamSpec, TypeVar

from codemods.runtime.sameness import difference
from codemods.runtime.search import find_unpicklable

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

_MOST_CULPRITS = 10


class NotPicklableError(AssertionError):
    """An object does not reach another process, or not as it was; the text says which part of it."""


def assert_picklable(obj: object, start_method: str = "spawn", *, timeout: float = 60.0) -> None:
    """Send an object to a worker process and back, and compare.

    Args:
        obj: any object.
        start_method: how the worker starts: ``spawn``, ``forkserver`` or ``fork``.
        timeout: how long the worker may take, in seconds.

    Raises:
        NotPicklableError: if the object does not pickle, does not load in the worker, or comes back changed.
        ValueError: if this platform has no such start method.
    """
    __tracebackhide__ = True
    answer = _sent(_return, dumped(obj), start_method, timeout)
    changed = difference(obj, pickle.loads(answer))
    if changed is not None:
        raise NotPicklableError(f"{type(obj).__qualname__} does not survive the way to a worker: {changed}")


def assert_same_fingerprint(obj: object, *, timeout: float = 60.0) -> None:
    """Check that ``datasets`` gives an object the same fingerprint in two fresh processes, so that its cache is found.

    Args:
        obj: what is handed to ``Dataset.map`` and the like.
        timeout: how long one process may take, in seconds.

    Raises:
        NotPicklableError: if the fingerprints differ, or there is none.
    """
    __tracebackhide__ = True
    data = dumped(obj)
    first, second = (_sent(_fingerprint, data, "spawn", timeout) for _ in range(2))
    if first != second:
        raise NotPicklableError(f"{type(obj).__qualname__} has another fingerprint in each process: no cache is reused")


def dumped(obj: object) -> bytes:
    """An object's pickle, as it is sent to workers.

    Raises:
        NotPicklableError: if there is none; the text names the parts that do not pickle.
    """
    __tracebackhide__ = True
    try:
        return bytes(ForkingPickler.dumps(obj))
    except Exception as error:  # Classes of the person's may raise anything.
        raise NotPicklableError(_complaint(obj, error)) from error


def check_serializable(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Make a function complain if what it returns does not pickle, where it is made rather than where it is sent.

    The function can be pickled itself, and keeps its name, signature and documentation.

    Args:
        function: for example one that builds a data set.

    Example:
        >>> @check_serializable
        ... def make_numbers():
        ...     return {"numbers": [1, 2, 3]}
        >>> make_numbers()
        {'numbers': [1, 2, 3]}
    """

    @functools.wraps(function)
    def checked(*arguments: _Parameters.args, **keywords: _Parameters.kwargs) -> _Result:
        result = function(*arguments, **keywords)
        culprits = find_unpicklable(result, "result")
        if culprits:
            listed = "\n".join(f"  {culprit} ({culprit.error})" for culprit in culprits[:_MOST_CULPRITS])
            raise NotPicklableError(f"{function.__qualname__} returned something that does not pickle:\n{listed}")
        return result

    return checked


def _complaint(obj: object, error: Exception) -> str:
    culprits = find_unpicklable(obj)
    listed = "".join(f"\n  {culprit} ({culprit.error})" for culprit in culprits[:_MOST_CULPRITS])
    return f"{type(obj).__qualname__} does not pickle: {type(error).__name__}: {error}{listed}"


def _sent(task: Callable[[bytes], bytes], data: bytes, start_method: str, timeout: float) -> bytes:
    """What a worker makes of some data."""
    __tracebackhide__ = True
    context = multiprocessing.get_context(start_method)
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there, task), daemon=True)  # type: ignore[attr-defined]
    process.start()
    there.close()
    try:
        here.send_bytes(data)
        if not here.poll(timeout):
            raise NotPicklableError(f"the worker has not answered in {timeout:g} s")
        succeeded, answer = here.recv()
    except (EOFError, ConnectionError) as error:
        process.join(timeout)
        raise NotPicklableError(f"the worker ended with exit code {process.exitcode}") from error
    finally:
        here.close()
        process.terminate()
        process.join()
    if not succeeded:
        raise NotPicklableError(f"the object does not load in a worker:\n{answer}")
    return bytes(answer)


def _work(connection: Connection, task: Callable[[bytes], bytes]) -> None:
    try:
        answer: tuple[bool, Any] = (True, task(connection.recv_bytes()))
    except Exception:  # As above.
        answer = (False, traceback.format_exc())
    connection.send(answer)


def _return(data: bytes) -> bytes:
    return bytes(ForkingPickler.dumps(pickle.loads(data)))


def _fingerprint(data: bytes) -> bytes:
    from datasets.fingerprint import Hasher  # type: ignore[import-not-found]  # Only projects that use it come here.

    return str(Hasher.hash(pickle.loads(data))).encode()

"""Dask clusters as executors; needs the extra ``dask``."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from concurrent.futures import Executor

_SCHEME = "dask://"
_PATIENCE = 10  # seconds in which a scheduler answers


class ExecutorError(Exception):
    """There is no such executor; the message is one line that names the cause and the cure."""


@contextlib.contextmanager
def executor_at(address: str) -> Iterator[Executor]:
    """The executor at an address.

    Args:
        address: ``dask://HOST:PORT``, where the scheduler of a cluster listens.

    Raises:
        ExecutorError: if it cannot be reached.
    """
    host = address.removeprefix(_SCHEME)
    if host == address or not host:
        raise ExecutorError(f"{address} is no address of an executor; give {_SCHEME}HOST:PORT")
    try:
        # Imported only here: it is an extra, and takes a second.
        distributed, configuration = map(importlib.import_module, ("distributed", "dask.config"))
    except ImportError as error:
        raise ExecutorError("distributed is not installed; pip install 'picklefix[dask]'") from error
    try:
        client = distributed.Client(f"tcp://{host}", timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise ExecutorError(f"{address} does not answer ({reason}); start `dask scheduler` there") from error
    # A project that is sent is large, and nobody needs to be told.
    with client, configuration.set({"distributed.admin.large-graph-warning-threshold": "1GB"}):
        yield client.get_executor(pure=False)

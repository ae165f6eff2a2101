"""Try out which objects a serialiser takes: ``python picklability.py pickle``. Prints JSON, object -> result."""

from __future__ import annotations

import collections
import contextvars
import copy
import csv
import enum
import functools
import hashlib
import importlib
import io
import itertools
import json
import logging
import mmap
import operator
import pathlib
import queue
import random
import re
import socket
import sqlite3
import sys
import tempfile
import threading
import types
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context


def decorator_without_wraps(function):
    def wrapper(*arguments):
        return function(*arguments)

    return wrapper


@decorator_without_wraps
def decorated(value):
    return value


@functools.lru_cache
def cached(value):
    return value


def top_level(value):
    return value


named_lambda = lambda value: value  # noqa: E731 -- it is measured


class Plain:
    pass


def local_function():
    def function(value):
        return value

    return function


def local_class():
    class Local:
        pass

    return Local()


def generator():
    yield 1


def weak_reference():
    return weakref.ref(Plain)


SUBJECTS: dict[str, Callable[[], object]] = {
    "a top-level function": lambda: top_level,
    "functools.partial(top_level, 1)": lambda: functools.partial(top_level, 1),
    "a bound method": lambda: collections.Counter().update,
    "operator.itemgetter(0)": lambda: operator.itemgetter(0),
    "a nested function": local_function,
    "a lambda": lambda: lambda value: value,
    "name = lambda …, in a module": lambda: named_lambda,
    "functools.partial(lambda …)": lambda: functools.partial(lambda value: value),
    "defaultdict(int)": lambda: collections.defaultdict(int),
    "defaultdict(lambda: 0)": lambda: collections.defaultdict(lambda: 0),
    "a decorated function, without wraps": lambda: decorated,
    "a function with lru_cache, at the top level": lambda: cached,
    "an instance of a local class": local_class,
    "namedtuple(…) in a function": lambda: collections.namedtuple("Row", "key value")(1, 2),
    "Enum(…) in a function": lambda: enum.Enum("Color", "RED").RED,
    "{}.keys()": lambda: {}.keys(),
    "{}.values()": lambda: {}.values(),
    "{}.items()": lambda: {}.items(),
    "iter({})": lambda: iter({}),
    "iter([])": lambda: iter([]),
    "zip([], [])": lambda: zip([], [], strict=False),
    "map(str, [])": lambda: map(str, []),
    "itertools.count()": lambda: itertools.count(),
    "a generator": generator,
    "types.MappingProxyType({})": lambda: types.MappingProxyType({}),
    "threading.Lock()": threading.Lock,
    "threading.RLock()": threading.RLock,
    "threading.Condition()": threading.Condition,
    "threading.Event()": threading.Event,
    "threading.local()": threading.local,
    "threading.Thread()": threading.Thread,
    "queue.Queue()": queue.Queue,
    "queue.SimpleQueue()": queue.SimpleQueue,
    "ThreadPoolExecutor()": ThreadPoolExecutor,
    "multiprocessing.Lock()": lambda: get_context("spawn").Lock(),
    "multiprocessing.Queue()": lambda: get_context("spawn").Queue(),
    "open(path)": lambda: open(__file__),  # noqa: SIM115 -- it is to be open
    "open(path, 'rb')": lambda: open(__file__, "rb"),  # noqa: SIM115 -- the same
    "tempfile.TemporaryFile()": tempfile.TemporaryFile,
    "io.StringIO()": io.StringIO,
    "mmap.mmap(-1, 1)": lambda: mmap.mmap(-1, 1),
    "csv.reader([])": lambda: csv.reader([]),
    "socket.socket()": socket.socket,
    "sqlite3.connect(':memory:')": lambda: sqlite3.connect(":memory:"),
    "hashlib.sha256()": hashlib.sha256,
    "re.compile('a')": lambda: re.compile("a"),
    "re.match('a', 'a')": lambda: re.match("a", "a"),
    "logging.getLogger()": logging.getLogger,
    "logging.StreamHandler()": logging.StreamHandler,
    "contextvars.ContextVar('name')": lambda: contextvars.ContextVar("name"),
    "weakref.ref(Class)": weak_reference,
    "weakref.WeakValueDictionary()": weakref.WeakValueDictionary,
    "a module": lambda: sys,
    "a traceback's frame": lambda: sys._getframe(),
    "random.Random()": random.Random,
    "pathlib.Path()": pathlib.Path,
    "memoryview(b'')": lambda: memoryview(b""),
}


def result(serialiser: str, subject: object) -> str:
    """``yes``, or the error as Python prints it."""
    try:
        if serialiser == "copy.deepcopy":
            copy.deepcopy(subject)
        else:
            module = importlib.import_module(serialiser)
            module.loads(module.dumps(subject))
    except Exception as error:  # Whatever a serialiser raises is what is measured here.
        text = re.sub(r" at 0x[0-9a-f]+", " at 0x…", f"{type(error).__name__}: {error}".partition("\n")[0])
        return f"`{text}`"
    return "yes"


if __name__ == "__main__":
    print(json.dumps({name: result(sys.argv[1], make()) for name, make in SUBJECTS.items()}))

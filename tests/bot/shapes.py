"""Pull requests of many shapes: what the files were, what they are, and what is to be said about them.

Every new file that is to be mended has ``build()``, whose result does not pickle, and ``observe(obj)``.
"""

from __future__ import annotations

from typing import NamedTuple

Files = dict[str, bytes]

OBSERVE = "\n\ndef observe(obj):\n    return obj(5)\n"
BODY = "".join(f"    total = factor + {number}\n" for number in range(20))
FILLER = "".join(f"\n\ndef filler_{number}():\n    return {number}\n" for number in range(8))
CLOSURE = "def make(factor):\n    def scale(x):\n        return x * factor\n\n    return scale\n"
PLAIN = "def make(factor):\n    return None\n"
BUILD = "\n\ndef build():\n    return make(3)\n"


class Shape(NamedTuple):
    """One pull request.

    Args:
        name: what is special about it.
        base: the files before.
        head: the files after.
        clicks: how many suggestions apply with one click.
        comments: how many comments there are without a suggestion.
        observed: what ``observe(build())`` gives in each file that is mended as a whole by one suggestion.
    """

    name: str
    base: Files
    head: Files
    clicks: int = 1
    comments: int = 0
    observed: bool = True


def _module(code: str, top: str = "import os\n") -> bytes:
    return f'"""A module."""\n{top}{FILLER}\n\n{code}{BUILD}{OBSERVE}'.encode()


def _one(
    name: str, base: bytes | None, head: bytes, clicks: int = 1, comments: int = 0, observed: bool = True
) -> Shape:
    before = {"module.py": base} if base is not None else {"README": b"x\n"}
    return Shape(name, before, {"module.py": head}, clicks, comments, observed)


def _crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


_METHOD = """class Maker:
    kind = "maker"

    def first(self):
        return 1

    def second(self):
        return 2

    def make(self, factor):
        def scale(x):
            return x * factor

        return scale

    def third(self):
        return 3

    def fourth(self):
        return 4


def make(factor):
    return Maker().make(factor)
"""
_METHOD_BEFORE = _METHOD.replace(
    "        def scale(x):\n            return x * factor\n\n        return scale\n", "        return None\n"
)


def _dataclass(code: str) -> bytes:
    return _module(f"@dataclasses.dataclass\n{code}", "import dataclasses\n")


_LONG = f"def make(factor):\n{BODY}    scale = lambda x: x * factor\n{BODY}    return scale\n"
_TAIL = f"def make(factor):\n{BODY}    return lambda x: x * factor\n"
_HELPED = """def make(factor):
    def twice(x):
        return 2 * x * factor

    def first(x):
        return twice(x) + 1

    def second(x):
        return twice(x) + 2

    return [first, second]
"""
_OBSERVE_ALL = "\n\ndef observe(obj):\n    return [item(5) for item in obj]\n"
_NESTED = """def make(factor):
    def outer(x):
        def inner(y):
            return y * factor

        return [inner, x]

    return outer
"""
_VIEW = """class Table:
    def __init__(self, rows):
        self.rows = dict(rows)
        self.names = %s


def build():
    return Table({1: 2})


def observe(obj):
    return list(obj.names)
"""
_LOCK = """import threading


class Counter:
    def __init__(self):
        self.count = 0
%s
    def add(self):
        self.count += 1
        return self.count


def build():
    return Counter()


def observe(obj):
    return obj.add()
"""
_WORKER = """import threading


class Worker:
    def __init__(self):
        self.count = 0

    def first(self):
        return 1

    def second(self):
        return 2

    def third(self):
        return 3

    def start(self):
%s        return self

    def fourth(self):
        return 4

    def fifth(self):
        return 5

    def sixth(self):
        return 6

    def again(self):
%s        return self

    def last(self):
        return 7


def build():
    return Worker().start().again()


def observe(obj):
    return obj.count
"""
_STEPS = "        self.count += 1\n" * 8
_LOCKED = "        self.%s = threading.Lock()\n"
_FIELDS = """def field(make):
    return {"make": make}


class Settings:
    name: str = ""
    width: int = 1
    height: int = 2
    depth: int = 3
    made: object = field(%s)
    first: int = 4
    second: int = 5
    third: int = 6
    fourth: int = 7

    def area(self):
        return self.width * self.height


def build():
    return Settings.made


def observe(obj):
    return obj["make"]()
"""
_WRAPS = """def logged(function):
    def wrapper(*args):
        return function(*args)

    return wrapper


%sdef square(x):
    return x * x


def build():
    return [square]


def observe(obj):
    return obj[0](3)
"""
_TWO = """def make(factor):
    return [%s, %s]
"""
_MIXED = """def make(factor):
    def twice(x):
        return 2 * x

    def scale(x):
        return x * factor

    return [twice, scale]
"""
_ENDING = """def make(factor):
    def maker(i):
        return lambda x: x * factor + i

    return [maker(1), maker(2)]
"""
_DEFAULTDICT = """import collections


class Table:
    def __init__(self):
        self.rows = collections.defaultdict(%s)


def build():
    return Table()


def observe(obj):
    return obj.rows[1]
"""

SHAPES = (
    _one("new file", None, _module(CLOSURE)),
    _one("new file without imports", None, f"{CLOSURE}{BUILD}{OBSERVE}".encode()),
    _one("new function in a file", _module(PLAIN), _module(CLOSURE)),
    _one("import block outside the diff", _module(PLAIN), _module(CLOSURE)),
    _one("functools is imported already", _module(PLAIN, "import functools\n"), _module(CLOSURE, "import functools\n")),
    _one(
        "partial is imported already",
        _module(PLAIN, "from functools import partial\n"),
        _module(CLOSURE, "from functools import partial\n"),
    ),
    _one("import block inside the diff", _module(PLAIN, "import os\n"), _module(CLOSURE, "import os\nimport sys\n")),
    _one("one line of a lambda", _module(PLAIN), _module("def make(factor):\n    return lambda x: x * factor\n")),
    _one("no captures", _module(PLAIN), _module("def make(factor):\n    return lambda x: x * 2\n")),
    _one(
        "change inside a closure",
        _module(CLOSURE),
        _module(CLOSURE.replace("x * factor", "factor * x")),
    ),
    _one(
        "change inside a long closure",
        _module(CLOSURE.replace("        return", BODY.replace("    ", "        ") + "        return")),
        _module(CLOSURE.replace("        return", BODY.replace("    ", "        ") + "        x += 0\n        return")),
        clicks=0,
    ),
    _one("method of a long class", _module(_METHOD_BEFORE), _module(_METHOD)),
    _one(
        "one line deep in a long function", _module(_LONG.replace("lambda x: x * factor", "None")), _module(_LONG), 0, 1
    ),
    _one("one line at the end of a long function", _module(_TAIL.replace("lambda x: x * factor", "0")), _module(_TAIL)),
    _one(
        "two closures that share a helper",
        None,
        f"{_HELPED}{BUILD}{_OBSERVE_ALL}".encode(),
    ),
    _one(
        "closure inside a closure",
        None,
        f"{_NESTED}{BUILD}\n\ndef observe(obj):\n    return obj(2)[1]\n".encode(),
        observed=False,
    ),
    _one("carriage returns", _crlf(_module(PLAIN)), _crlf(_module(CLOSURE))),
    _one("carriage returns in a new file", None, _crlf(_module(CLOSURE))),
    _one("no line feed at the end", None, f"{BUILD.lstrip()}{OBSERVE}\n\n{CLOSURE}".rstrip().encode()),
    _one(
        "the last line is changed and has no line feed",
        f"{BUILD.lstrip()}{OBSERVE}\n\ndef make(factor):\n    return None".encode(),
        f"{BUILD.lstrip()}{OBSERVE}\n\ndef make(factor):\n    return lambda x: x * factor".encode(),
    ),
    Shape("rename without a change", {"old.py": _module(CLOSURE)}, {"module.py": _module(CLOSURE)}, 0),
    Shape("rename with a change", {"old.py": _module(PLAIN)}, {"module.py": _module(CLOSURE)}),
    Shape(
        "moved to another file",
        {"old.py": _module(CLOSURE)},
        {"old.py": _module(PLAIN), "module.py": f"{CLOSURE}{BUILD}{OBSERVE}".encode()},
        0,
    ),
    _one(
        "moved down in the file",
        f"{CLOSURE}{FILLER}{BUILD}{OBSERVE}".encode(),
        f"{FILLER.lstrip()}\n\n{CLOSURE}{BUILD}{OBSERVE}".encode(),
        0,
    ),
    _one("deleted lines only", _module(CLOSURE + "\n\ndef gone():\n    return 1\n"), _module(CLOSURE), 0),
    _one(
        "an old finding far from the change", _module(CLOSURE), _module(CLOSURE).replace(b"return 0", b"return 100"), 0
    ),
    _one(
        "view of a dict",
        (_VIEW % "list(self.rows)").encode(),
        (_VIEW % "self.rows.keys()").encode(),
    ),
    _one("lock in the state", (_LOCK % "").encode(), (_LOCK % "        self.lock = threading.Lock()\n").encode()),
    _one(
        "lock far from the top of the class", (_WORKER % ("", "")).encode(), (_WORKER % (_LOCKED % "lock", "")).encode()
    ),
    _one(
        "two locks in two places of a class",
        (_WORKER % ("", "")).encode(),
        (_WORKER % (_LOCKED % "lock", _LOCKED % "other")).encode(),
    ),
    _one(
        "lock in a long method far from the top of the class",
        (_WORKER % (2 * _STEPS, "")).encode(),
        (_WORKER % (_STEPS + _LOCKED % "lock" + _STEPS, "")).encode(),
        0,
        1,
    ),
    _one("factory of a field", (_FIELDS % "dict").encode(), (_FIELDS % "lambda: {1: 2}").encode()),
    _one(
        "method of a long dataclass",
        _dataclass(_METHOD_BEFORE),
        _dataclass(_METHOD),
    ),
    _one(
        "wrapper that hides a function",
        (_WRAPS % "")
        .replace("    def wrapper(*args):\n        return function(*args)\n\n    return wrapper", "    return function")
        .encode(),
        (_WRAPS % "@logged\n").encode(),
    ),
    _one("defaultdict", (_DEFAULTDICT % "int").encode(), (_DEFAULTDICT % "lambda: 0").encode()),
    _one(
        "two findings on one line",
        _module(_TWO % ("1", "2")).replace(OBSERVE.encode(), _OBSERVE_ALL.encode()),
        _module(_TWO % ("lambda x: x * factor", "lambda x: x + factor")).replace(
            OBSERVE.encode(), _OBSERVE_ALL.encode()
        ),
    ),
    _one(
        "two findings far apart",
        _module(PLAIN),
        _module(CLOSURE).replace(b"return 0\n", b"return lambda x: x\n"),
        2,
        observed=False,
    ),
    _one(
        "two closures, one of which needs an import",
        _module(PLAIN).replace(OBSERVE.encode(), _OBSERVE_ALL.encode()),
        _module(_MIXED).replace(OBSERVE.encode(), _OBSERVE_ALL.encode()),
    ),
    _one(
        "lambda that ends where its function ends",
        _module(PLAIN).replace(OBSERVE.encode(), _OBSERVE_ALL.encode()),
        _module(_ENDING).replace(OBSERVE.encode(), _OBSERVE_ALL.encode()),
    ),
    _one("byte order mark", b"\xef\xbb\xbf" + _module(PLAIN), b"\xef\xbb\xbf" + _module(CLOSURE)),
    _one(
        "not ASCII",
        _module(PLAIN),
        _module(CLOSURE.replace("factor", "größe")),
    ),
    _one(
        "Latin-1",
        b"# coding: latin-1\n" + _module(PLAIN),
        b"# coding: latin-1\n"
        + _module(CLOSURE).decode().replace("return x", '"""\xe4\xf6"""\n        return x').encode("latin-1"),
        0,
        1,
    ),
    _one(
        "backquotes in the code",
        _module(PLAIN),
        _module(CLOSURE.replace("return x", '"""\n        ```suggestion\n        ````\n        """\n        return x')),
    ),
    _one("tabs", _module(PLAIN), _module(CLOSURE.replace("    ", "\t"))),
    _one(
        "declined",
        _module(PLAIN),
        _module(
            "def make(factor):\n    def scale(x):\n        return x * later\n    if factor:\n        later = 1\n    return scale\n"
        ),
        0,
        1,
    ),
    _one(
        "comments and decorators around",
        _module(PLAIN),
        _module("# About it.\n" + CLOSURE.replace("    def", "    # Scales.\n    def")),
    ),
    _one("nothing wrong", _module(PLAIN), _module(PLAIN.replace("None", "1")), 0),
    Shape(
        "several files",
        {"README": b"x\n"},
        {"module.py": _module(CLOSURE), "package/module.py": _module(CLOSURE), "notes.txt": b"lambda\n"},
        2,
    ),
)

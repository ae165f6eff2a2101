"""Exceptions that get no ``__reduce__``, and why."""

from __future__ import annotations

import textwrap

import pytest

from codemods import engine
from codemods.finding import Level

DECLINED = {
    "argument_lost": (
        "constructor-arguments",
        """
        class Lost(Exception):
            def __init__(self, a, b):
                super().__init__(a + b)
                self.a = a
        """,
    ),
    "argument_changed_before_it_is_kept": (
        "constructor-arguments",
        """
        class Lost(Exception):
            def __init__(self, a):
                a = a.strip()
                super().__init__("no " + a)
                self.a = a
        """,
    ),
    "attribute_set_again": (
        "constructor-arguments",
        """
        class Lost(Exception):
            def __init__(self, a):
                super().__init__("no " + a)
                self.a = a
            def clear(self):
                self.a = None
        """,
    ),
    "attribute_is_a_property": (
        "constructor-arguments",
        """
        class Lost(Exception):
            def __init__(self, a):
                super().__init__("no " + a)
                self.a = a
            @property
            def a(self):
                return 1
        """,
    ),
    "kept_on_one_branch": (
        "constructor-arguments",
        """
        class Lost(Exception):
            def __init__(self, a):
                super().__init__("no " + a)
                if a:
                    self.a = a
        """,
    ),
    "keyword_only": (
        "constructor-arguments",
        """
        class Lost(Exception):
            def __init__(self, *, a):
                super().__init__("message")
                self.a = a
        """,
    ),
    "variadic": (
        "constructor-arguments",
        """
        class Lost(Exception):
            def __init__(self, code, *rest):
                super().__init__(*rest)
                self.code = code
        """,
    ),
    "subclass_with_a_constructor": (
        "subclass-constructor",
        """
        class Base(Exception):
            def __init__(self, name):
                super().__init__("no " + name)
                self.name = name
        class Derived(Base):
            def __init__(self):
                super().__init__("derived")
        """,
    ),
}


@pytest.mark.parametrize(("reason", "code"), DECLINED.values(), ids=DECLINED)
def test_declined(reason: str, code: str) -> None:
    data = b"import multiprocessing\n" + textwrap.dedent(code).encode()
    result = engine.fix("example.py", data, engine.Options(select=frozenset({"PKL108"})))
    assert result.error is None
    assert result.after == data
    assert [finding.refusal and finding.refusal.reason for finding in result.findings] == [reason]


SILENT = {
    "no_constructor": "class Fine(Exception):\n    pass\n",
    "passes_all_on": "class Fine(Exception):\n    def __init__(self, a, b):\n        super().__init__(a, b)\n",
    "passes_a_prefix_on": "class Fine(Exception):\n    def __init__(self, a, b=1):\n        super().__init__(a)\n",
    "passes_the_rest_on": "class Fine(Exception):\n    def __init__(self, a, *b):\n        super().__init__(a, *b)\n",
    "calls_no_base": "class Fine(Exception):\n    def __init__(self, a, b):\n        self.a = a\n",
    "has_its_own_way": (
        "class Fine(Exception):\n    def __init__(self, a):\n        super().__init__()\n"
        "    def __reduce__(self):\n        return Fine, (1,)\n"
    ),
    "is_no_exception": "class Fine(dict):\n    def __init__(self, a):\n        super().__init__()\n",
    "keeps_its_arguments_itself": "class Fine(OSError):\n    def __init__(self, a):\n        super().__init__(1, a)\n",
}


@pytest.mark.parametrize("code", SILENT.values(), ids=SILENT)
def test_nothing_is_found(code: str) -> None:
    data = b"import multiprocessing\n" + code.encode()
    result = engine.fix("example.py", data, engine.Options(select=frozenset({"PKL108"}), reach=Level.LOCAL))
    assert result.findings == ()
    assert result.after == data


BROKEN = """\
class Broken(Exception):
    def __init__(self, a):
        super().__init__("no " + a)
        self.a = a
"""
EVIDENCE = {
    "none": ("", []),
    "processes": ("import multiprocessing\n", [Level.STATE]),
    "executor": ("from concurrent.futures import ProcessPoolExecutor\n", [Level.STATE]),
    "kept_by_a_handler": (
        "def attempt(f):\n    try:\n        f()\n    except Broken as error:\n        return error\n",
        [Level.STATE],
    ),
    "shown_by_a_handler": (
        "def attempt(f):\n    try:\n        f()\n    except Broken as error:\n        print(error.a)\n",
        [],
    ),
}


@pytest.mark.parametrize(("code", "levels"), EVIDENCE.values(), ids=EVIDENCE)
def test_is_found_where_exceptions_may_be_pickled(code: str, levels: list[Level]) -> None:
    data = (BROKEN + code).encode()
    result = engine.check("example.py", data, engine.Options(select=frozenset({"PKL108"})))
    assert [finding.reach.level for finding in result.findings] == levels
    everything = engine.check("example.py", data, engine.Options(select=frozenset({"PKL108"}), reach=Level.LOCAL))
    assert len(everything.findings) == 1

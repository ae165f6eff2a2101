"""Calls that make classes and stay where they are, and why."""

from __future__ import annotations

import textwrap

import pytest

from codemods import engine

DECLINED = {
    "members_from_an_argument": (
        "class-made-at-run-time",
        """
        import enum
        def make(names):
            return list(enum.IntEnum("Level", names))
        """,
    ),
    "name_from_an_argument": (
        "class-made-at-run-time",
        """
        from collections import namedtuple
        def make(name):
            kind = namedtuple(name, "x y")
            return kind(1, 2)
        """,
    ),
    "type": (
        "class-made-at-run-time",
        """
        def make(name):
            return type(name, (), {})()
        """,
    ),
    "qualname_given": (
        "class-made-at-run-time",
        """
        import enum
        def make():
            return enum.Enum("Level", "LOW HIGH", qualname="Levels.Level").LOW
        """,
    ),
    "factory_imported_in_the_function": (
        "class-captures",
        """
        def make():
            from collections import namedtuple
            Row = namedtuple("Row", "x y")
            return Row(1, 2)
        """,
    ),
    "attribute_set": (
        "class-state",
        """
        from collections import namedtuple
        def make(note):
            Row = namedtuple("Row", "x y")
            Row.note = note
            return Row(1, 2)
        """,
    ),
    "types_compared_by_a_caller": (
        "identity-observed",
        """
        from collections import namedtuple
        def make():
            Row = namedtuple("Row", "x y")
            return Row(1, 2)
        def same():
            return type(make()) is type(make())
        """,
    ),
    "members_compared_by_a_caller": (
        "identity-observed",
        """
        import enum
        def make():
            return enum.Enum("Level", "LOW HIGH").LOW
        def same():
            return make() is make()
        """,
    ),
    "dataclass_whose_name_is_taken": (
        "name-taken",
        """
        from dataclasses import make_dataclass
        Place = "here"
        def make():
            Place = make_dataclass("Place", ["x"])
            return Place(1)
        """,
    ),
    "qualified_name_is_read": (
        "name-observed",
        """
        from collections import namedtuple
        nt_row = namedtuple("row", "x y")
        rows = [nt_row(1, 2)]
        def name():
            return nt_row.__qualname__
        """,
    ),
    "variable_rebound": (
        "name-taken",
        """
        from collections import namedtuple
        nt_row = namedtuple("row", "x y")
        rows = [nt_row(1, 2)]
        nt_row = None
        """,
    ),
}


@pytest.mark.parametrize(("reason", "code"), DECLINED.values(), ids=DECLINED)
def test_declined(reason: str, code: str) -> None:
    data = textwrap.dedent(code).lstrip().encode()
    options = engine.Options(select=frozenset({"PKL106"}))
    result = engine.fix("example.py", data, options)
    assert result.error is None
    assert result.after == data
    assert {finding.refusal and finding.refusal.reason for finding in result.findings} == {reason}


SILENT = {
    "names_agree": 'from collections import namedtuple\nRow = namedtuple("Row", "x")\nrows = [Row(1)]\n',
    "alias": 'from collections import namedtuple\nnt_row = namedtuple("row", "x")\nrow = nt_row\nrows = [row(1)]\n',
    "both_at_once": 'from collections import namedtuple\nrow = nt_row = namedtuple("row", "x")\nrows = [row(1)]\n',
    "base": 'from collections import namedtuple\nclass Row(namedtuple("RowBase", "x")):\n    pass\nrows = [Row(1)]\n',
    "qualname_set": (
        'from collections import namedtuple\nnt_row = namedtuple("row", "x")\nnt_row.__qualname__ = "nt_row"\n'
    ),
    "value_of_an_enum": "import enum\nclass Color(enum.Enum):\n    RED = 1\ncolors = [Color(1)]\n",
    "type_of_an_object": "def make(x):\n    return type(x)\n",
}


@pytest.mark.parametrize("code", SILENT.values(), ids=SILENT)
def test_nothing_is_found(code: str) -> None:
    result = engine.fix("example.py", code.encode(), engine.Options(select=frozenset({"PKL106"})))
    assert result.findings == ()
    assert result.after == code.encode()

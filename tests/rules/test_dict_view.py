"""Dict views: what becomes a list, what stays a view, and why."""

from __future__ import annotations

import textwrap

import pytest

from codemods import engine
from codemods.finding import FileResult, Level, Safety
from tests.rules.scripts import fix, refusals


def declined(text: str) -> list[str]:
    result = fix(text)
    assert not result.changed
    assert not any(finding.fix for finding in result.findings if finding.name == "dict-view")
    return refusals(result, "dict-view")


def holder(body: str, prelude: str = "") -> str:
    """A class that keeps a view of a fresh dict, with something more."""
    head = "class Holder:\n    def __init__(self, pairs):\n        table = dict(pairs)\n        self.names = table.keys()\n"
    return prelude + head + textwrap.indent(textwrap.dedent(body), "    ")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param("def use(self, other):\n    return self.names & other", "set-algebra", id="and"),
        pytest.param("def use(self, other):\n    return other - self.names", "set-algebra", id="right operand"),
        pytest.param("def use(self, other):\n    other |= self.names", "set-algebra", id="augmented"),
        pytest.param("def use(self, other):\n    return self.names == other", "view-compared", id="equality"),
        pytest.param("def use(self, other):\n    return self.names in other", "view-compared", id="member of another"),
        pytest.param("def use(self):\n    return f'{self.names}'", "view-shown", id="f-string"),
        pytest.param("def use(self):\n    return '%s' % (self.names,)", "view-shown", id="percent"),
        pytest.param("def use(self):\n    return str(self.names)", "view-shown", id="str"),
        pytest.param("def use(self, log):\n    log.info('names %s', self.names)", "view-shown", id="logging"),
        pytest.param("def use(self):\n    return isinstance(self.names, list)", "view-type-tested", id="isinstance"),
        pytest.param("def use(self):\n    match self.names:\n        case [*_]: pass", "view-type-tested", id="match"),
        pytest.param(
            "def use(self, other):\n    return self.names.isdisjoint(other)", "view-attribute", id="isdisjoint"
        ),
        pytest.param("def use(self):\n    return {self.names: 1}", "view-as-key", id="key"),
        pytest.param(
            "def use(self, other):\n    mine = self.names\n    return mine & other",
            "set-algebra",
            id="through a variable",
        ),
    ],
)
def test_uses_that_need_a_view(body: str, reason: str) -> None:
    assert declined(holder(body)) == [reason]


def test_uses_on_other_objects_count_by_name() -> None:
    assert declined(holder("", "def same(a, b):\n    return a.names == b.names\n\n\n")) == ["view-compared"]


def test_a_test_for_views_anywhere_counts() -> None:
    prelude = "from collections.abc import KeysView\n\n\ndef kind(x):\n    return isinstance(x, KeysView)\n\n\n"
    assert declined(holder("", prelude)) == ["view-type-tested"]


@pytest.mark.parametrize(
    "change",
    [
        "table['late'] = 1",
        "del table['a']",
        "table.update(late=1)",
        "table |= {'late': 1}",
        "alias = table\n        alias.pop('a')",
        "fill(table)",
        "operator.setitem(table, 'late', 1)",
        "self.drop = table.pop",
        "later = lambda: table.clear()",
    ],
)
def test_dicts_that_change_afterwards(change: str) -> None:
    text = f"""
        import operator


        def fill(target):
            target["late"] = 1


        class Holder:
            def __init__(self, pairs):
                table = dict(pairs)
                self.names = [table.keys()]
                {change}
        """
    text = text.replace("\n        alias", "\n                alias")
    assert declined(text) == ["dict-changes"]


def test_a_defaultdict_changes_by_reading() -> None:
    text = """
        from collections import defaultdict


        class Holder:
            def __init__(self):
                groups = defaultdict(list)
                self.names = [groups.keys()]
                groups["a"]
        """
    assert declined(text) == ["dict-changes"]


def test_a_loop_that_shares_one_dict() -> None:
    text = """
        def steps(words):
            seen, out = {}, []
            for word in words:
                out.append(seen.keys())
                seen[word] = 1
            return out
        """
    assert declined(text) == ["dict-changes"]


def test_a_dict_that_makes_the_view_itself() -> None:
    text = """
        class Bag(dict):
            def __init__(self, *args):
                super().__init__(*args)
                self.names = self.keys()
        """
    assert declined(text) == ["dict-changes"]


def test_a_receiver_of_two_kinds() -> None:
    text = """
        class Sheet:
            def keys(self):
                return "xy"


        class Holder:
            def __init__(self, table):
                self.names = table.keys()


        made = [Holder({"a": 1}), Holder(Sheet())]
        """
    assert declined(text) == ["receiver-not-always-dict"]


@pytest.mark.parametrize(
    "receiver",
    [
        pytest.param("{'a': 1}", id="display"),
        pytest.param("dict(pairs)", id="dict"),
        pytest.param("collections.OrderedDict(pairs)", id="OrderedDict"),
        pytest.param("collections.Counter('aab')", id="Counter"),
        pytest.param("json.loads(pairs)", id="json"),
        pytest.param("options", id="keyword arguments"),
        pytest.param("given", id="annotation"),
        pytest.param("settings.table", id="field"),
        pytest.param("self.made()", id="return annotation"),
        pytest.param("pairs", id="unknown"),
    ],
)
def test_receivers_that_are_dicts(receiver: str) -> None:
    text = f"""
        import collections
        import json
        from collections.abc import Mapping
        from dataclasses import dataclass


        @dataclass
        class Settings:
            table: dict[str, int]


        class Holder:
            def __init__(self, pairs, given: Mapping[str, int], settings: Settings, **options):
                self.names = {receiver}.keys()

            def made(self) -> dict[str, int]: ...
        """
    result = fix(text)
    assert f"self.names = list({receiver}.keys())" in result.after.decode()


@pytest.mark.parametrize(
    ("statement", "receiver"),
    [
        ("import pandas", "pandas.DataFrame(table)"),
        ("import h5py", "h5py.File(table)"),
        ("import redis", "redis.Redis(table)"),
        ("import torch", "torch.nn.ModuleDict(table)"),
        ("import configparser", "configparser.ConfigParser()['a']"),
        ("from collections import UserDict", "UserDict(table)"),
        ("from collections import ChainMap", "ChainMap(table)"),
    ],
)
def test_receivers_that_are_no_dicts(statement: str, receiver: str) -> None:
    result = fix(
        f"{statement}\n\n\nclass Holder:\n    def __init__(self, table):\n        self.names = {receiver}.keys()\n"
    )
    assert not result.changed
    assert not [finding for finding in result.findings if finding.name == "dict-view"]


def test_what_is_rendered_into_text_is_not_kept() -> None:
    text = """
        from django.template.response import TemplateResponse

        def page(request, counts):
            context = {"counts": dict(counts).items()}
            return TemplateResponse(request, "page.html", context)
        """
    assert fix(text).findings == ()


def test_an_object_with_attributes_that_dicts_lack_is_none() -> None:
    text = """
        class Holder:
            def __init__(self, frame):
                self.names = frame.keys()
                self.columns = frame.columns
        """
    assert fix(text).findings == ()


@pytest.mark.parametrize(
    "body",
    [
        "def keys(self):\n        return self.table.keys()",
        "def names(self):\n        return self.table.keys()",
        "def use(self):\n        return sorted(self.table.keys())",
        "def use(self):\n        return list(self.table.keys())",
        "def use(self, other):\n        return self.table.keys() & other",
    ],
)
def test_what_is_nobodys_concern(body: str) -> None:
    assert fix(f"class Holder:\n    def __init__(self):\n        self.table = {{}}\n\n    {body}\n").findings == ()


def unsafe(text: str) -> FileResult:
    result = fix(text)
    assert not result.changed
    assert [finding.fix.safety for finding in result.findings if finding.fix] == [Safety.UNSAFE]
    return fix(text, unsafe_fixes=True)


def test_a_global_that_others_may_fill_is_unsafe() -> None:
    text = """
        HANDLERS = {}


        class Menu:
            def __init__(self):
                self.names = HANDLERS.keys()
        """
    assert "list(HANDLERS.keys())" in unsafe(text).after.decode()


def test_the_environment_is_unsafe() -> None:
    text = "import os\n\n\nclass Menu:\n    def __init__(self):\n        self.names = os.environ.keys()\n"
    assert "list(os.environ.keys())" in unsafe(text).after.decode()


def test_a_dict_that_is_handed_on_is_unsafe() -> None:
    text = """
        from elsewhere import fill


        class Menu:
            def __init__(self):
                table = {"a": 1}
                self.names = table.keys()
                fill(table)
        """
    assert "list(table.keys())" in unsafe(text).after.decode()


def test_a_property_where_state_methods_cannot_be_written() -> None:
    text = """
        class Holder:
            def __init__(self, table):
                self.table = dict(table)

            def prepare(self):
                self.names = self.table.keys()

            def use(self, other):
                return self.names & other
        """
    after = unsafe(text).after.decode()
    assert (
        "    def prepare(self):\n        pass\n\n    @property\n    def names(self):\n        return self.table.keys()\n"
        in after
    )


def test_always_wraps_views_that_stay_in_a_function() -> None:
    text = b"def use(table):\n    names = table.keys()\n    for name in names:\n        print(name)\n"
    assert engine.fix("example.py", text, engine.Options()).after == text
    wrapped = engine.fix("example.py", text, engine.Options(views="always"))
    assert b"names = list(table.keys())" in wrapped.after


def test_a_star_import_hides_the_builtin() -> None:
    text = "from elsewhere import *\n\n\nclass Holder:\n    def __init__(self):\n        self.names = {'a': 1}.keys()\n"
    assert "self.names = [*{'a': 1}.keys()]" in fix(text).after.decode()


def test_results_of_workers_are_pickled() -> None:
    text = """
        from concurrent.futures import ProcessPoolExecutor


        class Work:
            def __init__(self, table):
                self.table = table

            def run(self, name):
                return self.table.keys()


        def start(work, names):
            with ProcessPoolExecutor() as executor:
                return list(executor.map(Work({"a": 1}).run, names))
        """
    findings = [finding for finding in fix(text).findings if finding.name == "dict-view"]
    assert [finding.reach.level for finding in findings] == [Level.SINK]

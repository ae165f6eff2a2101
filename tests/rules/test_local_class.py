"""Local classes that stay where they are, and why."""

from __future__ import annotations

import textwrap

import pytest

from codemods import engine
from codemods.finding import Level

DECLINED = {
    "tested_for_by_a_function_that_is_handed_out": (
        "identity-observed",
        """
        def make():
            class Token:
                pass
            def is_token(thing):
                return isinstance(thing, Token)
            return Token(), is_token
        """,
    ),
    "equal_to_its_own_class_only": (
        "identity-observed",
        """
        def make(x):
            class Point:
                def __init__(self, x):
                    self.x = x
                def __eq__(self, other):
                    return isinstance(other, Point) and self.x == other.x
            return Point(x)
        def observe():
            return make(1) == make(1)
        """,
    ),
    "captures_in_method": (
        "class-captures",
        """
        def make(scale):
            class Scaler:
                def value(self):
                    return scale
            return Scaler()
        """,
    ),
    "captures_in_nested_class": (
        "class-captures",
        """
        def make(scale):
            class Outer:
                class Inner:
                    def value(self):
                        return scale
            return Outer.Inner()
        """,
    ),
    "captures_in_body": (
        "class-captures",
        """
        def make(scale):
            class Scaler:
                factor = scale
            return Scaler()
        """,
    ),
    "captures_in_default": (
        "class-captures",
        """
        def make(scale):
            class Scaler:
                def value(self, by=scale):
                    return by
            return Scaler()
        """,
    ),
    "captures_an_import": (
        "class-captures",
        """
        def make():
            import math
            class Circle:
                def area(self):
                    return math.pi
            return Circle()
        """,
    ),
    "two_classes_that_need_each_other": (
        "class-captures",
        """
        def make():
            class Left:
                def other(self):
                    return Right()
            class Right:
                def other(self):
                    return Left()
            return Left()
        """,
    ),
    "nonlocal_in_method": (
        "class-captures",
        """
        def make():
            count = 0
            class Counter:
                def add(self):
                    nonlocal count
                    count += 1
            return Counter()
        """,
    ),
    "base_is_parameter": (
        "class-base",
        """
        def make(base):
            class Mixed(base):
                pass
            return Mixed()
        """,
    ),
    "base_bound_later": (
        "class-base",
        """
        def make():
            class Mixed(Base):
                pass
            return Mixed()
        class Base:
            pass
        """,
    ),
    "base_with_init_subclass_behind_another": (
        "class-registered",
        """
        class Root:
            def __init_subclass__(cls):
                print(cls)
        class Middle(Root):
            pass
        def make():
            class Leaf(Middle):
                pass
            return Leaf()
        """,
    ),
    "base_from_elsewhere": (
        "class-registered",
        """
        from plugins import Plugin
        def make():
            class Extra(Plugin):
                pass
            return Extra()
        """,
    ),
    "metaclass": (
        "class-registered",
        """
        class Meta(type):
            pass
        def make():
            class Extra(metaclass=Meta):
                pass
            return Extra()
        """,
    ),
    "metaclass_of_base": (
        "class-registered",
        """
        class Meta(type):
            pass
        class Base(metaclass=Meta):
            pass
        def make():
            class Extra(Base):
                pass
            return Extra()
        """,
    ),
    "subclasses_are_listed": (
        "class-registered",
        """
        class Base:
            pass
        def make():
            class Extra(Base):
                pass
            return Extra()
        def names():
            return [kind for kind in Base.__subclasses__()]
        """,
    ),
    "decorator": (
        "class-decorator",
        """
        def register(kind):
            return kind
        def make():
            @register
            class Extra:
                pass
            return Extra()
        """,
    ),
    "decorator_of_method": (
        "class-decorator",
        """
        import functools
        def make():
            class Extra:
                @functools.lru_cache
                def value(self):
                    return 1
            return Extra()
        """,
    ),
    "decorator_with_local_argument": (
        "class-decorator",
        """
        from dataclasses import dataclass
        def make(frozen):
            @dataclass(frozen=frozen)
            class Extra:
                x: int
            return Extra(1)
        """,
    ),
    "body_runs_a_statement": (
        "class-body-runs",
        """
        def make():
            class Extra:
                print("made")
            return Extra()
        """,
    ),
    "body_loops": (
        "class-body-runs",
        """
        def make():
            class Extra:
                for x in (1, 2):
                    pass
            return Extra()
        """,
    ),
    "body_calls": (
        "class-body-runs",
        """
        import time
        def make():
            class Extra:
                made = time.time()
            return Extra()
        """,
    ),
    "body_makes_a_sentinel": (
        "class-body-runs",
        """
        def make():
            class Extra:
                missing = object()
            return Extra()
        """,
    ),
    "body_reads_a_changing_global": (
        "class-body-runs",
        """
        limit = 1
        def raise_limit():
            global limit
            limit += 1
        def make():
            class Extra:
                limit = limit
            return Extra()
        """,
    ),
    "body_reads_a_table": (
        "class-body-runs",
        """
        TABLE = {"a": 1}
        def make():
            class Extra:
                limit = TABLE["a"]
            return Extra()
        """,
    ),
    "walrus": (
        "class-body-runs",
        """
        def make():
            class Extra:
                a = (b := 1)
            return Extra()
        """,
    ),
    "mutable_default": (
        "class-body-runs",
        """
        def make():
            class Extra:
                def add(self, x, seen=[]):
                    seen.append(x)
                    return seen
            return Extra()
        """,
    ),
    "global_in_body": (
        "class-body-runs",
        """
        def make():
            class Extra:
                global made
                made = True
            return Extra()
        """,
    ),
    "annotation_is_made_later": (
        "annotation-evaluated-per-call",
        """
        def make():
            class Extra:
                x: Kind = None
            return Extra()
        class Kind:
            pass
        """,
    ),
    "class_attribute_is_counted": (
        "class-state",
        """
        def make():
            class Item:
                count = 0
                def __init__(self):
                    type(self).count += 1
            return Item()
        """,
    ),
    "class_attribute_is_counted_by_name": (
        "class-state",
        """
        def make():
            class Item:
                count = 0
                def __init__(self):
                    Item.count += 1
            return Item()
        """,
    ),
    "class_attribute_is_counted_by_class_method": (
        "class-state",
        """
        def make():
            class Item:
                count = 0
                @classmethod
                def add(cls):
                    cls.count += 1
            return Item()
        """,
    ),
    "class_list_grows": (
        "class-state",
        """
        def make():
            class Item:
                seen = []
                def add(self, x):
                    self.seen.append(x)
            return Item()
        """,
    ),
    "class_dict_is_handed_out": (
        "class-state",
        """
        def make():
            class Item:
                seen = {}
                def table(self):
                    return self.seen
            return Item()
        """,
    ),
    "attribute_set_after_the_statement": (
        "class-state",
        """
        def make(fmt):
            class Item:
                pass
            Item.fmt = fmt
            return Item()
        """,
    ),
    "attribute_set_by_setattr": (
        "class-state",
        """
        def make(fmt):
            class Item:
                pass
            setattr(Item, "fmt", fmt)
            return Item()
        """,
    ),
    "attribute_set_by_a_function": (
        "class-state",
        """
        def tag(kind, fmt):
            kind.fmt = fmt
        def make(fmt):
            class Item:
                pass
            tag(Item, fmt)
            return Item()
        """,
    ),
    "attribute_set_by_a_caller": (
        "class-state",
        """
        def make():
            class Item:
                pass
            return Item
        def prepare(fmt):
            kind = make()
            kind.fmt = fmt
            return kind()
        """,
    ),
    "types_compared_in_method": (
        "identity-observed",
        """
        def make():
            class Item:
                def __eq__(self, other):
                    return type(self) is type(other)
            return Item()
        """,
    ),
    "types_compared_in_method_of_base": (
        "identity-observed",
        """
        class Base:
            def __eq__(self, other):
                return self.__class__ == other.__class__
        def make():
            class Item(Base):
                pass
            return Item()
        """,
    ),
    "types_compared_by_a_caller": (
        "identity-observed",
        """
        def make():
            class Item:
                pass
            return Item()
        def same():
            return type(make()) is type(make())
        """,
    ),
    "type_compared_with_the_class": (
        "identity-observed",
        """
        def make():
            class Item:
                def same(self, other):
                    return type(other) is Item
            return Item()
        """,
    ),
    "isinstance_of_another_call": (
        "identity-observed",
        """
        def make():
            class Item:
                pass
            return Item()
        def same():
            return isinstance(make(), type(make()))
        """,
    ),
    "equality_of_a_dataclass": (
        "identity-observed",
        """
        from dataclasses import dataclass
        def make():
            @dataclass
            class Item:
                x: int
            return Item(1)
        def same():
            return make() == make()
        """,
    ),
    "class_is_a_key": (
        "identity-observed",
        """
        handlers = {}
        def make():
            class Item:
                pass
            handlers[Item] = print
            return Item()
        """,
    ),
    "class_is_registered": (
        "identity-observed",
        """
        import abc
        class Base(abc.ABC):
            pass
        def make():
            class Item:
                pass
            Base.register(Item)
            return Item()
        """,
    ),
    "own_exception_is_caught": (
        "identity-observed",
        """
        def attempt(action):
            class Stop(Exception):
                pass
            def stop():
                raise Stop
            try:
                action(stop)
            except Stop:
                return None
            return Stop()
        """,
    ),
    "qualified_name_is_read": (
        "name-observed",
        """
        def make():
            class Item:
                pass
            return Item()
        def name(obj):
            return type(obj).__qualname__
        """,
    ),
    "representation_of_a_dataclass": (
        "name-observed",
        """
        from dataclasses import dataclass
        def make():
            @dataclass
            class Item:
                x: int
            return Item(1)
        def show(obj):
            return repr(obj)
        """,
    ),
    "module_members_are_listed": (
        "globals-swept",
        """
        import inspect, sys
        def make():
            class Item:
                pass
            return Item()
        def kinds():
            return inspect.getmembers(sys.modules[__name__], inspect.isclass)
        """,
    ),
    "locals_are_read": (
        "namespace-observed",
        """
        def make():
            class Item:
                pass
            return Item(), locals()
        """,
    ),
    "private_names_and_both_names_taken": (
        "private-names",
        """
        Vault = _Vault = None
        def make():
            class Vault:
                def __init__(self):
                    self.__code = 1
            return Vault()
        """,
    ),
    "private_class_in_method": (
        "unsupported-syntax",
        """
        class Host:
            def make(self):
                class __Item:
                    pass
                return __Item()
        """,
    ),
    "name_rebound_and_used_inside": (
        "rebound-after-capture",
        """
        def make(wrap):
            class Item:
                def other(self):
                    return Item()
            item = Item()
            Item = wrap
            return item
        """,
    ),
    "doctest": (
        "docstring-test",
        '''
        def make():
            class Item:
                """An item.

                >>> 1 + 1
                2
                """
            return Item()
        ''',
    ),
    "holds_a_lock": (
        "holds-unpicklable",
        """
        import socket
        def make():
            class Item:
                def __init__(self):
                    self.socket = socket.socket()
            return Item()
        """,
    ),
}


@pytest.mark.parametrize(("reason", "code"), DECLINED.values(), ids=DECLINED)
def test_declined(reason: str, code: str) -> None:
    data = textwrap.dedent(code).lstrip().encode()
    options = engine.Options(select=frozenset({"PKL105"}))
    result = engine.fix("example.py", data, options)
    assert result.error is None
    assert result.after == data
    assert {finding.refusal and finding.refusal.reason for finding in result.findings} == {reason}


SILENT = {
    "at_the_top": "class Item:\n    pass\n\n\nitems = [Item()]\n",
    "under_a_condition": "if True:\n    class Item:\n        pass\n",
    "declared_global": "def make():\n    global Item\n    class Item:\n        pass\n    return Item()\n",
    "never_leaves": "def make():\n    class Item:\n        x = 1\n    print(Item().x)\n",
}


@pytest.mark.parametrize("code", SILENT.values(), ids=SILENT)
def test_nothing_is_found(code: str) -> None:
    result = engine.fix("example.py", code.encode(), engine.Options(select=frozenset({"PKL105"})))
    assert result.findings == ()
    assert result.after == code.encode()


def test_types_of_dictionaries_gain_nothing() -> None:
    code = "from typing import TypedDict\ndef make():\n    class Cell(TypedDict):\n        x: int\n    cell: Cell = {'x': 1}\n"
    result = engine.fix("example.py", code.encode(), engine.Options(reach=Level.LOCAL))
    assert result.findings == ()
    other = code.replace("(TypedDict)", "")
    assert engine.fix("example.py", other.encode(), engine.Options(reach=Level.LOCAL)).changed


@pytest.mark.parametrize("newline", ["\r\n", "\r"], ids=["crlf", "cr"])
def test_line_endings_are_kept(newline: str) -> None:
    code = 'def make():\n    class Item:\n        x = """A\n        b."""\n\n    return Item()\n'
    moved = 'class Item:\n    x = """A\n        b."""\n\n\ndef make():\n    return Item()\n'
    result = engine.fix("example.py", code.replace("\n", newline).encode(), engine.Options())
    assert result.after == moved.replace("\n", newline).encode()

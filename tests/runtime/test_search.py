"""The parts of objects that do not pickle, and the way to them."""

from __future__ import annotations

import collections
import functools
import pickle
import threading
from typing import Any

import pytest

import codemods
from codemods.runtime.sameness import difference


class Holder:
    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)


class Slots:
    __slots__ = ("lock",)

    def __init__(self) -> None:
        self.lock = threading.Lock()


class Evil:
    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError("evil")

    def __repr__(self) -> str:
        raise AssertionError("never asked")

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise ZeroDivisionError("evil")


class Refusing:
    def __getstate__(self) -> Any:
        raise RuntimeError("state refused")


class WrongReducer:
    def __reduce__(self) -> Any:
        return (1, ())


class Key:
    def __repr__(self) -> str:
        raise AssertionError("never asked")


def local() -> Any:
    class Local:
        pass

    return Local()


CASES = {
    "attribute": (lambda: Holder(items=[1, {"cfg": (2, Holder(names={}.keys()))}]), "obj.items[1]['cfg'][1].names: dict_keys"),
    "lambda": (lambda: [lambda: 1], "obj[0]: <lambda>"),
    "partial": (lambda: functools.partial(print, threading.Lock()), "obj.args[0]: _thread.lock"),
    "keyword": (lambda: functools.partial(print, end=threading.Lock()), "obj.keywords['end']: _thread.lock"),
    "method": (lambda: Holder(lock=threading.Lock()).__init__, "obj.__self__.lock: _thread.lock"),
    "factory": (lambda: collections.defaultdict(lambda: 0), "obj.default_factory: <lambda>"),
    "slots": (Slots, "obj.lock: _thread.lock"),
    "set": (lambda: {threading.Lock()}, "obj.<element>: _thread.lock"),
    "generator": (lambda: {"a": (x for x in [1])}, "obj['a']: generator"),
    "class": (lambda: Holder(one=local()), "obj.one: local.<locals>.Local"),
    "evil": (lambda: [Evil()], f"obj[0]: {__name__}.Evil"),
    "state": (lambda: [Refusing()], f"obj[0]: {__name__}.Refusing"),
    "reducer": (lambda: [WrongReducer()], f"obj[0]: {__name__}.WrongReducer"),
    "key": (lambda: {Key(): threading.Lock()}, f"obj[<{__name__}.Key>]: _thread.lock"),
    "subclass": (lambda: collections.OrderedDict(a=threading.Lock()), "obj['a']: _thread.lock"),
}


@pytest.mark.parametrize("name", CASES)
def test_path(name: str) -> None:
    make, expected = CASES[name]
    obj = make()
    with pytest.raises(Exception, match=r".*"):
        pickle.dumps(obj)
    found = [str(item).replace(f"CASES.{name}", "") for item in codemods.find_unpicklable(obj)]
    assert [text.replace("<lambda>.<locals>.", "") for text in found] == [expected]


@pytest.mark.parametrize("obj", [1, [1, "a", b"b", {1: (2, {3})}], Holder(a=Holder(b=print)), pickle.dumps, Holder, None, ...], ids=str)
def test_nothing_is_found_in_what_pickles(obj: object) -> None:
    pickle.dumps(obj)
    assert codemods.find_unpicklable(obj) == ()


def test_all_parts_are_found_and_each_once() -> None:
    lock = threading.Lock()
    found = codemods.find_unpicklable([lock, lock, {"view": {}.keys()}], "data")
    assert [str(item) for item in found] == ["data[0]: _thread.lock", "data[2]['view']: dict_keys"]


def test_cycles_and_depth() -> None:
    cycle: list[Any] = []
    cycle.append({"me": cycle, "lock": threading.Lock()})
    assert [item.path for item in codemods.find_unpicklable(cycle)] == ["obj[0]['lock']"]
    deep: list[Any] = [threading.Lock()]
    for _ in range(50_000):
        deep = [deep]
    assert len(codemods.find_unpicklable(deep)) == 1


def test_copies_take_functions_as_they_are() -> None:
    assert codemods.find_unpicklable([lambda: 1, local], copies=True) == ()
    assert [item.path for item in codemods.find_unpicklable([lambda: 1, {}.keys()], copies=True)] == ["obj[1]"]


def test_where_it_was_made() -> None:
    found = codemods.find_unpicklable(lambda: 1)[0]
    assert found.file == __file__
    assert found.line == test_where_it_was_made.__code__.co_firstlineno + 1


def test_difference() -> None:
    assert difference(Holder(a=[1, {2}]), Holder(a=[1, {2}])) is None
    assert difference(Holder(a=[1, 2]), Holder(a=[1, 3])) == "obj.a[1] comes back with another value"
    assert difference([1], (1,)) == "obj was a list and comes back as a tuple"
    assert difference(Holder(a=1), Holder(a=1, b=2)) == "obj comes back with other attributes or items"

"""What a fingerprint survives, and what it tells apart."""

from __future__ import annotations

import pytest

from codemods import engine
from codemods.finding import Level
from codemods.fingerprint import fingerprints

SOURCE = """\
def build(scale):
    def inner(x):
        return x

    return [inner, lambda x: (x, scale), lambda x: (x, scale)]


class Box:
    def build(self):
        return lambda x: (x, scale)
"""


def of(text: str, name: str = "src/a.py") -> list[str]:
    result = engine.check("a.py", text.encode(), engine.Options(reach=Level.LOCAL))
    found = fingerprints(result, name)
    assert len(found) == len(result.findings) == len(set(found)) > 0
    assert all(len(item) == 32 and int(item, 16) >= 0 for item in found)
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("def build(scale)", "import os\n\n\ndef build(scale)", id="lines-above"),
        pytest.param("return x\n", "y = x\n        return y\n", id="body-of-the-function"),
        pytest.param("inner(x):", "inner(x, y=1):", id="parameters-of-the-function"),
        pytest.param("lambda x: (x, scale), ", "lambda x: (\n        x,scale), ", id="another-layout"),
        pytest.param("\n\nclass", "\n\nif True:\n  pass\n\nclass", id="statements-between"),
    ],
)
def test_it_stays(old: str, new: str) -> None:
    assert old in SOURCE
    assert of(SOURCE.replace(old, new, 1)) == of(SOURCE)


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        pytest.param("inner", "outer", {0}, id="name-of-the-function"),
        pytest.param("def build(scale)", "def make(scale)", {0, 1, 2}, id="function-around"),
        pytest.param("class Box", "class Bin", {3}, id="class-around"),
        pytest.param("lambda x: (x, scale), ", "lambda x: (scale, x), ", {1, 2}, id="the-lambda-itself"),
    ],
)
def test_it_changes_with(old: str, new: str, changed: set[int]) -> None:
    pairs = zip(of(SOURCE), of(SOURCE.replace(old, new)), strict=True)
    assert {index for index, (before, after) in enumerate(pairs) if before != after} == changed


def test_another_file_has_others() -> None:
    assert not set(of(SOURCE)) & set(of(SOURCE, "src/b.py"))


def test_file_names_may_be_any_bytes() -> None:
    assert of(SOURCE, "\udcff.py") != of(SOURCE, "\udcfe.py")


def test_it_is_the_same_for_ever() -> None:
    assert of("scale = 2\n\n\ndef build():\n    return lambda: scale\n") == ["d2f475709406957bee42912f5e9d329f"]

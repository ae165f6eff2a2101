"""Which file an import means, and who imports something."""

from __future__ import annotations

import pytest

from codemods.analysis.project.names import ModuleNames, split
from codemods.analysis.project.project import Project

FILES = {
    "/p/setup.py": "",
    "/p/src/shop/__init__.py": "from .data import load as read\nfrom .tables import *\n",
    "/p/src/shop/data.py": "def load(): pass\n",
    "/p/src/shop/tables.py": "__all__ = ['Table']\nclass Table: pass\nclass Hidden: pass\n",
    "/p/src/shop/inner/__init__.py": "",
    "/p/src/shop/inner/deep.py": "from ..data import (  # why\n    load,\n    other as o,\n)\n",
    "/p/src/space/part.py": "import shop.data\nimport shop.tables as t\n",
    "/p/scripts/tool.py": "from helper import go\nif go:\n    def f():\n        from shop import read, Table\n",
    "/p/scripts/helper.py": "def go(): pass\n",
    "/p/other/helper.py": "",
    "/p/tests/logging.py": "",
    "/p/tests/test_it.py": "from shop import data\n",
}


@pytest.fixture
def project() -> Project:
    return Project("/p", list(FILES), lambda path: FILES[path].encode())


@pytest.mark.parametrize(
    ("importer", "name", "expected"),
    [
        ("src/shop/data.py", ".tables", "src/shop/tables.py"),
        ("src/shop/data.py", ".", "src/shop/__init__.py"),
        ("src/shop/inner/deep.py", "..data", "src/shop/data.py"),
        ("src/shop/inner/__init__.py", ".deep", "src/shop/inner/deep.py"),
        ("src/shop/data.py", ".missing", None),
        ("tests/test_it.py", "shop.inner", "src/shop/inner/__init__.py"),
        ("src/shop/data.py", "space.part", "src/space/part.py"),
        ("scripts/tool.py", "helper", "scripts/helper.py"),
        ("tests/test_it.py", "helper", None),
        ("tests/test_it.py", "tests.logging", "tests/logging.py"),
        ("tests/test_it.py", "logging", "tests/logging.py"),
        ("src/shop/data.py", "logging", None),
        ("src/shop/data.py", "data", None),
        ("src/shop/data.py", "torch", None),
    ],
)
def test_the_file_that_an_import_means(importer: str, name: str, expected: str | None) -> None:
    found = ModuleNames("/p", list(FILES)).find(f"/p/{importer}", name)
    assert found == (f"/p/{expected}" if expected else None)


@pytest.mark.parametrize(
    ("name", "parts"), [("a.b", ("a", "b")), ("..a", ("..", "a")), (".a.b", (".a", "b")), ("a", ("", "a"))]
)
def test_names_in_two(name: str, parts: tuple[str, str]) -> None:
    assert split(name) == parts


@pytest.mark.parametrize(
    ("importer", "name", "expected"),
    [
        ("scripts/tool.py", "shop.read", ("src/shop/data.py", "load")),
        ("scripts/tool.py", "shop.Table", ("src/shop/tables.py", "Table")),
        ("scripts/tool.py", "shop.Hidden", None),
        ("src/shop/inner/deep.py", "..data.load", ("src/shop/data.py", "load")),
        ("src/space/part.py", "shop.data", ("src/shop/data.py", "")),
        ("src/space/part.py", "shop.data.missing", None),
        ("src/space/part.py", "os.path", None),
    ],
)
def test_definitions(project: Project, importer: str, name: str, expected: tuple[str, str] | None) -> None:
    found = project.definition(f"/p/{importer}", name)
    assert (found and (found.module.path, found.name)) == (expected and (f"/p/{expected[0]}", expected[1]))


@pytest.mark.parametrize(
    ("path", "name", "expected"),
    [
        ("src/shop/data.py", "load", ["src/shop/__init__.py", "src/shop/inner/deep.py"]),
        ("src/shop/__init__.py", "read", ["scripts/tool.py"]),
        ("src/shop/tables.py", "Table", ["src/shop/__init__.py"]),
        ("scripts/helper.py", "go", ["scripts/tool.py"]),
        ("other/helper.py", "go", []),
    ],
)
def test_importers(project: Project, path: str, name: str, expected: list[str]) -> None:
    found = [user.path for user in project.importers.of(f"/p/{path}", name)]
    assert found == [f"/p/{other}" for other in expected]

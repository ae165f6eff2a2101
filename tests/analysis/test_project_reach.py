"""Values that flow from file to file: imports, aliases, re-exports, star imports, bases and module attributes."""

from __future__ import annotations

import ast

import pytest

from codemods import source as source_text
from codemods.analysis.project.names import ModuleNames
from codemods.analysis.scopes import ScopeTree
from codemods.analysis.values.flow import FlowGraph
from codemods.analysis.values.project_modules import File, Modules
from codemods.catalog.loader import load
from codemods.finding import Level
from codemods.source import Source

# The comment after a lambda, function or class names it; a project of fourteen modules, two of them packages.
PROJECT = {
    "shop/__init__.py": "from .factories import make_transform as make\nfrom .registry import *\n",
    "shop/factories.py": "def make_transform(n):\n    return lambda x: x * n  # scale\n",
    "shop/compose.py": "class Compose:\n    def __init__(self, steps):\n        self.steps = steps\n",
    "shop/data/__init__.py": "from .folder import Folder\n",
    "shop/data/base.py": "class Base:\n    def __init__(self, transform=None):\n        self.transform = transform\n",
    "shop/data/folder.py": (
        "from . import base as b\n\n\nclass Folder(b.Base):\n    def __init__(self, root, **options):\n"
        "        super().__init__(**options)\n"
    ),
    "shop/registry.py": (
        "__all__ = ['register', 'TABLE']\nTABLE = {}\n\n\ndef register(name, fn):\n    TABLE[name] = fn\n"
        "def hidden(fn):\n    return fn()\n"
    ),
    "shop/plugins.py": "from shop import register\n\nregister('a', lambda: 1)  # plugin\n",
    "shop/workers.py": "def work(x):\n    return lambda: x  # result\n",
    "shop/run.py": (
        "from multiprocessing import Pool\nfrom . import workers\n\n\ndef run(xs):\n    return Pool().map(workers.work, xs)\n"
    ),
    "shop/saved.py": (
        "class Saved:\n    def __getstate__(self):\n        state = self.__dict__.copy()\n        del state['key']\n        return state\n"
    ),
    "shop/sorting.py": (
        "from shop.saved import Saved\nfrom shop.registry import hidden\n\n\nclass Sorter(Saved):\n    def __init__(self):\n"
        "        self.key = lambda x: x  # dropped\n        self.tie = lambda x: x  # kept\n"
        "        self.n = hidden(lambda: 1)  # called\n"
    ),
    "shop/local.py": "def make_class(kind):\n    class Local:  # local\n        kind = 1\n    return Local\n",
    "train.py": (
        "import pickle\nimport shop\nimport shop.local\nfrom shop.compose import Compose\nfrom shop.data import Folder\n"
        "from torch.utils.data import DataLoader\n\n\ndef main():\n    folder = Folder('x', transform=Compose([shop.make(2)]))\n"
        "    return DataLoader(folder, num_workers=4)\n\n\ndef dump():\n    return pickle.dumps(shop.local.make_class('x')())\n"
    ),
}  # fmt: skip

EXPECTED = {
    "scale": (
        Level.SINK,
        "torch.utils.data.DataLoader",
        [
            "shop/factories.py: returned by make_transform()",
            "train.py: passed to Compose(steps=)",
            "shop/compose.py: stored in self.steps of Compose",
            "train.py: passed to Folder(transform=)",
            "shop/data/folder.py: passed to Base.__init__(transform=)",
            "shop/data/base.py: stored in self.transform of Base",
            "train.py: pickled by DataLoader(dataset=) under spawn/forkserver",
        ],
    ),
    "plugin": (
        Level.STATE,
        None,
        [
            "shop/plugins.py: passed to register(fn=)",
            "shop/registry.py: put into TABLE",
            "shop/registry.py: kept in the global TABLE",
        ],
    ),
    "result": (
        Level.SINK,
        "multiprocessing.pool.Pool.map",
        [
            "shop/workers.py: returned by work()",
            "shop/run.py: pickled on its way back from Pool.map(func=)",
        ],
    ),
    "dropped": (Level.LOCAL, None, []),
    "kept": (Level.STATE, None, ["shop/sorting.py: stored in self.tie of Sorter"]),
    "called": (Level.LOCAL, None, []),
    "local": (
        Level.SINK,
        "pickle.dumps",
        ["shop/local.py: returned by make_class()", "train.py: pickled by dumps(obj=)"],
    ),
}


def parsed(path: str, text: str) -> File:
    source = Source(path, text)
    module = source_text.parse(source)
    return File(f"/{path}", module, ScopeTree(module), source)


def joined(files: list[File]) -> tuple[FlowGraph, ...]:
    return FlowGraph.of_all(files, load(), names_of(files))


def names_of(files: list[File]) -> ModuleNames:
    return ModuleNames("/", [file.path for file in files])


def named_origin(files: list[File], name: str) -> tuple[int, ast.AST]:
    """The number of the file, and the innermost origin in the line with a comment."""
    for index, file in enumerate(files):
        for row, line in enumerate(file.source.text.splitlines(), 1):
            if line.endswith(f"# {name}"):
                nodes = [
                    node
                    for node in ast.walk(file.module)
                    if isinstance(node, (ast.Lambda, ast.ClassDef)) and node.lineno == row
                ]
                return index, nodes[-1]
    raise LookupError(name)


@pytest.fixture(scope="module")
def project() -> tuple[list[File], tuple[FlowGraph, ...]]:
    files = [parsed(path, text) for path, text in PROJECT.items()]
    return files, joined(files)


@pytest.mark.parametrize("name", EXPECTED)
def test_ways_through_a_project(name: str, project: tuple[list[File], tuple[FlowGraph, ...]]) -> None:
    files, flows = project
    index, origin = named_origin(files, name)
    reach = flows[index].reach(origin)
    steps = [f"{step.path}: {step.text}" for step in reach.steps]
    assert (reach.level, reach.sink, steps) == EXPECTED[name]


@pytest.mark.parametrize("order", [1, -1, 5])
def test_the_order_of_the_files_does_not_matter(order: int) -> None:
    items = list(PROJECT.items())
    items = items[order:] + items[:order] if order > 0 else items[::-1]
    files = [parsed(path, text) for path, text in items]
    flows = joined(files)
    for name, (level, sink, _) in EXPECTED.items():
        index, origin = named_origin(files, name)
        reach = flows[index].reach(origin)
        assert (name, reach.level, reach.sink) == (name, level, sink)


def test_an_import_with_a_fallback() -> None:
    texts = {
        "a.py": "try:\n    from b import keep\nexcept ImportError:\n    keep = None\nkeep(lambda: 1)  # origin\n",
        "b.py": "TABLE = []\ndef keep(fn):\n    TABLE.append(fn)\n",
    }
    files = [parsed(path, text) for path, text in texts.items()]
    _, origin = named_origin(files, "origin")
    reach = joined(files)[0].reach(origin)
    assert [step.path for step in reach.steps] == ["a.py", "b.py", "b.py"]


def test_alone_a_file_knows_nothing_of_the_others() -> None:
    file = parsed("shop/plugins.py", PROJECT["shop/plugins.py"])
    _, origin = named_origin([file], "plugin")
    assert joined([file])[0].reach(origin).level is Level.LOCAL


def test_variables_come_before_modules_of_the_same_name() -> None:
    files = [parsed("a/__init__.py", "b = 1\n"), parsed("a/b.py", ""), parsed("a/c.py", ""), parsed("d.py", "")]
    modules = Modules(files, names_of(files))
    assert modules.target(files[3], "a.b") == (0, "b")
    assert modules.target(files[3], "a.c") == (2, "")
    assert modules.target(files[3], "a.missing") is None
    assert modules.target(files[3], "os.path") is None


def test_star_imports_that_go_round_in_a_circle_end() -> None:
    files = [parsed("a.py", "from b import *\nx = 1\n"), parsed("b.py", "from a import *\n_y = z = 2\n")]
    assert Modules(files, names_of(files)).starred(files[0]) == {"z": "b.z"}
    assert len(joined(files)) == 2

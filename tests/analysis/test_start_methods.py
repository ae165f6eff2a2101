"""What a file asks of the start method."""

from __future__ import annotations

import pytest

from codemods import engine
from codemods.finding import NoteKind


def notes(text: str) -> list[tuple[NoteKind, int]]:
    result = engine.check("a.py", text.encode(), engine.Options(with_notes=True))
    assert result.error is None
    return [(note.kind, note.start.row) for note in result.notes]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param("import os\nos.fork()\n", NoteKind.FORK, id="fork"),
        pytest.param("from os import fork as split\nsplit()\n", NoteKind.FORK, id="fork-by-another-name"),
        pytest.param("import pty\npty.fork()\n", NoteKind.FORK, id="pty"),
        pytest.param("import multiprocessing as mp\nmp.get_context('fork')\n", NoteKind.FORK, id="context"),
        pytest.param("import multiprocessing as mp\nmp.get_context(method='fork')\n", NoteKind.FORK, id="keyword"),
        pytest.param("import multiprocessing as mp\nmp.set_start_method('fork')\n", NoteKind.FORK, id="set-fork"),
        pytest.param("import multiprocessing as mp\nmp.set_start_method('spawn')\n", NoteKind.SETTING, id="set-spawn"),
        pytest.param("from torch.multiprocessing import set_start_method\nset_start_method(how)\n", NoteKind.SETTING, id="torch"),
        pytest.param("from torch.utils.data import DataLoader\nDataLoader(x, multiprocessing_context='fork')\n", NoteKind.FORK, id="loader"),
    ],
)  # fmt: skip
def test_calls(text: str, kind: NoteKind) -> None:
    assert notes(text) == [(kind, 2)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("import multiprocessing as mp\nmp.get_context('spawn')\n", id="spawn"),
        pytest.param("import multiprocessing as mp\nmp.get_context()\n", id="default"),
        pytest.param("def fork(): pass\nfork()\n", id="own-function"),
        pytest.param("eat('fork')\n", id="cutlery"),
        pytest.param("import os\nos.register_at_fork(before=print)\n", id="hook"),
    ],
)  # fmt: skip
def test_calls_that_are_fine(text: str) -> None:
    assert notes(text) == []


PROGRAM = """\
import multiprocessing

TABLE = {table}


def load():
    global TABLE
    {load}


def size():
    return len(TABLE)


def work(x):
    return size() + x


def main():
    load()
    with multiprocessing.Pool({arguments}) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    {guarded}
    main()
"""


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        pytest.param({"load": "TABLE = [1]"}, [(NoteKind.INHERITED, 12)], id="set-by-the-parent"),
        pytest.param({"load": "pass"}, [], id="set-by-the-import"),
        pytest.param({"load": "TABLE = [1]", "arguments": "2, load"}, [], id="set-by-the-initializer"),
    ],
)
def test_globals_that_workers_read(parts: dict[str, str], found: list[tuple[NoteKind, int]]) -> None:
    values = {"table": "[]", "load": "pass", "arguments": "2", "guarded": "pass", **parts}
    assert notes(PROGRAM.format_map(values)) == found


def test_globals_under_the_guard() -> None:
    text = PROGRAM.replace("len(TABLE)", "SIZE").format(table="[]", load="pass", arguments="2", guarded="SIZE = 3")
    assert notes(text) == [(NoteKind.INHERITED, 12)]


def test_nothing_is_looked_for_unless_asked() -> None:
    assert engine.check("a.py", b"import os\nos.fork()\n", engine.Options()).notes == ()

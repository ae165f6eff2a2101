"""Each suggestion on pull requests of many shapes is applied alone, as GitHub and GitLab do it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codemods import engine
from codemods.fingerprint import fingerprints
from tests.bot.repositories import comments, pull_request
from tests.bot.services import clicked, complaint, lines_of, shown_lines, suggestion
from tests.bot.shapes import SHAPES, Shape
from tests.cli.conftest import Outcome
from tests.pickling import Subject

Invoke = Callable[..., Outcome]


def found_in(path: str, data: bytes) -> set[str]:
    result = engine.check(path, data, engine.Options())
    assert result.error is None
    return set(fingerprints(result, path))


def marked(body: str) -> set[str]:
    return set(body.rpartition("<!-- picklefix:v1 ")[2].removesuffix(" -->").split())


@pytest.mark.parametrize("shape", SHAPES, ids=[shape.name for shape in SHAPES])
def test_github(shape: Shape, project: Path, invoke: Invoke, tmp_path: Path) -> None:
    base, head = pull_request(project, shape.base, shape.head)
    said = comments(invoke("suggest", "--base", base, "--head", head).stdout)
    suggested = [comment for comment in said if suggestion(comment["body"]) is not None]
    assert len(suggested) == shape.clicks
    assert len(said) - len(suggested) == shape.comments
    for comment in said:
        data = shape.head[comment["path"]]
        text = data.decode("utf-8", "replace").encode()
        assert complaint(comment, shown_lines(project, base, head, comment["path"]), lines_of(text)) is None
    for number, comment in enumerate(suggested):
        text_lines = suggestion(comment["body"])
        assert text_lines is not None
        data = shape.head[comment["path"]]
        after = clicked(data, comment.get("start_line", comment["line"]), comment["line"], text_lines)
        check_mended(shape, comment, data, after, tmp_path / f"applied_{number}")


@pytest.mark.parametrize("shape", SHAPES, ids=[shape.name for shape in SHAPES])
def test_gitlab(shape: Shape, project: Path, invoke: Invoke) -> None:
    base, head = pull_request(project, shape.base, shape.head)
    arguments = ("suggest", "--base", base, "--head", head)
    discussions = json.loads(invoke(*arguments, "--output-format", "gitlab").stdout)
    assert len(discussions) == shape.clicks + shape.comments
    on_github = {frozenset(marked(item["body"])): item for item in comments(invoke(*arguments).stdout)}
    for discussion in discussions:
        position = discussion["position"]
        twin = on_github[frozenset(marked(discussion["body"]))]
        text_lines = suggestion(discussion["body"])
        assert position["new_line"] == twin["line"]
        assert text_lines == suggestion(twin["body"])
        if text_lines is not None:
            above, below = discussion["body"].partition("suggestion:-")[2].split("\n")[0].split("+")
            assert int(above) <= 100
            assert int(below) == 0
            assert position["new_line"] - int(above) == twin.get("start_line", twin["line"])


def check_mended(shape: Shape, comment: dict[str, Any], before: bytes, after: bytes, folder: Path) -> None:
    """The file compiles, has the findings no more and no others, and is what ``migrate`` writes; it pickles."""
    path = comment["path"]
    compile(after, path, "exec", dont_inherit=True)
    assert found_in(path, after) == found_in(path, before) - marked(comment["body"])
    if "is not part of this diff" not in comment["body"] and not found_in(path, after):
        migrated = engine.fix(path, before, engine.Options()).after
        assert after.rstrip(b"\r\n") == migrated.rstrip(b"\r\n")
    if shape.observed:
        folder.mkdir()
        (folder / "before.py").write_bytes(before)
        (folder / "after.py").write_bytes(after)
        original, mended = Subject(folder / "before.py"), Subject(folder / "after.py")
        value = original.observe().value
        assert original.dump().error or original.load().error
        assert mended.observe().value == value
        assert mended.dump().value == value
        assert mended.load().value == value

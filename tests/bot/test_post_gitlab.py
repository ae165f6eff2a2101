"""Discussions are opened on a GitLab that keeps the rules, and kept up to date there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bot.fake_github import TOKEN
from tests.bot.fake_gitlab import FakeGitLab, running
from tests.bot.repositories import commit
from tests.bot.services import suggestion
from tests.bot.shapes import SHAPES
from tests.cli.conftest import Outcome

pytest.importorskip("gitlab")

Invoke = Callable[..., Outcome]
TWO = next(shape for shape in SHAPES if shape.name == "two findings far apart")


@pytest.fixture
def service(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitLab]:
    base, head = commit(project, TWO.base), commit(project, TWO.head)
    with running(FakeGitLab(project, base, head)) as fake:
        for name in ("GITHUB_REPOSITORY", "GITHUB_STEP_SUMMARY"):
            monkeypatch.delenv(name, raising=False)
        for name, value in {
            "CI_MERGE_REQUEST_IID": "7",
            "CI_PROJECT_ID": "5",
            "CI_SERVER_URL": fake.url,
            "GITLAB_TOKEN": TOKEN,
        }.items():
            monkeypatch.setenv(name, value)
        yield fake


def post(invoke: Invoke, fake: FakeGitLab, *options: str) -> Outcome:
    outcome = invoke("suggest", "--base", fake.base, "--head", fake.head, "--post", *options)
    assert TOKEN not in outcome.stdout.decode() + outcome.stderr
    return outcome


def test_discussions_then_nothing_new(service: FakeGitLab, invoke: Invoke) -> None:
    assert post(invoke, service).status == 1
    assert len(service.discussions) == 2
    assert all(suggestion(item["notes"][0]["body"]) for item in service.discussions)
    first = [item["id"] for item in service.discussions]
    assert b"0 comments made, 2 kept, 0 removed" in post(invoke, service).stdout
    assert [item["id"] for item in service.discussions] == first
    assert len(service.notes) == 1


def test_limits_are_waited_for(service: FakeGitLab, invoke: Invoke) -> None:
    service.limits = [(429, {"Retry-After": "1"}, "429 Too Many Requests")]
    post(invoke, service)
    assert len(service.discussions) == 2


def test_a_token_that_may_not_write(service: FakeGitLab, invoke: Invoke, project: Path) -> None:
    service.read_only = True
    outcome = post(invoke, service)
    assert outcome.status == 1
    assert outcome.stdout.count(b"::warning") == 2
    assert (project / "picklefix.patch").exists()


def test_stale_discussions_go_and_answered_ones_stay(service: FakeGitLab, invoke: Invoke, project: Path) -> None:
    post(invoke, service)
    answered = service.discussions[0]
    answered["notes"].append({"id": 1, "body": "why?", "author": {"id": 2}, "system": False})
    service.head = commit(project, {"module.py": TWO.base["module.py"] + b"\n\nx = 1\n"})
    assert b"0 comments made, 0 kept, 1 removed" in post(invoke, service).stdout
    assert service.discussions == [answered]
    assert "found nothing" in service.notes[0]["body"]


def test_no_connection(service: FakeGitLab, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI_SERVER_URL", "http://127.0.0.1:9")
    outcome = post(invoke, service)
    assert outcome.status == 2
    assert outcome.stderr.startswith("error: GitLab cannot be reached")

"""Reviews are posted to a GitHub that keeps the rules, and kept up to date there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bot.fake_github import TOKEN, FakeGitHub, running
from tests.bot.repositories import commit
from tests.bot.services import suggestion
from tests.bot.shapes import SHAPES
from tests.cli.conftest import Outcome

pytest.importorskip("github")

Invoke = Callable[..., Outcome]
TWO = next(shape for shape in SHAPES if shape.name == "two findings far apart")


@pytest.fixture
def service(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    base, head = commit(project, TWO.base), commit(project, TWO.head)
    with running(FakeGitHub(project, base, head)) as fake:
        event = project.parent / "event.json"
        event.write_text('{"pull_request": {"number": 7}}')
        for name, value in {
            "GITHUB_API_URL": fake.url,
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REPOSITORY": "o/r",
            "GITHUB_STEP_SUMMARY": str(project.parent / "summary.md"),
            "GITHUB_TOKEN": TOKEN,
        }.items():
            monkeypatch.setenv(name, value)
        # The pauses that the library makes between requests are for the real service.
        monkeypatch.setattr("github.Requester.Requester._Requester__deferRequest", lambda self, verb: None)
        yield fake


def post(invoke: Invoke, fake: FakeGitHub, *options: str) -> Outcome:
    outcome = invoke("suggest", "--base", fake.base, "--head", fake.head, "--post", *options)
    assert TOKEN not in outcome.stdout.decode() + outcome.stderr
    return outcome


def test_one_review_then_nothing_new(service: FakeGitHub, invoke: Invoke) -> None:
    assert post(invoke, service).status == 1
    assert service.reviews == 1
    assert len(service.comments) == 2
    assert all(suggestion(comment["body"]) for comment in service.comments)
    assert len(service.summaries) == 1
    first = [comment["id"] for comment in service.comments]
    assert b"0 comments made, 2 kept, 0 removed" in post(invoke, service).stdout
    assert [comment["id"] for comment in service.comments] == first
    assert len(service.summaries) == 1


def test_one_bad_comment_does_not_lose_the_others(service: FakeGitHub, invoke: Invoke) -> None:
    service.strict = lambda comment: comment["line"] > 20
    outcome = post(invoke, service)
    assert service.reviews == 0
    assert len(service.comments) == 1
    assert "GitHub refuses the comment" in outcome.stderr


def test_limits_are_waited_for(service: FakeGitHub, invoke: Invoke) -> None:
    service.limits = [
        (429, {"Retry-After": "1"}, "Too many requests"),
        (403, {"Retry-After": "1"}, "You have exceeded a secondary rate limit"),
    ]
    post(invoke, service)
    assert len(service.comments) == 2
    assert service.requests.count(("POST", "/repos/o/r/pulls/7/reviews")) == 3


def test_a_token_that_may_not_write(service: FakeGitHub, invoke: Invoke, project: Path) -> None:
    service.read_only = True
    outcome = post(invoke, service)
    assert outcome.status == 1
    assert outcome.stdout.count(b"::warning title=picklefix") == 2
    assert "Resource not accessible" in outcome.stderr
    assert "PKL101" in (project.parent / "summary.md").read_text()
    assert (project / "picklefix.patch").read_bytes().startswith(b"diff --git a/module.py")
    assert service.comments == []


def test_the_patch_does_not_follow_a_link(service: FakeGitHub, invoke: Invoke, project: Path) -> None:
    service.read_only = True
    (project.parent / "kept").write_text("kept")
    (project / "picklefix.patch").symlink_to(project.parent / "kept")
    outcome = post(invoke, service)
    assert outcome.status == 2
    assert "picklefix.patch: is a link" in outcome.stderr
    assert (project.parent / "kept").read_text() == "kept"


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "not an address", "http://user:%s@127.0.0.1:9"])
def test_the_token_is_never_printed(
    url: str, service: FakeGitHub, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert post(invoke, service, "--verbose").status == 1
    monkeypatch.setenv("GITHUB_API_URL", url.replace("%s", TOKEN))
    outcome = post(invoke, service, "--verbose")
    assert outcome.status == 2
    assert "Traceback" not in outcome.stderr


def test_a_wrong_token(service: FakeGitHub, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "another")
    outcome = invoke("suggest", "--base", service.base, "--head", service.head, "--post")
    assert outcome.status == 1
    assert "Bad credentials" in outcome.stderr
    assert outcome.stdout.count(b"::warning") == 2


def test_no_token(service: FakeGitHub, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    assert b"::warning" in post(invoke, service).stdout
    assert service.requests == []


def test_the_token_of_a_workflow(service: FakeGitHub, invoke: Invoke) -> None:
    service.hidden_login = True
    post(invoke, service)
    assert b"2 kept" in post(invoke, service).stdout


def test_stale_comments_go_and_answered_ones_stay(service: FakeGitHub, invoke: Invoke, project: Path) -> None:
    post(invoke, service)
    answered, stale = service.comments
    reply = {
        "id": 1,
        "in_reply_to_id": answered["id"],
        "body": "why?",
        "user": {"login": "somebody"},
        "path": "module.py",
    }
    service.comments.append(reply)
    service.head = commit(project, {"module.py": TWO.base["module.py"] + b"\n\nx = 1\n"})
    assert b"0 comments made, 0 kept, 1 removed" in post(invoke, service).stdout
    assert service.comments == [answered, reply]
    assert "found nothing" in service.summaries[0]["body"]


def test_comments_of_others_are_left_alone(service: FakeGitHub, invoke: Invoke) -> None:
    post(invoke, service)
    copies = [
        {**comment, "id": number, "user": {"login": "mallory"}} for number, comment in enumerate(service.comments)
    ]
    service.comments = list(copies)
    post(invoke, service)
    assert service.comments[:2] == copies
    assert len(service.comments) == 4


def test_an_outdated_suggestion_is_made_anew(service: FakeGitHub, invoke: Invoke) -> None:
    post(invoke, service)
    service.comments[0]["line"] = None
    assert b"1 comment made, 1 kept, 1 removed" in post(invoke, service).stdout
    assert len(service.comments) == 2


def test_only_the_most_important(service: FakeGitHub, invoke: Invoke) -> None:
    post(invoke, service, "--max-comments", "1")
    assert len(service.comments) == 1
    assert service.summaries[0]["body"].count("\n- ") == 1


def test_a_pull_request_that_moved_on(service: FakeGitHub, invoke: Invoke) -> None:
    head, service.head = service.head, "0" * 40
    outcome = invoke("suggest", "--base", service.base, "--head", head, "--post")
    assert outcome.status == 2
    assert "give --head its commit" in outcome.stderr
    assert service.comments == []


def test_dry_run(service: FakeGitHub, invoke: Invoke) -> None:
    assert b'"event": "COMMENT"' in post(invoke, service, "--dry-run").stdout
    assert service.requests == []


def test_no_connection(service: FakeGitHub, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_API_URL", "http://127.0.0.1:9")
    outcome = post(invoke, service)
    assert outcome.status == 2
    assert outcome.stderr.startswith("error: GitHub cannot be reached")

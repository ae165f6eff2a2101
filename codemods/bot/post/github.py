"""A review on GitHub."""

from __future__ import annotations

import contextlib
import itertools
import json
import urllib.parse
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import github
import requests
from github.GithubRetry import GithubRetry
from github.PullRequest import PullRequest

from codemods.bot.bodies import SUMMARY_MARKER, fingerprints_in, summary
from codemods.bot.hunks import Hunk, parse
from codemods.bot.payloads.github_review import chosen
from codemods.bot.post.threads import Posted, PostError, ReadOnlyError, Thread, Wanted, plan
from codemods.bot.review import Review

_ACTIONS = "github-actions[bot]"
"""Who comments with the token of a workflow, which may not ask for its own name."""
_LONGEST_WAIT = 600  # seconds
_PAGE = 100
_REFUSED = 422
_FORBIDDEN = (401, 403, 404)


def post(review: Review, most: int, environment: Mapping[str, str]) -> Posted:
    """Bring the comments on a pull request up to date.

    Args:
        review: what is to be said.
        most: how many comments at most.
        environment: holds ``GITHUB_TOKEN``, ``GITHUB_REPOSITORY`` and ``GITHUB_EVENT_PATH`` or ``GITHUB_PULL_REQUEST``.

    Raises:
        ReadOnlyError: if the token may not comment.
        PostError: if GitHub cannot be reached, or something is missing.
    """
    token = environment.get("GITHUB_TOKEN")
    if not token:
        raise ReadOnlyError("GITHUB_TOKEN is not set")
    with _one_line(token):
        client = github.Github(
            auth=github.Auth.Token(token),
            base_url=_address(environment),
            retry=GithubRetry(total=5, max_rate_limit_wait=_LONGEST_WAIT),
        )
        repository = client.get_repo(_needed(environment, "GITHUB_REPOSITORY"))
        pull = repository.get_pull(_number(environment))
        if pull.head.sha != review.compared.head:
            at, wanted = pull.head.sha[:12], review.compared.head[:12]
            raise PostError(f"the pull request is at {at}, not at {wanted}; give --head its commit")
        return _Poster(pull, _login(client), review).post(most)


class _Poster:
    """Posts one review.

    Args:
        pull: the pull request.
        login: who comments.
        review: what is to be said.
    """

    def __init__(self, pull: PullRequest, login: str, review: Review) -> None:
        self._pull = pull
        self._login = login
        self._review = replace(review, hunks={**review.hunks, **_shown(pull)})
        self._notes: list[str] = []

    def post(self, most: int) -> Posted:
        """Make what is missing, then remove what no longer holds, then bring the summary up to date."""
        said, rest = chosen(self._review, most)
        wanted = [Wanted(item["body"], (item["path"], item["line"]), item) for item in said]
        todo = plan(wanted, self._threads())
        made = self._make([item.request for item in todo.missing])
        for thread in todo.stale:
            self._pull.requester.requestJsonAndCheck("DELETE", thread.identity)
        self._summarise(summary(self._review, rest))
        return Posted(made, len(wanted) - len(todo.missing), len(todo.stale), tuple(self._notes))

    def _threads(self) -> Iterator[Thread]:
        comments = list(self._comments())
        answered = {comment.get("in_reply_to_id") for comment in comments}
        for comment in comments:
            is_own = (comment["user"] or {}).get("login") == self._login
            if is_own and fingerprints_in(comment["body"]):
                place = (comment["path"], comment.get("line"))
                yield Thread(comment["url"], comment["body"], place, comment["id"] in answered)

    def _comments(self) -> Iterator[dict[str, Any]]:
        """The comments as GitHub gives them: the library asks once more for each that lacks something."""
        for page in itertools.count(1):
            parameters = {"per_page": _PAGE, "page": page}
            address = f"{self._pull.url}/comments"
            _, comments = self._pull.requester.requestJsonAndCheck("GET", address, parameters=parameters)
            yield from comments
            if len(comments) < _PAGE:
                return

    def _make(self, comments: list[dict[str, Any]]) -> int:
        """One review; where GitHub refuses it because of one comment, the others one by one."""
        if not comments:
            return 0
        commit = self._pull.base.repo.get_commit(self._pull.head.sha)
        try:
            self._pull.create_review(commit=commit, event="COMMENT", comments=comments)  # type: ignore[arg-type]
            return len(comments)
        except github.GithubException as error:
            if error.status != _REFUSED:
                raise
        made = 0
        for comment in comments:
            try:
                self._pull.create_review_comment(commit=commit, **comment)
                made += 1
            except github.GithubException as error:
                if error.status != _REFUSED:
                    raise
                self._notes.append(f"{comment['path']}:{comment['line']}: GitHub refuses the comment")
        return made

    def _summarise(self, text: str) -> None:
        for comment in self._pull.get_issue_comments():
            if comment.user.login == self._login and SUMMARY_MARKER in comment.body:
                if comment.body != text:
                    comment.edit(text)
                return
        if self._review.remarks:
            self._pull.create_issue_comment(text)


def _shown(pull: PullRequest) -> dict[str, tuple[Hunk, ...]]:
    """What GitHub itself shows of each file; it leaves out the patch of large ones."""
    return {file.filename: parse(file.patch).hunks for file in pull.get_files() if file.patch}


def _login(client: github.Github) -> str:
    try:
        return client.get_user().login
    except github.GithubException as error:
        if error.status in _FORBIDDEN:
            return _ACTIONS
        raise


def _number(environment: Mapping[str, str]) -> int:
    """The number of the pull request, given or from the event that started the workflow."""
    given = environment.get("GITHUB_PULL_REQUEST")
    if given:
        if not given.isdecimal():
            raise PostError("GITHUB_PULL_REQUEST is not a number")
        return int(given)
    try:
        with open(_needed(environment, "GITHUB_EVENT_PATH"), "rb") as stream:
            return int(json.load(stream)["pull_request"]["number"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PostError("GITHUB_EVENT_PATH names no pull request; set GITHUB_PULL_REQUEST to its number") from error


def _address(environment: Mapping[str, str]) -> str:
    address = environment.get("GITHUB_API_URL") or "https://api.github.com"
    try:
        parts = urllib.parse.urlsplit(address)
        is_usable = parts.scheme in ("http", "https") and parts.hostname is not None and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable:
        raise PostError("GITHUB_API_URL is no address of a server; leave it out for github.com")
    return address


def _needed(environment: Mapping[str, str], name: str) -> str:
    if not environment.get(name):
        raise PostError(f"{name} is not set; give it, or leave --post out to print the review")
    return environment[name]


@contextlib.contextmanager
def _one_line(token: str) -> Iterator[None]:
    """Turn what the libraries raise into errors of one line, which never hold the token."""
    try:
        yield
    except github.GithubException as error:
        data = error.data if isinstance(error.data, dict) else {}
        message = f"GitHub answers {error.status}: {data.get('message', 'no reason given')}".replace(token, "***")
        if error.status in _FORBIDDEN:
            raise ReadOnlyError(message) from None
        raise PostError(message) from None
    except requests.RequestException as error:
        raise PostError(f"GitHub cannot be reached: {type(error).__name__}; try again") from None

"""Discussions on a merge request of GitLab."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import gitlab
import requests

from codemods.bot.bodies import SUMMARY_MARKER, fingerprints_in, summary
from codemods.bot.changes import Revisions
from codemods.bot.hunks import Hunk, parse
from codemods.bot.payloads.gitlab import chosen
from codemods.bot.post.threads import Posted, PostError, ReadOnlyError, Thread, Wanted, plan
from codemods.bot.review import Review

_REFUSED = (400, 422, 500)
"""GitLab answers 500 to some positions that are not in the diff."""
_FORBIDDEN = (401, 403, 404)


def post(review: Review, most: int, environment: Mapping[str, str]) -> Posted:
    """Bring the discussions on a merge request up to date.

    Args:
        review: what is to be said.
        most: how many discussions at most.
        environment: holds ``GITLAB_TOKEN``, ``CI_SERVER_URL``, ``CI_PROJECT_ID`` and ``CI_MERGE_REQUEST_IID``.

    Raises:
        ReadOnlyError: if the token may not comment.
        PostError: if GitLab cannot be reached, or something is missing.
    """
    token = environment.get("GITLAB_TOKEN")
    if not token:
        raise ReadOnlyError("GITLAB_TOKEN is not set")
    project, number = (_needed(environment, name) for name in ("CI_PROJECT_ID", "CI_MERGE_REQUEST_IID"))
    client = gitlab.Gitlab(_needed(environment, "CI_SERVER_URL"), private_token=token, keep_base_url=True)
    try:
        client.auth()
        request = client.projects.get(project, lazy=True).mergerequests.get(number)
        return _Poster(client, request, review, f"/projects/{project}/merge_requests/{number}").post(most)
    except gitlab.GitlabError as error:
        reason = str(error.error_message).replace(token, "***")
        message = f"GitLab answers {error.response_code}: {' '.join(reason.split())}"
        kind = ReadOnlyError if error.response_code in _FORBIDDEN else PostError
        raise kind(message) from None
    except requests.RequestException as error:
        raise PostError(f"GitLab cannot be reached: {type(error).__name__}; try again") from None


class _Poster:
    """Posts one review.

    Args:
        client: the connection.
        request: the merge request.
        review: what is to be said.
        path: the merge request's address in the programming interface.
    """

    def __init__(self, client: gitlab.Gitlab, request: Any, review: Review, path: str) -> None:
        self._client, self._request, self._path = client, request, path
        shas = request.diff_refs
        if shas["head_sha"] != review.compared.head:
            raise PostError(
                f"the merge request is at {shas['head_sha'][:12]}, not at {review.compared.head[:12]};"
                " give --head its commit"
            )
        compared = Revisions(shas["base_sha"], shas["head_sha"])
        self._start = shas["start_sha"]
        self._review = replace(review, compared=compared, hunks={**review.hunks, **self._shown()})
        self._notes: list[str] = []

    def post(self, most: int) -> Posted:
        """Open what is missing, then remove what no longer holds, then bring the summary up to date."""
        said, rest = chosen(self._review, most)
        wanted = [Wanted(item["body"], _place(item["position"]), item) for item in said]
        todo = plan(wanted, self._threads())
        made = sum(self._open(item) for item in todo.missing)
        for thread in todo.stale:
            self._request.notes.delete(thread.identity)
        self._summarise(summary(self._review, rest))
        return Posted(made, len(wanted) - len(todo.missing), len(todo.stale), tuple(self._notes))

    def _shown(self) -> dict[str, tuple[Hunk, ...]]:
        """What GitLab itself shows of each file; it leaves out what is too large."""
        files = self._client.http_list(f"{self._path}/diffs", get_all=True)
        return {file["new_path"]: parse(file["diff"]).hunks for file in files if file["diff"]}

    def _threads(self) -> Iterator[Thread]:
        for discussion in self._request.discussions.list(get_all=True):
            first, *answers = [note for note in discussion.attributes["notes"] if not note.get("system")] or [None]
            if first is None or not self._is_own(first) or not fingerprints_in(first["body"]):
                continue
            yield Thread(first["id"], first["body"], _place(first.get("position") or {}), bool(answers))

    def _is_own(self, note: Mapping[str, Any]) -> bool:
        return self._client.user is not None and note["author"]["id"] == self._client.user.id

    def _open(self, item: Wanted) -> bool:
        request = {**item.request, "position": {**item.request["position"], "start_sha": self._start}}
        try:
            self._request.discussions.create(request)
        except gitlab.GitlabCreateError as error:
            if error.response_code not in _REFUSED:
                raise
            self._notes.append(f"{item.place[0]}:{item.place[1]}: GitLab refuses the comment")
            return False
        return True

    def _summarise(self, text: str) -> None:
        for note in self._request.notes.list(get_all=True):
            if self._is_own(note.attributes) and SUMMARY_MARKER in note.body:
                if note.body != text:
                    note.body = text
                    note.save()
                return
        if self._review.remarks:
            self._request.notes.create({"body": text})


def _place(position: Mapping[str, Any]) -> tuple[str, int]:
    return position.get("new_path") or "", position.get("new_line") or 0


def _needed(environment: Mapping[str, str], name: str) -> str:
    if not environment.get(name):
        raise PostError(f"{name} is not set; give it, or leave --post out to print the review")
    return environment[name]

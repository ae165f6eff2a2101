"""A GitLab that listens on a socket of this machine and keeps the rules."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bot.fake_github import Answer, serving
from tests.bot.services import shown_lines
from tests.cli.conftest import git

_MERGE_REQUEST = "/api/v4/projects/5/merge_requests/7"


class FakeGitLab:
    """One project with one merge request; the arguments are those of the fake GitHub."""

    def __init__(self, folder: Path, base: str, head: str) -> None:
        self.folder, self.base, self.head = folder, base, head
        self.url = ""
        self.read_only = False
        self.limits: list[tuple[int, dict[str, str], str]] = []
        self.requests: list[tuple[str, str]] = []
        self.discussions: list[dict[str, Any]] = []
        self.notes: list[dict[str, Any]] = []
        self._numbers = itertools.count(100)

    def answer(self, method: str, path: str, body: dict[str, Any]) -> Answer:
        """What is answered to a request."""
        if method != "GET" and self.read_only:
            return 403, {"message": "403 Forbidden"}
        if method != "GET" and self.limits:
            return self.limits[0][0], {"message": self.limits[0][2]}
        match (method, path.removeprefix(_MERGE_REQUEST)):
            case ("GET", "/api/v4/user"):
                return 200, {"id": 1, "username": "picklefix"}
            case ("GET", ""):
                refs = {"base_sha": self.base, "start_sha": self.base, "head_sha": self.head}
                return 200, {"iid": 7, "id": 70, "diff_refs": refs}
            case ("GET", "/diffs"):
                return 200, self._diffs()
            case ("GET", "/discussions"):
                return 200, self.discussions
            case ("GET", "/notes"):
                return 200, self.notes
            case ("POST", "/discussions"):
                return self._discussion(body)
            case ("POST", "/notes"):
                self.notes.append(self._note(body))
                return 201, self.notes[-1]
        found = re.fullmatch(rf"{_MERGE_REQUEST}/notes/(\d+)", path)
        if found and method == "DELETE":
            number = int(found.group(1))
            self.discussions = [item for item in self.discussions if item["notes"][0]["id"] != number]
            return 204, None
        if found and method == "PUT":
            note = next(item for item in self.notes if item["id"] == int(found.group(1)))
            note["body"] = body["body"]
            return 200, note
        return 404, {"message": "404 Not found"}

    def _diffs(self) -> list[dict[str, Any]]:
        changed = git("diff", "--name-only", "-z", f"{self.base}...{self.head}", cwd=self.folder).decode().split("\0")
        diffs = []
        for name in filter(None, changed):
            patch = git("diff", f"{self.base}...{self.head}", "--", name, cwd=self.folder).decode()
            diffs.append({"new_path": name, "old_path": name, "diff": patch[patch.find("\n@@") + 1 :]})
        return diffs

    def _discussion(self, body: dict[str, Any]) -> Answer:
        position = body["position"]
        shas = (position["base_sha"], position["start_sha"], position["head_sha"])
        hunks = shown_lines(self.folder, self.base, self.head, position["new_path"])
        lines = re.search(r"suggestion:-(\d+)\+(\d+)", body["body"])
        if shas != (self.base, self.base, self.head) or position["position_type"] != "text":
            return 400, {"message": '400 Bad request - Note {:position=>["is invalid"]}'}
        if not any(position["new_line"] in hunk for hunk in hunks):
            return 400, {"message": '400 Bad request - Note {:line_code=>["can\'t be blank"]}'}
        if (position.get("old_line") is None) != self._is_added(position):
            return 400, {"message": '400 Bad request - Note {:line_code=>["can\'t be blank"]}'}
        if lines is not None and max(map(int, lines.groups())) > 100:
            return 400, {"message": "400 Bad request"}
        note = {**self._note(body), "position": position}
        self.discussions.append({"id": f"d{note['id']}", "notes": [note]})
        return 201, self.discussions[-1]

    def _is_added(self, position: dict[str, Any]) -> bool:
        """Whether a line is one that the merge request adds."""
        names = (position["old_path"], position["new_path"])
        old, new = (
            git("show", f"{sha}:{name}", cwd=self.folder).split(b"\n")
            for sha, name in zip((self.base, self.head), names, strict=True)
        )
        row = position.get("old_line")
        return row is None or old[row - 1] != new[position["new_line"] - 1]

    def _note(self, body: dict[str, Any]) -> dict[str, Any]:
        return {"id": next(self._numbers), "body": body["body"], "author": {"id": 1}, "system": False}


@contextmanager
def running(service: FakeGitLab) -> Iterator[FakeGitLab]:
    """Let it listen."""
    for url in serving(service, "PRIVATE-TOKEN"):
        service.url = url
        yield service

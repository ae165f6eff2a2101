"""A GitHub that listens on a socket of this machine and keeps the rules."""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.bot.services import LONGEST_BODY, complaint, lines_of, shown_lines
from tests.cli.conftest import git

TOKEN = "a-token-that-nobody-may-see"
LOGIN = "picklefix[bot]"
Answer = tuple[int, Any]


class FakeGitHub:
    """One repository with one pull request.

    Args:
        folder: the work tree.
        base: the commit that it is to be merged into.
        head: its newest commit.
    """

    def __init__(self, folder: Path, base: str, head: str) -> None:
        self.folder, self.base, self.head = folder, base, head
        self.url = ""
        self.read_only = False
        self.hidden_login = False
        self.limits: list[tuple[int, dict[str, str], str]] = []
        self.strict: Callable[[dict[str, Any]], bool] = lambda comment: True
        self.requests: list[tuple[str, str]] = []
        self.comments: list[dict[str, Any]] = []
        self.summaries: list[dict[str, Any]] = []
        self.reviews = 0
        self._numbers = itertools.count(100)

    def answer(self, method: str, path: str, body: dict[str, Any]) -> Answer:
        """What is answered to a request."""
        if method != "GET" and self.read_only:
            return 403, {"message": "Resource not accessible by integration"}
        if method != "GET" and self.limits:
            status, _, message = self.limits[0]
            return status, {"message": message}
        pull, issue = "/repos/o/r/pulls/7", "/repos/o/r/issues"
        match (method, path):
            case ("GET", "/user"):
                return (403, {"message": "Resource not accessible"}) if self.hidden_login else (200, {"login": LOGIN})
            case ("GET", "/repos/o/r"):
                return 200, {"full_name": "o/r", "url": f"{self.url}/repos/o/r"}
            case ("GET", "/repos/o/r/pulls/7"):
                return 200, self._pull(pull)
            case ("GET", "/repos/o/r/pulls/7/files"):
                return 200, self._files()
            case ("GET", "/repos/o/r/pulls/7/comments"):
                return 200, self.comments
            case ("GET", "/repos/o/r/issues/7/comments"):
                return 200, self.summaries
            case ("POST", "/repos/o/r/pulls/7/reviews"):
                return self._review(body)
            case ("POST", "/repos/o/r/pulls/7/comments"):
                return self._comment(body)
            case ("POST", "/repos/o/r/issues/7/comments"):
                return self._summary(body)
        if path == f"/repos/o/r/commits/{self.head}":
            return 200, {"sha": self.head, "url": self.url + path}
        if found := re.fullmatch(r"/repos/o/r/pulls/comments/(\d+)", path):
            self.comments = [item for item in self.comments if item["id"] != int(found.group(1))]
            return 204, None
        if found := re.fullmatch(rf"{issue}/comments/(\d+)", path):
            summary = next(item for item in self.summaries if item["id"] == int(found.group(1)))
            summary["body"] = body["body"]
            return 200, summary
        return 404, {"message": "Not Found"}

    def _pull(self, path: str) -> dict[str, Any]:
        repository = {"url": f"{self.url}/repos/o/r", "full_name": "o/r"}
        return {
            "base": {"repo": repository, "sha": self.base},
            "head": {"repo": repository, "sha": self.head},
            "issue_url": f"{self.url}/repos/o/r/issues/7",
            "number": 7,
            "url": self.url + path,
        }

    def _files(self) -> list[dict[str, Any]]:
        changed = git("diff", "--name-only", "-z", f"{self.base}...{self.head}", cwd=self.folder).decode().split("\0")
        files = []
        for name in filter(None, changed):
            patch = git("diff", f"{self.base}...{self.head}", "--", name, cwd=self.folder).decode("utf-8", "replace")
            start = patch.find("\n@@") + 1
            files.append({"filename": name, "patch": patch[start:] if start else None, "status": "modified"})
        return files

    def _complaint(self, comment: dict[str, Any]) -> str | None:
        if not self.strict(comment):
            return "pull_request_review_thread.line must be part of the diff"
        data = git("show", f"{self.head}:{comment['path']}", cwd=self.folder)
        hunks = shown_lines(self.folder, self.base, self.head, comment["path"])
        return complaint(comment, hunks, lines_of(data))

    def _review(self, body: dict[str, Any]) -> Answer:
        assert body["event"] == "COMMENT"
        assert body["commit_id"] == self.head
        for comment in body["comments"]:
            message = self._complaint(comment)
            if message is not None:
                return 422, {"message": "Unprocessable Entity", "errors": [message]}
        self.reviews += 1
        self.comments += [self._kept(comment) for comment in body["comments"]]
        return 200, {"id": next(self._numbers)}

    def _comment(self, body: dict[str, Any]) -> Answer:
        message = self._complaint(body)
        if message is not None:
            return 422, {"message": "Validation Failed", "errors": [message]}
        self.comments.append(self._kept(body))
        return 201, self.comments[-1]

    def _kept(self, comment: dict[str, Any]) -> dict[str, Any]:
        return self._own({**comment, "url_part": "pulls"})

    def _own(self, comment: dict[str, Any]) -> dict[str, Any]:
        number = next(self._numbers)
        place = comment.pop("url_part")
        login = "github-actions[bot]" if self.hidden_login else LOGIN
        url = f"{self.url}/repos/o/r/{place}/comments/{number}"
        return {**comment, "id": number, "url": url, "user": {"login": login}}

    def _summary(self, body: dict[str, Any]) -> Answer:
        if len(body["body"]) > LONGEST_BODY:
            return 422, {"message": "Validation Failed"}
        self.summaries.append(self._own({**body, "url_part": "issues"}))
        return 201, self.summaries[-1]


def serving(service: Any, token_header: str) -> Iterator[str]:
    """Answer requests until the generator is closed; gives the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            path = self.path.partition("?")[0]
            service.requests.append((self.command, path))
            authorised = TOKEN in (self.headers.get(token_header) or "")
            status, answer = (
                service.answer(self.command, path, body) if authorised else (401, {"message": "Bad credentials"})
            )
            headers = {}
            if service.limits and self.command != "GET" and status == service.limits[0][0]:
                headers = service.limits.pop(0)[1]
            data = b"" if answer is None else json.dumps(answer).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _answer

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def running(service: FakeGitHub) -> Iterator[FakeGitHub]:
    """Let it listen."""
    for url in serving(service, "Authorization"):
        service.url = url
        yield service

"""A forge on loopback: the comments of one pull request, as GitHub's and GitLab's APIs give them."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "s3cret-token"
ME, BOT, OTHER = "reviewer", "github-actions[bot]", "mallory"


@dataclass
class FakeForge:
    """What the forge holds and saw. ``refuse`` maps a method and what its path ends in to a status and a body."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    refuse: dict[tuple[str, str], tuple[int, Any]] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    login: str | None = ME
    pulls: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    @property
    def writes(self) -> list[str]:
        """The requests that change something."""
        return [line for line in self.seen if not line.startswith("GET")]

    def add(self, text: str, by: str = ME, **more: Any) -> None:
        number = len(self.comments) + 1
        who = {"user": {"login": by}, "author": {"id": by}}
        self.comments.append({"id": number, "body": text, "html_url": f"https://forge/{number}", **who, **more})

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        for (refused, ending), reply in self.refuse.items():
            if refused == method and path.endswith(ending):
                return reply
        if path == "/user":
            if self.login is None:
                return 403, {"message": "Resource not accessible by integration"}
            return 200, {"login": self.login, "id": self.login}
        if path.endswith("/pulls"):
            wanted = query["head"][0]
            return 200, [p for p in self.pulls if p["head"]["label"] == wanted]
        number = re.search(r"/(?:comments|notes)/(\d+)$", path)
        if number and method in ("PATCH", "PUT"):
            self.comments[int(number[1]) - 1]["body"] = body["body"]
            return 200, self.comments[int(number[1]) - 1]
        if method == "POST":
            if len(body["body"]) > 65_536:
                return 422, {"message": "Validation Failed", "errors": [{"message": "body is too long"}]}
            self.add(body["body"], self.login or BOT)
            return 201, self.comments[-1]
        size, page = int(query["per_page"][0]), int(query["page"][0])
        return 200, self.comments[size * (page - 1) : size * page]


@contextmanager
def forge() -> Iterator[FakeForge]:
    """A forge that listens while the context lasts."""
    fake = FakeForge()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(fake))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(fake: FakeForge) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            fake.seen.append(f"{self.command} {parts.path}")
            known = (f"Bearer {TOKEN}", TOKEN)
            if self.headers.get("Authorization", self.headers.get("PRIVATE-TOKEN")) not in known:
                status, answer = 401, {"message": "Bad credentials"}
            else:
                status, answer = fake.answer(self.command, parts.path, parse_qs(parts.query), body)
            content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET: Callable[..., None] = _serve  # noqa: N815  the names that http.server calls
        do_POST = do_PATCH = do_PUT = _serve  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Nothing on the terminal."""

    return Handler

"""Pages for a browser on this machine, which hears at once when one has changed."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit

from builder.errors import UsageError

_LOOPBACK = "127.0.0.1"
_PATIENCE = 20.0
"""Seconds that a browser waits for news before it asks again."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'self'; connect-src 'self'"
"""What a page may do: show itself, and ask its own server for news."""

_SCRIPT = """\
const version = document.currentScript.dataset.version;
async function news() {
  for (;;) {
    try {
      const answer = await fetch("/version?" + new URLSearchParams({path: location.pathname, after: version}));
      if (answer.ok && await answer.text() !== version) { location.reload(); return; }
    } catch {
      await new Promise((done) => setTimeout(done, 500));
    }
  }
}
news();
"""


def script_tag(version: int) -> str:
    """What makes a page of this version load its successor."""
    return f'<script src="/reload.js" data-version="{version}" defer></script>'


@dataclass(frozen=True)
class _Page:
    version: int
    content: bytes


class PageServer:
    """Serves pages on a loopback port (0: any free one) for as long as the context lasts.

    Raises UsageError where the port cannot be had. Only browsers of this machine are answered, and only under the
    names that this machine has for itself: no page from elsewhere can read along.
    """

    def __init__(self, port: int = 0) -> None:
        self._pages: dict[str, _Page] = {}
        self._problem: _Page | None = None
        self._changed = threading.Condition()
        self._versions = 0
        try:
            self._server = _Server((_LOOPBACK, port), _handler(self))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(
                f"cannot listen on {_LOOPBACK}:{port}: {reason}", where="--port", fix="choose another, or 0 for any"
            ) from error
        self.port = int(self._server.server_address[1])
        self.url = f"http://{_LOOPBACK}:{self.port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def next_version(self) -> int:
        """A number that no page has had."""
        with self._changed:
            self._versions += 1
            return self._versions

    def publish(self, path: str, version: int, content: str) -> None:
        """Serve a page from now on; browsers that show an older version of it load it."""
        with self._changed:
            self._pages[path] = _Page(version, content.encode())
            self._changed.notify_all()

    def withdraw(self, path: str) -> None:
        """Serve a page no longer."""
        with self._changed:
            self._pages.pop(path, None)
            self._changed.notify_all()

    def problem(self, version: int, content: str) -> None:
        """Serve this instead of every page, until ``solved``."""
        with self._changed:
            self._problem = _Page(version, content.encode())
            self._changed.notify_all()

    def solved(self) -> None:
        """Serve the pages again."""
        with self._changed:
            self._problem = None
            self._changed.notify_all()

    def current(self, path: str) -> _Page | None:
        """What is served at a path now."""
        return self._problem or self._pages.get(path)

    def news(self, path: str, after: str) -> str:
        """The version at a path, once it is another one than ``after``; after some seconds in any case."""

        def version() -> str:
            page = self.current(path)
            return str(page.version) if page else ""

        with self._changed:
            self._changed.wait_for(lambda: version() != after, _PATIENCE)
            return version()


class _Server(ThreadingHTTPServer):
    daemon_threads = True  # browsers wait for news

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that has gone is no mistake of ours."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def _handler(pages: PageServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 60

        def do_GET(self) -> None:
            host = self.headers.get("Host", "").rpartition(":")[0]
            if host not in (_LOOPBACK, "localhost"):
                self.send_error(421, "Not the name of this machine")
                return
            asked = urlsplit(self.path)
            path = "/index.html" if asked.path == "/" else asked.path
            if path == "/reload.js":
                self._answer("text/javascript; charset=utf-8", _SCRIPT.encode())
            elif path == "/version":
                query = parse_qs(asked.query)
                news = query.get("path", [""])[0]
                news = "/index.html" if news == "/" else news
                self._answer("text/plain", pages.news(news, query.get("after", [""])[0]).encode())
            elif page := pages.current(path):
                self._answer("text/html; charset=utf-8", page.content)
            else:
                self.send_error(404)

        def _answer(self, kind: str, content: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Browsers ask all the time; nobody wants to read about it."""

    return Handler

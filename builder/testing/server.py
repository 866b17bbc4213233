"""A small HTTP server on loopback that exposes text to a scraper."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self

Source = str | Path | Callable[[], str]
"""What to expose: text, a file that is read anew at every scrape, or a function that is called."""


class ExpositionServer:
    """Serves each source under ``/<name>/metrics`` on a free loopback port while the context lasts."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = dict(sources)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def address(self) -> str:
        """Host and port."""
        host, port = self._server.server_address[:2]
        return f"{host!s}:{port}"

    def url(self, name: str) -> str:
        """Where the named source is served."""
        if name not in self._sources:
            raise KeyError(name)
        return f"http://{self.address}/{name}/metrics"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        sources = self._sources

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                source = sources.get(self.path.strip("/").removesuffix("/metrics"))
                if source is None:
                    self.send_error(404)
                    return
                body = _read(source).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Scrapes come every second; nobody wants to read about them."""

        return Handler


def _read(source: Source) -> str:
    if isinstance(source, Path):
        return source.read_text(encoding="utf-8")
    return source if isinstance(source, str) else source()

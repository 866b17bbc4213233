"""Servers that are no Prometheus, or a bad one: what each does with a request, in a line or two."""

from __future__ import annotations

import json
import ssl
import sys
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

Asked = Mapping[str, str]
Play = Callable[["Handler", str, Asked], None]
"""Answers a request for a path with these parameters."""


class Handler(BaseHTTPRequestHandler):
    """Hands every request to the play of its server."""

    server: _Server

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        written = self.rfile.read(length).decode() or urlsplit(self.path).query
        asked = {name: values[-1] for name, values in parse_qs(written).items()}
        path = urlsplit(self.path).path.removeprefix("/api/v1/")
        self.server.requests.append((self.command, path, asked, dict(self.headers.items())))
        try:
            self.server.play(self, path, asked)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client had enough, which is what is tested

    def do_POST(self) -> None:
        self.do_GET()

    def reply(self, status: int, body: str | bytes = b"", **headers: str) -> None:
        """A whole answer; headers are written with underscores."""
        content = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def json(self, body: Any, status: int = 200) -> None:
        """JSON."""
        self.reply(status, json.dumps(body), Content_Type="application/json")

    def data(self, data: Any) -> None:
        """A success as Prometheus writes it."""
        self.json({"status": "success", "data": data})

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, play: Play) -> None:
        self.play = play
        self.requests: list[tuple[str, str, Asked, dict[str, str]]] = []
        super().__init__(("127.0.0.1", 0), Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exc_info()[1], OSError):  # the client went away, or refused our certificate
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class Played:
    """A server that does what ``play`` says, as long as the context lasts."""

    def __init__(self, play: Play, tls: ssl.SSLContext | None = None) -> None:
        self._server = _Server(play)
        if tls:
            # Hands are shaken in the thread of each request.
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def requests(self) -> list[tuple[str, str, Asked, dict[str, str]]]:
        """Method, path, parameters and headers of what was asked."""
        return self._server.requests

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def prometheus(handler: Handler, path: str, asked: Asked) -> None:
    """A Prometheus that has no series."""
    if asked.get("query") == "vector(time())":
        handler.data(vector(time.time()))
    elif path == "query":
        handler.data({"resultType": "vector", "result": []})
    elif path == "query_range":
        handler.data({"resultType": "matrix", "result": []})
    elif path == "status/buildinfo":
        handler.data({"version": "2.42.0"})
    else:
        handler.data([])


def vector(*values: float) -> dict[str, Any]:
    """What an instant query is answered with, one series without labels for each value."""
    now = time.time()
    return {"resultType": "vector", "result": [{"metric": {}, "value": [now, str(value)]} for value in values]}


def once_reached(bad: Play) -> Play:
    """A Prometheus until it is known to be one, and bad from then on."""

    def play(handler: Handler, path: str, asked: Asked) -> None:
        if path in ("query", "query_range") and asked.get("query") != "vector(time())":
            bad(handler, path, asked)
        else:
            prometheus(handler, path, asked)

    return play


def cut_short(handler: Handler, path: str, asked: Asked) -> None:
    """The connection ends in the middle of the answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "4096")
    handler.end_headers()
    handler.wfile.write(b'{"status": "success", "data": {"resultType"')
    handler.close_connection = True


def cut_json(handler: Handler, path: str, asked: Asked) -> None:
    """The answer is whole, and its JSON is not."""
    handler.reply(200, '{"status": "success", "data": {"resultType"', Content_Type="application/json")


def silent(handler: Handler, path: str, asked: Asked) -> None:
    """No answer, for longer than anybody waits."""
    time.sleep(30)


def drip(handler: Handler, path: str, asked: Asked) -> None:
    """A byte now and then, so that a timeout between two of them does not help."""
    handler.send_response(200)
    handler.send_header("Content-Length", "4096")
    handler.end_headers()
    for _ in range(300):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


def drip_headers(handler: Handler, path: str, asked: Asked) -> None:
    """The same with headers that do not end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(90):
        handler.wfile.write(f"X-{number}: x\r\n".encode())
        handler.wfile.flush()
        time.sleep(0.1)


def huge(handler: Handler, path: str, asked: Asked) -> None:
    """More than 64 MiB, without a length that says so."""
    handler.send_response(200)
    handler.end_headers()
    piece = b" " * 2**20
    for _ in range(66):
        handler.wfile.write(piece)
    handler.close_connection = True

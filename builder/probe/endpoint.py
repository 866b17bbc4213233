"""The scrape endpoint: one blocking accept, a short-lived thread a scrape, nothing that wakes in between."""

from __future__ import annotations

import errno
import hmac
import socket
import ssl
import sys
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn
from threading import BoundedSemaphore, Thread
from time import sleep
from typing import TYPE_CHECKING, Any

from builder.probe.certificate import Certificate

if TYPE_CHECKING:
    from prometheus_client.registry import Collector

_CONNECTION_SECONDS = 10.0
_CONNECTIONS = 8
_PORTS = 64

Note = Callable[[str, "BaseException | str"], None]


@dataclass(frozen=True)
class Guard:
    """What protects the endpoint; empty where nothing does."""

    certificate: Certificate | None = None
    username: str = ""
    password: str = ""

    def admits(self, header: str | None) -> bool:
        """True where the Authorization header is right, or none is needed."""
        if not self.username:
            return True
        expected = b64encode(f"{self.username}:{self.password}".encode())
        return hmac.compare_digest((header or "").encode(), b"Basic " + expected)


class Endpoint:
    """Serves a registry under /metrics until closed."""

    def __init__(self, host: str, port: int, registry: Collector, guard: Guard, note: Note) -> None:
        """Listens on ``port``, or the next free one. Raises OSError where none can be had."""
        self._server = _listen(host, port, registry, guard, note)
        self._thread = Thread(target=self._server.accept_until_closed, name="gpuboards-probe-endpoint", daemon=True)
        try:
            self._thread.start()
        except BaseException:  # a limit on threads: a port that nobody answers at would be worse than none
            self._server.server_close()
            raise
        self.port = int(self._server.server_address[1])
        self.scheme = "https" if guard.certificate else "http"

    def close(self) -> None:
        """Stop listening."""
        self._server.closing = True
        with suppress(OSError):  # some systems wake it by the close alone
            self._server.socket.shutdown(socket.SHUT_RDWR)  # wakes the accept
        self._server.server_close()

    def abandon(self) -> None:
        """In a forked child: give up the inherited socket, which goes on being the parent's."""
        self._server.closing = True
        self._server.socket.close()


def _listen(host: str, port: int, registry: Collector, guard: Guard, note: Note) -> _Server:
    first, last = port, min(port + _PORTS, 65535) if port else 0
    while True:
        try:
            return _Server(host, port, registry, guard, note)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            if port >= last:
                raise OSError(errno.EADDRINUSE, f"all ports from {first} to {last} are in use") from error
        port += 1


class _Server(ThreadingMixIn, TCPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 16

    def __init__(self, host: str, port: int, registry: Collector, guard: Guard, note: Note) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.closing = False
        self.registry = registry
        self.guard = guard
        self.note = note
        self._free = BoundedSemaphore(_CONNECTIONS)
        super().__init__((host, port), _Handler)

    def accept_until_closed(self) -> None:
        while not self.closing:
            try:
                connection, address = self.socket.accept()
            except Exception as error:
                if not self.closing:
                    self.note("endpoint", error)
                    sleep(1.0)  # out of file descriptors, most likely
                continue
            if not self._free.acquire(blocking=False):
                connection.close()
                continue
            try:
                self.process_request(connection, address)
            except Exception as error:
                self.note("endpoint", error)
                self._free.release()
                connection.close()

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def finish_request(self, request: Any, client_address: Any) -> None:
        request.settimeout(_CONNECTION_SECONDS)
        if self.guard.certificate is None:
            super().finish_request(request, client_address)
            return
        # The handshake belongs in the connection's own thread: a client that is slow holds up nobody.
        with self.guard.certificate.context(self.note).wrap_socket(request, server_side=True) as secured:
            super().finish_request(secured, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exc_info()[1]
        # A client that hangs up or speaks no TLS is no failure of the probe.
        if error is not None and not isinstance(error, ConnectionError | TimeoutError | ssl.SSLError):
            self.note("endpoint", error)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "gpuboards-probe"
    sys_version = ""

    def do_GET(self) -> None:
        from prometheus_client.exposition import choose_encoder

        if not self.server.guard.admits(self.headers.get("Authorization")):
            self._answer(401, b"unauthorised\n", {"WWW-Authenticate": 'Basic realm="gpuboards-probe"'})
        elif self.path.split("?")[0] not in ("/metrics", "/"):
            self._answer(404, b"see /metrics\n", {})
        else:
            try:
                encode, kind = choose_encoder(self.headers.get("Accept") or "")
            except Exception:  # a version that is no number
                encode, kind = choose_encoder("")
            self._answer(200, encode(self.server.registry), {"Content-Type": kind})

    do_HEAD = do_GET  # noqa: N815  (http.server's name)

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "text/plain; charset=utf-8", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Scrapes come every few seconds; nobody wants to read about them."""

"""The sockets: reads requests, lets faults happen, writes answers."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import struct
import sys
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from builder.testing.grafana.exchange import Request, Response, html
from builder.testing.grafana.faults import Fault, Faults
from builder.testing.grafana.instance import Instance
from builder.testing.grafana.model import LoggedRequest
from builder.testing.grafana.permissions import NOBODY, Caller

_DRIP = 0.02
"""Seconds between the pieces of a slow answer."""


class Server(ThreadingHTTPServer):
    """Serves one instance on a free port of the loopback interface. ``close`` ends every connection and thread."""

    daemon_threads = False  # server_close() joins them, so that nothing outlives the context
    request_queue_size = 128

    def __init__(
        self, instance: Instance, faults: Faults, log: Callable[[LoggedRequest], None], tls: ssl.SSLContext | None
    ) -> None:
        self.instance = instance
        self.faults = faults
        self.log = log
        self.bugs: list[BaseException] = []
        self.stopping = threading.Event()
        self._tls = tls
        self._connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self.stopping.set()
        self.shutdown()
        for connection in tuple(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()
        self._thread.join()

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        if self._tls is not None:
            # The handshake belongs into the connection's own thread: a stuck client must not stop all others.
            connection = self._tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        self._connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is its own business; anything else is a bug that the context raises at its end."""
        error = sys.exception()
        if error is not None and not isinstance(error, OSError):
            self.bugs.append(error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def log_message(self, format: str, *args: object) -> None:
        """The requests are in ``FakeGrafana.requests``."""

    def _serve(self) -> None:
        request = self._read()
        fault = self.server.faults.draw(self.command, request.path)
        self._wait(fault.delay)
        response, caller = Response(0, None), None
        if fault.applied:
            response, caller = self._answer(request)
        reply = fault.reply or response
        sent = 0 if fault.delivery == "nothing" else reply.status
        self._log(request, caller, sent, fault)
        if fault.delivery == "nothing":
            self._reset()
        else:
            self._send(reply, fault)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815 - names of the base class

    def _read(self) -> Request:
        address = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            raise ConnectionAbortedError("the client went away before it had sent its request")
        return Request(
            method=self.command,
            path=unquote(address.path).removeprefix(self.server.instance.settings.path) or "/",
            query=parse_qs(address.query, keep_blank_values=True),
            headers={name.lower(): value for name, value in self.headers.items()},
            body=body,
        )

    def _answer(self, request: Request) -> tuple[Response, Caller | None]:
        root = self.server.instance.settings.path
        if not f"{urlsplit(self.path).path}/".startswith(f"{root}/"):
            # Grafana under a sub-path sends everything else there, POST included; clients then turn it into GET.
            return html(301, "Moved Permanently", Location=f"{root}{self.path}"), None
        return self.server.instance.answer(request)

    def _log(self, request: Request, caller: Caller | None, status: int, fault: Fault) -> None:
        try:
            body = json.loads(request.body) if request.body else None
        except ValueError:
            body = None
        caller = caller or Caller(NOBODY, 0)
        self.server.log(
            LoggedRequest(
                method=request.method,
                path=request.path,
                query=request.query,
                headers=request.headers,
                body=body,
                login=caller.login,
                org=caller.org,
                status=status,
                fault=fault.name,
                applied=fault.applied,
            )
        )

    def _send(self, reply: Response, fault: Fault) -> None:
        body = reply.encoded()
        headers = {"Content-Type": reply.content_type, "Content-Length": str(len(body)), **reply.headers}
        if "Location" in headers:
            headers["Location"] = self._location(headers["Location"])
        lines = [
            f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}",
            *(f"{n}: {v}" for n, v in headers.items()),
        ]
        # One write for all: in two, the second would wait for the client's delayed acknowledgement.
        head = "\r\n".join([*lines, "", ""]).encode()
        half = head + body[: len(body) // 2]
        if fault.delivery == "half then reset":
            self.wfile.write(half)
            self._wait(0.01)  # a reset overtakes what is still on its way
            self._reset()
        elif fault.delivery == "half then close":
            self.wfile.write(half)
            self.close_connection = True
        elif fault.delivery == "slow":
            self._drip(head + body, fault.duration)
        else:
            self.wfile.write(head + body)

    def _location(self, value: str) -> str:
        root = self.server.instance.settings.path
        return value if value.startswith(root + "/") else root + value

    def _drip(self, data: bytes, seconds: float) -> None:
        """Bytes come so often that a timeout between two of them never strikes."""
        size = max(1, round(len(data) * min(1, _DRIP / seconds)))
        drips = [data[start : start + size] for start in range(0, len(data), size)]
        for drip in drips:
            self._wait(seconds / len(drips))
            self.wfile.write(drip)

    def _wait(self, seconds: float) -> None:
        if seconds > 0 and self.server.stopping.wait(seconds):
            raise ConnectionAbortedError("the server ends")

    def _reset(self) -> None:
        """Close so that the client gets a reset instead of an end."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.rfile.close()
        self.connection.close()

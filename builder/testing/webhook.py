"""Somebody to be told: an HTTP server on loopback that keeps what an Alertmanager sends to its webhooks."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from builder.errors import ServerError


@dataclass(frozen=True)
class Notification:
    """One message: the path it was sent to, the headers, and what it says.

    Data: https://prometheus.io/docs/alerting/latest/configuration/#webhook_config.
    """

    path: str
    headers: Mapping[str, str]
    data: Mapping[str, Any]

    @property
    def group(self) -> Mapping[str, str]:
        """The labels that its alerts were grouped by."""
        labels: Mapping[str, str] = self.data["groupLabels"]
        return labels

    def names(self, status: str = "firing") -> list[str]:
        """The names of its alerts of this status, sorted; none where it is no webhook's own message."""
        return sorted(a["labels"]["alertname"] for a in self.data.get("alerts", ()) if a["status"] == status)


class WebhookReceiver:
    """Takes notifications at any path of a free loopback port while the context lasts."""

    def __init__(self) -> None:
        self._received: list[Notification] = []
        self._arrived = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """The address, without a path."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}"

    @property
    def received(self) -> tuple[Notification, ...]:
        """What has arrived so far, in order."""
        with self._arrived:
            return tuple(self._received)

    def wait(self, enough: Callable[[Sequence[Notification]], bool], timeout: float = 60) -> tuple[Notification, ...]:
        """What has arrived once it is enough. Raises ServerError where it is not within ``timeout`` seconds."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: enough(self._received), timeout):
                arrived = [(n.path, n.names(), n.names("resolved")) for n in self._received]
                raise ServerError(f"not told within {timeout:g} s; arrived: {arrived}", where=self.url)
            return tuple(self._received)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _keep(self, notification: Notification) -> None:
        with self._arrived:
            self._received.append(notification)
            self._arrived.notify_all()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        keep = self._keep

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                keep(Notification(self.path, dict(self.headers), json.loads(body)))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """What arrives is kept; nobody wants to read about it, too."""

        return Handler

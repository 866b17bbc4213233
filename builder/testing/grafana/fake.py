"""FakeGrafana: the context that a test enters."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from builder.testing.grafana.backstage import Backstage
from builder.testing.grafana.faults import Faults
from builder.testing.grafana.instance import Settings
from builder.testing.grafana.model import DataSource, LoggedRequest
from builder.testing.grafana.server import Server
from builder.testing.grafana.versions import behaviour_of

DATASOURCES = (DataSource("Prometheus", "prometheus", "prometheus", default=True), DataSource("Loki", "loki", "loki"))


class FakeGrafana(Backstage):
    """A Grafana's HTTP API on a free port of the loopback interface, for as long as the context lasts.

    It answers as Grafana ``version`` does, from 10.4 to 13.2, both under ``/api`` and under ``/apis``; panels are
    not rendered and queries not run. ``path`` is the sub-path it is served under. ``latency`` (seconds) comes
    before each answer. ``search_lag`` is how many seconds search is behind what is stored: 1 from Grafana 12 on,
    0 before. Nested folders are on from 11.0. ``max_bytes`` is the size of the largest board (from 12 on).
    ``seed`` decides which requests a fault of some probability hits. With ``ssl_context`` it speaks TLS.

    All state can be read from any thread, as values that do not change afterwards. A bug of the fake itself is
    raised when the context ends.
    """

    def __init__(
        self,
        version: str = "12.2.0",
        *,
        path: str = "",
        seed: int = 0,
        latency: float = 0.0,
        search_lag: float | None = None,
        datasources: Sequence[DataSource] = DATASOURCES,
        min_refresh: str = "5s",
        nested_folders: bool | None = None,
        hide_version: bool = False,
        max_bytes: int = 16 * 1024 * 1024,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        behaviour = behaviour_of(version, nested_folders)
        root = f"/{path.strip('/')}" if path.strip("/") else ""
        settings = Settings(root, min_refresh, hide_version, max_bytes)
        super().__init__(behaviour, settings, behaviour.search_lag if search_lag is None else search_lag, datasources)
        self.faults = Faults(seed, latency)
        self._log: list[LoggedRequest] = []
        self._log_lock = threading.Lock()
        self._tls = ssl_context

    def __enter__(self) -> Self:
        self._server = Server(self._instance, self.faults, self._record, self._tls)
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        if self._server.bugs and error is None:
            raise self._server.bugs[0]

    @property
    def url(self) -> str:
        """Where it listens, sub-path included, without a slash at the end."""
        scheme = "https" if self._tls else "http"
        return f"{scheme}://127.0.0.1:{self._server.server_address[1]}{self._settings.path}"

    @property
    def requests(self) -> tuple[LoggedRequest, ...]:
        """All requests so far, in the order in which they were answered."""
        with self._log_lock:
            return tuple(self._log)

    @property
    def writes(self) -> tuple[LoggedRequest, ...]:
        """The requests that could have changed something; dry runs are none."""
        return tuple(request for request in self.requests if request.is_write)

    def forget_requests(self) -> None:
        """Start ``requests`` and ``writes`` anew."""
        with self._log_lock:
            self._log.clear()

    def _record(self, request: LoggedRequest) -> None:
        with self._log_lock:
            self._log.append(request)

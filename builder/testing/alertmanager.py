"""A real Alertmanager on loopback, for as long as a test needs it; Debian's package ``prometheus-alertmanager``.

API: https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import requests

from builder.errors import ServerError
from builder.testing.process import Process, binary, free_port

_ATTEMPTS = 3  # a free port may be taken by another before Alertmanager binds it
_POLL = 0.05
_PACKAGE = "prometheus-alertmanager"


class Alertmanager:
    """Alertmanager with the ``alertmanager.yml`` of a directory; ready when the context is entered.

    Raises ServerError where it is not installed or does not start within ``timeout`` seconds. Enter it in the thread
    that outlives it.
    """

    def __init__(self, directory: Path, *, timeout: float = 30) -> None:
        self._directory = directory
        self._timeout = timeout
        self._session = requests.Session()
        self._session.trust_env = False  # a proxy in the environment is not meant for a local server
        self._stack = ExitStack()
        self.url = ""

    def fire(self, alerts: Sequence[Mapping[str, str]], annotations: Mapping[str, str] | None = None) -> None:
        """Say that alerts with these labels are on, as a Prometheus does."""
        self._post([{"labels": dict(labels), "annotations": dict(annotations or {})} for labels in alerts])

    def resolve(self, alerts: Sequence[Mapping[str, str]]) -> None:
        """Say that they are over."""
        over = datetime.now(UTC)
        times = {"startsAt": (over - timedelta(hours=1)).isoformat(), "endsAt": over.isoformat()}
        self._post([{"labels": dict(labels), **times} for labels in alerts])

    def alerts(self) -> list[dict[str, Any]]:
        """All alerts that it knows, with their state and what inhibits them."""
        found: list[dict[str, Any]] = self._ask("GET", "api/v2/alerts").json()
        return found

    def inhibited(self) -> list[str]:
        """The names of the alerts that others silence, sorted."""
        return sorted(alert["labels"]["alertname"] for alert in self.alerts() if alert["status"]["inhibitedBy"])

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            storage = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gpuboards-alertmanager-")))
            stack.callback(self._session.close)
            self._start(stack, storage)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _start(self, stack: ExitStack, storage: Path) -> None:
        log = storage / "log"
        for _ in range(_ATTEMPTS):
            port = free_port()
            self.url = f"http://127.0.0.1:{port}"
            command = [
                binary(_PACKAGE, _PACKAGE),
                f"--config.file={self._directory / 'alertmanager.yml'}",
                f"--storage.path={storage / 'data'}",
                f"--web.listen-address=127.0.0.1:{port}",
                "--cluster.listen-address=",  # alone: no waiting for peers
                "--log.level=warn",
            ]
            process = stack.enter_context(Process(command, log))
            if self._await_ready(process):
                return
            if "address already in use" not in log.read_text():
                break
        raise ServerError(f"Alertmanager did not start:\n{log.read_text()[-2000:]}", where=self.url)

    def _await_ready(self, process: Process) -> bool:
        deadline = time.monotonic() + self._timeout
        while process.running() and time.monotonic() < deadline:
            if self._ready():
                return True
            time.sleep(_POLL)
        return False

    def _ready(self) -> bool:
        try:
            return self._session.get(f"{self.url}/-/ready", timeout=5).ok
        except requests.RequestException:
            return False

    def _post(self, alerts: list[dict[str, Any]]) -> None:
        self._ask("POST", "api/v2/alerts", json=alerts)

    def _ask(self, method: str, path: str, **how: Any) -> requests.Response:
        try:
            answer = self._session.request(method, f"{self.url}/{path}", timeout=self._timeout, **how)
        except requests.RequestException as error:
            raise ServerError(f"no answer: {error}", where=self.url) from error
        if not answer.ok:
            raise ServerError(f"{answer.status_code}: {answer.text.strip()}", where=f"{self.url}/{path}")
        return answer

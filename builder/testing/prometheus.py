"""A real Prometheus on loopback, for as long as a test needs it.

It scrapes given targets, or starts on a prepared history; binary: Debian's package ``prometheus``.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from builder.errors import ServerError
from builder.testing.client import Client
from builder.testing.process import Process, binary, free_port
from builder.testing.scrape import Target
from builder.testing.server import ExpositionServer

_ATTEMPTS = 3  # a free port may be taken by another before Prometheus binds it
_POLL = 0.05


class Prometheus:
    """Prometheus with what the targets expose, or what a history holds; ready when the context is entered.

    ``targets`` are scraped every ``interval`` seconds, and the context begins after ``scrapes`` scrapes of
    each. ``history`` is OpenMetrics text that ends in ``# EOF`` (see ``history()``); ``data`` is a data directory that
    holds a history already, and stays. ``rules`` is the text of a rule file, evaluated every ``interval`` seconds, and
    ``alertmanager`` the address that alerts are sent to. ``arguments`` are further flags of the server. Raises
    ServerError where Prometheus is not installed, does not start within ``timeout`` seconds, or cannot scrape a target.
    Enter it in the thread that outlives it: the process is tied to the thread that started it.
    """

    def __init__(
        self,
        targets: Sequence[Target] = (),
        *,
        history: str = "",
        rules: str = "",
        alertmanager: str = "",
        data: Path | None = None,
        scrapes: int = 2,
        interval: int = 1,
        timeout: float = 30,
        arguments: Sequence[str] = (),
    ) -> None:
        self._targets = tuple(targets)
        self._history = history
        self._rules = rules
        self._alertmanager = alertmanager
        self._data = data
        self._scrapes = scrapes
        self._interval = interval
        self._timeout = timeout
        self._arguments = tuple(arguments)
        self._stack = ExitStack()
        self.url = ""
        self.client: Client

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gpuboards-prometheus-")))
            sources = {str(n): target.exposition for n, target in enumerate(self._targets)}
            exposed = stack.enter_context(ExpositionServer(sources))
            configuration = directory / "prometheus.yml"
            content = _configuration(self._targets, exposed, self._interval)
            if self._rules:
                (directory / "rules.yml").write_text(self._rules, encoding="utf-8")
            configuration.write_text(json.dumps({**content, **_alerting(self._alertmanager)}))
            if self._history:
                _make_blocks(self._history, directory)
            self._start(stack, directory)
            self._await_scrapes()
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _start(self, stack: ExitStack, directory: Path) -> None:
        log = directory / "log"
        for _ in range(_ATTEMPTS):
            port = free_port()
            process = stack.enter_context(
                Process([*_command(directory, self._data or directory / "data", port), *self._arguments], log)
            )
            self.url = f"http://127.0.0.1:{port}"
            self.client = Client(self.url)
            stack.callback(self.client.close)
            if self._await_ready(process):
                return
            if "address already in use" not in log.read_text():
                break
        raise ServerError(f"Prometheus did not start:\n{log.read_text()[-2000:]}", where=self.url)

    def _await_ready(self, process: Process) -> bool:
        deadline = time.monotonic() + self._timeout
        while process.running() and time.monotonic() < deadline:
            if self.client.ready():
                return True
            time.sleep(_POLL)
        return False

    def _await_scrapes(self) -> None:
        if not self._targets:
            return
        deadline = time.monotonic() + self._timeout + self._scrapes * self._interval
        while time.monotonic() < deadline:
            broken = [t for t in self.client.targets() if t["health"] == "down"]
            if broken:
                raise ServerError(f"a scrape failed: {broken[0]['lastError']}", where=str(broken[0]["labels"]))
            counts = self.client.instant(f"count_over_time(up[{round(self._timeout) + 300}s])", time.time())
            if len(counts) == len(self._targets) and all(c.last >= self._scrapes for c in counts):
                return
            time.sleep(_POLL)
        raise ServerError(f"no {self._scrapes} scrapes within {self._timeout:g} s", where=self.url)


def _command(directory: Path, data: Path, port: int) -> list[str]:
    return [
        binary("prometheus", "prometheus"),
        f"--config.file={directory / 'prometheus.yml'}",
        f"--storage.tsdb.path={data}",
        "--storage.tsdb.retention.time=100y",  # a history may lie in the past
        f"--web.listen-address=127.0.0.1:{port}",
        "--log.level=warn",
    ]


def _make_blocks(history: str, directory: Path) -> None:
    source = directory / "history.om"
    source.write_text(history, encoding="utf-8")
    command = [
        binary("promtool", "prometheus"),
        "tsdb",
        "create-blocks-from",
        "--max-block-duration=1000h",  # promtool reads the whole text once for each block
        "openmetrics",
        str(source),
        str(directory / "data"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ServerError(f"promtool does not take the history: {(done.stderr or done.stdout).strip()}")


def _configuration(targets: Sequence[Target], exposed: ExpositionServer, interval: int) -> dict[str, Any]:
    """The scrape configuration; Prometheus reads YAML, of which JSON is a part."""
    return {
        "global": {
            "scrape_interval": f"{interval}s",
            "scrape_timeout": f"{interval}s",
            "evaluation_interval": f"{interval}s",
        },
        "rule_files": ["rules*.yml"],
        "scrape_configs": [
            {
                "job_name": f"target-{n}",
                "honor_labels": target.honor_labels,
                "metrics_path": f"/{n}/metrics",
                "static_configs": [{"targets": [exposed.address], "labels": dict(target.labels)}],
            }
            for n, target in enumerate(targets)
        ],
    }


def _alerting(alertmanager: str) -> dict[str, Any]:
    """Where alerts are sent; nowhere without an address."""
    if not alertmanager:
        return {}
    targets = [alertmanager.removeprefix("http://")]
    return {"alerting": {"alertmanagers": [{"static_configs": [{"targets": targets}]}]}}

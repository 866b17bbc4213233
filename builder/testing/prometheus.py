"""A real Prometheus on loopback, for as long as a test needs it.

It scrapes given targets, or starts on a prepared history; binary: Debian's package ``prometheus``.
"""

from __future__ import annotations

import json
import shutil
import socket
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
from builder.testing.scrape import Target
from builder.testing.server import ExpositionServer

_ATTEMPTS = 3  # a free port may be taken by another before Prometheus binds it
_POLL = 0.05


class Prometheus:
    """Prometheus with what the targets expose, or what a history holds; ready when the context is entered.

    ``targets`` are scraped every ``interval`` seconds, and the context begins after ``scrapes`` scrapes of
    each. ``history`` is OpenMetrics text that ends in ``# EOF`` (see ``history()``). Raises ServerError
    where Prometheus is not installed, does not start within ``timeout`` seconds, or cannot scrape a target.
    Enter it in the thread that outlives it: the process is tied to the thread that started it.
    """

    def __init__(
        self,
        targets: Sequence[Target] = (),
        *,
        history: str = "",
        scrapes: int = 2,
        interval: int = 1,
        timeout: float = 30,
    ) -> None:
        self._targets = tuple(targets)
        self._history = history
        self._scrapes = scrapes
        self._interval = interval
        self._timeout = timeout
        self._stack = ExitStack()
        self.url = ""
        self.client: Client

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gpuboards-prometheus-")))
            sources = {str(n): target.exposition for n, target in enumerate(self._targets)}
            exposed = stack.enter_context(ExpositionServer(sources))
            configuration = directory / "prometheus.yml"
            configuration.write_text(json.dumps(_configuration(self._targets, exposed, self._interval)))
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
            port = _free_port()
            process = stack.enter_context(_Process(_command(directory, port), log))
            self.url = f"http://127.0.0.1:{port}"
            self.client = Client(self.url)
            stack.callback(self.client.close)
            if self._await_ready(process):
                return
            if "address already in use" not in log.read_text():
                break
        raise ServerError(f"Prometheus did not start:\n{log.read_text()[-2000:]}", where=self.url)

    def _await_ready(self, process: _Process) -> bool:
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


class _Process:
    """A child process that ends with the context, and with this process should that be killed."""

    def __init__(self, command: Sequence[str], log: Path) -> None:
        self._command = command
        self._log = log

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def running(self) -> bool:
        return self._process.poll() is None


def _command(directory: Path, port: int) -> list[str]:
    command = [
        _binary("prometheus"),
        f"--config.file={directory / 'prometheus.yml'}",
        f"--storage.tsdb.path={directory / 'data'}",
        "--storage.tsdb.retention.time=100y",  # a history may lie in the past
        f"--web.listen-address=127.0.0.1:{port}",
        "--log.level=warn",
    ]
    # setpriv (util-linux) has the kernel end Prometheus when a killed test run can no longer do it.
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM", "--", *command] if setpriv else command


def _binary(name: str) -> str:
    found = shutil.which(name)
    if not found:
        raise ServerError(
            f"{name} is not installed",
            fix="on Debian: apt-get install --no-install-recommends prometheus",
        )
    return found


def _make_blocks(history: str, directory: Path) -> None:
    source = directory / "history.om"
    source.write_text(history, encoding="utf-8")
    command = [
        _binary("promtool"),
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
        "global": {"scrape_interval": f"{interval}s", "scrape_timeout": f"{interval}s"},
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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

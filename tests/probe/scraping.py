"""A real Prometheus with a scrape configuration of the test's own."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from builder.testing import Client


@contextmanager
def prometheus(directory: Path, scrape_configs: Sequence[dict[str, Any]]) -> Iterator[Client]:
    """Prometheus that scrapes every second; the client asks it."""
    binary = shutil.which("prometheus")
    assert binary, "prometheus is not installed; on Debian: apt-get install --no-install-recommends prometheus"
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    configuration = directory / "prometheus.yml"
    document = {"global": {"scrape_interval": "1s", "scrape_timeout": "1s"}, "scrape_configs": list(scrape_configs)}
    configuration.write_text(json.dumps(document))
    command = [
        binary,
        f"--config.file={configuration}",
        f"--storage.tsdb.path={directory / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
        "--log.level=warn",
    ]
    with (directory / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        client = Client(f"http://127.0.0.1:{port}")
        try:
            until(client.ready, lambda: (directory / "log").read_text())
            yield client
        finally:
            client.close()
            process.terminate()


def until(condition: Callable[[], bool], why: Callable[[], str], seconds: float = 30) -> None:
    """Wait for the condition; ``why`` says what is known where it does not come true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, why()
        time.sleep(0.1)

"""A Prometheus on a data directory, for as long as a benchmark needs it."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from builder.testing import Client


@contextmanager
def server(data: Path) -> Iterator[str]:
    """The URL of a Prometheus that reads the blocks in ``data`` and scrapes nothing."""
    configuration = data.parent / "prometheus.yml"
    configuration.write_text("{}", encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    command = [
        "prometheus",
        f"--config.file={configuration}",
        f"--storage.tsdb.path={data}",
        "--storage.tsdb.retention.time=100y",
        f"--web.listen-address={address}",
        "--log.level=error",
    ]
    # A compaction that is broken off at the end says so on standard error.
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        client = Client(f"http://{address}")
        try:
            deadline = time.monotonic() + 60
            while process.poll() is None and not client.ready() and time.monotonic() < deadline:
                time.sleep(0.05)
            if not client.ready():
                raise RuntimeError(f"Prometheus did not start: {' '.join(command)}")
            yield client.url
        finally:
            client.close()
            process.terminate()

"""A simulated fleet to scrape: one path for each exporter of each node, on loopback.

/node-3/gpu/metrics      what an exporter answers now; 503 while it is down
/targets/dcgm-exporter   the targets of a scrape job, for http_sd_configs
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from builder.errors import UsageError
from builder.simulate.exposition.page import write
from builder.simulate.fleet import Fleet, NoSuchPath
from builder.simulate.targets import JOBS, KUBE_STATE, NODE_EXPORTER, TRAINING

_TEXT = "text/plain; version=0.0.4; charset=utf-8"
_JSON = "application/json"
_LOOPBACK = "127.0.0.1"


class FleetServer(ThreadingHTTPServer):
    """Serves a fleet on a loopback port (0: any free one) until ``shutdown``.

    ``clock`` tells the Unix time. Raises UsageError where the port cannot be had.
    """

    daemon_threads = True  # Prometheus keeps connections open
    request_queue_size = 128

    def __init__(self, fleet: Fleet, port: int = 0, clock: Callable[[], float] = time.time) -> None:
        self.fleet = fleet
        self.clock = clock
        try:
            super().__init__((_LOOPBACK, port), _Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(
                f"cannot listen on {_LOOPBACK}:{port}: {reason}", where="--port", fix="choose another, or 0 for any"
            ) from error

    def handle_error(self, request: object, client_address: object) -> None:
        """A scraper that has gone is no mistake of ours."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    @property
    def address(self) -> str:
        """Host and port."""
        return f"{_LOOPBACK}:{self.server_address[1]}"


def scrape_configuration(fleet: Fleet, address: str, interval: str = "15s") -> str:
    """A configuration with which Prometheus scrapes the whole fleet, as YAML."""
    jobs = [JOBS[fleet.profile]]
    jobs += [NODE_EXPORTER] if fleet.host else []
    jobs += [KUBE_STATE] if fleet.host and fleet.kubernetes else []
    jobs += [TRAINING] if fleet.training != "none" else []
    lines = ["global:", f"  scrape_interval: {interval}", "scrape_configs:"]
    for position, job in enumerate(jobs):
        honor = (position == 0 and fleet.honor_labels) or job == KUBE_STATE
        lines += [
            f"  - job_name: {job}",
            f"    honor_labels: {str(honor).lower()}",
            "    http_sd_configs:",
            f"      - url: http://{address}/targets/{job}",
            "        refresh_interval: 15s",
        ]
    return "\n".join(lines) + "\n"


class _Handler(BaseHTTPRequestHandler):
    server: FleetServer
    protocol_version = "HTTP/1.1"
    timeout = 120  # seconds until an idle connection is closed

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].strip("/")
        kind, _, job = path.partition("/")
        if kind == "targets":
            self._answer(_discovered(self.server, job), _JSON)
        elif path:
            self._page(path)
        else:
            address = self.server.address
            self._answer(f"# Scrape configuration of this fleet\n{scrape_configuration(self.server.fleet, address)}")

    def _page(self, path: str) -> None:
        try:
            page = self.server.fleet.page(path.removesuffix("/metrics"), self.server.clock())
        except NoSuchPath:
            self.send_error(404)
            return
        if page is None:
            self.send_error(503, explain="the simulated exporter is down")
        else:
            self._answer(write(page))

    def _answer(self, text: str, content: str = _TEXT) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", content)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Scrapes come all the time; nobody wants to read about them."""


def _discovered(server: FleetServer, job: str) -> str:
    """https://prometheus.io/docs/prometheus/latest/http_sd/"""
    groups = [
        {"targets": [server.address], "labels": {**target.labels, "__metrics_path__": f"/{target.path}/metrics"}}
        for target in server.fleet.targets(server.clock())
        if target.labels["job"] == job
    ]
    return json.dumps(groups)

"""A push through a proxy that wants a password: plain, and by a tunnel that TLS goes through."""

from __future__ import annotations

import base64
import contextlib
import select
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from builder.testing import FakeGrafana
from tests.cli.conftest import Run
from tests.cli.test_bad_input import GOOD
from tests.cli.test_push_refused import TLS, refused, server

WANTED = "Basic " + base64.b64encode(b"me:a pass/word").decode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    heads: list[str]

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _let_in(self) -> bool:
        self.heads.append(f"{self.command} {self.path}\n{self.headers}")
        if self.headers["Proxy-Authorization"] == WANTED:
            return True
        self.send_response(407)
        self.send_header("Content-Length", "0")
        self.end_headers()
        return False

    def do_CONNECT(self) -> None:
        if not self._let_in():
            return
        host, _, port = self.path.partition(":")
        with socket.create_connection((host, int(port))) as there:
            self.send_response(200)
            self.end_headers()
            ends = {there: self.connection, self.connection: there}
            while True:
                for end in select.select(list(ends), [], [])[0]:
                    data = end.recv(65536)
                    if not data:
                        self.close_connection = True
                        return
                    ends[end].sendall(data)

    def _forward(self) -> None:
        if not self._let_in():
            return
        target = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        kept = {name: value for name, value in self.headers.items() if not name.lower().startswith("proxy-")}
        with contextlib.closing(HTTPConnection(target.hostname or "", target.port or 80)) as there:
            there.request(self.command, f"{target.path}?{target.query}", body or None, kept)
            reply = there.getresponse()
            content = reply.read()
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.headers["Content-Type"])
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = _forward  # noqa: N815 - names of the base class


@pytest.fixture
def proxy() -> Iterator[tuple[str, list[str]]]:
    """The address of a proxy, and the heads of what it was asked."""
    heads: list[str] = []
    serving = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"heads": heads}))
    thread = threading.Thread(target=serving.serve_forever, args=(0.01,))
    thread.start()
    yield f"127.0.0.1:{serving.server_address[1]}", heads
    serving.shutdown()
    thread.join()
    serving.server_close()


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tunnel"])
def test_a_proxy_is_gone_through(
    tls: bool, gpuboards: Run, boards: Callable[..., Path], proxy: tuple[str, list[str]]
) -> None:
    address, heads = proxy
    directory = boards(mine=GOOD).parent
    with FakeGrafana(ssl_context=server("server.pem") if tls else None) as grafana:
        trust = f", tls: {{ca_file: {TLS}/authority.pem}}" if tls else ""
        (directory / "gpuboards.yaml").write_text(f"contexts: {{it: {{url: '{grafana.url}'{trust}}}}}")
        name = "HTTPS_PROXY" if tls else "HTTP_PROXY"
        said = {"GRAFANA_URL": "", "GRAFANA_TOKEN": grafana.token, "NO_PROXY": "", "no_proxy": ""}

        def push(password: str) -> subprocess.CompletedProcess[str]:
            through = {name: f"http://me:{password}@{address}", name.lower(): ""}
            return gpuboards("push", "--dashboards", "boards", environment={**said, **through})

        refused(push("wrong"), 3, "the proxy wants credentials", name)
        assert not grafana.requests and heads
        done = push("a%20pass%2Fword")
        assert done.returncode == 0 and "mine" in grafana.boards, done
        tunnels = [head for head in heads if head.startswith("CONNECT")]
        assert bool(tunnels) == tls and not any(grafana.token in head for head in tunnels)
        assert not any("proxy-authorization" in request.headers for request in grafana.requests)

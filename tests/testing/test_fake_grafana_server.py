"""Health, settings, data sources, the sub-path, TLS, threads, and the end of the context."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from builder.errors import UsageError
from builder.testing import FakeGrafana
from builder.testing.grafana import DataSource
from tests.testing.grafana_versions import BOARD, UNIFIED, VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_health(serve, version):
    api = serve(version)
    answer = api("GET", "/api/health")
    assert answer.json().items() >= {"database": "ok", "version": version}.items()
    api.grafana.database_ok = False
    down = api("GET", "/api/health")
    assert (down.status_code, down.json()["database"]) == (503, "failing")


def test_the_version_can_be_hidden_from_strangers(serve):
    api = serve(hide_version=True)
    assert api("GET", "/api/health").json() == {"database": "ok"}
    assert api("GET", "/api/frontend/settings").json()["buildInfo"]["version"] == "12.2.0"


@pytest.mark.parametrize("version", VERSIONS)
def test_settings(serve, version):
    settings = serve(version, min_refresh="10s")("GET", "/api/frontend/settings").json()
    assert settings["buildInfo"]["version"] == version
    assert settings["minRefreshInterval"] == "10s"
    assert settings["defaultDatasource"] == "Prometheus"
    assert settings["datasources"]["Loki"].items() >= {"uid": "loki", "type": "loki"}.items()
    assert settings.get("namespace") == ("default" if version in UNIFIED else None)
    assert ("nestedFolders" in settings["featureToggles"]) == (version != "10.4.0")


@pytest.mark.parametrize("version", VERSIONS)
def test_datasources(serve, version):
    api = serve(version)
    api.grafana.add_datasource(DataSource("Thanos", "thanos", "prometheus"))
    api.grafana.remove_datasource("loki")
    assert [s["uid"] for s in api("GET", "/api/datasources").json()] == ["prometheus", "thanos"]
    for path in ("uid/thanos", "name/Thanos"):
        assert api("GET", f"/api/datasources/{path}").json()["type"] == "prometheus"
    assert api("GET", "/api/datasources/uid/loki").status_code == 404
    assert api("GET", "/api/datasources/1").status_code == (404 if version >= "13" else 200)


def test_unknown_paths(serve):
    api = serve()
    assert api("GET", "/api/nothing").json() == {"message": "Not found"}
    page = api("GET", "/nothing")
    assert (page.status_code, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "<title>Grafana</title>" in api("GET", "/d/gpu-fleet/fleet").text


@pytest.mark.parametrize("path", ["/grafana", "grafana/", "/ops/grafana"])
def test_under_a_sub_path(serve, path):
    root = "/" + path.strip("/")
    api = serve(path=path, search_lag=0)
    assert api.grafana.url.endswith(root)
    api.grafana.add_folder("gpu", "GPU")
    assert api.save(BOARD, "gpu").json()["url"] == f"{root}/d/gpu-fleet/fleet"
    assert api("GET", "/api/search?type=dash-db").json()[0]["folderUrl"] == f"{root}/dashboards/f/gpu/gpu"
    assert [r.path for r in api.grafana.requests] == ["/api/dashboards/db", "/api/search"]
    outside = api.grafana.url.removesuffix(root)
    answer = requests.get(f"{outside}/api/health?x=1", allow_redirects=False, timeout=5)
    assert (answer.status_code, answer.headers["Location"]) == (301, f"{root}/api/health?x=1")
    assert requests.get(f"{outside}/api/health", timeout=5).json()["database"] == "ok"
    lookalike = requests.get(f"{outside}{root}x/api/health", allow_redirects=False, timeout=5)
    assert lookalike.status_code == 301


def test_a_write_outside_the_sub_path_is_lost(serve):
    """Clients turn the POST into a GET when they follow the redirect."""
    api = serve(path="/grafana")
    outside = api.grafana.url.removesuffix("/grafana")
    headers = {"Authorization": f"Bearer {api.grafana.token}"}
    answer = requests.post(f"{outside}/api/dashboards/db", json={"dashboard": BOARD}, headers=headers, timeout=5)
    assert answer.status_code == 404
    assert not api.grafana.boards


def test_requests_are_logged(serve):
    api = serve()
    api("GET", "/api/search?tag=a&tag=b")
    api.save(BOARD)
    api("POST", "/api/nothing", data=b"no json")
    api("GET", "/api/org", token="wrong")
    read, write, odd, stranger = api.grafana.requests
    assert (read.method, read.path, read.query, read.body) == ("GET", "/api/search", {"tag": ["a", "b"]}, None)
    assert (write.body["dashboard"], write.login, write.org, write.status) == (BOARD, "sa-1-gpuboards", 1, 200)
    assert (odd.body, odd.status) == (None, 404)
    assert (stranger.login, stranger.status) == ("", 401)
    assert write.headers["authorization"] == f"Bearer {api.grafana.token}"
    assert api.grafana.token not in repr(api.grafana.requests)
    assert [r.path for r in api.grafana.writes] == ["/api/dashboards/db", "/api/nothing"]
    api.grafana.forget_requests()
    assert api.grafana.requests == ()


@pytest.mark.parametrize("version", ["11.6.0", "12.2.0"])
def test_many_threads_lose_nothing(serve, version):
    api = serve(version)

    def save(number: int) -> int:
        headers = {"Authorization": f"Bearer {api.grafana.token}"}
        board = {"uid": f"b{number % 20}", "title": f"B{number}"}
        body = {"dashboard": board, "overwrite": True}
        return requests.post(f"{api.grafana.url}/api/dashboards/db", json=body, headers=headers, timeout=10).status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(save, range(100))) == {200}
    assert {board.version for board in api.grafana.boards.values()} == {5}
    ids = [board.id for board in api.grafana.boards.values()]
    assert len(set(ids)) == len(ids) == 20
    assert len(api.grafana.requests) == 100


def test_a_snapshot_does_not_change(serve):
    api = serve()
    api.save(BOARD)
    boards, board = api.grafana.boards, api.grafana.boards["gpu-fleet"]
    api.save({**BOARD, "title": "Other"}, overwrite=True)
    api("DELETE", "/api/dashboards/uid/gpu-fleet")
    assert (board.title, boards) == ("Fleet", {"gpu-fleet": board})
    board.json["title"] = "changed by the test"
    assert board.title == "Fleet"


def test_the_end_closes_connections_and_threads():
    before = set(threading.enumerate())
    with FakeGrafana(latency=30) as grafana:
        host, port = grafana.url.removeprefix("http://").split(":")
        idle = socket.create_connection((host, int(port)), timeout=5)
        waiting = socket.create_connection((host, int(port)), timeout=5)
        waiting.sendall(b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n")
    assert set(threading.enumerate()) <= before, "those of other tests may end meanwhile"
    for connection in (idle, waiting):
        with connection, contextlib.suppress(ConnectionResetError):
            assert connection.recv(100) == b""
    with pytest.raises(OSError):
        socket.create_connection((host, int(port)), timeout=5).close()


def test_half_a_request_of_a_client_that_died_is_none():
    with FakeGrafana() as grafana:
        host, port = grafana.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=5) as client:
            head = f"POST /api/dashboards/db HTTP/1.1\r\nAuthorization: Bearer {grafana.token}\r\n"
            client.sendall(f'{head}Content-Length: 90\r\n\r\n{{"dashboard": {{"title": "A"}}}}'.encode())
            client.shutdown(socket.SHUT_WR)
            assert client.recv(100) == b""
        assert (grafana.requests, grafana.boards) == ((), {})


def test_a_bug_of_the_fake_is_raised_at_the_end():
    grafana = FakeGrafana()
    with pytest.raises(ZeroDivisionError), grafana:
        grafana.org(1)
        grafana._instance.answer = lambda request: 1 / 0  # type: ignore[assignment]
        with pytest.raises(requests.ConnectionError):
            requests.get(f"{grafana.url}/api/health", timeout=5)


def test_tls():
    # Without a certificate: both sides agree on an anonymous cipher. An ordinary client refuses.
    ciphers = "AECDH-AES256-SHA:@SECLEVEL=0"
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    client.verify_mode = ssl.CERT_NONE
    for context in (server, client):
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.set_ciphers(ciphers)
    with FakeGrafana(ssl_context=server) as grafana:
        assert grafana.url.startswith("https://")
        with pytest.raises(requests.exceptions.SSLError):
            requests.get(f"{grafana.url}/api/health", timeout=5)
        connection = http.client.HTTPSConnection(grafana.url.removeprefix("https://"), context=client, timeout=5)
        connection.request("GET", "/api/health")
        assert connection.getresponse().status == 200
        connection.close()


@pytest.mark.parametrize("version", ["", "twelve", "12"])
def test_a_version_has_to_be_one(version):
    with pytest.raises(UsageError, match="not a version of Grafana"):
        FakeGrafana(version)

"""Everything that can be wrong with a Prometheus or the way to it: one clear message, exit code 3, and no waiting."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.cli import run
from tests.targets.prometheus import played
from tests.targets.prometheus.played import Handler, Play, Played

TLS = Path(__file__).parent / "tls"
PAGE = "<!doctype html><title>Sign in</title>"
DEEP = "[" * 200_000

Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    """Checks one small board on this server; exit code, standard output, standard error."""
    for name in ("PROMETHEUS_TOKEN", "PROMETHEUS_USER", "PROMETHEUS_PASSWORD", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("builder.targets.prometheus.client._PAUSE", 0.01)  # nothing here passes by waiting
    monkeypatch.chdir(tmp_path)
    panels = [
        {
            "id": number,
            "type": "timeseries",
            "title": f"Panel {number}",
            "targets": [{"refId": "A", "expr": f"x{number}"}],
        }
        for number in range(1, 13)
    ]
    (tmp_path / "board.json").write_text(json.dumps({"title": "Board", "schemaVersion": 39, "panels": panels}))

    def check(url: str, *arguments: str) -> tuple[int, str, str]:
        code = run(["check", "board.json", "--prometheus", url, "--timeout", "20", *arguments])
        return code, *capsys.readouterr()

    return check


def refused(done: tuple[int, str, str], code: int, *words: str) -> None:
    """It ended with this code and one message that says this, and what to do."""
    assert done[0] == code, done
    assert done[1] == "" and done[2].count("error: ") == 1 and done[2].count("  fix: ") == 1, done
    assert "Traceback" not in done[2]
    for word in words:
        assert word in done[2], done[2]


def answering(status: int, body: str = "", **headers: str) -> Play:
    """The same answer to everything."""
    return lambda handler, _path, _asked: handler.reply(status, body, **headers)


@pytest.mark.parametrize(
    ("play", "words"),
    [
        (answering(401), ("credentials are refused (without credentials)", "PROMETHEUS_TOKEN")),
        (answering(403, '{"message": "no rights"}'), ("not allowed", "no rights")),
        (answering(404, "404 page not found"), ("no Prometheus API", "404 page not found", "Prometheus' own page")),
        (answering(404, PAGE, Content_Type="text/html"), ("a web page (status 404)",)),
        (answering(405), ("no Prometheus API at this URL (status 405)",)),
        (answering(500, "the disk is on fire"), ("failed with status 500: the disk is on fire", "log")),
        (answering(418, "teapot"), ("status 418: teapot",)),
        (answering(200, PAGE, Content_Type="text/html"), ("a web page", "Prometheus' own page")),
        (answering(302, Location="https://sso.example/login?state=secret"), ("wants a login", "sso.example/login)")),
        (answering(301, Location="/prometheus/api/v1/query"), ("redirects to /prometheus", "without /api/v1")),
        (answering(200, "up 1\n"), ("not what Prometheus answers",)),
        (answering(200, ""), ("not what Prometheus answers",)),
        (answering(200, DEEP), ("not what Prometheus answers",)),
        (answering(200, '{"database": "ok"}'), ("not what Prometheus answers",)),
        (answering(200, '{"status": "success"}'), ("not what Prometheus answers",)),
        (answering(200, '{"status": "success", "data": {"resultType": "vector"}}'), ("not what Prometheus",)),
        (answering(200, '{"status": "error"}'), ("not what Prometheus answers",)),
        (lambda h, _p, _a: h.data({"resultType": "vector", "result": [7]}), ("not what Prometheus answers",)),
        (lambda h, _p, _a: h.data(played.vector(7)), ("not what Prometheus answers",)),
        (lambda h, _p, _a: h.data(played.vector(float("nan"))), ("not what Prometheus answers",)),
        (lambda h, _p, _a: h.data({"resultType": "scalar", "result": [1, "x"]}), ("not what Prometheus answers",)),
        (played.cut_json, ("not what Prometheus answers",)),
        (played.cut_short, ("the connection to 127.0.0.1", "broke")),
        (played.huge, ("larger than 64 MiB",)),
    ],
)  # fmt: skip
def test_what_is_no_prometheus(check: Check, play: Play, words: tuple[str, ...]) -> None:
    with Played(play) as server:
        refused(check(server.url), 3, *words)
        assert len(server.requests) <= 6


@pytest.mark.parametrize("play", [played.silent, played.drip, played.drip_headers])
def test_who_keeps_one_waiting(check: Check, play: Play) -> None:
    with Played(play) as server:
        refused(check(server.url, "--timeout", "0.5"), 3, "within 0.5 s", "--timeout")
        assert len(server.requests) == 1


def test_nobody_there(check: Check) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        refused(check(f"http://127.0.0.1:{taken.getsockname()[1]}"), 3, "out of reach", "refused")


def test_a_name_that_nobody_knows(check: Check) -> None:
    refused(check("http://prometheus.invalid"), 3, "the name prometheus.invalid is not known")


@pytest.mark.parametrize(
    "url", ["", "prometheus:9090", "ftp://x", "http://", "http://a b", "http://x:99999", "http://x?y"]
)
def test_what_is_no_url(check: Check, url: str) -> None:
    refused(check(url), 2, "--prometheus", "http://prometheus:9090")


def context(certificate: str, *, wants_client: bool = False) -> ssl.SSLContext:
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.load_cert_chain(TLS / certificate)
    if wants_client:
        found.verify_mode = ssl.CERT_REQUIRED
        found.load_verify_locations(TLS / "authority.pem")
    return found


def test_the_wrong_scheme(check: Check) -> None:
    with Played(played.prometheus) as plain:
        refused(check(plain.url.replace("http:", "https:")), 3, "does not speak TLS", "http://")
    with Played(answering(400, "Client sent an HTTP request to an HTTPS server.\n")) as server:
        refused(check(server.url), 3, "speaks TLS", "https://")


def test_certificates(check: Check) -> None:
    authority = ("--ca-file", str(TLS / "authority.pem"))
    with Played(played.prometheus, context("server.pem")) as server:
        refused(check(server.url), 3, "not trusted", "--ca-file PATH")
        refused(check(server.url, "--ca-file", "nowhere.pem"), 2, "cannot be read")
        code, _, err = check(server.url, *authority)
        assert (code, err) == (1, "")
        code, _, err = check(server.url, "--insecure")
        assert code == 1 and "not checked (--insecure)" in err
    with Played(played.prometheus, context("elsewhere.pem")) as server:
        refused(check(server.url, *authority), 3, "not trusted", "the name that the certificate was made for")
    with Played(played.prometheus, context("server.pem", wants_client=True)) as server:
        refused(check(server.url, *authority), 3, "--client-cert PATH")
        assert check(server.url, *authority, "--client-cert", str(TLS / "client.pem"))[0] == 1


def test_a_server_that_dies_in_the_middle(check: Check) -> None:
    dead = False

    def play(handler: Handler, path: str, asked: played.Asked) -> None:
        nonlocal dead
        dead = dead or asked.get("query") == "x5"
        if dead:
            handler.close_connection = True  # and no word
        else:
            played.prometheus(handler, path, asked)

    with Played(play) as server:
        code, out, err = check(server.url, "--jobs", "1")
    assert code == 3 and "not all boards could be asked" in err and "broke" in err
    assert "4 missing, 8 not asked in 1 board" in out


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (answering(502, PAGE), "a web page (status 502)"),
        (answering(401), "the credentials are refused"),
        (answering(200, PAGE), "a web page"),
        (answering(200, '{"status": "success", "data": null}'), "not what Prometheus answers"),
        (played.cut_json, "not what Prometheus answers"),
        (played.silent, "within 1.5 s"),
        (played.drip, "within 1.5 s"),
    ],
)
def test_a_server_that_goes_bad_while_it_is_asked(check: Check, bad: Play, words: str) -> None:
    seconds = "1.5" if bad in (played.silent, played.drip) else "20"  # in which the good answers have to come, too
    with Played(played.once_reached(bad)) as server:
        code, out, err = check(server.url, "--timeout", seconds, "--jobs", "1")
        asked = [path for _, path, _, _ in server.requests if path == "query_range"]
    assert code == 3 and words in err and err.count("error: ") == 1
    assert "12 not asked in 1 board" in out
    assert len(asked) <= 9, "after three questions in vain, with three tries each, nothing more is asked"


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (400, "bad_data", "parse error at char 3"),
        (422, "execution", "many-to-many matching not allowed"),
        (503, "timeout", "query timed out in expression evaluation"),
        (500, "internal", "something broke"),
    ],
)
def test_a_question_that_is_refused_is_a_finding(check: Check, status: int, kind: str, words: str) -> None:
    def refuse(handler: Handler, _path: str, _asked: object) -> None:
        handler.json({"status": "error", "errorType": kind, "error": words}, status)

    with Played(played.once_reached(refuse)) as server:
        code, out, err = check(server.url)
    assert (code, err) == (1, "")
    assert f"query A: {kind}: {words}" in out and "12 error in 1 board" in out


def test_an_answer_that_is_too_large_is_a_finding(check: Check) -> None:
    def large(handler: Handler, path: str, asked: played.Asked) -> None:
        (played.huge if asked["query"] == "x3" else played.prometheus)(handler, path, asked)

    with Played(played.once_reached(large)) as server:
        code, out, err = check(server.url)
    assert (code, err) == (1, "")
    assert "Panel 3" in out and "the answer is larger than 64 MiB" in out and "1 error" in out


def test_something_that_passes_is_tried_again(check: Check) -> None:
    failed: set[str] = set()

    def hiccup(handler: Handler, path: str, asked: played.Asked) -> None:
        if asked["query"] in failed:
            return played.prometheus(handler, path, asked)
        failed.add(asked["query"])
        return handler.reply(503, PAGE)

    with Played(played.once_reached(hiccup)) as server:
        code, out, err = check(server.url, "--jobs", "12")
    assert (code, err) == (1, "") and "12 missing in 1 board" in out


def test_where_no_post_is_let_through_it_is_asked_by_get(check: Check) -> None:
    def only_gets(handler: Handler, path: str, asked: played.Asked) -> None:
        if handler.command == "POST":
            handler.reply(405)
        else:
            played.prometheus(handler, path, asked)

    with Played(only_gets) as server:
        code, out, err = check(server.url, "--jobs", "1")
        posts = [method for method, _, _, _ in server.requests if method == "POST"]
    assert (code, err) == (1, "") and "12 missing" in out and len(posts) == 1

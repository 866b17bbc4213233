"""Each fault as a client meets it, and which requests it hits."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from requests.exceptions import ChunkedEncodingError, ConnectionError, JSONDecodeError  # noqa: A004

from builder.errors import UsageError
from builder.testing.grafana import Faults, faults
from tests.testing.grafana_versions import BOARD

ANSWERED = [
    (faults.too_many_requests(7), 429, "too many requests", False),
    (faults.too_many_requests(None), 429, "too many requests", False),
    (faults.database_locked(), 500, "database is locked", False),
    (faults.database_locked(applied=True), 500, "database is locked", True),
    (faults.proxy_error(502), 502, "<h1>502 Bad Gateway</h1>", False),
    (faults.proxy_error(503), 503, "<h1>503", False),
    (faults.proxy_error(504, applied=True), 504, "<h1>504", True),
    (faults.wrong_json(), 200, '["unexpected"]', True),
    (faults.wrong_json("not json at all", applied=False), 200, "not json at all", False),
    (faults.slow(0.05), 200, '"status": "success"', True),
    (faults.latency(0.01), 200, '"status": "success"', True),
]


@pytest.mark.parametrize(("fault", "status", "text", "applied"), ANSWERED)
def test_faults_that_are_answered(serve, fault, status, text, applied):
    api = serve()
    api.grafana.faults.add(fault)
    answer = api.save(BOARD)
    assert answer.status_code == status
    assert text in answer.text
    assert ("gpu-fleet" in api.grafana.boards) == applied
    (logged,) = api.grafana.requests
    assert (logged.fault, logged.applied, logged.status) == (fault.name, applied, status)
    assert api.grafana.faults.fired == (("POST", "/api/dashboards/db", fault.name),)


BROKEN = [
    (faults.reset_before(), ConnectionError, "reset by peer", False, 0),
    (faults.reset_after(), ConnectionError, "reset by peer", True, 0),
    (faults.reset_middle(), ChunkedEncodingError, "reset by peer", True, 200),
    (faults.truncated(), ChunkedEncodingError, "more expected", True, 200),
]


@pytest.mark.parametrize(("fault", "error", "text", "applied", "status"), BROKEN)
def test_faults_that_break_the_connection(serve, fault, error, text, applied, status):
    api = serve()
    api.grafana.faults.add(fault, times=1)
    with pytest.raises(error, match=text):
        api.save(BOARD)
    assert ("gpu-fleet" in api.grafana.boards) == applied
    (logged,) = api.grafana.requests
    assert (logged.fault, logged.applied, logged.status) == (fault.name, applied, status)
    assert api.save(BOARD, overwrite=True).status_code == 200


def test_retry_after(serve):
    api = serve()
    for wait in (3, "Wed, 21 Oct 2026 07:28:00 GMT", None):
        api.grafana.faults.clear()
        api.grafana.faults.add(faults.too_many_requests(wait))
        header = api("GET", "/api/health").headers.get("Retry-After")
        assert header == (None if wait is None else str(wait))


@pytest.mark.parametrize("path", ["", "/grafana"])
def test_a_redirect_leads_to_a_page_that_is_there(serve, path):
    api = serve(path=path)
    api.grafana.faults.add(faults.login_redirect())
    first = api("POST", "/api/dashboards/db", {"dashboard": BOARD}, allow_redirects=False)
    assert (first.status_code, first.headers["Location"]) == (302, f"{path}/login")
    followed = api.save(BOARD)
    assert (followed.status_code, followed.url) == (200, f"{api.grafana.url}/login")
    with pytest.raises(JSONDecodeError):
        followed.json()
    assert not api.grafana.boards


def test_waiting_takes_time(serve):
    api = serve(latency=0.05)
    api.grafana.faults.add(faults.latency(0.05))
    api.grafana.faults.add(faults.slow(0.1))
    started = time.monotonic()
    assert api("GET", "/api/health").status_code == 200
    assert 0.2 <= time.monotonic() - started < 2
    api.grafana.faults.clear()
    started = time.monotonic()
    api("GET", "/api/health")
    assert 0.05 <= time.monotonic() - started < 1


def test_a_timeout_between_two_bytes_does_not_end_a_slow_answer(serve):
    api = serve()
    api.grafana.faults.add(faults.slow(1.0))
    started = time.monotonic()
    assert requests.get(f"{api.grafana.url}/api/health", timeout=0.5).json()["database"] == "ok"
    assert time.monotonic() - started > 0.9


def hits(api, times, method="GET", path="/api/health"):
    return [n for n in range(1, times + 1) if api(method, path).status_code != 200]


def test_which_requests_are_hit(serve):
    api = serve()
    health = "/api/health"
    cases = [
        ({"nth": (2, 4)}, [2, 4]),
        ({"times": 2}, [1, 2]),
        ({"path": "^/api/health$"}, [1, 2, 3, 4, 5]),
        ({"path": "folders"}, []),
        ({"method": "POST|PUT"}, []),
        ({"method": "GET", "nth": [3]}, [3]),
        ({"probability": 0.0}, []),
    ]
    for rule, expected in cases:
        api.grafana.faults.clear()
        api.grafana.faults.add(faults.database_locked(), **rule)
        assert hits(api, 5, path=health) == expected, rule


def test_faults_are_switched_off_and_on(serve):
    api = serve()
    api.grafana.faults.add(faults.database_locked())
    api.grafana.faults.enabled = False
    assert hits(api, 2) == []
    api.grafana.faults.enabled = True
    assert hits(api, 2) == [1, 2]
    api.grafana.faults.clear()
    assert (hits(api, 2), api.grafana.faults.fired) == ([], ())


def test_the_first_rule_that_fires_wins(serve):
    api = serve()
    api.grafana.faults.add(faults.latency(0.01))
    api.grafana.faults.add(faults.too_many_requests(), times=1)
    api.grafana.faults.add(faults.database_locked(), times=2)
    assert [api("GET", "/api/health").status_code for _ in range(4)] == [429, 500, 200, 200]


PATHS = [("GET", f"/api/dashboards/uid/b{n % 40}") for n in range(400)]


def test_a_storm_follows_from_the_seed_and_not_from_the_order():
    def storm(seed, requests):
        weather = Faults(seed)
        weather.storm(0.3)
        drawn = sorted((path, weather.draw(method, path).name) for method, path in requests)
        return drawn, weather.fired

    one, fired = storm(1, PATHS)
    assert storm(1, reversed(PATHS))[0] == one
    assert storm(2, PATHS)[0] != one
    assert 0.2 < len(fired) / len(PATHS) < 0.4
    assert {name for _, _, name in fired} == {fault.name for fault in faults.ALL}


def test_a_storm_over_sockets(serve):
    api = serve(seed=3)
    api.grafana.faults.storm(0.5, method="POST")

    def save(number):
        headers = {"Authorization": f"Bearer {api.grafana.token}"}
        body = {"dashboard": {"uid": f"b{number}", "title": f"B{number}"}}
        try:
            return requests.post(f"{api.grafana.url}/api/dashboards/db", json=body, headers=headers, timeout=5).ok
        except requests.RequestException:
            return False

    with ThreadPoolExecutor(8) as pool:
        fine = list(pool.map(save, range(80)))
    api.grafana.faults.enabled = False
    applied = {r.body["dashboard"]["uid"] for r in api.grafana.writes if r.applied}
    assert applied == set(api.grafana.boards)
    assert 10 < fine.count(False) < 70
    assert api("GET", "/api/health").status_code == 200


@pytest.mark.parametrize("probability", [-0.1, 1.1])
def test_a_probability_is_one(probability):
    with pytest.raises(UsageError, match="probability"):
        Faults().storm(probability)


def test_slow_is_slow():
    with pytest.raises(UsageError, match="slow answer"):
        faults.slow(0)


def test_a_storm_needs_a_choice():
    with pytest.raises(UsageError, match="choice"):
        Faults().storm(0.5, choices=())

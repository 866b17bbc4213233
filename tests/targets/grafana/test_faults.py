"""A push through a bad network: it gets there, once, or says what it did not do."""

from __future__ import annotations

import threading
import time

import pytest

from builder.config import Place
from builder.errors import ServerError
from builder.targets.grafana.push import push
from builder.testing import FakeGrafana
from builder.testing.grafana import Fault, faults
from tests.targets.grafana.pushing import actions, at, changed, options, outcome, run, some

Served = tuple[FakeGrafana, str]
BOARDS = some("one", "two")
PASSING = [fault for fault in faults.ALL if fault.name != "redirect to login"]
SAVE = r"^/api/dashboards/db$|/dashboards(/[a-z]+)?$"


@pytest.mark.parametrize("fault", PASSING, ids=lambda fault: f"{fault.name} {fault.applied}")
@pytest.mark.parametrize("version", ["11.2.0", "12.2.0", "13.2.0"])
def test_a_write_takes_effect_exactly_once(version: str, fault: Fault) -> None:
    with FakeGrafana(version=version) as grafana:
        grafana.faults.add(fault, method="POST|PUT", nth=(1, 2, 3))
        assert actions(run(grafana, BOARDS)) == {"one": "create done", "two": "create done"}
        assert [len(b.history) for b in grafana.boards.values()] == [1, 1] and len(grafana.folders) == 1

        grafana.faults.clear()
        grafana.faults.add(fault, method="POST|PUT", nth=(1,))
        assert actions(run(grafana, changed(BOARDS, "one", title="New")))["one"] == "update done"
        assert len(grafana.boards["one"].history) == 2
        assert grafana.faults.fired


@pytest.mark.parametrize("fault", PASSING, ids=lambda fault: f"{fault.name} {fault.applied}")
def test_a_read_is_tried_again(fault: Fault) -> None:
    with FakeGrafana(version="12.2.0") as grafana:
        run(grafana, BOARDS)
        grafana.faults.add(fault, method="GET", probability=0.3)
        report = run(grafana, BOARDS, attempts=12)
        assert actions(report) == {"one": "unchanged done", "two": "unchanged done"} and report.writes == 0


def test_prune_survives_lost_replies(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api, project="p")
    grafana.settle()
    grafana.faults.add(faults.reset_after(), method="DELETE")
    assert actions(run(grafana, some("one"), api, project="p", prune=True))["two"] == "remove done"
    assert set(grafana.boards) == {"one"}


def test_folders_survive_lost_replies(nesting: Served) -> None:
    grafana, api = nesting
    run(grafana, BOARDS, api)
    grafana.faults.add(faults.reset_after(), path="^/api/folders", method="POST|PUT", probability=0.7)
    path = (Place("team", "Team"), Place("gpu", "Cards"))
    assert push(BOARDS, at(grafana, folders=path), options(api)).exit_code == 0
    assert (grafana.folders["gpu"].parent, grafana.folders["gpu"].title) == ("team", "Cards")


def test_retry_after_is_obeyed_by_all(grafana: FakeGrafana) -> None:
    grafana.faults.add(faults.too_many_requests(1), path="/dashboards", method="GET", nth=(1,))
    began = time.monotonic()
    assert run(grafana, BOARDS).exit_code == 0
    assert time.monotonic() - began > 0.9


def test_a_board_that_fails_does_not_stop_the_others(grafana: FakeGrafana) -> None:
    boards = some("one", "two", "three", "four")
    grafana.faults.add(faults.database_locked(), path="dashboards/two$")
    report = run(grafana, boards)
    assert actions(report)["two"] == "read failed" and report.exit_code == 3
    assert set(grafana.boards) == {"one", "three", "four"}
    assert "database is locked" in outcome(report, "two").detail

    grafana.faults.clear()
    assert actions(run(grafana, boards)) == {
        "one": "unchanged done",
        "two": "create done",
        "three": "unchanged done",
        "four": "unchanged done",
    }


def test_a_slow_loris_does_not_hold_the_push(grafana: FakeGrafana) -> None:
    grafana.faults.add(faults.slow(30), path="dashboards/one$", method="GET", times=1)
    began = time.monotonic()
    report = run(grafana, BOARDS, seconds=0.5)
    assert report.exit_code == 0 and time.monotonic() - began < 5


def test_a_login_page_is_not_taken_for_an_answer(served: Served) -> None:
    grafana, api = served
    grafana.faults.add(faults.login_redirect(), path="^/api/frontend")
    with pytest.raises(ServerError, match="login") as caught:
        run(grafana, BOARDS, api)
    assert "service-account token" in caught.value.fix and not grafana.writes


def test_a_server_that_goes_away_is_not_asked_five_times_for_each_board() -> None:
    boards = some(*(f"b{n}" for n in range(40)))
    with FakeGrafana(version="12.2.0") as grafana:
        grafana.faults.add(faults.reset_before(), path="/dashboards")
        report = run(grafana, boards)
        assert {o.result for o in report.outcomes} == {"failed", "not begun"} and report.exit_code == 3
        assert len(grafana.requests) < 60


def test_a_stop_lets_what_is_in_flight_finish() -> None:
    boards = some(*(f"b{n}" for n in range(40)))
    stop = threading.Event()

    def soon(doing: str, done: int, total: int) -> None:
        if doing == "writing" and done == 5:
            stop.set()

    # Slow enough that even a busy machine notices the stop before all 40 are written.
    with FakeGrafana(version="12.2.0", latency=0.05) as grafana:
        report = push(boards, at(grafana), options(), progress=soon, stop=stop)
        results = [o.result for o in report.outcomes]
        assert report.interrupted and report.exit_code == 130
        assert results.count("done") == len(grafana.boards) and 5 <= results.count("done") < 40
        assert results.count("not begun") == 40 - results.count("done")
        grafana.latency = 0.0
        assert actions(run(grafana, boards))["b39"] == "create done"


@pytest.mark.parametrize("version", ["11.6.0", "13.0.0"])
def test_two_pushes_at_once_make_one_version_of_each_board(version: str) -> None:
    boards = some(*(f"b{n}" for n in range(12)))
    with FakeGrafana(version=version, latency=0.002) as grafana:
        reports = []
        threads = [threading.Thread(target=lambda: reports.append(run(grafana, boards))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [report.exit_code for report in reports] == [0, 0, 0]
        assert {len(b.history) for b in grafana.boards.values()} == {1} and len(grafana.boards) == 12

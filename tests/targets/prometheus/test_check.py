"""Boards of any make on a server that has nothing: a report, whatever is written in them."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator

import pytest

from builder.cli.progress import progress
from builder.lint import Severity, Subject
from builder.live.outcome import LiveReport
from builder.live.report import json, markdown, text
from builder.targets.prometheus.address import Access, address
from builder.targets.prometheus.check import check
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.opened import Options
from tests.lint.test_fuzz import _bases, _mutated
from tests.targets.prometheus import played
from tests.targets.prometheus.played import Played

BOARDS = 2_000


@pytest.fixture(scope="module")
def server() -> Iterator[Played]:
    with Played(played.prometheus) as server:
        yield server


def checked(server: Played, *boards: object, stop: threading.Event | None = None) -> LiveReport:
    subjects = [Subject(f"{number}.json", board, source="{}") for number, board in enumerate(boards)]
    with Client(address(Access(server.url), {}), jobs=8, stop=stop or threading.Event()) as client:
        return check(subjects, client, Options(), progress())


def test_whatever_a_board_holds_there_is_a_report(server: Played) -> None:
    chance = random.Random(7)
    bases = _bases()
    boards = [_mutated(chance.choice(bases), chance) for _ in range(BOARDS)]
    report = checked(server, *boards)
    assert len(report.boards) == BOARDS and report.trouble == ""
    assert sum(len(board.panels) for board in report.boards) > BOARDS
    for render in (text, json, markdown):
        assert render.render(report, Severity.INFO)


@pytest.mark.parametrize(
    "board",
    [
        None,
        [],
        {"panels": None},
        {"panels": [None, 7, {"targets": "x"}, {"targets": [None, 7, {"expr": 7}, {"expr": "x" * 200_000}]}]},
        {"panels": [{"targets": [{"expr": "(" * 9000}]}]},
        {"panels": [{"interval": "soon", "targets": [{"expr": "up"}]}]},
        {"panels": [{"timeFrom": "-", "maxDataPoints": -5, "targets": [{"expr": "up", "interval": "0s"}]}]},
        {"time": {"from": "now-99999999999d"}, "panels": [{"targets": [{"expr": "up"}]}]},
        {"time": {"from": 5, "to": []}, "panels": [{"targets": [{"expr": "up"}]}]},
        {"templating": {"list": [{"name": "a", "type": "query", "query": "label_values(up, x)", "regex": "/((/"}]}},
        {"templating": {"list": [{"name": "a", "type": "interval", "auto": True, "auto_count": 0, "query": "1m"}]}},
        {"templating": {"list": [{"name": "a", "type": "switch"}, {"name": 5}, None]}},
    ],
)  # fmt: skip
def test_odd_boards(server: Played, board: object) -> None:
    assert len(checked(server, board).boards) == 1


def test_who_is_asked_to_stop_begins_nothing_more_and_tells_what_is_known() -> None:
    stop = threading.Event()

    def play(handler: played.Handler, path: str, asked: played.Asked) -> None:
        if asked.get("query") == "x20":
            stop.set()
        played.prometheus(handler, path, asked)

    panels = [{"targets": [{"expr": f"x{number}"}]} for number in range(60)]
    with Played(played.once_reached(play)) as server:
        report = checked(server, {"panels": panels}, stop=stop)
    assert "interrupted" in report.trouble
    assert report.counts["missing"] >= 20 and report.counts["not asked"] >= 60 - 20 - 16


def test_what_two_panels_ask_is_asked_once() -> None:
    panel = {"targets": [{"expr": "up", "instant": True}]}
    variable = {"name": "a", "type": "query", "query": "label_values(up, job)"}
    board = {"templating": {"list": [variable]}, "panels": [panel, panel]}
    with Played(played.prometheus) as server:
        report = checked(server, board, board)
        asked = [asked["query"] for _, path, asked, _ in server.requests if path == "query"]
        looked_up = [path for _, path, _, _ in server.requests if path == "label/job/values"]
    assert len(report.panels) == 4 and asked == ["vector(time())", "up"] and len(looked_up) == 1


def test_no_more_requests_at_once_than_jobs() -> None:
    lock, most, now = threading.Lock(), 0, 0

    def play(handler: played.Handler, path: str, asked: played.Asked) -> None:
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
        played.prometheus(handler, path, asked)
        with lock:
            now -= 1

    panels = [{"targets": [{"expr": f"x{number}"}]} for number in range(60)]
    with Played(play) as server:
        checked(server, {"panels": panels})
    assert most <= 8

"""A browser, and the seven boards with an hour of a simulated fleet that has three faults."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from builder.preview import Board, board_of
from builder.preview.page import page
from builder.simulate import Fleet, history
from builder.testing import Prometheus, run_dashboard
from tests.preview.browser import Browser

BOARDS = Path(__file__).parents[2] / "provisioning" / "dashboards" / "gpuboards"
FAULTS = ("hot:node-1/gpu-0@20m", "xid=79:node-0/gpu-1@30m", "power-cap:node-0/gpu-0@10m")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with Browser() as running:
        yield running


@pytest.fixture(scope="session")
def own_boards() -> Mapping[str, Board]:
    """Our boards by uid, with data."""
    fleet = Fleet(nodes=2, cards=2, faults=FAULTS)
    end = fleet.start + 3600
    with Prometheus(history=history(fleet, begin=fleet.start, end=end, interval=60)) as prometheus:
        boards = {}
        for file in sorted(BOARDS.glob("*.json")):
            dashboard = json.loads(file.read_text())
            result = run_dashboard(dashboard, prometheus.url, at=end, scrape_interval="60s", max_data_points=100)
            boards[file.stem] = board_of(dashboard, result, begin=fleet.start, end=end)
    return boards


@pytest.fixture(scope="session")
def own_pages(own_boards: Mapping[str, Board], tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Their pages, as files."""
    directory = tmp_path_factory.mktemp("pages")
    pages = {uid: directory / f"{uid}.html" for uid in own_boards}
    for uid, board in own_boards.items():
        pages[uid].write_text(page(board, source="Data: a simulated fleet"), encoding="utf-8")
    return pages

"""Boards as they are built for a fleet, opened on its Prometheus, and compared with the known answers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from builder.build import build_boards
from builder.config import Config
from builder.grafana.context import Note
from builder.load import load
from builder.testing import DashboardResult, run_dashboard
from builder.testing.figures import Figure
from tests.live.fleet import Fleet
from tests.live.known_answers import Board, Panel

Boards = Mapping[str, Mapping[str, Any]]
"""Dashboard JSON by uid."""

BOARDS = ("gpu-fleet", "gpu-node", "gpu-detail", "gpu-memory", "gpu-thermal", "gpu-health", "gpu-training")
DASHBOARDS = Path(__file__).parents[2] / "dashboards"


@cache
def _built(profile: str, training: str, host: str) -> tuple[Boards, list[Note]]:
    return build_boards(load(DASHBOARDS), Config(profile=profile, training=training, host=host))


def boards_of(fleet: Fleet) -> tuple[Boards, list[Note]]:
    """The boards as the build writes them for this fleet's exporters, and what was left out."""
    return _built(fleet.profile, fleet.training, fleet.host)


def open_board(boards: Boards, address: str, url: str, **times: float) -> DashboardResult:
    """The board at an address such as ``gpu-detail?var-node=gpu-node-02``, run on the server at ``url``."""
    parts = urlsplit(address)
    chosen = {name.removeprefix("var-"): values for name, values in parse_qs(parts.query).items()}
    return run_dashboard(boards[parts.path], url, variables=chosen, **times)  # type: ignore[arg-type]


def by_name(found: Iterable[Figure]) -> dict[str, dict[str, float]]:
    """What the panels show, by their names; a number and a graph of one title stand together."""
    together: dict[str, dict[str, float]] = {}
    for figure in found:
        together[figure.name] = together.get(figure.name, {}) | dict(figure.values)
    return together


def wrong(found: Mapping[str, Mapping[str, float]], expected: Board) -> dict[str, Any]:
    """The panels that show anything else than expected; empty when all is well."""
    return {
        name: {"expected": values, "shown": found.get(name)}
        for name, values in expected.items()
        if not _same(found.get(name), values)
    }


def _same(actual: Panel, expected: Panel) -> bool:
    if actual is None or expected is None:
        return actual is expected
    close = (
        math.isclose(actual[name], expected[name], rel_tol=1e-9, abs_tol=1e-12) for name in actual.keys() & expected
    )
    return actual.keys() == expected.keys() and all(close)

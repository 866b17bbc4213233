"""The boards opened on a cluster, and what the readings say that they must show."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

from builder.build import build_boards
from builder.config import Config
from builder.load import load
from builder.testing import run_dashboard
from builder.testing.figures import figures
from tests.live.cases import planted
from tests.live.cases.moment import Moment, Shown
from tests.live.cases.readings import READINGS, detail
from tests.live.opened import DASHBOARDS, Boards, by_name

OF_ONE_NODE = ("gpu-node", "gpu-detail")
TOLERANCE = 1e-9
"""Relative: arithmetic in another order. Rates are those of the counters at the window's two ends."""

Panels = Mapping[str, Shown]


@cache
def boards(exporter: str) -> Boards:
    """The standard boards as they are built for an exporter, by uid."""
    fleet = planted.fleet(exporter, planted.HEALTHY)
    config = Config(profile=fleet.profile, training=fleet.training, host="node-exporter")
    return build_boards(load(DASHBOARDS), config)[0]


def shown(
    url: str, exporter: str, cluster: str, board: str, node: str = "", gpu: str = ""
) -> dict[str, dict[str, float]]:
    """What every panel of a board shows of a cluster (or of one node or card of it), by name; problems fail."""
    chosen = {"cluster": cluster, **({"node": node} if node else {}), **({"gpu_id": gpu} if gpu else {})}
    result = run_dashboard(
        boards(exporter)[board],
        url,
        at=planted.AT,
        range_seconds=planted.RANGE,
        variables=chosen,
        scrape_interval=f"{planted.interval(exporter)}s",
    )
    assert result.problems() == ()
    return {
        name.replace(" (approximate)", ""): v for name, v in by_name(figures(boards(exporter)[board], result)).items()
    }


@cache
def expected(exporter: str, cluster: str, board: str, node: str = "", gpu: str = "", *, struck: bool = True) -> Panels:
    """What they must show of all that, by the same names; with the cluster's fault, or without."""
    moment = Moment(planted.fleet(exporter, cluster, struck=struck), node, gpu)
    if board != "gpu-detail":
        return {panel: reading(moment) for panel, reading in READINGS[board].items()}
    found = {panel: reading(moment) for panel, reading in detail.OF_ALL_CARDS.items()}
    for gpu in offered(moment):
        for panel, reading in READINGS[board].items():
            title = panel.replace("$gpu_id", gpu)
            found[title if title != panel else f"{panel} ({gpu})"] = reading(moment.on(node, gpu))
    return found


def offered(moment: Moment) -> list[str]:
    """The cards that the board may offer: all that were ever there; none is one panel without a card."""
    (cards,) = (node.cards for node in moment.fleet.layout if node.name == moment.node)
    return [*(str(card.index) for card in cards), *([] if moment.cards else [""])]


def differences(found: Panels, wanted: Panels) -> dict[str, Any]:
    """The panels that show anything else than they must; none of the latter may be left out of the board."""
    wrong = {}
    for panel, values in wanted.items():
        if panel in found or values:
            is_ = found.get(panel, {})
            if not same(is_, values):
                wrong[panel] = {"must": dict(values), "shows": dict(is_), "on the board": panel in found}
    return wrong


def same(one: Shown, other: Shown) -> bool:
    """Whether two panels show the same, but for the order of arithmetic."""
    return one.keys() == other.keys() and all(close(value, other[name]) for name, value in one.items())


def close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=1e-9)

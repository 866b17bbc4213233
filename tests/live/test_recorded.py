"""Raw and recorded series give the same boards: every panel, every series, every point.

Rules are evaluated by a real Prometheus over a simulated fleet with faults, and over fleets whose series multiply.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from builder.build import build_boards, context_of
from builder.catalog.profiles import profile as catalogued
from builder.config import Config, Recording
from builder.load import load
from builder.queries.feeds import WINDOW
from builder.rule_files import rule_groups
from builder.simulate import Fleet, history
from builder.testing import AT, DashboardResult, Prometheus, Series
from tests.live.fleet import INTERVAL
from tests.live.fleets import FLEETS
from tests.live.opened import BOARDS, DASHBOARDS, open_board
from tests.live.recording import EXACT, with_recorded

pytestmark = pytest.mark.live

_PRESENT = [
    "hot:node-1/gpu-0@10m",
    "hung:node-0/gpu-1@5m",
    "xid:node-1/gpu-1@20m",
    "leak:node-0/gpu-1@5m",
    "ecc-corrected:node-1/gpu-1@10m",
]
_FAULTS = [*_PRESENT, "lost:node-0/gpu-0@30m"]
SIMULATED = {
    "dcgm": Fleet(nodes=2, cards=2, profile="dcgm", faults=_FAULTS),
    "dcgm-4.9": Fleet(nodes=2, cards=2, profile="dcgm-4.9", cluster="east", faults=_FAULTS),
    # A rate ends with the series that says whose it is; that of recorded ones, which say so themselves, a window later.
    "nvidia-smi": Fleet(nodes=2, cards=2, profile="nvidia-smi", faults=_PRESENT),
    "nv-gpu": Fleet(nodes=2, cards=2, profile="nv-gpu", training="tf-snippet", faults=_FAULTS),
    "nvidia-gpu": Fleet(nodes=2, cards=2, profile="nvidia-gpu", training="tf-snippet", faults=_FAULTS),
}
_HOST_RATES = ("Host CPU waiting for disks", "Busiest disk", "Read from disks")
MULTIPLIED = ("dcgm-mig", "dcgm-vgpu", "dcgm-health")


@pytest.mark.parametrize("name", SIMULATED)
def test_a_simulated_fleet(name: str) -> None:
    fleet = SIMULATED[name]
    config = Config(profile=fleet.profile, training=fleet.training)
    end = fleet.start + 3600
    addresses = (*BOARDS, "gpu-fleet?var-node=node-1")
    assert _differences(config, history(fleet, begin=fleet.start, end=end), fleet.start, end, addresses) == []


@pytest.mark.parametrize("name", MULTIPLIED)
def test_a_fleet_whose_series_multiply(name: str) -> None:
    fleet = FLEETS[name]
    config = Config(profile=fleet.profile, training=fleet.training, host=fleet.host)
    assert _differences(config, fleet.history(), AT - 3600, AT, BOARDS) == []


def test_a_recorded_counter_goes_on_where_its_series_do_not() -> None:
    """An upgraded exporter spells its labels otherwise: the rate of each series is low for a while, and wrong."""
    faults = ["ecc-corrected:node-0/gpu-0@10m", "label-change:node-0@40m"]
    fleet = Fleet(nodes=1, cards=1, faults=faults)
    start, end = fleet.start, fleet.start + 3600
    of_rules = Config(source="recorded")
    whole = with_recorded(history(fleet, begin=start, end=end), rule_groups(of_rules).values(), start=start, end=end)
    with Prometheus(history=whole, arguments=EXACT) as server:
        rates = []
        for config in (Config(), of_rules):
            asked = context_of(config).source(()).rate("ecc_corrected", "2m")
            (series,) = server.client.range(asked.text, start + 1800, end, INTERVAL)
            rates.append([value for _, value in series.points])
    raw, recorded = rates
    assert recorded == pytest.approx([2.0] * len(recorded))
    assert min(raw) < 1.5


def _differences(config: Config, scraped: str, start: float, end: float, addresses: Sequence[str]) -> list[str]:
    # A rate's window on a board follows from how often there is a new value.
    interval = catalogued(config.profile).interval
    of_rules = replace(config, source="recorded", recording=Recording(interval=interval))
    whole = with_recorded(scraped, rule_groups(of_rules).values(), start=start, end=end)
    raw, recorded = (build_boards(load(DASHBOARDS), source)[0] for source in (config, of_rules))
    raw = {uid: _over_five_minutes(board) for uid, board in raw.items()}
    found = []
    with Prometheus(history=whole, arguments=EXACT) as server:
        for address in addresses:
            one, other = (open_board(boards, address, server.url, at=end) for boards in (raw, recorded))
            assert other.problems() == ()
            found += [f"{address}: {difference}" for difference in _unlike(one, other)]
    return found


def _over_five_minutes(board: Any) -> Any:
    """The board with the host's rates taken over what the rules take them over, whatever the board shows."""
    if isinstance(board, Mapping):
        changed = {key: _over_five_minutes(value) for key, value in board.items()}
        if board.get("title") in _HOST_RATES:
            for target in changed["targets"]:
                assert "$__rate_interval" in target["expr"]
                target["expr"] = target["expr"].replace("$__rate_interval", WINDOW)
        return changed
    return [_over_five_minutes(item) for item in board] if isinstance(board, list) else board


def _unlike(one: DashboardResult, other: DashboardResult) -> Iterator[str]:
    for variable, choices in one.variables.items():
        if choices.options != other.variables[variable].options:
            yield f"${variable}: {choices.options} and {other.variables[variable].options}"
    assert [panel.title for panel in one.panels] == [panel.title for panel in other.panels]
    for panel, again in zip(one.panels, other.panels, strict=True):
        for target, like in zip(panel.targets, again.targets, strict=True):
            left, right = _points(target.series), _points(like.series)
            if left.keys() != right.keys():
                yield f"{panel.title} {target.ref_id}: the series {sorted(left.keys() ^ right.keys())}"
            for labels in left.keys() & right.keys():
                if not _same(left[labels], right[labels]):
                    yield f"{panel.title} {target.ref_id}: {labels}: {_first(left[labels], right[labels])}"


Points = Sequence[tuple[float, float]]


def _points(several: Sequence[Series]) -> Mapping[tuple[tuple[str, str], ...], Points]:
    """At the times when rules were evaluated; between them a recorded rate stands still."""
    return {
        tuple(sorted((label, value) for label, value in series.labels.items() if label != "__name__")): [
            point for point in series.points if point[0] % INTERVAL == 0
        ]
        for series in several
    }


def _first(one: Points, other: Points) -> str:
    """The first points that are not the same."""
    pairs = ((mine, its) for mine, its in zip(one, other, strict=False) if not _same([mine], [its]))
    return f"{next(pairs, 'more or fewer points')}"


def _same(one: Points, other: Points) -> bool:
    return [time for time, _ in one] == [time for time, _ in other] and all(
        math.isclose(mine, its, rel_tol=1e-9, abs_tol=1e-9) for (_, mine), (_, its) in zip(one, other, strict=True)
    )

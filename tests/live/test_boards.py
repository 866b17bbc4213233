"""Every board on every fleet: nothing fails, and the planted facts come out as worked out by hand.

The fleets are in fleets.py, what is planted in tests/scrapes/README.md, the answers in known_answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from urllib.parse import urlsplit

import pytest

from builder.testing import DashboardResult, Prometheus
from builder.testing.figures import figures
from tests.live.fleet import CHANGE
from tests.live.fleets import FLEETS
from tests.live.known_answers import KNOWN
from tests.live.opened import BOARDS, boards_of, by_name, open_board, wrong
from tests.live.running import address_of

pytestmark = pytest.mark.live

Opened = Callable[..., DashboardResult]


@pytest.fixture(scope="session")
def opened(prometheus_of: Callable[[str], Prometheus]) -> Opened:
    """Opens a board on a fleet by its address."""

    @cache
    def open_it(fleet: str, address: str, **times: float) -> DashboardResult:
        url = address_of(fleet) or prometheus_of(fleet).url
        return open_board(boards_of(FLEETS[fleet])[0], address, url, **times)

    return open_it


def shown(fleet: str, result: DashboardResult) -> dict[str, dict[str, float]]:
    return by_name(figures(boards_of(FLEETS[fleet])[0][result.uid], result))


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("fleet", FLEETS)
def test_every_query_is_answered(fleet: str, board: str, opened: Opened) -> None:
    assert opened(fleet, board).problems() == ()


ADDRESSES = [(fleet, address) for fleet, boards in KNOWN.items() for address in boards]


@pytest.mark.parametrize(("fleet", "address"), ADDRESSES, ids=lambda part: part)
def test_known_answers(fleet: str, address: str, opened: Opened) -> None:
    result = opened(fleet, address)
    assert result.problems() == ()
    assert wrong(shown(fleet, result), KNOWN[fleet][address]) == {}


@pytest.mark.parametrize("fleet", KNOWN)
def test_what_drops_out_is_noted(fleet: str) -> None:
    boards, notes = boards_of(FLEETS[fleet])
    noted = {(note.board, note.panel) for note in notes}
    for address, panels in KNOWN[fleet].items():
        board = urlsplit(address).path
        for name in (name for name, expected in panels.items() if expected is None):
            title = name.partition(" | ")[0].partition(" (")[0]
            assert (board, title) in noted, f"{board}: {name} is gone without a word"
    assert set(boards) == set(BOARDS)


# what may be empty -----------------------------------------------------------------------------

EMPTY = {
    ("gpu-fleet", "Nodes | Lost"): "only a card that is gone fills it: see dcgm-lost-card",
    ("gpu-node", "Lost cards by name | Lost"): "as above",
    ("gpu-health", "Lost cards by name | Lost"): "as above",
}
"""What the default profile shows on no fleet whose cards are all there, and why."""

FULL = {
    "dcgm": BOARDS,
    "dcgm-extended": ("gpu-fleet", "gpu-node?var-node=gpu-node-02", "gpu-detail?var-node=gpu-node-02", "gpu-thermal"),
    "dcgm-health": ("gpu-health",),
    "dcgm-training": ("gpu-training",),
    "dcgm-vgpu-training": ("gpu-memory",),
}
_OF_ONE_CARD = re.compile(r"(?<=^GPU )\d+(?=:)| \(\d+\)$")


def test_no_panel_of_the_default_profile_stays_empty(opened: Opened) -> None:
    filled: set[tuple[str, str]] = set()
    empty: set[tuple[str, str]] = set()
    for fleet, addresses in FULL.items():
        for address in addresses:
            result = opened(fleet, address)
            for name, values in shown(fleet, result).items():
                (filled if values else empty).add((result.uid, _OF_ONE_CARD.sub("", name)))
    assert empty - filled == set(EMPTY)


def test_the_lost_card_fills_the_rest(opened: Opened) -> None:
    for board, name in EMPTY:
        assert shown("dcgm-lost-card", opened("dcgm-lost-card", board))[name], board


# one level down --------------------------------------------------------------------------------

OPTIONS: Mapping[tuple[str, str], Mapping[str, tuple[str, ...]]] = {
    ("dcgm", "gpu-node"): {
        "node": ("gpu-node-01", "gpu-node-02"),
        "gpu_id": ("0", "1"),
        "namespace": ("ml",),  # neither research, which is on the other node, nor the exporter's own
        "pod": ("resnet50-worker-0",),
    },
    ("dcgm", "gpu-node?var-node=gpu-node-02"): {
        "namespace": ("ml", "research"),
        "pod": ("notebook-0", "resnet50-worker-1"),
    },
    ("dcgm", "gpu-node?var-node=gpu-node-02&var-gpu_id=0"): {"namespace": ("research",), "pod": ("notebook-0",)},
    ("dcgm", "gpu-node?var-node=gpu-node-02&var-namespace=ml"): {"pod": ("resnet50-worker-1",)},
    ("dcgm-honor-labels", "gpu-node"): {"namespace": ("ml",), "pod": ("resnet50-worker-0",)},
    ("dcgm-a", "gpu-node"): {"namespace": ("ml",), "pod": ("resnet50-worker-0",)},
    ("dcgm-old-namespace", "gpu-node"): {"node": ("gpu-node-05",), "namespace": ("ml",), "pod": ("gpt-0",)},
    ("dcgm-b-and-c", "gpu-node"): {"node": ("gpu-node-01", "gpu-node-02")},
    ("dcgm-baremetal", "gpu-node"): {"node": ("gpu-node-04",), "gpu_id": ("0", "1"), "namespace": (), "pod": ()},
    ("dcgm-mig", "gpu-node?var-gpu_id=0"): {"gpu_id": ("0", "1"), "pod": ("infer-a", "infer-b")},
    # Gone half an hour ago, and still to be found in the time range shown.
    ("dcgm-pod-churn", "gpu-node"): {"pod": ("bert-7", "resnet50-worker-0")},
    ("dcgm-lost-card", "gpu-node"): {"gpu_id": ("0", "1")},
    ("nvidia-smi", "gpu-node"): {"node": ("gpu-node-11", "gpu-node-12"), "gpu_id": ("0", "1")},
    ("nvidia-smi-old", "gpu-node"): {
        "gpu_id": ("13131313-0000-4000-8000-000000000000", "13131313-0000-4000-8000-000000000001")
    },
    ("nv-gpu", "gpu-node"): {"node": ("gpu-node-16",), "gpu_id": ("0", "1")},
    ("nvidia-gpu", "gpu-node"): {"node": ("gpu-node-17",), "gpu_id": ("0", "1")},
}


@pytest.mark.parametrize(("fleet", "address"), OPTIONS, ids=lambda part: part)
def test_variables_offer_what_is_there(fleet: str, address: str, opened: Opened) -> None:
    variables = opened(fleet, address).variables
    expected = OPTIONS[fleet, address]
    assert {name: variables[name].options for name in expected} == expected


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(
    ("fleet", "node", "gpu"),
    [("dcgm-extended", "gpu-node-02", "1"), ("dcgm-b-and-c", "gpu-node-02", "1"), ("nvidia-smi", "gpu-node-12", "0")],
)
def test_a_choice_narrows_every_panel(fleet: str, node: str, gpu: str, board: str, opened: Opened) -> None:
    by_card = board not in ("gpu-fleet", "gpu-training")
    chosen = {"node": node, "gpu": gpu} if by_card else {"node": node}
    result = opened(fleet, f"{board}?var-node={node}{f'&var-gpu_id={gpu}' if by_card else ''}")
    assert result.problems() == ()
    assert any(panel.series for panel in result.panels)
    for panel in result.panels:
        for series in panel.series:
            for label, value in chosen.items():
                assert series.labels.get(label, value) == value, f"{panel.title}: {dict(series.labels)}"


@pytest.mark.parametrize("board", ["gpu-node", "gpu-detail"])
def test_a_board_of_one_node_asks_for_exactly_that(board: str, opened: Opened) -> None:
    """A name is no pattern: node.1 is not nodeX1."""
    asked = [target.expr for panel in opened("dcgm", board).panels for target in panel.targets]
    assert any('Hostname="gpu-node-01"' in expr for expr in asked)
    assert [expr for expr in asked if "Hostname=~" in expr] == []


def test_the_card_board_repeats_for_each_card(opened: Opened) -> None:
    one, both = (opened("dcgm", f"gpu-detail?var-gpu_id={query}") for query in ("1", "0&var-gpu_id=1"))
    assert {panel.scope.get("gpu_id") for panel in one.panels} == {"1", None}
    assert {panel.scope.get("gpu_id") for panel in both.panels} == {"0", "1", None}
    for panel in both.panels:
        if panel.scope:
            assert {series.labels["gpu"] for series in panel.series} <= {panel.scope["gpu_id"]}, panel.title


def test_logs_are_those_of_the_chosen_pods(opened: Opened) -> None:
    logs = opened("dcgm", "gpu-node?var-namespace=ml&var-pod=resnet50-worker-0").panel("Logs").not_run
    assert [query.expr for query in logs] == ['{namespace=~"ml",pod=~"resnet50-worker-0"}']


# when an exporter dies -------------------------------------------------------------------------

_NOW = ("stat", "gauge", "bargauge", "table")
_OF_THE_RANGE = {"Energy in this time range"}
_STILL_KNOWN = {
    "gpu-health": {"Silent nodes": {"": 1}, "Silent nodes by name | Silent": {"gpu-node-02": 1}},
}


@pytest.mark.parametrize("board", BOARDS)
def test_no_panel_of_now_shows_a_dead_value(board: str, opened: Opened) -> None:
    """Fifty-five minutes after the only exporter fell silent, within the hour that is shown."""
    result = opened("dcgm-silent", board)
    of_now = {panel.title for panel in result.panels if panel.type in _NOW} - _OF_THE_RANGE
    found = {name: values for name, values in shown("dcgm-silent", result).items() if _panel(name) in of_now}
    assert found
    # An empty distribution has its bands all the same.
    left = {name: {series: value for series, value in values.items() if value} for name, values in found.items()}
    assert {name: values for name, values in left.items() if values} == _STILL_KNOWN.get(board, {})


def _panel(name: str) -> str:
    return _OF_ONE_CARD.sub("", name.partition(" | ")[0])


# when pods come and go -------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [0, 30, 150, 330])
def test_a_change_of_pods_counts_no_card_twice(seconds: float, opened: Opened) -> None:
    """For five minutes after the change both pods' series answer."""
    result = opened("dcgm-pod-churn", "gpu-fleet", at=CHANGE + seconds, range_seconds=1200)
    found = shown("dcgm-pod-churn", result)
    assert found["Cards"] == {"": 2}
    assert found["Power"] == pytest.approx({"": 714.877, "All cards": 714.877})
    assert found["Namespaces | Cards held"] == {"ml": 1}

"""Which alerts mark the graphs of each board, for what is chosen on it: worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from builder.testing import Prometheus, history, static_target
from builder.testing.exposition import format_labels
from tests.live.fleets import FLEETS
from tests.live.opened import BOARDS, boards_of, open_board

pytestmark = pytest.mark.live


def alerts(name: str, scope: str, severity: str, state: str = "firing", **labels: str) -> str:
    told = {"alertname": name, "alertstate": state, "scope": scope, "severity": severity, "stage": "full", **labels}
    return f"ALERTS{format_labels(told)} 1\n"


FIRING = "".join(
    (
        alerts("Lost", "card", "critical", node="gpu-node-01", gpu="0", uuid="GPU-1"),
        alerts("Warm", "card", "warning", node="gpu-node-01", gpu="1", uuid="GPU-2"),
        alerts("Notice", "card", "info", node="gpu-node-02", gpu="1", uuid="GPU-3"),
        alerts("NotYet", "card", "critical", state="pending", node="gpu-node-01", gpu="0", uuid="GPU-1"),
        alerts("Down", "node", "critical", node="gpu-node-02"),
        alerts("Hung", "job", "critical", namespace="ml", training_job="resnet50"),
        alerts("Slow", "job", "warning", namespace="ml", training_job="resnet50", rank="1"),
        # Somebody else's alert about the same card.
        'ALERTS{alertname="Theirs",alertstate="firing",severity="critical",node="gpu-node-01",gpu="0"} 1\n',
    )
)
CARDS = {"Critical alerts": ["Down", "Lost"], "Other alerts": ["Notice", "Warm"]}
ALL = {"Critical alerts": ["Down", "Hung", "Lost"], "Other alerts": ["Notice", "Slow", "Warm"]}

MARKED: dict[str, dict[str, list[str]]] = {
    "gpu-fleet": ALL,
    "gpu-fleet?var-node=gpu-node-01": {"Critical alerts": ["Hung", "Lost"], "Other alerts": ["Slow", "Warm"]},
    "gpu-training": ALL,
    "gpu-health": CARDS,
    "gpu-memory": CARDS,
    "gpu-thermal": CARDS,
    "gpu-health?var-gpu_id=1": {"Critical alerts": ["Down"], "Other alerts": ["Notice", "Warm"]},
    "gpu-node": {"Critical alerts": ["Lost"], "Other alerts": ["Warm"]},  # the first node, as none is chosen
    "gpu-node?var-node=gpu-node-02": {"Critical alerts": ["Down"], "Other alerts": ["Notice"]},
    "gpu-detail?var-gpu_id=0": {"Critical alerts": ["Lost"], "Other alerts": []},
    "gpu-detail?var-node=gpu-node-02&var-gpu_id=0": {"Critical alerts": ["Down"], "Other alerts": []},
    "gpu-health?var-cluster=west": {"Critical alerts": [], "Other alerts": []},
}


@pytest.fixture(scope="module")
def prometheus() -> Iterator[Prometheus]:
    targets = (*FLEETS["dcgm"].targets, static_target(FIRING, job="rules", instance="prometheus:9090"))
    with Prometheus(history=history(targets)) as server:
        yield server


def test_every_board_marks_alerts() -> None:
    assert {address.partition("?")[0] for address in MARKED} == set(BOARDS)


@pytest.mark.parametrize("address", MARKED)
def test_what_is_chosen_is_marked(address: str, prometheus: Prometheus) -> None:
    result = open_board(boards_of(FLEETS["dcgm"])[0], address, prometheus.url)
    assert result.problems() == ()
    shown = {each.ref_id: sorted(series.legend for series in each.series) for each in result.annotations}
    assert shown == MARKED[address]

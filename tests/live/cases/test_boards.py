"""Every board on every cluster, in a real Prometheus: each panel shows what is true, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from builder.testing import Prometheus
from tests.live.cases import planted
from tests.live.cases.opened import OF_ONE_NODE, Panels, differences, expected, shown
from tests.live.cases.readings import READINGS
from tests.live.cases.signs import SIGNS, TOLERANCE
from tests.live.running import address_of

pytestmark = pytest.mark.live

CASES = [(exporter, cluster) for exporter in planted.EXPORTERS for cluster in planted.clusters(exporter)]


@pytest.fixture(scope="module")
def url_of() -> Iterator[Callable[[str], str]]:
    """The address of the Prometheus that holds all clusters as one exporter tells of them."""
    running: dict[str, str] = {}
    with ExitStack() as stack:

        def start(exporter: str) -> str:
            if exporter not in running:
                known = address_of(f"cases/{exporter}")
                running[exporter] = known or stack.enter_context(Prometheus(history=planted.scraped(exporter))).url
            return running[exporter]

        yield start


@pytest.mark.parametrize(("exporter", "cluster"), CASES)
def test_every_panel_shows_what_is_true(exporter: str, cluster: str, url_of: Callable[[str], str]) -> None:
    for board in READINGS:
        for node in nodes(cluster, board):
            found = shown(url_of(exporter), exporter, cluster, board, node)
            wanted = expected(exporter, cluster, board, node)
            assert found.keys() - wanted.keys() == set(), f"{board} has panels that readings do not know"
            assert differences(found, wanted) == {}, f"{board} {node}"
            assert not_as_worked_out(found, cluster, board) == []


@pytest.mark.parametrize(("cluster", "gpu"), [("throttle", "1"), ("throttle", "0"), ("lost", "1")])
@pytest.mark.parametrize("exporter", planted.EXPORTERS)
def test_a_choice_of_one_card_shows_that_card(
    exporter: str, cluster: str, gpu: str, url_of: Callable[[str], str]
) -> None:
    """What is missing on a node is so whichever card is chosen, and all else is that card's alone."""
    for board in ("gpu-node", "gpu-memory", "gpu-thermal", "gpu-health"):
        found = shown(url_of(exporter), exporter, cluster, board, "node-0", gpu)
        assert differences(found, expected(exporter, cluster, board, "node-0", gpu)) == {}, board


@pytest.mark.parametrize("exporter", planted.EXPORTERS)
def test_a_choice_of_one_node_shows_that_node(exporter: str, url_of: Callable[[str], str]) -> None:
    for board in ("gpu-fleet", "gpu-memory", "gpu-thermal", "gpu-health"):
        for node in ("node-0", "node-2"):
            found = shown(url_of(exporter), exporter, "throttle", board, node)
            assert differences(found, expected(exporter, "throttle", board, node)) == {}, board


def nodes(cluster: str, board: str) -> tuple[str, ...]:
    """A board of one node is opened on the one that is struck; where none is, on each."""
    if board not in OF_ONE_NODE:
        return ("",)
    struck, _ = planted.place(cluster)
    return (struck,) if struck else ("node-0", "node-1", "node-2")


def not_as_worked_out(found: Panels, cluster: str, board: str) -> list[str]:
    """The signs of the fault that a board shows otherwise; what an exporter does not say is not there at all."""
    wrong = []
    for name, signs in SIGNS.get(cluster, {}).items():
        of, _, panel = name.partition(": ")
        for series, value in signs.items() if of == board else ():
            seen = found.get(panel, {}).get(series)
            gone = math.isnan(value)
            if seen is not None and (gone or not math.isclose(seen, value, rel_tol=TOLERANCE)):
                wrong.append(f"{name}: {series} is {seen}, not {value}")
    return wrong

"""The table of signs is true of the fleets, complete, and able to fail: before any board is asked."""

from __future__ import annotations

import math
import re

import pytest

from builder.simulate import KINDS, fault
from tests.live.cases import planted
from tests.live.cases.moment import Shown
from tests.live.cases.opened import OF_ONE_NODE, Panels, close, expected, same
from tests.live.cases.readings import READINGS
from tests.live.cases.signs import GONE, SIGNS, TOLERANCE

CASES = [(e, c) for e in planted.EXPORTERS for c in planted.clusters(e) if c in planted.PLANTED]
each_case = pytest.mark.parametrize(("exporter", "cluster"), CASES)


def panels(exporter: str, cluster: str, board: str, *, struck: bool = True) -> Panels:
    node = planted.place(cluster)[0] if board in OF_ONE_NODE else ""
    return expected(exporter, cluster, board, node, struck=struck)


def before_and_after(exporter: str, cluster: str, board: str) -> tuple[Panels, Panels]:
    """What a board must show without the fault, and with it."""
    return panels(exporter, cluster, board, struck=False), panels(exporter, cluster, board)


def signs_of(exporter: str, cluster: str) -> dict[tuple[str, str], Shown]:
    """The signs that this exporter can show: those whose panel shows anything, now or on a healthy fleet."""
    found = {}
    for name, signs in SIGNS[cluster].items():
        board, _, panel = name.partition(": ")
        before, now = (shown.get(panel, {}) for shown in before_and_after(exporter, cluster, board))
        if (now or before) and any(series in {**now, **before} for series in signs):
            found[board, panel] = {s: v for s, v in signs.items() if s in {**now, **before}}
    return found


def test_every_kind_of_fault_is_planted_and_has_its_signs() -> None:
    assert {fault(text).kind for text in planted.PLANTED.values()} == set(KINDS)
    assert list(SIGNS) == list(planted.PLANTED)


@each_case
def test_the_planted_card_is_what_the_table_says(exporter: str, cluster: str) -> None:
    for (board, panel), signs in signs_of(exporter, cluster).items():
        now = panels(exporter, cluster, board)[panel]
        for series, value in signs.items():
            if math.isnan(value):
                assert series not in now, (board, panel)
            else:
                assert now[series] == pytest.approx(value, rel=TOLERANCE), (board, panel)


@each_case
def test_it_is_not_so_on_a_healthy_fleet(exporter: str, cluster: str) -> None:
    for (board, panel), signs in signs_of(exporter, cluster).items():
        healthy, now = (shown[panel] for shown in before_and_after(exporter, cluster, board))
        for series in signs:
            assert (series in now) != (series in healthy) or not close(now[series], healthy[series]), (board, panel)


@each_case
def test_no_other_card_and_no_other_node_changes(exporter: str, cluster: str) -> None:
    node, gpu = planted.place(cluster)
    for board in READINGS:
        healthy, now = before_and_after(exporter, cluster, board)
        for panel in now.keys() | healthy.keys():
            for series in changed(now.get(panel, {}), healthy.get(panel, {})):
                told = re.search(r"(node-\d+)(?: gpu (\d+))?", series)
                if told and not (cluster in _TO_ALL and panel.startswith("Pods on nodes in trouble")):
                    assert told[1] == node, (board, panel, series)
                    assert told[2] in (None, gpu) or not gpu, (board, panel, series)


_TO_ALL = ("hot", "throttle", "ecc-uncorrected")
"""All pods on a node in trouble are listed."""


def changed(one: Shown, other: Shown) -> set[str]:
    both = one.keys() & other.keys()
    return (one.keys() ^ other.keys()) | {name for name in both if not close(one[name], other[name])}


@each_case
def test_each_fault_has_a_sign(exporter: str, cluster: str) -> None:
    assert signs_of(exporter, cluster) or not SIGNS[cluster]


@pytest.mark.parametrize("exporter", planted.UNSEEN)
def test_what_an_exporter_cannot_show_has_none(exporter: str) -> None:
    """So that a fault comes off the list once an exporter tells of it; only dcgm-exporter can be struck by some."""
    for cluster in planted.UNSEEN[exporter]:
        if not KINDS[fault(planted.PLANTED[cluster]).kind].dcgm_only:
            assert signs_of(exporter, cluster) == {}, cluster


def test_what_has_no_signs_changes_nothing() -> None:
    for cluster in (name for name, signs in SIGNS.items() if not signs):
        for board in READINGS:
            healthy, now = before_and_after("dcgm", cluster, board)
            assert now.keys() == healthy.keys()
            assert [panel for panel in now if not same(now[panel], healthy[panel])] == []


def test_gone_is_no_number() -> None:
    assert math.isnan(GONE)

"""What boards show, in words and units: no server is needed."""

from __future__ import annotations

from typing import Any

import pytest

from builder.testing import DashboardResult, PanelResult, Series, TargetResult
from builder.testing.figures import figures, series_name
from builder.testing.quantity import quantity


def _result(*panels: PanelResult) -> DashboardResult:
    return DashboardResult("A board", "a-board", {}, panels)


def _panel(title: str, kind: str, *series: Series, **scope: str) -> PanelResult:
    return PanelResult(1, title, kind, "", scope, (TargetResult("A", "up", False, 15.0, False, series),))


def _series(value: float, legend: str = "", **labels: str) -> Series:
    return Series(labels, ((0.0, 0.0), (15.0, value)), legend)


@pytest.mark.parametrize(
    ("labels", "name"),
    [
        ({}, ""),
        ({"node": "n1"}, "n1"),
        ({"node": "n1", "gpu": "0", "uuid": "GPU-1"}, "n1 gpu 0"),
        ({"node": "n1", "uuid": "GPU-1"}, "n1 gpu GPU-1"),
        ({"node": "n1", "gpu": "0", "mig": "mig-2", "namespace": "ml", "pod": "p"}, "ml/p on n1 gpu 0 mig-2"),
        ({"namespace": "ml"}, "ml"),
        ({"namespace": "ml", "training_job": "bert"}, "ml/bert"),
        ({"namespace": "ml", "training_job": "bert", "pod": "bert-3", "rank": "3"}, "ml/bert-3 rank 3"),
        ({"node": "n1", "gpu": "0", "xid": "79"}, "n1 gpu 0: XID 79"),
        ({"metric": "DCGM_FI_DEV_FB_USED"}, "DCGM_FI_DEV_FB_USED"),
    ],
)
def test_labels_in_words(labels: dict[str, str], name: str) -> None:
    assert series_name(labels) == name


def test_the_legend_names_a_series_and_the_last_value_counts() -> None:
    model = {"panels": [{"id": 1, "fieldConfig": {"defaults": {"unit": "watt"}}, "targets": [_target("{{node}}")]}]}
    (figure,) = figures(model, _result(_panel("Power", "timeseries", _series(5.0, legend="n1 ", node="n1"))))
    assert (figure.board, figure.name, figure.unit, figure.values) == ("a-board", "Power", "watt", {"n1": 5.0})


@pytest.mark.parametrize(("kind", "shown"), [("timeseries", {"alive": 1.0}), ("stat", {"alive": 1.0, "dead": 2.0})])
def test_a_line_that_has_ended_has_no_value_and_a_number_is_the_last_there_was(
    kind: str, shown: dict[str, float]
) -> None:
    """Grafana shows the last value of a range that is not null, however old; in a graph one sees where it ends."""
    alive = Series({}, ((0.0, 3.0), (3600.0, 1.0)), "alive")
    dead = Series({}, ((0.0, 3.0), (3299.0, 2.0)), "dead")
    target = TargetResult("A", "up", False, 15.0, False, (alive, dead), end=3600.0)
    model = {"panels": [{"id": 1, "targets": [_target("{{x}}")]}]}
    (figure,) = figures(model, _result(PanelResult(1, "Power", kind, "", {}, (target,))))
    assert figure.values == shown


def test_what_a_reader_cannot_tell_apart_is_numbered() -> None:
    model = {"panels": [{"id": 1, "targets": [_target("gpu")]}]}
    found = _panel("Power", "timeseries", _series(1.0, "gpu", uuid="a"), _series(2.0, "gpu", uuid="b"))
    assert figures(model, _result(found))[0].values == {"gpu": 1.0, "gpu (2)": 2.0}


def test_a_column_has_its_own_unit() -> None:
    organize = {"id": "organize", "options": {"renameByName": {"Value #A": "Memory"}}}
    override = {"matcher": {"id": "byName", "options": "Memory"}, "properties": [{"id": "unit", "value": "bytes"}]}
    model = {"panels": [{"id": 1, "transformations": [organize], "fieldConfig": {"overrides": [override]}}]}
    (figure,) = figures(model, _result(_panel("Cards", "table", _series(1.0, node="n1", gpu="0"))))
    assert (figure.name, figure.unit, figure.values) == ("Cards | Memory", "bytes", {"n1 gpu 0": 1.0})


@pytest.mark.parametrize(
    ("title", "name"), [("GPU $gpu_id: clocks", "GPU 3: clocks"), ("GPU ${gpu_id}", "GPU 3"), ("XID", "XID (3)")]
)
def test_copies_of_a_repeated_panel_have_names_of_their_own(title: str, name: str) -> None:
    model = {"panels": [{"id": 2, "type": "row", "panels": [{"id": 1, "targets": [_target("")]}]}]}
    (figure,) = figures(model, _result(_panel(title, "stat", _series(1.0), gpu_id="3")))
    assert figure.name == name


def _target(legend: str) -> dict[str, Any]:
    return {"refId": "A", "legendFormat": legend}


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.86853, "percentunit", "86.9 %"),
        (58.0, "celsius", "58 °C"),
        (70837 * 1024**2, "bytes", "69.18 GiB"),
        (-8 * 1024**3, "bytes", "-8 GiB"),
        (0.0, "bytes", "0 B"),
        (642.713, "watt", "642.7 W"),
        (5_521_057.2, "joule", "5.521 MJ"),
        (1533.6, "watth", "1.534 kWh"),
        (1.98e9, "hertz", "1.98 GHz"),
        (203_864e6, "Bps", "203.9 GB/s"),
        (4.0, "none", "4"),
        (1.0, "", "1"),
    ],
)
def test_numbers_with_units(value: float, unit: str, text: str) -> None:
    assert quantity(value, unit) == text

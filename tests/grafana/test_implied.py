"""What Grafana assumes by itself is left out of stock panels; what somebody chose stays."""

from __future__ import annotations

from typing import Any

import pytest
from grafanalib import core as G  # noqa: N812

from builder.grafana.normalise import clean_panel


@pytest.mark.parametrize("panel", [G.TimeSeries(title="x"), G.Table(title="x")], ids=["timeseries", "table"])
def test_nothing_is_said_where_nothing_was_chosen(panel: Any) -> None:
    defaults = clean_panel(panel)["fieldConfig"]["defaults"]
    assert "custom" not in defaults
    assert defaults.get("color", {}).get("mode") in (None, "palette-classic")


@pytest.mark.parametrize(
    ("given", "key", "written"),
    [
        ({"lineWidth": 2}, "lineWidth", 2),
        ({"fillOpacity": 10}, "fillOpacity", 10),
        ({"spanNulls": True}, "spanNulls", True),
        ({"showPoints": "never"}, "showPoints", "never"),
        ({"thresholdsStyleMode": "area"}, "thresholdsStyle", {"mode": "area"}),
        ({"stacking": {"mode": "normal", "group": "A"}}, "stacking", {"mode": "normal", "group": "A"}),
        ({"scaleDistributionType": "log"}, "scaleDistribution", {"type": "log", "log": 2}),
        ({"barAlignment": 1}, "barAlignment", 1),
    ],
)
def test_what_was_chosen_stays(given: dict[str, Any], key: str, written: Any) -> None:
    custom = clean_panel(G.TimeSeries(title="x", **given))["fieldConfig"]["defaults"]["custom"]
    assert custom == {key: written}


def test_of_single_values_the_reduction_stays() -> None:
    options = clean_panel(G.Stat(title="x", reduceCalc="max", textMode="name"))["options"]
    assert options == {
        "colorMode": "value",
        "graphMode": "area",
        "reduceOptions": {"calcs": ["max"]},
        "textMode": "name",
    }


def test_the_panel_that_was_given_is_not_changed() -> None:
    extra = {"fieldConfig": {"defaults": {"custom": {"axisWidth": None, "lineWidth": 1}, "unit": "bytes"}}}
    panel = G.TimeSeries(title="x", extraJson=extra)
    once = clean_panel(panel)
    assert extra == {"fieldConfig": {"defaults": {"custom": {"axisWidth": None, "lineWidth": 1}, "unit": "bytes"}}}
    assert clean_panel(panel) == once

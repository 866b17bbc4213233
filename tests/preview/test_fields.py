"""Defaults, overrides, thresholds and mappings decide together how a value looks."""

from __future__ import annotations

import math
from typing import Any

import pytest

from builder.preview.fields import Field, field_of

STEPS = {"mode": "absolute", "steps": [{"color": "blue", "value": None}, {"color": "#f00", "value": 80}]}
BLUE, RED = "#5794F2", "#FF0000"


def panel(*overrides: tuple[dict[str, Any], str, Any], **defaults: Any) -> dict[str, Any]:
    listed = [{"matcher": m, "properties": [{"id": name, "value": value}]} for m, name, value in overrides]
    return {"fieldConfig": {"defaults": defaults, "overrides": listed}}


@pytest.mark.parametrize(
    ("matcher", "fits"),
    [
        ({"id": "byName", "options": "Core"}, True),
        ({"id": "byName", "options": "core"}, False),
        ({"id": "byNames", "options": {"mode": "include", "names": ["Core"]}}, True),
        ({"id": "byNames", "options": {"mode": "exclude", "names": ["Core"]}}, False),
        ({"id": "byRegexp", "options": "/^co/i"}, True),
        ({"id": "byRegexp", "options": "Co"}, False),
        ({"id": "byRegexp", "options": "/(/"}, False),
        ({"id": "byType", "options": "number"}, True),
        ({"id": "byFrameRefID", "options": "A"}, True),
        ({"id": "byFrameRefID", "options": "B"}, False),
        ({"id": "somethingNew", "options": "Core"}, False),
    ],
)
def test_an_override_fits_by_its_matcher(matcher: dict[str, Any], fits: bool) -> None:
    found = field_of(panel((matcher, "unit", "watt"), unit="celsius"), "Core", ref_id="A")
    assert found.unit == ("watt" if fits else "celsius")


def test_the_last_override_wins_and_custom_settings_go_their_own_way() -> None:
    by_name = {"id": "byName", "options": "Core"}
    given = panel((by_name, "custom.axisPlacement", "right"), (by_name, "unit", "watt"), (by_name, "unit", "hertz"))
    found = field_of(given, "Core")
    assert (found.unit, found.custom["axisPlacement"]) == ("hertz", "right")


def test_a_value_takes_the_colour_of_the_highest_threshold_it_reaches() -> None:
    found = field_of(panel(thresholds=STEPS), "")
    assert [found.paint(value) for value in (79.9, 80, 1000)] == [BLUE, RED, RED]
    assert found.paint(math.nan) == found.paint(None) == BLUE


def test_thresholds_in_percent_count_from_minimum_to_maximum() -> None:
    found = field_of(panel(thresholds={**STEPS, "mode": "percentage"}, min=0, max=10), "")
    assert (found.paint(7.9), found.paint(8)) == (BLUE, RED)


def test_colours_are_fixed_or_follow_the_series_number() -> None:
    assert Field(colour={"mode": "fixed", "fixedColor": "#0072B2"}).paint(1) == "#0072B2"
    assert Field(colour={"mode": "palette-classic"}).paint(1, 0) == "#73BF69"
    assert Field(colour={"mode": "palette-classic"}).paint(1, 24) == "#73BF69"
    assert Field(colour={"mode": "continuous-GrYlRd"}, min=0, max=1).paint(1) == "#F2495C"


MAPPINGS = [
    {"type": "value", "options": {"0": {"text": "no", "color": "blue"}, "1.5": {"text": "half"}}},
    {"type": "range", "options": {"from": 10, "to": None, "result": {"text": "many"}}},
    {"type": "regex", "options": {"pattern": "/^gpu-(\\d+)$/", "result": {"text": "card $1"}}},
    {"type": "special", "options": {"match": "null+nan", "result": {"text": "nothing", "color": "#f00"}}},
]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "no"), (1.5, "half"), (12.0, "many"), (5.0, "5"), ("gpu-3", "card 3"), ("x", "x"), (None, "nothing")],
)
def test_a_mapping_names_a_value(value: float | str | None, text: str) -> None:
    assert field_of(panel(mappings=MAPPINGS), "").text(value) == text


def test_a_mapping_colours_a_value() -> None:
    found = field_of(panel(mappings=MAPPINGS, thresholds=STEPS), "")
    assert (found.paint(0.0), found.paint(math.nan), found.paint(90.0)) == (BLUE, RED, RED)

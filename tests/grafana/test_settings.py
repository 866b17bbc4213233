"""Thresholds, mappings, overrides, transformations, cells, names, style."""

from __future__ import annotations

import pytest

from builder.catalog.model import Unit
from builder.errors import DefinitionError, UnknownName
from builder.grafana import style
from builder.grafana.cells import gauge_bar
from builder.grafana.mappings import mappings_json, range_map, special_map, value_map
from builder.grafana.names import check_colour, check_reducer, check_unit, check_variable_name
from builder.grafana.overrides import by_name, by_type
from builder.grafana.thresholds import thresholds
from builder.grafana.transforms import (
    calculate_field,
    filter_by_value,
    join_by_field,
    limit,
    organize,
    reduce,
)


def test_thresholds_start_at_minus_infinity() -> None:
    assert thresholds("green", (0.8, "red")).to_json_data() == {
        "mode": "absolute",
        "steps": [{"color": "green", "value": None}, {"color": "red", "value": 0.8}],
    }


def test_thresholds_ascend() -> None:
    with pytest.raises(DefinitionError, match="ascend"):
        thresholds("green", (0.9, "red"), (0.8, "orange"))
    with pytest.raises(UnknownName, match="colour"):
        thresholds("gren")


def test_mappings_are_numbered_through() -> None:
    data = mappings_json([value_map({0: "off", True: ("on", "green")}), range_map(None, 5, "low")])
    assert data == [
        {
            "type": "value",
            "options": {
                "0": {"index": 0, "text": "off"},
                "true": {"index": 1, "text": "on", "color": "green"},
            },
        },
        {"type": "range", "options": {"from": None, "to": 5, "result": {"index": 2, "text": "low"}}},
    ]
    with pytest.raises(UnknownName):
        special_map("nothing", "x")


def test_an_override_sets_what_it_says() -> None:
    override = by_name("heat", unit="celsius", right_axis=True, color="palette-classic", raw={"custom.pointSize": 3})
    assert override.to_json_data() == {
        "matcher": {"id": "byName", "options": "heat"},
        "properties": [
            {"id": "unit", "value": "celsius"},
            {"id": "custom.axisPlacement", "value": "right"},
            {"id": "color", "value": {"mode": "palette-classic"}},
            {"id": "custom.pointSize", "value": 3},
        ],
    }


def test_wrong_overrides_are_refused() -> None:
    with pytest.raises(DefinitionError) as caught:
        by_name("heat", colour="red")  # type: ignore[call-arg]
    assert "color" in caught.value.fix
    with pytest.raises(UnknownName, match="unit"):
        by_name("heat", unit="celsiuss")
    with pytest.raises(UnknownName, match="draw_style"):
        by_name("heat", draw_style="bar")  # type: ignore[arg-type]
    with pytest.raises(DefinitionError, match="sets nothing"):
        by_name("heat")
    with pytest.raises(UnknownName):
        by_type("numbers", unit="s")  # type: ignore[arg-type]


def test_transformations() -> None:
    assert organize(order=["b", "a"], rename={"a": "A"}, hide=["Time"]) == {
        "id": "organize",
        "options": {
            "excludeByName": {"Time": True},
            "indexByName": {"b": 0, "a": 1},
            "renameByName": {"a": "A"},
        },
    }
    for wrong in (
        lambda: join_by_field("node", "left"),  # type: ignore[arg-type]
        lambda: filter_by_value("x", "bigger", 1),
        lambda: filter_by_value("x", "greater"),
        lambda: reduce("biggest"),
        lambda: limit(0),
        lambda: calculate_field("x", left="a"),
        lambda: gauge_bar("round"),  # type: ignore[arg-type]
    ):
        with pytest.raises(DefinitionError):
            wrong()


@pytest.mark.parametrize("unit", ["percentunit", "bytes", "celsius", "watt", "hertz", "joule", "s", "Bps", "suffix: x"])
def test_units_that_exist(unit: str) -> None:
    check_unit(unit)


@pytest.mark.parametrize(
    "colour", ["green", "semi-dark-orange", "#a0B", "#12345678", "rgb(1,2,3)", "rgba(1, 2, 3, 0.5)"]
)
def test_colours_that_exist(colour: str) -> None:
    check_colour(colour)


def test_names_that_do_not_exist() -> None:
    for check, name in (
        (check_unit, "percents"),
        (check_unit, None),
        (check_colour, "dark"),
        (check_colour, "#12"),
        (check_colour, "rgb(1,2)"),
        (check_reducer, "average"),
        (check_variable_name, "__from"),
        (check_variable_name, "a-b"),
        (check_variable_name, "1a"),
    ):
        with pytest.raises(DefinitionError):
            check(name)


@pytest.mark.parametrize("unit", list(Unit))
def test_every_unit_of_the_catalogue_has_one_in_grafana(unit: Unit) -> None:
    check_unit(style.grafana_unit(unit))


def test_style_colours_exist() -> None:
    colours = [value for name, value in vars(style).items() if name in COLOURS]
    assert len(colours) == len(COLOURS)
    for colour in colours:
        check_colour(colour)


COLOURS = {
    "GOOD", "WARNING", "BAD", "NEUTRAL", "MISSING", "UTILISATION", "MEMORY", "TEMPERATURE", "POWER",
    "FRAMEWORK", "GAP", "LIMIT",
}  # fmt: skip

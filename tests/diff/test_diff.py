"""Dashboards compared: equal where a reader sees no difference, and every difference in words."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.diff import comparable, content_hash, differences, stripped
from tests.targets.grafana.pushing import board

BOARD = board("one", "One")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "a", "b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
PANELS = st.lists(
    st.fixed_dictionaries(
        {"id": st.integers(1, 4), "type": st.sampled_from(["stat", "table"]), "title": st.sampled_from("XY")},
        optional={"options": VALUES, "targets": st.lists(st.dictionaries(st.just("refId"), st.sampled_from("AB")))},
    ),
    max_size=4,
)
DASHBOARDS = st.fixed_dictionaries({"title": st.text(max_size=3), "panels": PANELS}, optional={"links": VALUES})


@pytest.mark.parametrize(
    "same",
    [
        {**BOARD, "id": 7, "version": 12, "iteration": 3},
        {**BOARD, "gnetId": None},
        {**BOARD, "schemaVersion": 42},
        {**BOARD, "timepicker": {"time_options": ["5m"]}},
        dict(reversed(BOARD.items())),
    ],
)
def test_what_only_the_server_knows_is_no_difference(same: dict[str, Any]) -> None:
    assert content_hash(same) == content_hash(BOARD) and differences(BOARD, same) == ()


def test_numbers_are_compared_by_value() -> None:
    assert content_hash({**BOARD, "x": [1.0, 0.5]}) == content_hash({**BOARD, "x": [1, 0.5]})
    assert content_hash({**BOARD, "x": True}) != content_hash({**BOARD, "x": 1})


def test_what_is_hidden_from_a_graph_is_hidden_from_its_tooltip() -> None:
    def hiding(**hidden: bool) -> dict[str, Any]:
        new = copy.deepcopy(BOARD)
        new["panels"][0]["fieldConfig"]["defaults"]["custom"] = {"hideFrom": {"viz": True, **hidden}}
        override = {"properties": [{"id": "custom.hideFrom", "value": {"viz": True, **hidden}}]}
        new["panels"][0]["fieldConfig"]["overrides"] = [override]
        return new

    assert content_hash(hiding()) == content_hash(hiding(tooltip=True))


def test_stripping_keeps_the_schema_version_that_is_there() -> None:
    assert stripped(BOARD)["schemaVersion"] == 39 and comparable(BOARD)["schemaVersion"] == 42
    assert comparable({**BOARD, "schemaVersion": 12})["schemaVersion"] == 12


def test_comparing_changes_nothing() -> None:
    before = copy.deepcopy(BOARD)
    differences(BOARD, {**BOARD, "title": "Two"})
    content_hash(BOARD)
    assert before == BOARD


def test_every_kind_of_change_in_words() -> None:
    new = copy.deepcopy(BOARD)
    new |= {"title": "Two", "refresh": "5m"}
    new["panels"][0]["targets"][0]["expr"] = "up == 0"
    new["panels"][0]["fieldConfig"]["defaults"]["unit"] = "bytes"
    new["panels"][0]["gridPos"]["y"] = 8
    new["panels"].append({"id": 2, "type": "stat", "title": "More"})
    new["templating"]["list"].append({"name": "node", "type": "query"})
    assert differences(BOARD, new) == (
        "refresh: '1m' to '5m'",
        "title: 'One' to 'Two'",
        "panel 'More' added",
        "panel 'Load' moved",
        "panel 'Load': query A: expr: 'up' to 'up == 0'",
        "panel 'Load': fieldConfig.defaults.unit: 'percentunit' to 'bytes'",
        "variable node added",
    )
    assert "panel 'More' removed" in differences(new, BOARD)


def test_a_panel_whose_id_changed_is_found_by_its_title() -> None:
    new = copy.deepcopy(BOARD)
    new["panels"][0]["id"] = 99
    assert differences(BOARD, new) == ("panel 'Load': id: 1 to 99",)


def test_of_long_texts_the_part_that_differs_is_shown() -> None:
    long, new = copy.deepcopy(BOARD), copy.deepcopy(BOARD)
    long["panels"][0]["targets"][0]["expr"] = "sum by (node) (" + 30 * "max(" + "used" + 30 * ")" + ")"
    new["panels"][0]["targets"][0]["expr"] = "sum by (node) (" + 30 * "max(" + "free" + 30 * ")" + ")"
    (line,) = differences(long, new)
    assert "max(used))" in line and "max(free))" in line and len(line) < 200
    before, after = ({**BOARD, "description": text} for text in ("one  two", "one two"))
    assert differences(before, after) == ("description: 'one  two' to 'one two'",)


def test_false_is_not_zero() -> None:
    assert differences({**BOARD, "links": [False]}, {**BOARD, "links": [0]}) == ("links[0]: false to 0",)


@given(DASHBOARDS)
def test_a_dashboard_does_not_differ_from_itself(dashboard: dict[str, Any]) -> None:
    assert differences(dashboard, copy.deepcopy(dashboard)) == ()


@given(DASHBOARDS, DASHBOARDS)
def test_words_and_hash_agree(one: dict[str, Any], two: dict[str, Any]) -> None:
    assert (content_hash(one) == content_hash(two)) == (differences(one, two) == ())


@given(st.dictionaries(st.sampled_from(["panels", "templating", "schemaVersion", "refresh", "timepicker"]), VALUES))
def test_boards_of_any_shape_are_compared(dashboard: dict[str, Any]) -> None:
    panels = [{"fieldConfig": dashboard, "panels": dashboard.get("panels"), "targets": dashboard.get("refresh")}]
    strange = {"schemaVersion": 39, "panels": panels, **dashboard}
    assert differences(strange, strange) == ()
    assert (differences(strange, BOARD) == ()) == (content_hash(strange) == content_hash(BOARD))

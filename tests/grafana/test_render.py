"""From declarations to dashboard JSON: what drops out, what is resolved, what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from builder import Board, Query, Row, Stat, Text, TimeSeries, overrides, queries, thresholds, variables
from builder.build import context_of
from builder.config import Config, Thresholds
from builder.errors import DefinitionError, QueryError, UnknownName
from builder.grafana.context import Note
from builder.grafana.render import render

POWER = TimeSeries("Power", [Query(queries.power.power, "{{node}} gpu {{gpu}}")])
PCIE = TimeSeries("PCIe", [Query(queries.traffic.pcie_receive)])


def rendered(
    panels: Sequence[Any], profile: str = "dcgm", given: Sequence[Any] = (), **config: Any
) -> tuple[dict[str, Any], list[Note]]:
    board = Board(uid="own", title="Own", panels=panels, variables=given)
    return render(board, context_of(Config(profile=profile, **config)))


def panel(title: str, data: dict[str, Any]) -> dict[str, Any]:
    return next(p for p in data["panels"] if p["title"] == title)


# questions -------------------------------------------------------------------------------------


def test_a_question_becomes_a_query_of_the_profile() -> None:
    for profile, metric in (("dcgm", "DCGM_FI_DEV_POWER_USAGE"), ("nvidia-gpu", "nvidia_gpu_power_usage_watts")):
        data, notes = rendered([POWER], profile)
        (target,) = panel("Power", data)["targets"]
        assert metric in target["expr"]
        assert target["legendFormat"] == "{{node}} gpu {{gpu}}"
        assert target["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        assert notes == []


def test_a_query_asks_no_more_often_than_values_are_renewed() -> None:
    data, _ = rendered([TimeSeries("A", [Query("up"), Query("up", instant=True)])])
    often, once = panel("A", data)["targets"]
    assert often["interval"] == once["interval"] == "30s", "of an instant query too: $__rate_interval follows from it"
    assert (often["range"], once["instant"]) == (True, True)


def test_the_boards_variables_narrow_its_questions_and_not_its_promql() -> None:
    own = TimeSeries("Own", [Query("up")])
    wide = TimeSeries("Wide", [Query(queries.power.power, unfiltered=["node"])])
    data, _ = rendered([POWER, own, wide], given=[variables.node, variables.gpu_id, variables.pod])
    expr = panel("Power", data)["targets"][0]["expr"]
    assert '=~"$node"' in expr and 'gpu=~"$gpu_id"' in expr
    assert "$pod" not in expr, "a list of pods does not narrow"
    assert panel("Own", data)["targets"][0]["expr"] == "up"
    assert "$node" not in panel("Wide", data)["targets"][0]["expr"]
    assert "$gpu_id" in panel("Wide", data)["targets"][0]["expr"]


def test_what_the_profile_lacks_drops_out_with_a_note() -> None:
    data, notes = rendered([Row("Traffic", [PCIE]), Row("Power", [POWER])], "nvidia-gpu", [variables.pod])
    assert [p["title"] for p in data["panels"]] == ["Power", "Power"], "the row that lost its panels is gone"
    assert [v["name"] for v in data["templating"]["list"]] == ["datasource"]
    assert notes == [
        Note("own", "$pod", True, ("the label pod",), variable=True),
        Note("own", "PCIe", True, ("pcie_receive",)),
    ]


def test_a_query_that_drops_out_takes_along_what_means_it_and_nothing_else() -> None:
    both = TimeSeries(
        "Both",
        [Query(queries.traffic.pcie_receive, "Received"), Query(queries.power.power, "Power")],
        overrides=[
            overrides.by_name("Received", unit="Bps"),
            overrides.by_ref("A", line_width=3),
            overrides.by_ref("B", unit="watt"),
            overrides.by_name("Power", fill_below_to="Received", line_width=2),
        ],
    )
    data, notes = rendered([both], "nvidia-gpu")
    made = panel("Both", data)
    assert [target["refId"] for target in made["targets"]] == ["B"], "by_ref still means the query that it meant"
    assert made["fieldConfig"]["overrides"] == [
        {
            "matcher": {"id": "byFrameRefID", "options": "B"},
            "properties": [{"id": "unit", "value": "watt"}],
        },
        {
            "matcher": {"id": "byName", "options": "Power"},
            "properties": [{"id": "custom.lineWidth", "value": 2}],
        },
    ]
    assert notes == [Note("own", "Both", False, ("pcie_receive",))]


def test_a_board_that_loses_everything_is_an_error() -> None:
    with pytest.raises(DefinitionError, match="no panel is left") as caught:
        rendered([PCIE], "nv-gpu")
    assert caught.value.fix


def test_what_must_be_switched_on_is_said_on_the_panel() -> None:
    data, _ = rendered([TimeSeries("Limit", [Query(queries.power.power_limit)], description="The limit.")])
    made = panel("Limit", data)
    assert made["description"].startswith("The limit.\n\nNot exported by default: add DCGM_FI_DEV_ENFORCED_POWER")
    assert made["fieldConfig"]["defaults"]["noValue"] == "not exported"
    mixed = TimeSeries("Both", [Query(queries.power.power), Query(queries.power.power_limit)])
    assert "description" not in panel("Both", rendered([mixed])[0]), "the power is there at once"


def test_an_approximate_join_is_said_in_title_and_description() -> None:
    gap = TimeSeries("Gap", [Query(queries.memory.memory_gap)])
    data, _ = rendered([gap], "nv-gpu")
    made = panel("Gap (approximate)", data)
    assert "by node and index" in made["description"]
    assert panel("Gap", rendered([gap])[0])


# what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("panels", "given", "error", "message"),
    [
        (
            [TimeSeries("A", [Query(queries.power.node_power, "{{gpu}}")])],
            [],
            QueryError,
            "the legend '{{gpu}}' needs the label gpu",
        ),
        ([TimeSeries("A", [Query("sum(up")])], [], QueryError, "not a PromQL expression"),
        ([TimeSeries("A", [Query('up{node=~"$nood"}')])], [variables.node], UnknownName, "unknown variable 'nood'"),
        ([TimeSeries("On $nod", [Query("up")])], [variables.node], UnknownName, "unknown variable 'nod'"),
        ([Row("On $nod", [POWER])], [variables.node], UnknownName, "unknown variable 'nod'"),
        ([Row("R", [TimeSeries("$x", [Query("up")])], collapsed=True)], [], UnknownName, "unknown variable 'x'"),
        ([TimeSeries("A", [Query("up", "{{job}} $x")])], [], UnknownName, "unknown variable 'x'"),
        ([TimeSeries("A", [Query("up")], repeat="gpu")], [variables.gpu_id], UnknownName, "unknown variable 'gpu'"),
        (
            [TimeSeries("A", [Query(queries.power.power, unfiltered=["nod"])])],
            [variables.node],
            UnknownName,
            "unknown variable 'nod'",
        ),
        (
            [Stat("A", [Query("up")], thresholds=thresholds("green", ("temperature_warnin", "red")))],
            [],
            UnknownName,
            "unknown threshold 'temperature_warnin'",
        ),
        (
            [Stat("A", [Query("up")], thresholds=thresholds("green", (90, "red"), ("temperature_warning", "blue")))],
            [],
            DefinitionError,
            "thresholds do not ascend: 90, 80",
        ),
    ],
)
def test_refused(panels: list[Any], given: list[Any], error: type[DefinitionError], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        rendered(panels, given=given)
    assert caught.value.fix


def test_built_in_variables_and_groups_are_no_variables_of_the_board() -> None:
    text = 'label_replace(rate(x_total[$__rate_interval]), "a", "$1", "b", "(.+)") > $__interval_ms'
    rendered([TimeSeries("A", [Query(text)])])


def test_a_panel_that_is_wrong_is_named() -> None:
    with pytest.raises(QueryError) as caught:
        rendered([TimeSeries("Heat", [Query(queries.power.node_power, "{{gpu}}")])])
    assert 'TimeSeries "Heat"' in caught.value.where


# what is resolved --------------------------------------------------------------------------------


def test_thresholds_of_the_configuration_stand_in_the_panel() -> None:
    heat = thresholds("green", ("temperature_warning", "orange"), ("temperature_critical", "red"))
    by_override = TimeSeries("Two", [Query("up")], overrides=[overrides.by_name("up", thresholds=heat)])
    data, _ = rendered(
        [Stat("One", [Query("up")], thresholds=heat), by_override],
        thresholds=Thresholds(temperature_warning=70, temperature_critical=75),
    )
    steps = [
        {"color": "green", "value": None},
        {"color": "orange", "value": 70},
        {"color": "red", "value": 75},
    ]
    assert panel("One", data)["fieldConfig"]["defaults"]["thresholds"]["steps"] == steps
    assert panel("Two", data)["fieldConfig"]["overrides"][0]["properties"][0]["value"]["steps"] == steps


def test_the_frame_takes_from_board_or_configuration() -> None:
    data, _ = rendered([POWER], refresh="5m", time_from="now-1h")
    assert (data["refresh"], data["time"]) == ("5m", {"from": "now-1h", "to": "now"})
    board = Board("own", "Own", [POWER], refresh="10s", time_from="now-2d", tags=["mine"], question="Why?")
    data, _ = render(board, context_of(Config()))
    assert (data["refresh"], data["time"]["from"]) == ("10s", "now-2d")
    assert data["tags"] == ["gpuboards", "mine"]
    assert data["description"] == "Why?"


def test_a_panel_put_in_front_leaves_the_ids_of_the_others() -> None:
    def ids(panels: list[Any]) -> dict[str, int]:
        return {p["title"]: p["id"] for p in rendered(panels)[0]["panels"]}

    before = ids([Row("One", [POWER]), Row("Two", [PCIE])])
    after = ids([Text("New", content="x"), Row("One", [TimeSeries("First", [Query("up")]), POWER]), Row("Two", [PCIE])])
    assert {title: after[title] for title in before} == before
    assert len(set(after.values())) == len(after) == 6


# stock panels --------------------------------------------------------------------------------------


def test_a_stock_panel_comes_out_clean() -> None:
    from grafanalib import core

    stock = core.TimeSeries(title="Stock", targets=[core.Target(expr="up", refId="A")])
    data, _ = rendered([stock, POWER])
    made = panel("Stock", data)
    assert made["type"] == "timeseries"
    assert made["targets"][0]["expr"] == "up"
    assert None not in made.values()
    assert panel("Power", data)["gridPos"] != made["gridPos"]

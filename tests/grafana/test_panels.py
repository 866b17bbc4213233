"""Our own panels: clean JSON, checked parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attr
import pytest
from grafanalib import core as G  # noqa: N812

import builder as p
from builder.errors import DefinitionError, UnknownName
from builder.grafana.cells import colour_background, colour_text, gauge_bar, sparkline
from builder.grafana.frame import dashboard_json
from builder.grafana.ids import assign_ids
from builder.grafana.layout import Row, pack
from builder.grafana.links import board_link, drill, panel_link
from builder.grafana.logs import LogSelector, explore_logs
from builder.grafana.mappings import range_map, regex_map, special_map, value_map
from builder.grafana.overrides import by_name, by_ref, by_regex, by_type
from builder.grafana.panels.base import ModernPanel
from builder.grafana.panels.row import RowPanel
from builder.grafana.targets import LokiTarget, PromTarget
from builder.grafana.thresholds import thresholds
from builder.grafana.transforms import (
    calculate_field,
    filter_by_value,
    group_by,
    join_by_field,
    labels_to_fields,
    limit,
    merge,
    organize,
    reduce,
    rename_by_regex,
    sort_by,
    time_series_table,
)
from builder.grafana.variables import (
    AdhocVariable,
    ConstantVariable,
    CustomVariable,
    DatasourceVariable,
    IntervalVariable,
    LokiQueryVariable,
    QueryVariable,
    TextVariable,
)

from .judge import findings

PROMETHEUS = {"type": "prometheus", "uid": "${datasource}"}
LOKI = {"type": "loki", "uid": "${loki}"}
PUBLIC = [getattr(p, name) for name in p.__all__]
KINDS = [RowPanel, *(kind for kind in PUBLIC if isinstance(kind, type) and issubclass(kind, ModernPanel))]


def query(legend: str = "{{node}}", **given: Any) -> PromTarget:
    return PromTarget("sum by (node) (up)", legend, datasource=PROMETHEUS, **given)


def table_query() -> PromTarget:
    return query("", instant=True, format="table")


def everything() -> list[Any]:
    """Every panel kind, once plain and once with all its options off their defaults."""
    source: dict[str, Any] = {"datasource": PROMETHEUS}
    limits = thresholds("green", (0.8, "orange"), (0.95, "dark-red"))
    words = [
        value_map({0: ("ok", "green"), 1: ("bad", "red")}),
        range_map(2, None, "many"),
        regex_map("gpu(.*)", "$1"),
        special_map("null", ("no data", "#808080")),
    ]
    selector = LogSelector('{namespace="{namespace}",pod="{pod}",container="{container}"}')
    return [
        p.TimeSeries("Plain", [query()], **source),
        p.TimeSeries(
            "Full",
            [query("a"), query("b"), query("c", hide=True, interval="30s", exemplar=True)],
            **source,
            description="How to read it.",
            unit="percentunit",
            decimals=1,
            min=0,
            max=1.5,
            no_value="none",
            display_name="x",
            thresholds=limits,
            thresholds_style="dashed",
            mappings=words,
            color="continuous-YlRd",
            draw_style="bars",
            line_interpolation="stepAfter",
            line_width=2,
            line_style="dash",
            fill_opacity=20,
            gradient_mode="opacity",
            span_nulls=60000,
            show_points="never",
            point_size=6,
            bar_alignment="after",
            stacking="normal",
            axis_placement="left",
            axis_label="used",
            axis_color_mode="series",
            axis_soft_min=0,
            axis_soft_max=0.5,
            axis_width=60,
            axis_grid=False,
            axis_centered_zero=True,
            log_base=10,
            legend_mode="table",
            legend_placement="right",
            legend_calcs=["lastNotNull", "max"],
            legend_sort="Max",
            legend_width=200,
            tooltip_mode="single",
            tooltip_sort="none",
            overrides=[
                by_name("a", unit="celsius", right_axis=True, color="orange", decimals=0, axis_label="heat"),
                by_name("b", fill_below_to="a", line_width=0, hide_from_legend=True, fill_opacity=30),
                by_regex("/.*c/", hide_line=True, line_style="dot", stack_group="B", draw_style="points"),
                by_ref("C", min=0, max=1, display_name="c", no_value="-", thresholds=limits, axis="hidden"),
            ],
            links=[panel_link("gpu-node", "Node", fixed={"node": "a b"})],
            data_links=[drill("gpu-node", "Node", {"node": "node"}), explore_logs(selector)],
            repeat="node",
            max_per_row=3,
            interval="1m",
            max_data_points=500,
            time_from="now-1h",
            time_shift="1d",
            transparent=True,
        ),
        p.Stat("Plain", [query()], **source),
        p.Stat(
            "Full",
            [query()],
            **source,
            calc="max",
            color_mode="background",
            graph_mode="area",
            justify="center",
            text_mode="value_and_name",
            show_percent_change=True,
            title_size=12,
            value_size=20,
            orientation="horizontal",
            all_values=True,
            limit=3,
            unit="suffix: cards",
            color="purple",
        ),
        p.Gauge("Plain", [query()], **source),
        p.Gauge("Full", [query()], **source, min=0, max=1, thresholds=limits, show_threshold_labels=True),
        p.BarGauge("Plain", [query()], **source),
        p.BarGauge(
            "Full",
            [query()],
            **source,
            display_mode="lcd",
            value_mode="text",
            name_placement="left",
            unit="watt",
        ),
        p.Table("Plain", [table_query()], **source, transformations=[merge()]),
        p.Table(
            "Full",
            [table_query(), table_query()],
            **source,
            cell=colour_text(),
            cell_height="md",
            align="left",
            filterable=True,
            inspect=True,
            sort_by="Load",
            column_widths={"Node": 120},
            min_column_width=50,
            footer=["sum"],
            pagination=True,
            overrides=[
                by_name("Load", cell=gauge_bar("gradient"), unit="percentunit", min=0, max=1, width=200),
                by_name(
                    "Node",
                    links=[
                        drill("gpu-node", "Node", {"node": "Node"}, where="fields"),
                        explore_logs(selector, where="fields", sources={"pod": "Pod"}),
                    ],
                ),
                by_name("State", cell=colour_background(whole_row=True), mappings=words, align="center"),
                by_type("number", filterable=True, inspect=True, min_width=40),
            ],
            transformations=[
                join_by_field("node"),
                organize(order=["node"], rename={"node": "Node", "Value #A": "Load"}, hide=["Time"]),
                filter_by_value("Load", "greater", 0.5),
                filter_by_value("Load", "is_not_null"),
                calculate_field("Gap", left="Load", operator="-", right="Value #B"),
                calculate_field("Sum", reducer="sum", of=["Load"]),
                sort_by("Load", desc=True),
                limit(10),
                rename_by_regex("(.*)_x", "$1"),
            ],
        ),
        p.Table(
            "Sparklines",
            [query(), query()],
            **source,
            transformations=[time_series_table(["A", "B"])],
            overrides=[by_name("Trend", cell=sparkline(hide_value=True))],
        ),
        p.Table(
            "Grouped",
            [query()],
            **source,
            transformations=[
                labels_to_fields(value_label="node", keep=["node"]),
                group_by(["node"], {"Value": ["max"]}),
                reduce("max", labels_to_fields=True),
            ],
        ),
        p.Heatmap("Plain", [query()], **source, unit="celsius"),
        p.Heatmap(
            "Full",
            [query()],
            **source,
            calculate=True,
            x_bucket_size="5m",
            y_bucket_size=2.5,
            y_scale="log",
            unit="celsius",
            color_scheme="Inferno",
            color_steps=20,
            color_min=20,
            color_max=95,
            color_scale="linear",
            color_reverse=True,
            cell_gap=0,
            hide_below=None,
            y_label="GPU",
            y_min=20,
            y_max=100,
            y_reverse=True,
            rows_layout="le",
            rows_value="cards",
            tooltip_histogram=True,
            tooltip_color_scale=True,
            data_links=[drill("gpu-detail", "Card", {"gpu_id": "gpu"})],
        ),
        p.StateTimeline("Plain", [query()], **source),
        p.StateTimeline(
            "Full",
            [query()],
            **source,
            merge_values=False,
            show_value="never",
            row_height=0.5,
            per_page=50,
            mappings=words,
        ),
        p.StatusHistory("Plain", [query()], **source),
        p.StatusHistory("Full", [query()], **source, col_width=0.5, per_page=50, thresholds=limits),
        p.Histogram("Plain", [query()], **source),
        p.Histogram("Full", [query()], **source, bucket_size=2, bucket_count=10, combine=True, unit="celsius"),
        p.Logs(
            "Logs",
            [LokiTarget(selector.for_panel(multi=["pod"]), max_lines=100, datasource=LOKI)],
            datasource=LOKI,
            show_labels=True,
            prettify=True,
            dedup="exact",
        ),
        p.Text("Words", "**bold**"),
        p.AlertList("Alerts", labels='{alertname=~"Gpu.*"}', group_by=["node"], states=["firing"]),
        p.Stat("Escape", [query()], **source, extra={"options": {"wideLayout": False}}),
        Row("Folded", [p.Stat("Inside", [query()], **source)], collapsed=True),
        Row("Open", [p.Stat("Below", [query()], **source)], repeat="node"),
    ]


def board() -> dict[str, Any]:
    written = [panel.to_json_data() for panel in assign_ids(pack(everything()))]
    variables = [
        DatasourceVariable("datasource", "prometheus"),
        DatasourceVariable("loki", "loki", regex="/^logs/"),
        QueryVariable("cluster", "label_values(up, cluster)", datasource=PROMETHEUS, include_all=True),
        QueryVariable(
            "node",
            "label_values(up, instance)",
            datasource=PROMETHEUS,
            multi=True,
            include_all=True,
            all_value=".+",
        ),
        LokiQueryVariable("pod", "pod", stream='{job="x"}', datasource=LOKI, multi=True),
        CustomVariable("namespace", {"a": "Team A", "b,c": "Team B"}),
        CustomVariable("container", ["x", "y"], multi=True, default=["y"]),
        IntervalVariable("window", auto=True),
        TextVariable("search", "gpu"),
        ConstantVariable("fixed", "1"),
        AdhocVariable("filters", datasource=PROMETHEUS),
    ]
    links = [board_link("Boards", tags=["gpuboards"]), board_link("Fleet", uid="gpu-fleet")]
    return dashboard_json("all-panels", "All panels", "One of each.", ["x"], written, variables, links=links)


def test_judged(tmp_path: Path) -> None:
    assert findings(board(), tmp_path) == []


def test_only_thresholds_and_open_ranges_hold_nulls() -> None:
    def nulls(node: Any, path: str) -> list[str]:
        if isinstance(node, dict):
            return [found for key, value in node.items() for found in nulls(value, f"{path}.{key}")]
        if isinstance(node, list):
            return [found for value in node for found in nulls(value, f"{path}[]")]
        return [path] if node is None else []

    allowed = ("steps[].value", "options.to", "options.from")
    assert {path for path in nulls(board(), "") if not path.endswith(allowed)} == set()


@pytest.mark.parametrize("kind", KINDS)
def test_defaults_pass_their_own_checks(kind: type[Any]) -> None:
    panel = kind("A title")
    assert attr.evolve(panel, title="Another").to_json_data() == kind("Another").to_json_data()


@pytest.mark.parametrize("kind", KINDS)
def test_a_misspelt_parameter_names_the_right_one(kind: type[Any]) -> None:
    with pytest.raises(DefinitionError) as caught:
        kind("Load", descripton="x")
    assert str(caught.value).startswith(f'{kind.__name__} "Load"')
    assert "description" in caught.value.fix


@pytest.mark.parametrize("kind", KINDS)
def test_grafanalib_names_are_no_back_door(kind: type[Any]) -> None:
    with pytest.raises(DefinitionError, match="no parameter 'dataSource'"):
        kind("Load", dataSource="prometheus")


@pytest.mark.parametrize(
    ("given", "fix"),
    [
        ({"unit": "percentunits"}, "percentunit"),
        ({"color": "dark-rad"}, "dark-red"),
        ({"draw_style": "lines"}, "line"),
        ({"legend_calcs": ["meen"]}, "mean"),
        ({"stacking": "norml"}, "normal"),
    ],
)
def test_wrong_names_are_refused_with_the_nearest(given: dict[str, Any], fix: str) -> None:
    with pytest.raises(UnknownName) as caught:
        p.TimeSeries("Load", **given)
    assert caught.value.where == f'TimeSeries "Load", {next(iter(given))}'
    assert fix in caught.value.fix


@pytest.mark.parametrize(
    "given",
    [
        {"width": "12"},
        {"width": True},
        {"max": "1"},
        {"fill_opacity": 101},
        {"span_nulls": 0},
        {"transparent": 1},
        {"targets": "up"},
        {"datasource": "prometheus"},
        {"thresholds": [1, 2]},
        {"interval": "often"},
        {"x": 3},
        {"extra": []},
        {"max": float("nan")},
    ],
)
def test_wrong_types_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(DefinitionError):
        p.TimeSeries("Load", **given)


def test_places() -> None:
    assert p.Text("T", "hello").content == "hello"
    assert p.Stat("T", [query()]).targets
    with pytest.raises(DefinitionError, match="3 values without a name"):
        p.Stat("T", [], "x")
    with pytest.raises(DefinitionError, match="given twice"):
        p.Stat("T", title="T")


def test_ref_ids_are_given_and_kept() -> None:
    targets = [query(), query(ref_id="A"), query()]
    data = p.TimeSeries("Load", targets).to_json_data()
    assert [target["refId"] for target in data["targets"]] == ["B", "A", "C"]


def test_more_queries_than_letters() -> None:
    data = p.TimeSeries("Load", [query() for _ in range(30)]).to_json_data()
    assert len({target["refId"] for target in data["targets"]}) == 30


def test_extra_is_merged_last_and_lists_are_replaced() -> None:
    extra = {"options": {"legend": {"calcs": ["max"]}}, "pluginVersion": "11.1.0"}
    data = p.TimeSeries("Load", legend_calcs=["mean"], extra=extra).to_json_data()
    assert data["options"]["legend"]["calcs"] == ["max"]
    assert data["options"]["legend"]["showLegend"] is True
    assert data["pluginVersion"] == "11.1.0"


def test_a_stat_without_thresholds_is_not_red_from_80() -> None:
    steps = p.Stat("Load").to_json_data()["fieldConfig"]["defaults"]["thresholds"]["steps"]
    assert [step["value"] for step in steps] == [None]


def test_stock_tools_work_on_our_panels() -> None:
    folded = RowPanel("Row", collapsed=True, panels=[p.Stat("a"), p.Stat("b")])
    dashboard = G.Dashboard(title="x", panels=[p.Stat("c"), folded, G.Stat(title="d")]).auto_panel_ids()
    ids = [panel.id for panel in dashboard._iter_panels()]
    assert sorted(ids) == [1, 2, 3, 4, 5]
    assert all(isinstance(panel, G.Panel) for panel in dashboard.panels)


def test_heatmap_without_hiding_shows_zero() -> None:
    data = p.Heatmap("T", hide_below=None).to_json_data()
    assert data["options"]["filterValues"]["le"] < 0


def test_the_unit_of_a_heatmap_is_that_of_what_is_measured() -> None:
    cells = p.Heatmap("T", unit="celsius").to_json_data()["options"]
    assert cells["cellValues"] == {"unit": "celsius"} and "unit" not in cells["yAxis"]
    counted = p.Heatmap("T", unit="celsius", calculate=True).to_json_data()["options"]
    assert counted["yAxis"]["unit"] == "celsius" and "cellValues" not in counted


def test_bars_in_the_order_of_their_names_are_rows_of_a_reduced_table() -> None:
    bars = p.BarGauge("Bands", [query()], calc="max", sort_by_name=True, transformations=[merge()])
    data = bars.to_json_data()
    assert [step["id"] for step in data["transformations"]] == ["merge", "reduce", "sortBy"]
    assert data["transformations"][1]["options"]["reducers"] == ["max"]
    assert data["transformations"][2]["options"]["sort"] == [{"field": "Field", "desc": False}]
    assert data["options"]["reduceOptions"] == {"calcs": ["max"], "values": True}
    assert "transformations" not in p.BarGauge("Bands", [query()]).to_json_data()

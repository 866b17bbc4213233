"""Every stock panel of grafanalib, with typical arguments, comes out clean."""

from __future__ import annotations

import inspect
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from grafanalib import core as G  # noqa: N812

from builder.errors import DefinitionError
from builder.grafana.normalise import clean_dashboard, clean_panel
from builder.grafana.panels.base import ModernPanel

from .judge import findings

SOURCE = {"type": "prometheus", "uid": "${datasource}"}
VARIABLE = G.Template("datasource", "prometheus", type="datasource")
STEPS = [G.Threshold("green", 0, 0.0), G.Threshold("red", 1, 80.0)]
DEAD = {"Discrete", "Statusmap", "Worldmap", "Svg", "ePict"}


def target(**given: Any) -> G.Target:
    return G.Target(expr="sum by (node) (rate(x_total[5m]))", legendFormat="{{node}}", **given)


def common() -> dict[str, Any]:
    return {"title": "A title", "dataSource": "$datasource", "targets": [target(), target()]}


def stock() -> dict[str, Any]:
    """One of each living class, with the arguments that people use."""
    link = G.DataLink("There", "/d/there", isNewTab=True)
    mapping = G.StatValueMappings(
        G.StatValueMappingItem("down", "0", "red"), G.StatValueMappingItem("up", "1", index=1)
    )
    override = {"matcher": {"id": "byName", "options": "x"}, "properties": [{"id": "unit", "value": "bytes"}]}
    return {
        "Graph": G.Graph(
            **common(),
            unit="bytes",
            stack=True,
            fill=3,
            steppedLine=True,
            legend=G.Legend(avg=True, current=True, alignAsTable=True, rightSide=True, sort="current", sortDesc=True),
            yAxes=G.YAxes(
                G.YAxis(format="bytes", min=0, label="used", logBase=10),
                G.YAxis(format="celsius", max="auto"),
            ),
            aliasColors={"a": "#ff0000", "b": G.RED},
            seriesOverrides=[
                G.SeriesOverride(alias="a", yaxis=2, color="red", dashes=True, fillBelowTo="b"),
                G.SeriesOverride(alias="/b.*/", bars=True),
            ],
            thresholds=[G.GraphThreshold(value=10.0, colorMode="ok"), G.GraphThreshold(value=90.0)],
            dataLinks=[link],
            links=[link],
            tooltip=G.Tooltip(sort=2),
        ).auto_ref_ids(),
        "TimeSeries": G.TimeSeries(
            **common(),
            unit="percentunit",
            thresholds=STEPS,
            legendDisplayMode="hidden",
            legendCalcs=["mean"],
            stacking={"mode": "normal", "group": "A"},
            overrides=[override],
            axisSoftMin=0,
            valueDecimals=2,
            mappings=[mapping],
            repeat=G.Repeat("h", "datasource", 3),
        ),
        "Text": G.Text(title="Words", content="**bold**", mode="text"),
        "AlertList": G.AlertList(title="Alerts", stateFilter=["alerting", "ok"], nameFilter="Gpu", links=[link]),
        "Stat": G.Stat(**common(), reduceCalc="total", format="watt", thresholds=STEPS, mappings=[mapping], decimals=1),
        "SingleStat": G.SingleStat(
            **common(),
            valueName="current",
            thresholds="50,80",
            colorValue=True,
            postfix=" cards",
            sparkline=G.SparkLine(show=True),
            valueMaps=[G.ValueMap("down", "0")],
        ),
        "Table": G.Table(
            **common(),
            displayMode="lcd-gauge",
            filterable=True,
            sortBy=[G.TableSortByField("node", True)],
            thresholds=STEPS,
            mappings=[G.StatRangeMappings("low", 0, 5, "green")],
            transformations=[{"id": "merge", "options": {}}],
            overrides=[
                {
                    "matcher": {"id": "byName", "options": "node"},
                    "properties": [{"id": "custom.displayMode", "value": "color-text"}],
                }
            ],
        ),
        "BarGauge": G.BarGauge(
            **common(),
            calc="mean",
            format="celsius",
            dataLinks=[link],
            valueMaps=[G.StatValueMapping("off", "0")],
        ),
        "GaugePanel": G.GaugePanel(**common(), calc="last", format="percent", label="Load", thresholdLabels=True),
        "Heatmap": G.Heatmap(
            **common(),
            dataFormat="tsbuckets",
            yBucketBound="upper",
            hideZeroBuckets=True,
            color=G.HeatmapColor(colorScheme="interpolateViridis"),
            yAxis=G.YAxis(format="s", decimals=0),
        ),
        "PieChart": G.PieChart(**common(), aliasColors={"a": "green"}, format="bytes", showLegendPercentage=True),
        "PieChartv2": G.PieChartv2(**common(), legendValues=["percent"], unit="bytes"),
        "DashboardList": G.DashboardList(title="Boards", showSearch=True, searchTags=["gpu"]),
        "Logs": G.Logs(
            title="Logs", dataSource={"type": "loki", "uid": "${loki}"}, targets=[G.Target(expr='{job="x"}')]
        ),
        "StateTimeline": G.StateTimeline(**common(), mappings=[mapping], thresholds=STEPS),
        "Histogram": G.Histogram(**common(), bucketSize=5, combine=True),
        "News": G.News(title="News", feedUrl="https://example.org/feed"),
        "Ae3ePlotly": G.Ae3ePlotly(**common()),
        "BarChart": G.BarChart(**common(), legendCalcs=["max"], colorMode="fixed"),
        "RowPanel": G.RowPanel(title="Row", collapsed=True, panels=[G.Stat(**common())]),
    }


def nulls(node: Any, path: str = "") -> list[str]:
    if isinstance(node, dict):
        return [found for key, value in node.items() for found in nulls(value, f"{path}.{key}")]
    if isinstance(node, list):
        return [found for index, value in enumerate(node) for found in nulls(value, f"{path}[{index}]")]
    return [path] if node is None else []


def test_every_stock_panel_class_is_covered() -> None:
    classes = {
        name
        for name, value in vars(G).items()
        if inspect.isclass(value) and issubclass(value, G.Panel) and value is not G.Panel
    } | {"AlertList"}
    assert classes == set(stock()) | DEAD


@pytest.mark.parametrize("name", sorted(stock()))
def test_clean(name: str) -> None:
    data = clean_panel(stock()[name])
    assert [path for path in nulls(data) if not path.endswith("steps[0].value")] == []
    assert not {"editable", "error", "span", "minSpan", "height", "thresholds", "yaxes", "gauge"} & data.keys()
    if name != "RowPanel":
        assert data["pluginVersion"] == "10.4.0"
        assert set(data["fieldConfig"]) == {"defaults", "overrides"}
        assert data.get("maxDataPoints") is None
    refs = [t["refId"] for t in data.get("targets", ())]
    assert all(refs) and len(refs) == len(set(refs))
    for query in data.get("targets", ()):
        assert not {"intervalFactor", "step", "metric", "target", "query"} & query.keys()


@pytest.mark.parametrize("name", sorted(stock()))
def test_judged(name: str, tmp_path: Path) -> None:
    dashboard = G.Dashboard(
        title="Stock",
        uid="stock",
        panels=[stock()[name]],
        templating=G.Templating([VARIABLE, G.Template("loki", "loki", type="datasource")]),
    )
    assert findings(clean_dashboard(dashboard, SOURCE), tmp_path) == []


@pytest.mark.parametrize("name", sorted(DEAD))
def test_dead_plugins_are_refused(name: str) -> None:
    with pytest.raises(DefinitionError, match="any more") as caught:
        clean_panel(getattr(G, name)(title="Old"))
    assert caught.value.fix.startswith("use ")


def test_graph_keeps_its_meaning() -> None:
    data = clean_panel(stock()["Graph"])
    assert data["type"] == "timeseries"
    custom = data["fieldConfig"]["defaults"]["custom"]
    assert custom["stacking"] == {"group": "A", "mode": "normal"}
    assert (custom["fillOpacity"], custom["lineInterpolation"], custom["spanNulls"]) == (
        30,
        "stepAfter",
        True,
    )
    assert custom["scaleDistribution"] == {"type": "log", "log": 10}
    assert data["fieldConfig"]["defaults"]["unit"] == "bytes"
    assert [s["value"] for s in data["fieldConfig"]["defaults"]["thresholds"]["steps"]] == [None, 10.0, 90.0]
    assert data["options"]["legend"] == {
        "calcs": ["mean", "lastNotNull"],
        "displayMode": "table",
        "placement": "right",
        "showLegend": True,
        "sortBy": "Last *",
        "sortDesc": True,
    }
    right = next(
        o for o in data["fieldConfig"]["overrides"] if o["matcher"]["options"] == "a" and len(o["properties"]) > 1
    )
    assert {"id": "custom.axisPlacement", "value": "right"} in right["properties"]
    assert {"id": "unit", "value": "celsius"} in right["properties"]


def test_graph_refuses_what_a_time_series_cannot_do() -> None:
    with pytest.raises(DefinitionError, match="alerts inside panels"):
        clean_panel(G.Graph(alert=object()))
    with pytest.raises(DefinitionError, match="by series"):
        clean_panel(G.Graph(xAxis=G.XAxis(mode="series")))


def test_gauge_options_reach_grafana() -> None:
    data = clean_panel(stock()["GaugePanel"])
    assert data["options"]["reduceOptions"]["calcs"] == ["last"]
    assert data["options"]["showThresholdLabels"] is True
    defaults = data["fieldConfig"]["defaults"]
    assert (defaults["displayName"], defaults["unit"], defaults["max"]) == ("Load", "percent", 100)
    assert defaults["thresholds"]["steps"] == [
        {"color": "green", "value": None},
        {"color": "red", "value": 80.0},
    ]


def test_single_stat_becomes_a_stat() -> None:
    data = clean_panel(stock()["SingleStat"])
    assert data["type"] == "stat"
    assert data["options"]["graphMode"] == "area"
    assert data["options"]["colorMode"] == "value"
    assert data["fieldConfig"]["defaults"]["unit"] == "suffix: cards"
    assert [s["value"] for s in data["fieldConfig"]["defaults"]["thresholds"]["steps"]] == [None, 50.0, 80.0]
    assert data["fieldConfig"]["defaults"]["mappings"] == [
        {"type": "value", "options": {"0": {"index": 0, "text": "down"}}}
    ]


def test_heatmap_of_buckets() -> None:
    options = clean_panel(stock()["Heatmap"])["options"]
    assert options["calculate"] is False
    assert options["color"]["scheme"] == "Viridis"
    assert options["rowsFrame"] == {"layout": "le"}
    assert options["yAxis"]["unit"] == "s"
    assert "calculation" not in options


def test_table_cells_and_mappings() -> None:
    data = clean_panel(stock()["Table"])
    assert data["fieldConfig"]["defaults"]["custom"]["cellOptions"] == {"type": "gauge", "mode": "lcd"}
    assert data["fieldConfig"]["defaults"]["mappings"][0]["options"]["to"] == 5
    assert data["fieldConfig"]["overrides"][0]["properties"] == [
        {"id": "custom.cellOptions", "value": {"type": "color-text"}}
    ]


def test_string_datasources_become_references() -> None:
    assert clean_panel(G.TimeSeries(**common()))["datasource"] == SOURCE
    mixed = clean_panel(G.TimeSeries(title="x", dataSource="-- Mixed --", targets=[target(datasource="prom-1")]))
    assert mixed["datasource"] == {"type": "datasource", "uid": "-- Mixed --"}
    assert mixed["targets"][0]["datasource"] == {"type": "prometheus", "uid": "prom-1"}


def test_extra_json_survives() -> None:
    extra = {"fieldConfig": {"defaults": {"custom": {"axisWidth": 60}}}, "pluginVersion": "11.0.0"}
    data = clean_panel(G.TimeSeries(title="x", extraJson=extra))
    assert data["fieldConfig"]["defaults"]["custom"]["axisWidth"] == 60
    assert data["pluginVersion"] == "11.0.0"


def test_modern_panels_pass_through_unchanged() -> None:
    from builder.grafana.panels.timeseries import TimeSeries

    panel = TimeSeries("x", [target()], unit="bytes", legend_mode="hidden")
    assert isinstance(panel, ModernPanel)
    once = clean_panel(panel)
    assert clean_panel(once) == once


class OwnThreshold(G.Threshold):
    """A user's class, whose JSON and not whose attributes count."""

    def to_json_data(self) -> dict[str, Any]:
        return super().to_json_data() | {"color": "purple"}


@pytest.mark.parametrize(
    ("given", "colours"),
    [
        (STEPS, ["green", "red"]),
        (tuple(STEPS), ["green", "red"]),
        (deque(STEPS), ["green", "red"]),
        ([OwnThreshold("green", 0, 0.0), OwnThreshold("red", 1, 80.0)], ["purple", "purple"]),
        ([{"color": "green"}, {"value": None}, {"color": "red", "value": 80.0}], ["green", "red"]),
    ],
)
def test_thresholds_in_whatever_they_are_kept(given: Any, colours: list[str]) -> None:
    data = clean_panel(G.Stat(**common(), thresholds=given), SOURCE)
    steps = data["fieldConfig"]["defaults"]["thresholds"]["steps"]
    assert steps == [{"color": colours[0], "value": None}, {"color": colours[1], "value": 80.0}]

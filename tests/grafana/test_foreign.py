"""grafanalib's own panels, targets, templates and dashboards in a build: cleaned, checked, and refused in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from grafanalib import core as G  # noqa: N812

from builder import Board, Query, Row, Stat, TimeSeries, queries, variables
from builder.build import build_boards
from builder.config import Config
from builder.errors import DefinitionError, LayoutError, QueryError, UnknownName
from builder.grafana import variables as kinds
from builder.load import Definition

from .judge import findings

SOURCE = {"type": "prometheus", "uid": "${datasource}"}


def stock(expr: str = "up", **more: Any) -> G.TimeSeries:
    targets = [G.Target(expr=expr, datasource=SOURCE)]
    return G.TimeSeries(**{"title": "Stock", "targets": targets, **more})


def built(board: Any) -> dict[str, Any]:
    boards, _ = build_boards([Definition(board, "boards/a.py", 1)], Config())
    (data,) = boards.values()
    return dict(data)


def of(*panels: Any, given: Any = ()) -> dict[str, Any]:
    return built(Board("own", "Own", panels, variables=given))


def dashboard(*panels: Any, **more: Any) -> G.Dashboard:
    templates = G.Templating([G.Template("datasource", "prometheus", type="datasource")])
    return G.Dashboard(**{"title": "Own", "uid": "own", "templating": templates, "panels": list(panels), **more})


# in a board --------------------------------------------------------------------------------------


def test_in_a_collapsed_row_as_clean_as_anywhere(tmp_path: Path) -> None:
    data = of(Row("Folded", [stock()], collapsed=True), Row("Open", [stock()]))
    folded, _, shown = data["panels"]
    (inside,) = folded["panels"]
    place = ("id", "gridPos")
    assert {k: v for k, v in inside.items() if k not in place} == {k: v for k, v in shown.items() if k not in place}
    assert findings(data, tmp_path) == []


def test_a_target_in_a_panel_of_ours_is_cleaned_and_gets_the_boards_source(tmp_path: Path) -> None:
    data = of(TimeSeries("A", [G.Target(expr="up"), Query("down"), G.Target(expr="x", refId="B")]))
    first, second, third = data["panels"][0]["targets"]
    assert first == {
        "datasource": SOURCE,
        "editorMode": "code",
        "expr": "up",
        "legendFormat": "__auto",
        "range": True,
        "refId": "A",
    }
    assert (second["refId"], third["refId"]) == ("C", "B")
    assert findings(data, tmp_path) == []


def test_questions_in_a_stock_row_are_answered() -> None:
    for collapsed in (True, False):
        row = G.RowPanel(title="R", collapsed=collapsed, panels=[Stat("P", [Query(queries.power.node_power)])])
        head, *below = of(row)["panels"]
        (inside,) = head["panels"] if collapsed else below
        assert "DCGM_FI_DEV_POWER_USAGE" in inside["targets"][0]["expr"]


def test_a_class_of_ones_own_has_a_place_and_an_id() -> None:
    class Clock:
        title = "Clock"

        def to_json_data(self) -> dict[str, Any]:
            return {"type": "grafana-clock-panel", "title": self.title}

    first, second = of(Stat("S", [Query("up")]), Clock())["panels"]
    assert second["id"] and second["id"] != first["id"]
    assert second["gridPos"] == {"h": 8, "w": 12, "x": 4, "y": 0}


@pytest.mark.parametrize(
    ("panel", "error", "message"),
    [
        (lambda: stock("up{"), QueryError, "panel 'Stock': up{: not a PromQL expression"),
        (lambda: TimeSeries("A", [G.Target(expr="up{")]), QueryError, 'TimeSeries "A": up{: not a PromQL'),
        (lambda: TimeSeries("A", [], extra={"targets": [{"expr": "up{"}]}), QueryError, "not a PromQL expression"),
        (lambda: G.RowPanel(title="R", collapsed=True, panels=[stock("up{")]), QueryError, "not a PromQL expression"),
        (lambda: stock("up[5m]"), QueryError, "a range of samples cannot be drawn"),
        (
            lambda: G.TimeSeries(title="S", targets=[Query("up")]),
            DefinitionError,
            "Query('up') in a panel of grafanalib",
        ),
        (lambda: G.TimeSeries(title="S", targets=[None]), DefinitionError, "None in a panel of grafanalib"),
        (lambda: stock(overrides=[5]), DefinitionError, "something in it is no panel JSON"),
        (lambda: stock(gridPos=G.GridPos(h=8, w=12, x=-1, y=0)), LayoutError, "is no place"),
        (lambda: stock(gridPos=G.GridPos(h=8.5, w=12, x=0, y=0)), LayoutError, "is no place"),
        (lambda: stock(id="abc"), DefinitionError, "'abc' is not an id"),
        (lambda: stock(repeat=G.Repeat("h", "nope")), UnknownName, "unknown variable 'nope'"),
        (lambda: G.Row(panels=[]), DefinitionError, "a row of Grafana 4"),
        (lambda: G.Panel(), DefinitionError, "is not a panel"),
        (lambda: G.RowPanel(title="R", panels=[]), DefinitionError, "rows without a panel"),
    ],
)
def test_refused_in_a_board(panel: Callable[[], Any], error: type[DefinitionError], message: str) -> None:
    with pytest.raises(error) as caught:
        of(panel())
    assert message in str(caught.value)


def test_a_repeat_may_be_written_with_its_dollar() -> None:
    given = [variables.node]
    for panel in (stock(repeat=G.Repeat("h", "$node")), TimeSeries("A", [Query("up")], repeat="${node}")):
        assert of(panel, given=given)["panels"][0]["repeat"] == "node"
    assert of(Row("R", [stock()], repeat="[[node]]"), given=given)["panels"][0]["repeat"] == "node"


def test_templates_are_cleaned_and_ask_the_boards_source(tmp_path: Path) -> None:
    data = of(
        stock(),
        given=[
            G.Template("host", "label_values(up, instance)"),
            kinds.QueryVariable("job", "label_values(up, job)"),
            kinds.LokiQueryVariable("app", "app"),
            kinds.AdhocVariable("filters"),
        ],
    )
    given = {variable["name"]: variable for variable in data["templating"]["list"]}
    assert list(given) == ["datasource", "loki", "host", "job", "app", "filters"]
    assert given["app"]["datasource"] == {"type": "loki", "uid": "${loki}"}
    assert [given[name]["datasource"] for name in ("host", "job", "filters")] == [SOURCE] * 3
    assert given["host"]["query"]["query"] == "label_values(up, instance)"
    assert findings(data, tmp_path) == []


@pytest.mark.parametrize(
    "variable",
    [
        kinds.CustomVariable("datasource", ["a"]),
        kinds.TextVariable("loki"),
        kinds.DatasourceVariable("datasource", "loki"),
        G.Template("loki", "prometheus", type="datasource"),
    ],
)
def test_the_names_of_the_data_sources_are_taken(variable: Any) -> None:
    with pytest.raises(DefinitionError, match="is not a data source of the type") as caught:
        of(stock(), given=[variable])
    assert "call it something else" in caught.value.fix


# a whole dashboard -------------------------------------------------------------------------------


def test_a_stock_dashboard_is_judged_like_a_board(tmp_path: Path) -> None:
    left = stock(gridPos=G.GridPos(h=8, w=12, x=0, y=0))
    right = stock(gridPos=G.GridPos(h=8, w=12, x=12, y=0))
    assert findings(built(dashboard(left, right)), tmp_path) == []


TWICE = [G.Template("x", "a", type="custom")] * 2
OVER = [G.GridPos(h=8, w=12, x=0, y=0), G.GridPos(h=8, w=12, x=5, y=5)]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: dashboard(stock(), uid="../../etc/x"), "the uid has characters that Grafana refuses"),
        (lambda: dashboard(stock(), uid="a" * 41), "the uid has 41 characters"),
        (lambda: dashboard(stock(), uid="a\n"), "the uid has characters"),
        (lambda: dashboard(stock(), uid=5), "a board without uid"),
        (lambda: dashboard(stock(), title=5), "a board without title"),
        (lambda: dashboard(stock(), title=" "), "a board without title"),
        (lambda: dashboard(), "a board without panels"),
        (lambda: dashboard(*(stock(gridPos=place) for place in OVER)), "it covers"),
        (lambda: dashboard(stock(gridPos=G.GridPos(h=8, w=30, x=0, y=0))), "width 30 is more than the 24 columns"),
        (lambda: dashboard(stock(repeat=G.Repeat("h", "node"))), "unknown variable 'node'"),
        (lambda: dashboard(stock('up{a="$nope"}')), "unknown variable 'nope'"),
        (lambda: dashboard(stock("up{")), "not a PromQL expression"),
        (lambda: dashboard(stock(), tags=[5]), "tags: [0]: 5 is not a text"),
        (lambda: dashboard(stock(), refresh=5), "refresh: 5 is not a text"),
        (lambda: dashboard(stock(), links=[5]), "links[0]: 5 is not a dict"),
        (lambda: dashboard(stock(), annotations=G.Annotations(list=[5])), "annotations[0]: 5 is not a dict"),
        (lambda: dashboard(stock(), templating=G.Templating(list=[5])), "variables[0]: 5 is not a variable"),
        (
            lambda: dashboard(stock(), templating=G.Templating([G.Template("x", "a", type="custom")] * 2)),
            "declared twice",
        ),
        (lambda: dashboard(Stat("S", [Query("up")])), "only a Board answers queries"),
        (lambda: dashboard(stock(title=5)), "the title 5 is not a text"),
        (lambda: dashboard(G.Panel()), "panels[0]: Panel("),
    ],
)
def test_a_stock_dashboard_refused(made: Callable[[], Any], message: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        built(made())
    assert message in str(caught.value)
    assert caught.value.where.startswith("boards/a.py:1: board ")

"""The frame, and whole stock dashboards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grafanalib import core as G  # noqa: N812

from builder.grafana.encode import encode
from builder.grafana.frame import dashboard_json
from builder.grafana.normalise import clean_dashboard, clean_target

from .judge import findings

SOURCE = {"type": "prometheus", "uid": "${datasource}"}


def stock() -> G.Dashboard:
    return G.Dashboard(
        title="Stock",
        uid="stock",
        sharedCrosshair=True,
        rows=[
            G.Row(
                title="First",
                panels=[G.Graph(title="a", targets=[target()]), G.Stat(title="b", targets=[target()])],
            ),
            G.Row(title="Folded", collapse=True, panels=[G.Stat(title="c", targets=[target()])]),
        ],
        templating=G.Templating([G.Template("datasource", "prometheus", type="datasource")]),
        links=[G.DashboardLink(title="Others", tags=["gpu"])],
    )


def target() -> G.Target:
    return G.Target(expr="up")


def test_frame() -> None:
    data = dashboard_json("u", "Title", "", ["a"], [])
    assert data["schemaVersion"] == 39
    assert not {"id", "version", "description", "__inputs", "style"} & data.keys()
    assert data["annotations"]["list"][0]["builtIn"] == 1
    assert (data["graphTooltip"], data["weekStart"], data["fiscalYearStartMonth"]) == (1, "", 0)


def test_frames_share_nothing() -> None:
    one, other = (dashboard_json("u", "Title", "", [], []) for _ in range(2))
    one["annotations"]["list"][0]["datasource"]["uid"] = "changed"
    assert other["annotations"]["list"][0]["datasource"]["uid"] == "-- Grafana --"


def test_rows_of_the_old_kind() -> None:
    data = clean_dashboard(stock(), SOURCE)
    shape = [(p["type"], p.get("title"), tuple(p["gridPos"].values())) for p in data["panels"]]
    assert shape == [
        ("row", "First", (1, 24, 0, 0)),
        ("timeseries", "a", (8, 12, 0, 1)),
        ("stat", "b", (8, 12, 12, 1)),
        ("row", "Folded", (1, 24, 0, 9)),
    ]
    assert data["panels"][3]["panels"][0]["gridPos"] == {"h": 8, "w": 24, "x": 0, "y": 10}
    assert data["graphTooltip"] == 1
    assert not {"rows", "style", "__inputs", "hideControls", "sharedCrosshair", "gnetId"} & data.keys()


def test_judged(tmp_path: Path) -> None:
    assert findings(clean_dashboard(stock(), SOURCE), tmp_path) == []


def test_bytes_are_stable() -> None:
    assert encode(clean_dashboard(stock())) == encode(clean_dashboard(stock()))


def test_targets_of_other_plugins_keep_their_own_keys() -> None:
    sql = clean_target(G.SqlTarget(rawSql="select 1", refId="A"))
    assert sql == {"rawSql": "select 1", "rawQuery": True, "refId": "A"}
    loki: dict[str, Any] = clean_target(G.Target(expr='{a="b"}', datasource={"type": "loki", "uid": "x"}))
    assert loki == {
        "editorMode": "code",
        "expr": '{a="b"}',
        "queryType": "range",
        "refId": "",
        "datasource": {"type": "loki", "uid": "x"},
    }

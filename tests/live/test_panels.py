"""A hand-made dashboard on a known fleet: what comes back is what the exposition says, by hand.

The fleet "dcgm": gpu-node-01 (util 97 and 0) and gpu-node-02 (util 0 and 50), see tests/scrapes/README.md.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest

from builder.errors import UnknownName, UsageError
from builder.testing import DashboardResult, Prometheus, run_dashboard

pytestmark = pytest.mark.live

PROMETHEUS = {"type": "prometheus", "uid": "${datasource}"}
ALL = {"text": ["All"], "value": ["$__all"]}


def _query_variable(name: str, query: str, **keys: Any) -> dict[str, Any]:
    wrapped = {"query": query, "refId": "PrometheusVariableQueryEditor-VariableQuery", "qryType": 1}
    base = {"name": name, "type": "query", "datasource": PROMETHEUS, "query": wrapped, "definition": query}
    return {**base, "refresh": 2, "sort": 1, **keys}


def _target(expr: str, ref_id: str = "A", **keys: Any) -> dict[str, Any]:
    return {"refId": ref_id, "datasource": PROMETHEUS, "expr": expr, "range": True, **keys}


def _instant(expr: str, ref_id: str = "A", **keys: Any) -> dict[str, Any]:
    return _target(expr, ref_id, range=False, instant=True, **keys)


CARD = 'max by (Hostname, gpu) (DCGM_FI_DEV_{metric}{{Hostname=~"$node",gpu=~"$gpu"}})'

DASHBOARD: dict[str, Any] = {
    "title": "Hand-made",
    "uid": "hand-made",
    "templating": {
        "list": [
            # The first one depends on the two after it: order in the list does not matter to Grafana.
            _query_variable(
                "gpu",
                'label_values(DCGM_FI_DEV_FB_USED{Hostname=~"$node"}, gpu)',
                multi=True,
                includeAll=True,
            ),
            _query_variable(
                "node",
                "label_values(DCGM_FI_DEV_FB_USED, Hostname)",
                multi=True,
                includeAll=True,
                current=ALL,
            ),
            _query_variable(
                "busy",
                'query_result(max by (Hostname, gpu) (DCGM_FI_DEV_GPU_UTIL{Hostname=~"$node"}) > $least)',
                regex='/Hostname="(?<text>[^"]+)",gpu="(?<value>[^"]+)"/',
                multi=True,
                includeAll=True,
                allValue=".*",
            ),
            {"name": "datasource", "type": "datasource", "query": "prometheus", "current": {}},
            {"name": "least", "type": "custom", "query": "ten : 10,sixty : 60", "current": {}},
            {
                "name": "window",
                "type": "interval",
                "query": "2m,10m",
                "current": {"text": "10m", "value": "10m"},
            },
            {"name": "note", "type": "textbox", "query": "hello"},
            {"name": "fixed", "type": "constant", "query": "job", "hide": 2},
            {"name": "filters", "type": "adhoc", "datasource": PROMETHEUS},
        ]
    },
    "panels": [
        {
            "id": 1,
            "type": "timeseries",
            "title": "Utilisation",
            "datasource": PROMETHEUS,
            "targets": [_target(CARD.format(metric="GPU_UTIL"), legendFormat="{{Hostname}} gpu {{ gpu }}{{no}}")],
        },
        {
            "id": 2,
            "type": "stat",
            "title": "Power",
            "targets": [
                _instant("sum(rate(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[$__rate_interval])) / 1000"),
                _instant("sum(rate(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[$window])) / 1000", "B", hide=True),
            ],
        },
        {"id": 3, "type": "row", "title": "Cards", "collapsed": False, "panels": []},
        {
            "id": 4,
            "type": "timeseries",
            "title": "Card $gpu",
            "repeat": "gpu",
            "targets": [_target('DCGM_FI_DEV_GPU_TEMP{gpu=~"$gpu"}', interval="1m", legendFormat="$gpu")],
        },
        {
            "id": 5,
            "type": "row",
            "title": "Closed",
            "collapsed": True,
            "panels": [
                {
                    "id": 6,
                    "type": "table",
                    "title": "Mixed",
                    "datasource": {"type": "datasource", "uid": "-- Mixed --"},
                    "targets": [
                        _instant("count(up)", format="table"),
                        _instant("vector(1) unless vector(1)", "B"),
                        {
                            "refId": "C",
                            "datasource": {"type": "loki", "uid": "loki"},
                            "expr": '{node=~"$node"} |= "$note"',
                        },
                    ],
                },
                {"id": 7, "type": "text", "title": "Words"},
            ],
        },
    ],
}


@pytest.fixture(scope="module")
def url(prometheus_of: Callable[[str], Prometheus]) -> str:
    return prometheus_of("dcgm").url


@pytest.fixture(scope="module")
def board(url: str) -> DashboardResult:
    return run_dashboard(DASHBOARD, url)


def _with_panel(panel: dict[str, Any]) -> dict[str, Any]:
    dashboard = copy.deepcopy(DASHBOARD)
    dashboard["panels"] = [{"id": 1, "type": "stat", "title": "It", **panel}]
    return dashboard


def test_a_sound_dashboard_has_no_problems(board: DashboardResult) -> None:
    assert board.problems() == ()
    assert (board.title, board.uid) == ("Hand-made", "hand-made")
    assert [p.title for p in board.panels] == [
        "Utilisation",
        "Power",
        "Card $gpu",
        "Card $gpu",
        "Mixed",
        "Words",
    ]


def test_variables_are_resolved_as_grafana_does(board: DashboardResult) -> None:
    found = {name: (variable.options, variable.value) for name, variable in board.variables.items()}
    nodes = ("gpu-node-01", "gpu-node-02")
    assert found == {
        "gpu": (("0", "1"), ("0", "1")),
        "node": (nodes, nodes),
        "busy": (("0", "1"), ("0", "1")),
        "datasource": (("prometheus",), ("prometheus",)),
        "least": (("10", "60"), ("10",)),
        "window": (("2m", "10m"), ("10m",)),
        "note": (("hello",), ("hello",)),
        "fixed": (("job",), ("job",)),
        "filters": ((), ()),
    }
    assert (
        board.variables["gpu"].query == r'label_values(DCGM_FI_DEV_FB_USED{Hostname=~"(gpu-node-01|gpu-node-02)"}, gpu)'
    )


def test_values_and_legends_of_a_range_query(board: DashboardResult) -> None:
    panel = board.panel("Utilisation")
    shown = {series.legend: series.last for series in panel.series}
    assert shown == {
        "gpu-node-01 gpu 0": 97,
        "gpu-node-01 gpu 1": 0,
        "gpu-node-02 gpu 0": 0,
        "gpu-node-02 gpu 1": 50,
    }
    assert panel.value(Hostname="gpu-node-02", gpu="1") == 50
    assert {len(series.points) for series in panel.series} == {241}  # an hour, every 15 s, both ends
    assert panel.target("A").step == 15


def test_an_instant_query_over_time(board: DashboardResult) -> None:
    power = board.panel("Power")
    # 642.713 + 72.164 + 120.5 + 698.25 W
    assert power.value() == pytest.approx(1533.627)
    assert "[60s]" in power.target("A").expr
    assert "[10m]" in power.target("B").expr
    assert power.target("B").value() == pytest.approx(1533.627)
    assert len(power.series) == 1  # what is hidden is run, but not shown


def test_a_repeated_panel_runs_once_a_value_with_that_value_alone(board: DashboardResult) -> None:
    card = board.panel("Card $gpu", gpu="1")
    assert card.row == "Cards"
    assert card.target("A").expr == 'DCGM_FI_DEV_GPU_TEMP{gpu=~"1"}'
    assert sorted(series.last for series in card.series) == [33, 88]
    assert card.target("A").step == 60
    assert {series.legend for series in card.series} == {"1"}


def test_panels_of_a_collapsed_row_run_too(board: DashboardResult) -> None:
    mixed = board.panel("Mixed")
    assert mixed.row == "Closed"
    assert mixed.target("A").value() == 6
    assert mixed.target("B").empty
    assert not mixed.empty
    assert [(n.ref_id, n.type, n.expr) for n in mixed.not_run] == [
        ("C", "loki", '{node=~"gpu-node-01|gpu-node-02"} |= "hello"')
    ]
    assert not board.panel("Words").empty


def test_a_choice_narrows_what_depends_on_it(url: str) -> None:
    board = run_dashboard(DASHBOARD, url, variables={"node": ["gpu-node-02"], "least": "60", "gpu": "$__all"})
    assert board.variables["busy"].options == ()
    assert {s.labels["Hostname"] for s in board.panel("Utilisation").series} == {"gpu-node-02"}


@pytest.mark.parametrize(
    ("current", "keys", "value"),
    [
        ({"text": "gpu-node-02", "value": "gpu-node-02"}, {}, ("gpu-node-02",)),
        ({"text": "gone", "value": "gone"}, {}, ("gpu-node-01",)),
        ({}, {}, ("gpu-node-01",)),
        ({"text": ["gpu-node-02"], "value": ["gpu-node-02"]}, {"multi": True}, ("gpu-node-02",)),
        ({"text": "gone", "value": "gone"}, {"includeAll": True}, ("gpu-node-01", "gpu-node-02")),
        ({"text": "All", "value": "$__all"}, {"includeAll": True}, ("gpu-node-01", "gpu-node-02")),
    ],
)
def test_the_saved_choice_holds_while_it_exists(
    url: str, current: dict[str, Any], keys: dict[str, Any], value: tuple[str, ...]
) -> None:
    dashboard = copy.deepcopy(DASHBOARD)
    label_values = "label_values(DCGM_FI_DEV_FB_USED, Hostname)"
    dashboard["templating"]["list"].append(_query_variable("saved", label_values, current=current, **keys))
    assert run_dashboard(dashboard, url).variables["saved"].value == value


def test_a_choice_of_an_unknown_variable_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="no variable nodes"):
        run_dashboard(DASHBOARD, url, variables={"nodes": "x"})


@pytest.mark.parametrize(
    ("expr", "problem"),
    [
        ("sum(", "parse error"),
        ('up{instance=~"$instance"}', r"unknown variable \$instance"),
        ("rate(up[$intervall])", r"unknown variable \$intervall"),
        ("", "the query is empty"),
    ],
)
def test_a_broken_query_is_a_problem_not_an_exception(url: str, expr: str, problem: str) -> None:
    board = run_dashboard(_with_panel({"targets": [_target(expr)]}), url)
    assert re.search(problem, "\n".join(board.problems()))
    assert all("'It', query A" in text for text in board.problems())


def test_a_broken_variable_is_a_problem(url: str) -> None:
    dashboard = copy.deepcopy(DASHBOARD)
    dashboard["templating"]["list"].append(_query_variable("bad", "query_result(sum()"))
    dashboard["templating"]["list"].append(_query_variable("unknown", 'label_values(up{a=~"$nothing"}, job)'))
    dashboard["templating"]["list"].append({"name": "switched", "type": "switch"})
    problems = run_dashboard(dashboard, url).problems()
    assert [text.split(":")[0] for text in problems] == [
        "variable bad",
        "variable unknown",
        "variable switched",
    ]


def test_variables_in_a_circle_are_refused(url: str) -> None:
    dashboard = copy.deepcopy(DASHBOARD)
    dashboard["templating"]["list"] = [
        _query_variable("a", 'label_values(up{job="$b"}, job)'),
        _query_variable("b", 'label_values(up{job="$a"}, job)'),
    ]
    with pytest.raises(UsageError, match="a -> b -> a"):
        run_dashboard(dashboard, url)


def test_a_panel_may_look_further_back_or_at_another_time(url: str) -> None:
    panel = {"timeFrom": "10m", "timeShift": "30m", "targets": [_target("up", interval="30s")]}
    result = run_dashboard(_with_panel(panel), url).panel("It")
    times = [time for time, _ in result.series[0].points]
    assert times[-1] - times[0] == 600
    assert times[-1] == 1767231000 - 1800


def test_lookups_that_miss_say_what_there_is(board: DashboardResult) -> None:
    with pytest.raises(UnknownName) as caught:
        board.panel("Utilization")
    assert "Utilisation" in caught.value.fix
    with pytest.raises(UsageError, match="2 panels"):
        board.panel("Card $gpu")
    with pytest.raises(UsageError, match="2 series") as several:
        board.panel("Utilisation").value(gpu="0")
    assert "97.0" in several.value.fix
    with pytest.raises(UsageError, match="0 series"):
        board.panel("Utilisation").value(gpu="7")
    with pytest.raises(UnknownName, match="refId"):
        board.panel("Utilisation").target("Z")

"""Variables, ours and grafanalib's."""

from __future__ import annotations

from typing import Any

import pytest
from grafanalib import core as G  # noqa: N812

from builder.errors import DefinitionError
from builder.grafana import variables as v
from builder.grafana.normalise import clean_variable


@pytest.mark.parametrize(
    ("given", "current"),
    [
        ({}, {}),
        ({"include_all": True}, {"text": "All", "value": "$__all"}),
        ({"include_all": True, "multi": True}, {"text": ["All"], "value": ["$__all"]}),
        ({"multi": True, "default": "a"}, {"text": ["a"], "value": ["a"]}),
        ({"multi": True, "default": ["a", "b"]}, {"text": ["a", "b"], "value": ["a", "b"]}),
        ({"default": "a"}, {"text": "a", "value": "a"}),
    ],
)
def test_what_is_chosen_first(given: dict[str, Any], current: dict[str, Any]) -> None:
    assert v.QueryVariable("node", "label_values(up, node)", **given).to_json_data()["current"] == current


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("label_values(up, node)", 1),
        ("label_names()", 0),
        ("metrics(DCGM.*)", 2),
        ("query_result(sum(up))", 3),
    ],
)
def test_prometheus_query_types(query: str, number: int) -> None:
    data = v.QueryVariable("node", query).to_json_data()
    assert data["query"] == {
        "qryType": number,
        "query": query,
        "refId": "PrometheusVariableQueryEditor-VariableQuery",
    }
    assert data["definition"] == query


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: v.QueryVariable("node", "up"),
        lambda: v.QueryVariable("no-de", "label_values(up, node)"),
        lambda: v.QueryVariable("__node", "label_values(up, node)"),
        lambda: v.QueryVariable(query="label_values(up, node)"),
        lambda: v.QueryVariable("node", "label_values(up, node)", sort="numericaly"),
        lambda: v.QueryVariable("node", "label_values(up, node)", dataSource="x"),
        lambda: v.QueryVariable("node", "label_values(up, node)", default=["a", "b"]).to_json_data(),
        lambda: v.QueryVariable("node", "label_values(up, node)", all_value=".+").to_json_data(),
        lambda: v.CustomVariable("x", []),
        lambda: v.CustomVariable("x", ["a"], default="b"),
        lambda: v.CustomVariable("x", ["a : b"]),
        lambda: v.IntervalVariable("x", ["often"]),
        lambda: v.LokiQueryVariable("x"),
    ],
)
def test_wrong_variables_are_refused(wrong: Any) -> None:
    with pytest.raises(DefinitionError):
        wrong()


def test_custom_values_with_texts_and_commas() -> None:
    data = v.CustomVariable("x", {"a": "Team A", "b,c": "b,c", "d": "D, E"}).to_json_data()
    assert data["query"] == "Team A : a,b\\,c,D\\, E : d"
    assert data["current"] == {"text": "Team A", "value": "a"}


def test_a_constant_stays_hidden() -> None:
    assert v.ConstantVariable("x", "1").to_json_data()["hide"] == 2


def test_stock_template() -> None:
    template = G.Template("node", "label_values(up, node)", dataSource="$datasource", multi=True, includeAll=True)
    assert clean_variable(template) == {
        "name": "node",
        "type": "query",
        "hide": 0,
        "includeAll": True,
        "multi": True,
        "options": [],
        "sort": 1,
        "refresh": 1,
        "current": {"text": ["All"], "value": ["$__all"]},
        "datasource": {"type": "prometheus", "uid": "${datasource}"},
        "query": {
            "qryType": 1,
            "query": "label_values(up, node)",
            "refId": "PrometheusVariableQueryEditor-VariableQuery",
        },
        "definition": "label_values(up, node)",
    }


def test_stock_template_kinds() -> None:
    custom = clean_variable(G.Template("x", "a, b", type="custom", default="a"))
    assert (custom["query"], custom["current"]) == ("a,b", {"text": "a", "value": "a"})
    chosen = clean_variable(G.Template("n", "label_values(x)", dataSource="p", multi=True, default="a"))
    assert chosen["current"] == {"text": ["a"], "value": ["a"]}
    interval = clean_variable(G.Template("i", "1m,5m", type="interval", auto=True))
    assert (interval["current"]["value"], interval["auto_count"]) == ("1m", 30)
    assert clean_variable(G.Template("c", "1", type="constant"))["hide"] == 2
    assert clean_variable(G.Template("t", "x", type="textbox"))["current"] == {"text": "x", "value": "x"}
    assert "query" not in clean_variable(G.Template("f", "", type="adhoc", dataSource="$datasource"))
    ours = v.TextVariable("search", "gpu")
    assert clean_variable(ours) == ours.to_json_data()

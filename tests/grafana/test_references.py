"""Names in a finished dashboard: variables, formats, refs, and what stands for a number."""

from __future__ import annotations

from typing import Any

import pytest

from builder import Board, Query, Row, Stat, TimeSeries, board_link, drill, thresholds, variables
from builder.build import context_of
from builder.config import Config
from builder.errors import DefinitionError, QueryError, UnknownName
from builder.grafana import variables as kinds
from builder.grafana.render import render
from builder.grafana.written import number_variables


def rendered(*panels: Any, given: Any = (), **more: Any) -> dict[str, Any]:
    return render(Board("own", "Own", panels, variables=given, **more), context_of(Config()))[0]


@pytest.mark.parametrize(
    ("expr", "message", "fix"),
    [
        ("rate(x_total[$__rate_intervall])", "unknown variable '__rate_intervall'", "__rate_interval"),
        ('up{node=~"${node:nope}"}', "unknown variable format 'nope'", ""),
        ('up{node=~"[[node:regexp]]"}', "unknown variable format 'regexp'", "regex"),
    ],
)
def test_misspelt(expr: str, message: str, fix: str) -> None:
    with pytest.raises(UnknownName, match=message) as caught:
        rendered(TimeSeries("A", [Query(expr)]), given=[variables.node])
    assert fix in caught.value.fix
    assert "panel 'A'" in caught.value.where


@pytest.mark.parametrize(
    "text",
    ["$__range_s", "${__from:date:iso}", "$__auto_interval_w", "${node:csv}", "${node.text}", "$1", "${__user.login}"],
)
def test_what_grafana_knows(text: str) -> None:
    rendered(TimeSeries(f"On {text}", [Query("up")]), given=[variables.node])


def test_names_in_links_annotations_and_variables_are_checked_too() -> None:
    panel = Stat("S", [Query("up")])
    for more in (
        {"links": [board_link("To $nope", uid="a")]},
        {"annotations": [{"name": "A", "expr": 'x{a="$nope"}'}]},
        {"given": [kinds.QueryVariable("x", "label_values(up, job)", regex="/$nope/")]},
        {"given": [kinds.LokiQueryVariable("x", "job", stream='{a="$nope"}')]},
    ):
        with pytest.raises(UnknownName, match="unknown variable 'nope'"):
            rendered(panel, **more)
    with pytest.raises(UnknownName, match="unknown variable 'nope'"):
        rendered(Stat("S", [Query("up")], data_links=[drill("a", "b", {"x": "nope"}, where="variables")]))


def test_two_queries_of_one_ref() -> None:
    with pytest.raises(DefinitionError, match="two queries have the ref 'A'") as caught:
        rendered(Row("R", [Stat("S", [Query("up", ref="A"), Query("down", ref="A")])], collapsed=True))
    assert "panel 'S'" in caught.value.where


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        ("up[5m]", "a range of samples cannot be drawn"),
        ("(rate(x_total[1m])[1h:])", "a range of samples cannot be drawn"),
        ('"up"', "a text is no series"),
        ('sum(label_replace(up, "a", "$1", "b", "(?=x)"))', "'(?=x)' is not a regular expression of Prometheus"),
    ],
)
def test_what_a_panel_cannot_ask(expr: str, message: str) -> None:
    with pytest.raises(QueryError) as caught:
        rendered(Stat("S", [Query(expr)]))
    assert message in caught.value.what and 'Stat "S"' in caught.value.where


NUMBERS = [
    kinds.CustomVariable("k", ["5", "1e3", ".5"]),
    kinds.CustomVariable("k", {"5": "five", "-1": "none"}),
    kinds.ConstantVariable("k", "0.95"),
    kinds.TextVariable("k", "10"),
    kinds.IntervalVariable("k"),
]
OTHERS = [
    kinds.CustomVariable("k", ["5", "a"]),
    kinds.CustomVariable("k", ["5", "6"], multi=True),
    kinds.CustomVariable("k", ["5", "6"], include_all=True),
    kinds.ConstantVariable("k", "node1"),
    kinds.TextVariable("k"),
    kinds.QueryVariable("k", "label_values(up, job)"),
]


@pytest.mark.parametrize("variable", NUMBERS)
def test_a_variable_that_holds_a_number_is_one(variable: Any) -> None:
    rendered(
        Stat("S", [Query("topk($k, up)"), Query("quantile(${k}, up)"), Query("rate(x_total[$k])")]), given=[variable]
    )


@pytest.mark.parametrize("variable", OTHERS)
def test_any_other_is_none(variable: Any) -> None:
    assert number_variables([variable.to_json_data()]) == frozenset()
    with pytest.raises(QueryError, match="expected type scalar"):
        rendered(Stat("S", [Query("topk($k, up)")]), given=[variable])


def test_thresholds_that_are_no_numbers() -> None:
    steps = {"fieldConfig": {"defaults": {"thresholds": {"steps": [{"color": "red", "value": [1]}]}}}}
    with pytest.raises(DefinitionError, match="thresholds that are no numbers"):
        rendered(Stat("S", [Query("up")], thresholds=thresholds("green"), extra=steps))

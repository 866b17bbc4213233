"""What panels ask, without asking: scopes of repeats, languages, windows, and what cannot be sent."""

from __future__ import annotations

from typing import Any

from builder.opening.plan import Opened, PlannedPanel
from builder.opening.variables import VariableResult, resolve
from builder.opening.window import window

AT = 100_007.0


class Nothing:
    """A server that must not be asked."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"asked for {name}")


def plan(*panels: Any, variables: tuple[dict[str, Any], ...] = (), **board: Any) -> list[PlannedPanel]:
    dashboard = {"panels": list(panels), "templating": {"list": list(variables)}, **board}
    whole = window(start=AT - 3600, end=AT, max_data_points=1000, scrape_interval=15)
    resolved = resolve(dashboard, Nothing(), whole, {})  # type: ignore[arg-type]
    return list(Opened(dashboard, AT, 3600, 15, 1000, resolved).panels())


def custom(name: str, *values: str, multi: bool = True) -> dict[str, Any]:
    return {"name": name, "type": "custom", "query": ",".join(values), "multi": multi, "includeAll": multi}


def test_a_repeated_row_repeats_its_panels_and_their_own_repeats() -> None:
    row = {"type": "row", "title": "$node", "repeat": "node", "collapsed": True}
    panel = {"title": "$node: $gpu", "repeat": "gpu", "targets": [{"expr": 'x{n=~"$node",g=~"$gpu"}'}]}
    found = plan({**row, "panels": [panel]}, variables=(custom("node", "a", "b"), custom("gpu", "0", "1")))
    assert [p.heading for p in found] == ["a: 0", "a: 1", "b: 0", "b: 1"]
    assert found[3].queries[0].expr == 'x{n=~"b",g=~"1"}' and found[3].scope == {"node": "b", "gpu": "1"}


def test_who_is_asked_follows_from_the_data_source() -> None:
    logs = {"name": "logs", "type": "datasource", "query": "loki"}
    (panel,) = plan(
        {
            "targets": [
                {"refId": "A", "expr": "up"},
                {"refId": "B", "expr": "up", "datasource": {"type": "prometheus", "uid": "${metrics}"}},
                {"refId": "C", "expr": "{a='b'}", "datasource": {"type": "loki", "uid": "x"}},
                {"refId": "D", "expr": "{a='b'}", "datasource": "$logs"},
                {"refId": "E", "datasource": {"type": "__expr__", "uid": "__expr__"}, "expression": "A"},
            ]
        },
        variables=(logs,),
    )
    assert [q.language for q in panel.queries] == ["prometheus", "prometheus", "loki", "loki", "__expr__"]


def test_range_queries_are_aligned_and_instant_ones_are_not() -> None:
    (panel,) = plan({"targets": [{"expr": "a"}, {"expr": "b", "instant": True}], "maxDataPoints": 60})
    lines, now = panel.queries
    assert lines.window.interval == 60 and (lines.start, lines.end) == (96_360, 99_960)
    assert now.end == AT


def test_what_cannot_be_sent_is_said_of_that_query_alone() -> None:
    (panel,) = plan({"interval": "soon", "targets": [{"expr": "up", "refId": "A"}]}, variables=())
    assert "'soon' is not a duration" in panel.queries[0].error
    (panel,) = plan(
        {"targets": [{"expr": "x{a='${v:date}'}"}, {"expr": "up + $gone"}, {"expr": "up"}]},
        variables=(custom("v", "1"),),
    )
    odd, hole, well = panel.queries
    assert "date" in odd.error and hole.unresolved == ("gone",) and not well.error and not well.unresolved


def test_a_repeat_over_nothing_is_an_error_of_the_panel() -> None:
    (panel,) = plan({"repeat": "gone", "targets": [{"expr": "up"}]})
    assert "repeats over gone" in panel.error


def test_independent_variables_are_resolved_together() -> None:
    levels: list[list[str]] = []

    def together(work: Any, names: Any) -> list[VariableResult]:
        levels.append(list(names))
        return [work(name) for name in names]

    listed = [custom("a", "1"), custom("b", "2"), {"name": "c", "type": "custom", "query": "$a-$b"}]
    whole = window(start=0, end=3600, max_data_points=100, scrape_interval=15)
    resolve({"templating": {"list": listed}}, Nothing(), whole, {}, together)  # type: ignore[arg-type]
    assert levels == [["a", "b"], ["c"]]

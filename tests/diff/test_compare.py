"""What became of each panel: matched, moved, pushed down, folded away."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.diff import ABSENT, BoardDiff, Kind, Status, compare
from builder.diff.show import facts, html, markdown, text

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.floats(0, 1)
    | st.sampled_from(["", "row", "stat", "expr", "`<b>"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "title", "type", "panels", "gridPos", "targets", "fieldConfig", "overrides", "x", "list"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
DASHBOARDS = st.dictionaries(
    st.sampled_from(["uid", "title", "panels", "rows", "templating", "annotations", "links", "tags", "time", "odd"]),
    JSON | st.lists(JSON, max_size=3),
    max_size=5,
)


def panel(number: int, title: str, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "type": "timeseries",
        "title": title,
        "gridPos": {"x": 0, "y": 8 * number, "w": 12, "h": 8},
        "targets": [{"refId": "A", "expr": f"sum({title.replace(' ', '_')})"}],
        **more,
    }


def board(*panels: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"uid": "b", "title": "B", "panels": list(panels), **more}


def told(diff: BoardDiff) -> list[str]:
    """Parts and changes in short."""
    return [
        f"{part.what} {part.name} {change.kind.value if change else part.status.value}".replace("  ", " ")
        for part in diff.parts
        for change in (part.changes or (None,))
    ]


A, B, C = panel(0, "a"), panel(1, "b"), panel(2, "c")


# matching ----------------------------------------------------------------------------------------


def test_a_panel_put_in_front_is_an_addition_even_where_ids_are_given_anew() -> None:
    after = board(panel(0, "new"), {**panel(1, "a")}, {**panel(2, "b")})
    assert told(compare(board(A, B), after)) == ["panel new added", "panel a shifted", "panel b shifted"]


def test_a_renamed_panel_is_known_by_its_id() -> None:
    renamed = {**A, "title": "z"}
    assert told(compare(board(A, B), board(renamed, B))) == ["panel z renamed"]
    everything = {**renamed, "targets": [{"refId": "A", "expr": "other"}]}
    assert sorted(told(compare(board(A, B), board(everything, B)))) == ["panel z query", "panel z renamed"]


def test_a_panel_of_another_type_is_the_same_panel() -> None:
    (part,) = compare(board(A, B), board({**A, "type": "stat"}, B)).parts
    assert [(c.path, c.before, c.after) for c in part.changes] == [(("type",), "timeseries", "stat")]


def test_panels_of_one_title_are_told_apart() -> None:
    twins = [panel(n, "same", targets=[{"refId": "A", "expr": f"x{n}"}]) for n in range(3)]
    assert told(compare(board(*twins), board(twins[0], twins[2]))) == ["panel same removed"]
    gone = compare(board(*twins), board(twins[0], twins[2])).parts[0].before
    assert gone is not None and gone["targets"][0]["expr"] == "x1"


def test_swapped_panels_moved_and_were_not_replaced() -> None:
    swapped = board({**B, "gridPos": A["gridPos"]}, {**A, "gridPos": B["gridPos"]})
    assert sorted(told(compare(board(A, B), swapped))) == ["panel a shifted", "panel b moved"]


def test_panels_without_ids_and_titles_are_known_by_what_they_ask() -> None:
    bare = [{"type": "stat", "targets": [{"expr": f"x{n}"}]} for n in range(3)]
    assert told(compare(board(*bare), board(*bare[1:]))) == ["panel ? (stat) removed"]


# rows --------------------------------------------------------------------------------------------

ROW = {
    "id": 9,
    "type": "row",
    "title": "Row",
    "collapsed": False,
    "panels": [],
    "gridPos": {"x": 0, "y": 4, "w": 24, "h": 1},
}


def test_folding_a_row_moves_nothing() -> None:
    open_ = board(ROW, B, C)
    folded = board({**ROW, "collapsed": True, "panels": [B, C]})
    (part,) = compare(open_, folded).parts
    assert (part.what, part.name, [c.path for c in part.changes]) == ("row", "Row", [("collapsed",)])
    assert told(compare(folded, open_)) == ["row Row set"]


def test_panels_below_a_new_row_are_in_it() -> None:
    diff = compare(board(B, C), board(ROW, B, C))
    assert told(diff) == ["row Row added", "panel b row", "panel c row"]
    assert "2 panels moved to row Row: b, c" in text.render([diff])


def test_the_rows_of_old_dashboards_count_too() -> None:
    def old(expr: str) -> dict[str, Any]:
        target = {"refId": "A", "expr": expr}
        return {
            "schemaVersion": 14,
            "rows": [{"title": "R", "panels": [{"id": 1, "type": "graph", "targets": [target]}]}],
        }

    assert told(compare(old("up"), old("down"))) == ["panel 1 (graph) query"]
    assert told(compare(old("up"), {**old("up"), "rows": []})) == ["row R removed", "panel 1 (graph) removed"]


def test_what_is_no_panel_is_shown_as_it_is() -> None:
    diff = compare(board(A), {**board(A), "panels": [A, "nonsense"]})
    assert [(c.path, c.before, c.after) for c in diff.parts[0].changes] == [(("panels",), [], ["nonsense"])]
    assert "nonsense" in text.render([diff])


# lists -------------------------------------------------------------------------------------------


def variables(*names: str) -> dict[str, Any]:
    return {"templating": {"list": [{"name": name, "type": "query", "query": name} for name in names]}}


def test_the_order_of_variables_and_where_one_is_put() -> None:
    moved = compare(variables("a", "b", "c"), variables("c", "a", "b"))
    assert [(c.kind, c.before, c.after) for p in moved.parts for c in p.changes] == [
        (Kind.ORDER, ["a", "b", "c"], ["c", "a", "b"])
    ]
    (added,) = compare(variables("a", "b"), variables("a", "new", "b")).parts
    assert (added.status, added.name, added.ahead_of) == (Status.ADDED, "new", "b")


@pytest.mark.parametrize(
    "same",
    [
        {"query": {"query": "label_values(up, job)", "refId": "StandardVariableQuery"}},
        {"definition": "label_values(up, job)", "options": [{"text": "x", "value": "x"}]},
        {"current": {"text": ["All"], "value": ["$__all"], "selected": True}},
        {"hide": 0, "multi": None, "regex": ""},
    ],
)
def test_two_spellings_of_one_variable(same: dict[str, Any]) -> None:
    variable = {
        "name": "job",
        "type": "query",
        "query": "label_values(up, job)",
        "current": {"text": "All", "value": "$__all"},
    }
    lists = [{"templating": {"list": [each]}} for each in (variable, {**variable, **same})]
    assert not compare(*lists)


def test_the_annotation_that_grafana_adds_is_no_difference_unless_it_was_changed() -> None:
    own = {
        "builtIn": 1,
        "datasource": {"type": "grafana", "uid": "-- Grafana --"},
        "enable": True,
        "hide": True,
        "iconColor": "rgba(0, 211, 255, 1)",
        "name": "Annotations & Alerts",
        "type": "dashboard",
    }
    assert not compare(board(A), {**board(A), "annotations": {"list": [own]}})
    assert told(compare(board(A), {**board(A), "annotations": {"list": [{**own, "enable": False}]}})) == [
        "annotation Annotations & Alerts added"
    ]


# the whole board ---------------------------------------------------------------------------------


def test_a_board_that_comes_or_goes() -> None:
    assert compare(None, board(A)).status is Status.ADDED
    gone = compare(board(A, B), None)
    assert (gone.status, gone.uid, len(gone.parts), bool(gone)) == (Status.REMOVED, "b", 2, True)


def test_folders_count_where_both_are_known() -> None:
    assert not compare(board(A), board(A), folders=("", "GPU"[:0]))
    (part,) = compare(board(A), board(A), folders=("GPU", "Ops")).parts
    assert [(c.path, c.before, c.after) for c in part.changes] == [(("folder",), "GPU", "Ops")]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"x": True}, {"x": 1}),
        ({"x": 0}, {"x": False}),
        ({"x": "1"}, {"x": 1}),
        ({"x": []}, {"x": {}}),
        ({"x": [None]}, {"x": []}),
    ],
)
def test_values_that_look_alike_are_not(one: dict[str, Any], two: dict[str, Any]) -> None:
    assert compare(board(A, **one), board(A, **two))
    assert compare(board({**A, "options": one}), board({**A, "options": two}))


def test_numbers_are_numbers_and_null_is_nothing() -> None:
    assert not compare(board({**A, "x": 1.0, "y": None}), board({**A, "x": 1}))


@given(DASHBOARDS)
def test_a_dashboard_does_not_differ_from_itself(dashboard: dict[str, Any]) -> None:
    assert not compare(dashboard, dashboard)
    assert not compare(dashboard, json.loads(json.dumps(dashboard)))


@given(DASHBOARDS, DASHBOARDS)
def test_dashboards_of_any_shape_are_compared_and_shown(one: dict[str, Any], two: dict[str, Any]) -> None:
    kept = copy.deepcopy((one, two))
    diff = compare(one, two)
    assert (one, two) == kept, "comparing changes nothing"
    assert bool(diff) == bool(compare(two, one))
    shown = text.render([diff]), text.render([diff], colour=True), markdown.render([diff])
    assert all(bool(each) == bool(diff) for each in shown)
    assert "<b>" not in html.render(diff).replace("<b></b>", "")
    json.dumps(facts.facts(diff))


def test_what_is_not_there_is_not_null() -> None:
    (part,) = compare(board(A), board({**A, "interval": "1m", "odd": 1})).parts
    assert [(c.path, c.before) for c in part.changes] == [(("interval",), ""), (("odd",), ABSENT)]

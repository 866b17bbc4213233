"""Every kind of panel makes of its JSON and its answers what Grafana would."""

from __future__ import annotations

from typing import Any

import pytest

from builder.preview.contents import (
    Bands,
    Bars,
    Cell,
    Chart,
    Content,
    Counts,
    Dials,
    Graph,
    Heat,
    Legend,
    Note,
    Prose,
    Table,
    Tiles,
    is_empty,
)
from builder.testing import NotRun, TargetResult
from tests.preview.made import BEGIN, END, STEP, TIMES, board, panel, series, target, wave

LIMITS = {"steps": [{"color": "blue", "value": None}, {"color": "dark-red", "value": 80}]}
STATES = [
    {"type": "value", "options": {"0": {"text": "no", "color": "blue"}, "1": {"text": "yes", "color": "dark-red"}}}
]


def content(kind: str, *answers: TargetResult, **more: Any) -> Content:
    made = board([panel(kind, "One", 0, 0, **more)], {"One": answers})
    return made.panels[0][1].content


def chart(kind: str, *answers: TargetResult, **more: Any) -> Chart:
    found = content(kind, *answers, **more)
    assert isinstance(found, Chart)
    return found


def graph(*answers: TargetResult, **more: Any) -> Graph:
    drawn = chart("timeseries", *answers, **more).drawn
    assert isinstance(drawn, Graph)
    return drawn


def by_name(name: str, **properties: Any) -> dict[str, Any]:
    listed = [{"id": key.replace("__", "."), "value": value} for key, value in properties.items()]
    return {"matcher": {"id": "byName", "options": name}, "properties": listed}


# graphs ------------------------------------------------------------------------------------------


def test_a_series_goes_to_the_right_axis_where_it_says_so_or_has_another_unit() -> None:
    answer = target(series("a", wave(0, 1)), series("b", wave(0, 9)), series("c", wave(0, 9)))
    overrides = [by_name("b", custom__axisPlacement="right", unit="celsius"), by_name("c", unit="celsius")]
    drawn = graph(answer, defaults={"unit": "percentunit", "max": 1}, overrides=overrides)
    assert [line.axis for line in drawn.lines] == [0, 1, 1]
    left, right = drawn.axes
    assert right is not None
    assert (left.high, left.format(0.5), right.format(70.0)) == (1.0, "50%", "70 °C")


def test_a_line_has_the_style_that_is_asked_for() -> None:
    style = by_name(
        "a", custom__lineStyle={"fill": "dash", "dash": [4, 6]}, custom__lineWidth=2, custom__fillBelowTo="b"
    )
    stacked = {"custom": {"stacking": {"mode": "normal", "group": "A"}, "drawStyle": "bars", "fillOpacity": 20}}
    dashed, plain = graph(target(series("a", wave(2, 3)), series("b", wave(0, 1))), overrides=[style]).lines
    assert (dashed.dash, dashed.width, dashed.fill_to) == ((4, 6), 2, "b")
    assert (plain.dash, plain.width, plain.fill_to) == ((), 1, "")
    (bar,) = graph(target(series("a", wave(2, 3))), defaults=stacked).lines
    assert (bar.stack, bar.shape, bar.fill) == ("A", "bars", 0.2)


def test_limits_are_drawn_only_where_the_panel_shows_them() -> None:
    answer = target(series("a", wave(0, 100)))
    assert graph(answer, defaults={"thresholds": LIMITS}).thresholds == ()
    shown = {"thresholds": LIMITS, "custom": {"thresholdsStyle": {"mode": "dashed"}}}
    assert [(t.value, t.line, t.area) for t in graph(answer, defaults=shown).thresholds] == [(80, "dashed", False)]
    area = {"thresholds": LIMITS, "custom": {"thresholdsStyle": {"mode": "area"}}}
    assert [t.area for t in graph(answer, defaults=area).thresholds] == [True, True]


def test_a_line_is_not_drawn_across_missing_samples() -> None:
    assert graph(target(series("a", wave(0, 1)))).gap == 1.5 * STEP


def test_the_legend_has_the_values_and_the_order_of_the_panel() -> None:
    options = {"legend": {"placement": "right", "calcs": ["max", "lastNotNull"], "sortBy": "Max", "sortDesc": True}}
    answer = target(series("low", [(BEGIN, 1.0), (END, 3.0)]), series("high", [(BEGIN, 9.0), (END, 2.0)]))
    legend = chart("timeseries", answer, defaults={"unit": "watt"}, options=options).legend
    assert legend is not None
    assert (legend.side, legend.headings) == ("right", ("Max", "Last *"))
    assert [(entry.name, entry.values) for entry in legend.entries] == [
        ("high", ("9 W", "2 W")),
        ("low", ("3 W", "3 W")),
    ]


def test_what_is_hidden_is_not_there() -> None:
    hide = [
        by_name("no legend", custom__hideFrom={"legend": True}),
        by_name("no line", custom__hideFrom={"viz": True, "legend": True}),
    ]
    answer = target(*(series(name, wave(0, 1)) for name in ("shown", "no legend", "no line")))
    found = chart("timeseries", answer, overrides=hide)
    assert isinstance(found.drawn, Graph) and isinstance(found.legend, Legend)
    assert [line.name for line in found.drawn.lines] == ["shown", "no legend"]
    assert [entry.name for entry in found.legend.entries] == ["shown"]
    assert chart("timeseries", answer, options={"legend": {"showLegend": False}}).legend is None


def test_a_graph_is_told_in_words() -> None:
    words = chart(
        "timeseries", target(series("core", [(BEGIN, 40.0), (END, 88.0)])), defaults={"unit": "celsius"}
    ).summary
    assert words == "Graph of 1 series; core: last 88 °C, from 40 °C to 88 °C"


# numbers -----------------------------------------------------------------------------------------


def test_a_stat_shows_a_value_a_series_and_names_where_there_are_several() -> None:
    (alone,) = tiles(
        content("stat", target(series("a", [(END, 90.0)])), defaults={"unit": "celsius", "thresholds": LIMITS})
    )
    assert (alone.name, alone.text, alone.colour, alone.filled) == ("", "90 °C", "#C4162A", False)
    both = tiles(content("stat", target(series("a", [(END, 1.0)]), series("b", [(END, 2.0)]))))
    assert [(tile.name, tile.text) for tile in both] == [("a", "1"), ("b", "2")]


def test_a_stat_without_data_says_what_that_means() -> None:
    (tile,) = tiles(content("stat", target(), defaults={"noValue": "not exported"}))
    assert tile.text == "not exported"
    assert tiles(content("stat", target()))[0].text == "No data"


@pytest.mark.parametrize(
    "kind", ["stat", "gauge", "bargauge", "table", "timeseries", "heatmap", "histogram", "state-timeline"]
)
def test_every_kind_of_panel_tells_that_it_has_no_data(kind: str) -> None:
    assert is_empty(content(kind, target()))
    assert is_empty(content(kind, target(), defaults={"noValue": "None"})), "whatever it says instead"


def test_a_panel_with_data_or_in_need_of_none_is_not_empty() -> None:
    assert not is_empty(content("stat", target(series("gpu 0", [(END, 0.0)]))))
    assert not is_empty(content("text", options={"content": ""}))


def tiles(found: Content) -> tuple[Any, ...]:
    assert isinstance(found, Tiles)
    return found.tiles


def test_a_gauge_lies_between_minimum_and_maximum() -> None:
    answer = target(series("a", [(END, 45.0)]))
    drawn = chart("gauge", answer, defaults={"min": 20, "max": 120, "thresholds": LIMITS}).drawn
    assert isinstance(drawn, Dials)
    (dial,) = drawn.dials
    assert (dial.share, dial.text) == (0.25, "45")
    assert [part[:2] for part in dial.ring] == [(0.0, 0.6), (0.6, 1.0)]


def test_bars_are_as_long_as_their_share() -> None:
    found = content(
        "bargauge", target(series("a", [(END, 0.5)]), series("b", [(END, 1.0)])), defaults={"min": 0, "max": 1}
    )
    assert isinstance(found, Bars)
    assert [(bar.name, bar.share) for bar in found.bars] == [("a", 0.5), ("b", 1.0)]


def test_bars_of_rows_are_in_the_order_of_their_names() -> None:
    names = ["100 %", "0 %", "20 %"]
    answer = target(*(series(name, [(END, float(n))]) for n, name in enumerate(names)), instant=True)
    steps = [
        {"id": "reduce", "options": {"reducers": ["lastNotNull"], "mode": "seriesToRows"}},
        {"id": "sortBy", "options": {"sort": [{"field": "Field"}]}},
    ]
    options = {"reduceOptions": {"values": True, "calcs": ["lastNotNull"]}}
    found = content("bargauge", answer, options=options, transformations=steps)
    assert isinstance(found, Bars)
    assert [(bar.name, bar.text) for bar in found.bars] == [("0 %", "1"), ("20 %", "2"), ("100 %", "0")]
    many = target(*(series(f"s{n}", [(END, float(n))]) for n in range(30)), instant=True)
    shown = content("bargauge", many, options=options, transformations=steps)
    assert isinstance(shown, Bars) and len(shown.bars) == 25
    assert content("bargauge", target(instant=True), options=options, transformations=steps) == Note("No data")


def test_bars_of_a_table_are_called_by_the_texts_of_their_rows() -> None:
    answer = target(*(series("", [(END, 60.0 + n)], node=f"n{n}", gpu="0") for n in range(2)), instant=True)
    found = content(
        "bargauge",
        answer,
        options={"reduceOptions": {"values": True}},
        targets=[{"refId": "A", "expr": "up", "format": "table"}],
    )
    assert isinstance(found, Bars)
    assert [(bar.name, bar.text) for bar in found.bars] == [("0 n0", "60"), ("0 n1", "61")]


# tables ------------------------------------------------------------------------------------------


def test_a_table_has_coloured_cells_and_gauges() -> None:
    answer = target(*(series("", [(END, 60.0 + 30 * n)], node=f"n{n}") for n in range(2)), instant=True)
    colour = by_name("Value", custom__cellOptions={"type": "color-background"}, thresholds=LIMITS, unit="celsius")
    found = content(
        "table",
        answer,
        overrides=[colour],
        transformations=[{"id": "organize", "options": {"excludeByName": {"Time": True}}}],
        options={"sortBy": [{"displayName": "Value", "desc": True}]},
    )
    assert isinstance(found, Table)
    assert found.headings == ("node", "Value")
    assert [[cell.text for cell in row] for row in found.rows] == [["n1", "90 °C"], ["n0", "60 °C"]]
    assert found.rows[0][1] == Cell("90 °C", "#C4162A", filled=True, number=True)
    gauge = content(
        "table", answer, overrides=[by_name("Value", custom__cellOptions={"type": "gauge"}, min=0, max=120)]
    )
    assert isinstance(gauge, Table)
    assert gauge.rows[0][-1].share == 0.5


def test_a_column_that_a_row_lacks_shows_what_stands_for_nothing() -> None:
    one = target(series("", [(END, 1.0)], node="n0"), series("", [(END, 1.0)], node="n1"), ref_id="A", instant=True)
    two = target(series("", [(END, 2.0)], node="n0"), ref_id="B", instant=True)
    dash = by_name("Value #B", noValue="-")
    found = content("table", one, two, overrides=[dash], transformations=[{"id": "merge"}])
    assert isinstance(found, Table)
    assert [row[-1].text for row in found.rows] == ["2", "-"]


def test_a_very_long_table_says_how_much_is_left_out() -> None:
    answer = target(*(series("", [(END, 1.0)], node=f"n{n}") for n in range(203)), instant=True)
    found = content("table", answer)
    assert isinstance(found, Table)
    assert (len(found.rows), found.more) == (200, 3)


# states, heat, counts ----------------------------------------------------------------------------


def test_equal_neighbours_of_a_timeline_are_one_span_and_a_gap_ends_it() -> None:
    points = [(t, float(n >= 30)) for n, t in enumerate(TIMES) if not 10 <= n < 20]
    drawn = chart("state-timeline", target(series("heat", points)), defaults={"mappings": STATES}).drawn
    assert isinstance(drawn, Bands)
    ((name, spans),) = drawn.rows
    assert name == "heat"
    assert [((s.begin - BEGIN) / STEP, (s.end - BEGIN) / STEP, s.text) for s in spans] == [
        (0, 10, "no"),
        (20, 30, "no"),
        (30, 61, "yes"),
    ]


def test_a_status_history_has_a_cell_a_sample() -> None:
    drawn = chart(
        "status-history", target(series("heat", [(t, 1.0) for t in TIMES[:5]])), defaults={"mappings": STATES}
    )
    assert isinstance(drawn.drawn, Bands)
    assert len(drawn.drawn.rows[0][1]) == 5
    assert "heat: yes since 23:59" in drawn.summary


def test_buckets_of_a_histogram_are_taken_apart_and_small_cells_left_out() -> None:
    buckets = [series(le, [(END, v)], le=le) for le, v in (("20", 5.0), ("10", 2.0), ("+Inf", 5.0))]
    options = {"filterValues": {"le": 1e-9}, "yAxis": {"unit": "celsius"}}
    targets = [{"refId": "A", "format": "heatmap"}]
    drawn = chart("heatmap", target(*buckets), options=options, targets=targets).drawn
    assert isinstance(drawn, Heat)
    assert (drawn.labels, [list(points) for points in drawn.cells]) == (
        ("10 °C", "20 °C", "Inf"),
        [[(END, 2.0)], [(END, 3.0)], []],
    )


def test_a_histogram_counts_values() -> None:
    values = [(t, float(n)) for n, t in enumerate(TIMES[:20])]
    drawn = chart("histogram", target(series("a", values)), options={"bucketSize": 5}).drawn
    assert isinstance(drawn, Counts)
    assert (drawn.edges, drawn.series[0][2]) == ((0, 5, 10, 15, 20), (5, 5, 5, 5))


# words -------------------------------------------------------------------------------------------


def test_text_is_markdown_or_shown_as_written() -> None:
    assert content("text", options={"content": "# $x"}, targets=[]) == Prose("# $x", markdown=True)
    assert content("text", options={"mode": "html", "content": "<b>"}, targets=[]) == Prose("<b>", markdown=False)


@pytest.mark.parametrize(
    ("kind", "more", "words"),
    [
        ("logs", {}, "Log lines come from Loki"),
        ("news", {}, "an address outside"),
        ("acme-panel", {}, "A panel of type acme-panel"),
        ("heatmap", {"options": {"calculate": True}}, "Buckets calculated by the panel"),
    ],
)
def test_what_is_not_drawn_says_so(kind: str, more: dict[str, Any], words: str) -> None:
    found = content(kind, target(series("a", wave(0, 1))), **more)
    assert isinstance(found, Note) and found.kind == "placeholder"
    assert words in found.text


def test_a_query_to_loki_is_shown_and_not_asked() -> None:
    made = board([panel("timeseries", "One", 0, 0)], {}, unasked={"One": [NotRun("A", "loki", '{pod="x"}')]})
    found = made.panels[0][1].content
    assert found == Note("Asks loki, which a preview does not.", "placeholder", ('{pod="x"}',))


def test_a_failed_query_is_a_note_alone_and_a_remark_beside_others() -> None:
    failed = target(ref_id="B", error="parse error")
    assert content("timeseries", failed) == Note("The query failed", "error", ("B: parse error",))
    made = board([panel("timeseries", "One", 0, 0)], {"One": [target(series("a", wave(0, 1))), failed]})
    assert isinstance(made.panels[0][1].content, Chart)
    assert made.panels[0][1].remarks == ("query B failed: parse error",)


def test_a_transformation_that_is_not_carried_out_is_remarked() -> None:
    one = panel("table", "One", 0, 0, transformations=[{"id": "partitionByValues"}])
    made = board([one], {"One": [target(series("a", [(END, 1.0)]))]})
    assert made.panels[0][1].remarks == ("transformations not carried out: partitionByValues",)


def test_a_panel_that_says_something_impossible_does_not_cost_the_others() -> None:
    broken = panel("timeseries", "One", 0, 0, defaults={"custom": {"lineWidth": "thick"}})
    made = board(
        [broken, panel("stat", "Two", 12, 0)], {title: [target(series("a", wave(0, 1)))] for title in ("One", "Two")}
    )
    first, second = (shown.content for _, shown in made.panels)
    assert isinstance(first, Note) and first.kind == "error"
    assert isinstance(second, Tiles)


# titles ------------------------------------------------------------------------------------------


def test_variables_are_put_into_titles_and_a_copy_has_its_own_value() -> None:
    one = panel("stat", "Card $gpu of ${node}", 0, 0, repeat="gpu", description="All of $gpu")
    made = board([one], {}, variables={"gpu": ["0", "1"], "node": ["n0", "n1"]})
    assert [shown.title for _, shown in made.panels] == ["Card 0 of n0 + n1", "Card 1 of n0 + n1"]
    assert made.panels[1][1].description == "All of 1"
    assert made.chosen == (("gpu", "0 + 1"), ("node", "n0 + n1"))

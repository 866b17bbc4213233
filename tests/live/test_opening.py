"""The parts of opening a dashboard that need no server: options, steps, legends."""

from __future__ import annotations

import pytest

from builder.errors import UsageError
from builder.opening.options import Option, extract, ordered
from builder.opening.window import parse_duration, round_interval, window
from builder.testing import Series, parse_exposition
from builder.testing.legend import with_legend

TEXTS = [Option(t, t) for t in ("node-10", "node-2", "Node-1", "other", "node-2")]


@pytest.mark.parametrize(
    ("regex", "expected"),
    [
        ("", ["node-10", "node-2", "Node-1", "other"]),
        ("/node/", ["node-10", "node-2"]),
        ("/node-(\\d+)/i", ["10", "2", "1"]),
        ("node-2", ["node-2"]),
        ("node", []),
        ("/([a-z])/g", ["n", "o", "d", "e", "t", "h", "r"]),
        ("/(?<value>\\d+)/", ["10", "2", "1"]),
        ("/node\\/?/", ["node-10", "node-2"]),
    ],
)
def test_a_regex_takes_options_out_of_texts(regex: str, expected: list[str]) -> None:
    assert [option.value for option in extract(TEXTS, regex)] == expected


def test_named_groups_set_text_and_value() -> None:
    found = [Option(t, t) for t in ('m{node="a",gpu="0"} 1 2', 'm{node="b",gpu="1"} 1 2')]
    regex = '/node="(?<text>[^"]+)",gpu="(?<value>[^"]+)"/'
    assert extract(found, regex) == (Option("a", "0"), Option("b", "1"))
    assert extract(found, '/node="(?<text>[^"]+)"/') == (Option("a", "a"), Option("b", "b"))


def test_a_data_source_is_filtered_by_its_name() -> None:
    sources = [Option("prod-1", "uid1"), Option("test", "uid2")]
    assert extract(sources, "/^prod-/", on_text=True) == (Option("prod-1", "uid1"),)


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (0, ["node-10", "node-2", "Node-1"]),
        (1, ["Node-1", "node-10", "node-2"]),
        (2, ["node-2", "node-10", "Node-1"]),
        (3, ["Node-1", "node-2", "node-10"]),
        (4, ["node-10", "node-2", "Node-1"]),
        (5, ["Node-1", "node-10", "node-2"]),
        (7, ["Node-1", "node-2", "node-10"]),
        (8, ["node-10", "node-2", "Node-1"]),
    ],
)
def test_sort_orders(sort: int, expected: list[str]) -> None:
    assert [option.value for option in ordered(TEXTS[:3], sort)] == expected


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("15s", 15), ("1h30m", 5400), (">10s", 10), ("500ms", 0.5), ("90", 90), ("1d", 86400)],
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "x", "5 apples", "m5", "5m!"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_duration(text)


@pytest.mark.parametrize(
    ("seconds", "nice"), [(3.6, 5), (14, 15), (86.4, 60), (200, 120), (6000, 7200), (1e9, 31536000)]
)
def test_intervals_are_rounded(seconds: float, nice: float) -> None:
    assert round_interval(seconds) == nice


@pytest.mark.parametrize(
    ("hours", "points", "panel", "target", "step", "rate"),
    [
        (1, 1000, 0, 0, 15, 60),  # 3.6 s wanted, the scrape interval is more; four scrapes
        (24, 1000, 0, 0, 60, 75),  # 86.4 s wanted, rounded to 60; one scrape on top
        (24, 1000, 0, 30, 60, 120),  # a minimum step of the query counts as scrape interval
        (1, 1000, 30, 0, 30, 60),  # one of the panel does not
        (1, 1000, 60, 0, 60, 75),
        (24 * 365, 1000, 0, 0, 21600, 21615),  # 31536 s wanted
    ],
)
def test_step_and_rate_interval(hours: int, points: int, panel: float, target: float, step: float, rate: float) -> None:
    shown = window(
        start=0,
        end=hours * 3600,
        max_data_points=points,
        scrape_interval=15,
        panel_interval=panel,
        target_interval=target,
    )
    assert (shown.interval, shown.rate_interval) == (step, rate)


def test_legends() -> None:
    series = Series({"__name__": "m", "b": "2", "a": "1"}, ((0, 0),))
    assert with_legend(series, "{{a}} of {{ b }}{{c}}", "m").legend == "1 of 2"
    assert with_legend(series, "", "m").legend == 'm{a="1",b="2"}'
    assert with_legend(series, "__auto", "m").legend == 'm{a="1",b="2"}'
    assert with_legend(Series({}, ((0, 0),)), "", "sum(m)").legend == "sum(m)"


def test_exposition_text_is_read() -> None:
    text = '# HELP a b\n\n a{x = "1", y="q\\"\\\\n\\n",} 1.5e3 1700000000000\nb NaN\nc{} +Inf\nd{e="}"} -1\n'
    samples = parse_exposition(text)
    assert [(s.name, dict(s.labels)) for s in samples] == [
        ("a", {"x": "1", "y": 'q"\\n\n'}),
        ("b", {}),
        ("c", {}),
        ("d", {"e": "}"}),
    ]
    assert [str(s.value) for s in samples] == ["1500.0", "nan", "inf", "-1.0"]


@pytest.mark.parametrize("line", ["a", "a{", 'a{x="1"', "a{x=1} 1", 'a{x="1"} one', "1a 1", 'a{x="1"} 1 2 3'])
def test_malformed_lines_are_refused_with_their_number(line: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_exposition(f"ok 1\n{line}\n")
    assert caught.value.where == "line 2"

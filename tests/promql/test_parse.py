"""Expressions with Grafana variables parse; wrong ones say what is wrong."""

from __future__ import annotations

import subprocess
import sys

import pytest

from builder.catalog.model import Match
from builder.errors import QueryError
from builder.promql.parse import check_pattern, check_query, label_matchers, metrics, parse


@pytest.mark.parametrize(
    "text",
    [
        "up",
        'up{node=~"$node"}',
        'rate(steps_total{node=~"${node}"}[$__rate_interval])',
        "rate(steps_total[${__rate_interval}])",
        "max_over_time(up[$__range:$__interval])",
        "max_over_time(up[${__range_s}s:])",
        "avg_over_time(up[[[window]]])",
        "increase(steps_total[5m] offset $shift)",
        "increase(steps_total[5m] offset -$shift)",
        "sum by ($group) (up)",
        "${metric} > 0",
        "increase(steps_total[$__range]) / $__range_s",
        'label_replace(up, "node", "$1", "instance", "([^:]+):.*")',
        "up{a='$x[5m]', b=\"[$y]\"}",
        "vector(1) * $__interval_ms",
    ],
)
def test_expressions_of_boards_parse(text: str) -> None:
    parse(text)


def test_a_declared_number_is_a_number() -> None:
    parse("topk($count, up)", numbers={"count"})
    with pytest.raises(QueryError, match="not a PromQL expression"):
        parse("vector($count)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rate(up)", "expected type matrix"),
        ("up[5m] + 1", "binary expression"),
        ("sum(up", "unexpected|unclosed|invalid"),
        ("nosuchfunction(up)", "nosuchfunction"),
        ('up{a=~"("}', "regex|unclosed"),
        ("", "empty|no expression"),
    ],
)
def test_the_parsers_message_is_kept(text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message) as caught:
        parse(text)
    assert caught.value.where == text
    assert caught.value.fix


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("sum(rate(up[5m])", "close what is open"),
        ('up{job="$job"', "close what is open"),
        ("rate($metric[5m", "close what is open"),
        ("clamp_max(up, $limit)", "a variable that holds a number must be declared as one"),
        ("clamp_max(up, up)", "check brackets, ranges and matchers"),
        ("rate(up)", "give it a range"),
    ],
)
def test_the_fix_is_for_what_is_wrong(text: str, fix: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert caught.value.fix.startswith(fix)


def test_metrics_are_all_that_is_read() -> None:
    text = 'sum(a{x="1"}) / on () sum(rate(b[$__interval])) or {__name__="c"} or min_over_time((d)[1h:])'
    assert metrics(text) == {"a", "b", "c", "d"}


def test_a_metric_in_a_variable_is_not_known() -> None:
    assert metrics('$metric or {__name__=~"x.*"} or {__name__="${other}"} or up') == {"up"}


def test_matchers_keep_the_variable_and_the_unquoted_value() -> None:
    text = r'a{node=~"$node", pod!="",x!~"a\\.b"} + a{node=~"$node", y="q\"q"}'
    assert label_matchers(text) == (
        Match("node", "=~", "$node"),
        Match("pod", "!=", ""),
        Match("x", "!~", r"a\.b"),
        Match("y", "=", 'q"q'),
    )


def test_importing_the_module_does_not_import_the_parser() -> None:
    code = "import sys, builder.promql.parse; sys.exit('promql_parser' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# what a panel may ask --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["up", "1", "vector(1)", "-up", "rate(x_total[5m])", "max_over_time(up[1h:5m])", "$node"]
)
def test_a_series_can_be_asked_for(text: str) -> None:
    check_query(text)


@pytest.mark.parametrize("text", ["up[5m]", "((up[5m] offset 1h))", "rate(x_total[1m])[1h:5m]", '"up"', "('up')"])
def test_a_range_and_a_text_cannot(text: str) -> None:
    with pytest.raises(QueryError) as caught:
        check_query(text)
    assert caught.value.where == text and caught.value.fix


def test_a_long_query_is_cut_in_the_message() -> None:
    with pytest.raises(QueryError) as caught:
        check_query(f'sum(up{{a="{"x" * 5000}"}}')
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "pattern", ["(.+)", r"(.+)\.example", "(?i:a)", "(?P<n>x)", 'a"b', "$node:.+", "", r"\d+(?::[0-9]+)?"]
)
def test_patterns_of_prometheus(pattern: str) -> None:
    check_pattern(pattern)
    quoted = pattern.replace("\\", "\\\\").replace('"', '\\"')
    check_query(f'label_replace(up, "a", "$1", "b", "{quoted}")')


@pytest.mark.parametrize("pattern", ["(", "(?=x)", "(?!x)", r"a\Z", "[a", "*"])
def test_patterns_that_prometheus_refuses(pattern: str) -> None:
    with pytest.raises(QueryError, match="is not a regular expression of Prometheus"):
        check_pattern(pattern)
    quoted = pattern.replace("\\", "\\\\")
    with pytest.raises(QueryError, match="is not a regular expression of Prometheus"):
        check_query(f'sum by (a) (label_replace(up, "a", "$1", "b", "{quoted}"))')


def test_a_number_in_brackets_is_a_duration() -> None:
    check_query("topk($k, max_over_time(up[$k]))", frozenset({"k"}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x offset NaN", "a length of time that no clock has"),
        ("rate(x[1e30])", "a length of time that no clock has"),
        ("(" * 20_000 + "x" + ")" * 20_000, "nested 20000 deep"),
        ("+".join(["x"] * 20_000), "with 19999 operators"),
        ("x" * 200_000, "an expression of 200000 characters"),
    ],
)
def test_what_would_take_the_parser_down_is_refused(text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        parse(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('up{a="x"} == "x"', 'up{a="x"} == "x"'),
        ('up{a="x", b=~"["}', 'b=~"["'),
        ('up{a=~"x="}, b="y"}', 'b="y"'),
        ("""up{a=~'="[("'}""", "up{a=~"),
        ('label_replace(up{a="x"}, "a", "$1", "b", "=[")', "'=['"),
        ('{a=""}', '{a=""}'),
        ('up{a="long enough to be seen"', "long enough to be seen"),
    ],
)
def test_what_is_refused_does_not_depend_on_the_queries_before(text: str, said: str) -> None:
    """Queries that differ in the value of a label alone are parsed once; what is said is about the one at hand."""
    for value in ("x", "y", "$node", "a b", "ü"):
        check_query(f'sum(up{{a="{value}", b=~"x.*"}})')
    with pytest.raises(QueryError) as caught:
        check_query(text)
    assert said in str(caught.value)

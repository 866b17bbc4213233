"""Interpolation gives what Grafana gives, and what it inserts matches exactly what was chosen."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errors import QueryError
from builder.promql.parse import label_matchers
from builder.promql.substitute import All, Value, Window, references, substitute, unresolved

WINDOW = Window(interval=30, rate_interval=120, range=3600, start=1000, end=4600)


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("$x ${x} [[x]]", {"x": "v"}, "v v v"),
        ("$xy ${x}y", {"x": "v"}, "$xy vy"),
        ("${x.text} $y", {"x": "v"}, "v $y"),
        ("[[x:csv]] ${x:pipe}", {"x": ["a", "b"]}, "a,b a|b"),
        (
            'label_replace(up, "n", "$1", "i", "(.+)")',
            {"x": "v"},
            'label_replace(up, "n", "$1", "i", "(.+)")',
        ),
        ("$__interval ${unknown} [[other]]", {}, "$__interval ${unknown} [[other]]"),
        ('{node="$n"}', {"n": r"a\b"}, r'{node="a\\b"}'),
        ('{node=~"$n"}', {"n": ["gpu.1"]}, r'{node=~"gpu\\.1"}'),
        ('{node=~"$n"}', {"n": ["gpu.1", "b"]}, r'{node=~"(gpu\\.1|b)"}'),
        ('{node=~"$n"}', {"n": All(("gpu.1", "b"))}, r'{node=~"(gpu\\.1|b)"}'),
        ('{node=~"$n"}', {"n": All(("gpu.1",), ".*")}, '{node=~".*"}'),
        ('{node=~"${n:regex}"}', {"n": All(("gpu.1",), ".+")}, '{node=~".+"}'),
        ('{node=~"$n"}', {"n": All()}, '{node=~"()"}'),
    ],
)
def test_the_prometheus_data_source(text: str, values: dict[str, Value], expected: str) -> None:
    assert substitute(text, values) == expected


@pytest.mark.parametrize(
    ("fmt", "value", "expected"),
    [
        ("raw", ["a.b", "c"], "a.b,c"),
        ("regex", "a.b/c", r"a\.b\/c"),
        ("regex", ["a.b", "c"], r"(a\.b|c)"),
        ("pipe", ["a.b", "c"], "a.b|c"),
        ("csv", ["a", "b"], "a,b"),
        ("glob", ["a", "b"], "{a,b}"),
        ("nosuch", ["a", "b"], "{a,b}"),
        ("json", ["a", 'b"'], '["a","b\\""]'),
        ("text", ["a", "b"], "a + b"),
        ("text", All(("a",), ".*"), "All"),
        ("percentencode", "a b&c/ü", "a%20b%26c%2F%C3%BC"),
        ("percentencode", ["a", "b"], "%7Ba%2Cb%7D"),
        ("percentencode", All(("a",), ".*"), ".%2A"),
        ("uriencode", "a b&c/ü", "a%20b&c/%C3%BC"),
        ("queryparam", ["a b", "c"], "var-x=a%20b&var-x=c"),
        ("queryparam", All(("a",), ".*"), "var-x=%24__all"),
        ("singlequote", ["a'", "b"], r"'a\'','b'"),
        ("doublequote", ["a", "b"], '"a","b"'),
        ("sqlstring", ["a'"], "'a'''"),
    ],
)
def test_formats(fmt: str, value: Value, expected: str) -> None:
    assert substitute(f"${{x:{fmt}}}", {"x": value}) == expected


def test_a_format_that_is_not_supported_is_refused() -> None:
    with pytest.raises(QueryError, match="date:iso"):
        substitute("${__from:date:iso}", {"__from": "0"})


def test_titles_and_loki_join_in_their_own_way() -> None:
    assert substitute("Card $x", {"x": ["a.b", "c"]}, style="text") == "Card {a.b,c}"
    assert substitute('{pod=~"$x"}', {"x": ["a.b", "c"]}, style="loki") == r'{pod=~"a\\.b|c"}'


def test_time_variables() -> None:
    text = "$__interval $__interval_ms $__rate_interval ${__range} $__range_s $__range_ms $__from"
    assert substitute(text, {}, window=WINDOW) == "30s 30000 120s 3600s 3600 3600000 1000000"
    assert substitute("$__interval", {}, window=Window(0.5, 2, 10)) == "500ms"


def test_a_fraction_of_a_second_stays_a_duration() -> None:
    assert substitute("[$__rate_interval]", {}, window=Window(1.5, 60.5, 10)) == "[60500ms]"


def test_unresolved_names_are_found() -> None:
    text = 'label_replace(up{a="$a",b="${b:csv}"}, "n", "$1", "i", "[[c]]")'
    assert references(text) == ("a", "b", "c")
    assert unresolved(text, known=("b",)) == ("a", "c")


# What PromQL reads back must be what was chosen. Grafana escapes no line feed at all.
_TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1)
_NO_QUOTE = _TEXT.filter(lambda v: '"' not in v)


def _matched(expression: str, candidates: set[str]) -> set[str]:
    """Which candidates the one matcher of the expression lets through."""
    (matcher,) = label_matchers(expression)
    if matcher.op == "=":
        return {c for c in candidates if c == matcher.value}
    return {c for c in candidates if re.fullmatch(f"(?:{matcher.value})", c)}


@given(chosen=st.lists(_NO_QUOTE, min_size=1, max_size=4), others=st.sets(_TEXT, max_size=4))
def test_a_multi_value_matches_exactly_what_was_chosen(chosen: list[str], others: set[str]) -> None:
    near = {v[:-1] for v in chosen} | {v.replace(".", "x") for v in chosen} | {v + "x" for v in chosen}
    expression = substitute('up{label=~"$x"}', {"x": chosen})
    assert _matched(expression, others | near | set(chosen)) == set(chosen)


@given(chosen=_NO_QUOTE.filter(lambda v: "'" not in v), others=st.sets(_TEXT, max_size=4))
def test_a_plain_value_equals_what_was_chosen(chosen: str, others: set[str]) -> None:
    expression = substitute('up{label="$x"}', {"x": chosen})
    assert _matched(expression, others | {chosen}) == {chosen}


@given(chosen=st.lists(_TEXT, min_size=1, max_size=4))
def test_with_the_toggle_quotes_survive_too(chosen: list[str]) -> None:
    expression = substitute('up{label=~"$x"}', {"x": chosen}, quotes=True)
    assert _matched(expression, set(chosen)) == set(chosen)


def test_without_the_toggle_a_double_quote_breaks_the_expression_as_in_grafana() -> None:
    with pytest.raises(QueryError):
        label_matchers(substitute('up{label=~"$x"}', {"x": ['a"b']}))

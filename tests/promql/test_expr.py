"""Expressions: what each step writes, and everything that they refuse."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from promql_parser import parse as parse_promql

from builder.catalog.model import Kind, Match
from builder.errors import QueryError
from builder.promql import expr
from builder.promql.expr import OPEN, Expr

LEVEL = expr.selector("temp")
COUNTER = expr.selector("energy_total", kind=Kind.COUNTER)
STATE = expr.selector("throttled", kind=Kind.STATE)
CODE = expr.selector("xid", kind=Kind.CODE)
RANGE = expr.over(LEVEL, "5m")
BY_NODE = expr.aggregate("max", LEVEL, by=("node",))
BY_CARD = expr.aggregate("max", LEVEL, by=("node", "gpu"))
ONE = expr.aggregate("sum", LEVEL)

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    # rate of what is not a counter
    "rate of a gauge": (lambda: expr.rate(RANGE), r"rate\(\) of a gauge"),
    "rate of a state": (lambda: expr.rate(expr.over(STATE, "5m")), r"rate\(\) of a state"),
    "rate of a code": (lambda: expr.rate(expr.over(CODE, "5m")), r"rate\(\) of a code"),
    "increase of a gauge": (lambda: expr.increase(RANGE), r"increase\(\) of a gauge"),
    "rate of a rate": (lambda: expr.rate(expr.over(expr.rate(expr.over(COUNTER, "5m")), "5m")), "of a gauge"),
    "rate of a level": (lambda: expr.rate(expr.over(COUNTER.level("resets with the driver"), "5m")), "of a gauge"),
    # the level of a counter
    "counter in a panel": (lambda: expr.require_level(COUNTER, "a panel"), "level of a counter in a panel"),
    "counter plus a number": (lambda: COUNTER + 1, r"level of a counter in \+"),
    "counter modulo a number": (lambda: COUNTER % 2, "level of a counter in %"),
    "counter above": (lambda: COUNTER.above(1), "level of a counter in >"),
    "counter is above": (lambda: COUNTER.is_above(1), "level of a counter in >"),
    "counter joined": (lambda: COUNTER.join("/", LEVEL, on=("gpu",)), "level of a counter in /"),
    "joined with a counter": (lambda: LEVEL.join("/", COUNTER, on=("gpu",)), "level of a counter in /"),
    "counter or": (lambda: COUNTER.join("or", LEVEL, on=("gpu",)), "level of a counter in or"),
    "sum of a counter": (lambda: expr.aggregate("sum", COUNTER), "level of a counter in sum"),
    "top counter": (lambda: expr.top(3, COUNTER), "level of a counter in topk"),
    "function of a counter": (lambda: expr.call("floor", COUNTER), "level of a counter in floor"),
    "ratio of counters": (lambda: expr.ratio(expr.aggregate("max", COUNTER), ONE), "level of a counter in /"),
    "mean of a counter over time": (lambda: expr.over_time("avg", expr.over(COUNTER, "5m")), "of a counter"),
    "highest of a counter over time": (lambda: expr.over_time("max", expr.over(COUNTER, "5m")), "of a counter"),
    "level without a reason": (lambda: COUNTER.level(" "), "no reason given"),
    # calculating with a code
    "code times a number": (lambda: CODE * 2, r"\* of a code"),
    "code modulo a number": (lambda: CODE % 2, "% of a code"),
    "code joined": (lambda: CODE.join("*", LEVEL, on=("gpu",)), r"\* of a code"),
    "joined with a code": (lambda: LEVEL.join("-", CODE, on=("gpu",)), "- of a code"),
    "sum of codes": (lambda: expr.aggregate("sum", CODE), "sum of a code"),
    "quantile of codes": (lambda: expr.aggregate("quantile", CODE, parameter=0.5), "quantile of a code"),
    "mean of a code over time": (lambda: expr.over_time("avg", expr.over(CODE, "5m")), "avg_over_time of a code"),
    "function of a code": (lambda: expr.call("abs", CODE), "abs of a code"),
    "ratio of codes": (lambda: expr.ratio(expr.aggregate("max", CODE), ONE), "/ of a code"),
    # joins
    "join without on": (lambda: LEVEL.join("*", BY_CARD, on=()), r"a join without on\(\)"),
    "unknown operator": (lambda: LEVEL.join("^", BY_CARD, on=("gpu",)), r"unknown operator '\^'"),
    "on a dropped label": (lambda: BY_NODE.join("/", BY_CARD, on=("node", "gpu")), r"on\(node, gpu\) needs .* gpu"),
    "on a label dropped right": (lambda: BY_CARD.join("/", BY_NODE, on=("node", "gpu")), r"on\(node, gpu\) needs"),
    "taking over a dropped label": (
        lambda: BY_CARD.join("*", BY_NODE, on=("node",), group_left=("model",)),
        r"group_left\(model\) needs",
    ),
    "and with group_left": (lambda: BY_CARD.join("and", BY_NODE, on=("node",), group_left=()), "takes no group_left"),
    "or with group_left": (lambda: BY_CARD.join("or", BY_NODE, on=("node",), group_left=()), "takes no group_left"),
    "ratio of many series": (lambda: expr.ratio(BY_CARD, ONE), "ratio of many series"),
    "ratio of raw series": (lambda: expr.ratio(LEVEL, ONE), "ratio of many series"),
    # labels that an earlier step dropped
    "by a dropped label": (lambda: expr.aggregate("sum", BY_NODE, by=("gpu",)), r"sum by \(gpu\) needs"),
    "legend of a dropped label": (lambda: expr.require_labels(BY_NODE, ["gpu"], "the legend"), "the legend needs"),
    "legend of a join": (
        lambda: expr.require_labels(BY_CARD.join("/", BY_CARD, on=("node",)), ["gpu"], "the legend"),
        "kept: node",
    ),
    "legend of an or": (
        lambda: expr.require_labels(BY_NODE.either(ONE), ["node"], "the legend"),
        "the legend needs the label node.*kept: none",
    ),
    "relabelling from a dropped label": (lambda: expr.relabel(BY_NODE, "card", "gpu"), "label_replace needs"),
    # ranges where instants are due, and the reverse
    "range plus a number": (lambda: RANGE + 1, r"\+ of a range"),
    "range above": (lambda: RANGE.above(1), "> of a range"),
    "range joined": (lambda: RANGE.join("/", BY_NODE, on=("node",)), "/ of a range"),
    "range or": (lambda: BY_NODE.either(RANGE), "or of a range"),
    "sum of a range": (lambda: expr.aggregate("sum", RANGE), "sum of a range"),
    "count of a range": (lambda: expr.aggregate("count", RANGE), "count of a range"),
    "range of a range": (lambda: expr.over(RANGE, "5m"), "a window of a range"),
    "relabelled range": (lambda: expr.tag(RANGE, "a", "b"), "label_replace of a range"),
    "range in a panel": (lambda: expr.require_level(RANGE, "a panel"), "a panel of a range"),
    "top range": (lambda: expr.top(3, RANGE), "topk of a range"),
    "function of a range": (lambda: expr.call("floor", RANGE), "floor of a range"),
    "rate of an instant": (lambda: expr.rate(COUNTER), r"rate\(\) needs a range"),
    "mean over no time": (lambda: expr.over_time("avg", LEVEL), r"avg_over_time\(\) needs a range"),
    # names, durations, numbers
    "metric name": (lambda: expr.selector("9lives"), "'9lives' is not a metric name"),
    "metric expression": (lambda: expr.selector("sum(up)"), "is not a metric name"),
    "label of a matcher": (lambda: expr.selector("up", [Match("a-b", "=", "")]), "'a-b' is not a label name"),
    "label of by": (lambda: expr.aggregate("sum", LEVEL, by=("a b",)), "'a b' is not a label name"),
    "label to set": (lambda: expr.tag(LEVEL, "a:b", "c"), "'a:b' is not a label name"),
    "label of counted values": (lambda: expr.aggregate("count_values", LEVEL, parameter=""), "'' is not a label"),
    "no duration": (lambda: expr.over(LEVEL, "5 minutes"), "'5 minutes' is not a duration"),
    "duration without unit": (lambda: expr.over(LEVEL, "5"), "'5' is not a duration"),
    "units in the wrong order": (lambda: expr.over(LEVEL, "1m1h"), "'1m1h' is not a duration"),
    "no time at all": (lambda: expr.over(LEVEL, "0s"), "'0s' is not a duration"),
    "wrong step": (lambda: expr.over(BY_NODE, "5m", "often"), "'often' is not a duration"),
    "infinite": (lambda: LEVEL * math.inf, "inf is not a number"),
    "not a number": (lambda: LEVEL.above(math.nan), "nan is not a number"),
    "top none": (lambda: expr.top(0, LEVEL), "top 0"),
    "bottom none": (lambda: expr.top(-1, LEVEL, bottom=True), "top -1"),
    # functions
    "unknown aggregation": (lambda: expr.aggregate("median", LEVEL), "unknown aggregation median"),
    "unknown function over time": (lambda: expr.over_time("mean", RANGE), "unknown function mean_over_time"),
    "quantile of nothing": (lambda: expr.aggregate("quantile", LEVEL), "quantile without a quantile"),
    "quantile in percent": (lambda: expr.aggregate("quantile", LEVEL, parameter=95), "quantile without a quantile"),
    "quantile over time": (lambda: expr.over_time("quantile", RANGE), "quantile_over_time without a quantile"),
    "count_values into nothing": (lambda: expr.aggregate("count_values", LEVEL), "without a label"),
    "sum with a parameter": (lambda: expr.aggregate("sum", LEVEL, parameter=2), "sum takes no parameter"),
    "mean with a parameter": (lambda: expr.over_time("avg", RANGE, parameter=2), "avg_over_time takes no parameter"),
}


@pytest.mark.parametrize(("wrong", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(QueryError, match=message) as caught:
        wrong()
    assert caught.value.fix


WRITTEN: dict[str, tuple[Expr, str]] = {
    "selector": (expr.selector("up"), "up"),
    "matchers": (
        expr.selector("up", [Match("a", "=", 'x"y'), Match("b", "!~", r"\d")]),
        r'up{a="x\"y",b!~"\\d"}',
    ),
    "several metrics": (expr.selector_of(["a", "b"], [Match("c", "=", "")]), '{__name__=~"a|b",c=""}'),
    "factor": (COUNTER * 1024, "energy_total * 1024"),
    "factor one": (LEVEL * 1, "temp"),
    "divisor one": (LEVEL / 1, "temp"),
    "whole floats": (LEVEL * 1048576.0, "temp * 1048576"),
    "fractions": (LEVEL * 0.001, "temp * 0.001"),
    "negative": (LEVEL - -5, "temp - -5"),
    "large": (LEVEL.above(1e15), "temp > 1000000000000000.0"),
    "tiny": (LEVEL.below(1e-9), "temp < 1e-09"),
    "left to right": (LEVEL / 2 * 3, "temp / 2 * 3"),
    "sum first": ((LEVEL + 1) * 2, "(temp + 1) * 2"),
    "product first": (LEVEL * 2 + 1, "temp * 2 + 1"),
    "comparison first": (LEVEL.above(1) * 2, "(temp > 1) * 2"),
    "bool": (LEVEL.is_above(1), "temp > bool 1"),
    "equal": (CODE.equals(79), "xid == 79"),
    "differs": (CODE.differs(0), "xid != 0"),
    "join": (BY_CARD.join("/", BY_CARD, on=("node", "gpu")), f"{BY_CARD} / on (node, gpu) {BY_CARD}"),
    "join many to one": (
        BY_CARD.join("*", BY_NODE, on=("node",), group_left=()),
        f"{BY_CARD} * on (node) group_left () {BY_NODE}",
    ),
    "right side grouped": (
        LEVEL.join("-", LEVEL.join("-", LEVEL, on=("a",)), on=("a",)),
        "temp - on (a) (temp - on (a) temp)",
    ),
    "left side not": (
        LEVEL.join("-", LEVEL, on=("a",)).join("-", LEVEL, on=("a",)),
        "temp - on (a) temp - on (a) temp",
    ),
    "unless then and": (
        LEVEL.join("unless", LEVEL, on=("a",)).join("and", LEVEL, on=("b",)),
        "temp unless on (a) temp and on (b) temp",
    ),
    "or inside and": (LEVEL.either(LEVEL).join("and", LEVEL, on=("a",)), "(temp or temp) and on (a) temp"),
    "or of or": (LEVEL.either(LEVEL.either(LEVEL)), "temp or (temp or temp)"),
    "either on": (LEVEL.either(BY_NODE, on=("node",)), f"temp or on (node) {BY_NODE}"),
    "window": (expr.over(LEVEL, "5m"), "temp[5m]"),
    "window of a nameless selector": (expr.over(expr.selector_of(["a", "b"]), "5m"), '{__name__=~"a|b"}[5m]'),
    "window with brackets in a matcher": (
        expr.over(expr.selector("a", [Match("b", "=", '}"{')]), "5m"),
        r'a{b="}\"{"}[5m]',
    ),
    "subquery": (expr.over(BY_NODE, "1h", "5m"), f"{BY_NODE}[1h:5m]"),
    "subquery of a sum": (expr.over(LEVEL + 1, "1h"), "(temp + 1)[1h:]"),
    "subquery at the end": (
        expr.over(BY_NODE, "$__range", "$__interval", at_end=True),
        f"{BY_NODE}[$__range:$__interval] @ end()",
    ),
    "rate": (expr.rate(expr.over(COUNTER, expr.RATE_INTERVAL)), "rate(energy_total[$__rate_interval])"),
    "rate of a deduplicated counter": (
        expr.rate(expr.over(expr.aggregate("max", COUNTER, by=("gpu",)), "5m", "30s")),
        "rate(max by (gpu) (energy_total)[5m:30s])",
    ),
    "quantile over time": (expr.over_time("quantile", RANGE, parameter=0.5), "quantile_over_time(0.5, temp[5m])"),
    "sum of everything": (ONE, "sum(temp)"),
    "count values": (expr.aggregate("count_values", LEVEL, parameter="from"), 'count_values("from", temp)'),
    "top": (expr.top(3, LEVEL), "topk(3, temp)"),
    "bottom": (expr.top(3, LEVEL, bottom=True), "bottomk(3, temp)"),
    "function": (expr.call("clamp_max", LEVEL, 100), "clamp_max(temp, 100)"),
    "relabel": (
        expr.relabel(LEVEL, "node", "instance", "([^:]+):.*"),
        'label_replace(temp, "node", "$1", "instance", "([^:]+):.*")',
    ),
    "tag": (expr.tag(LEVEL, "reason", "heat"), 'label_replace(temp, "reason", "heat", "", "")'),
    "union": (expr.union([LEVEL, STATE.level("a flag"), BY_NODE]), f"temp or throttled or {BY_NODE}"),
    "ratio": (expr.ratio(ONE, ONE), "sum(temp) / sum(temp)"),
    "ratio of a product": (expr.ratio(ONE * 2, ONE * 3), "sum(temp) * 2 / (sum(temp) * 3)"),
    "constant": (expr.constant(0), "vector(0)"),
}


@pytest.mark.parametrize(("made", "text"), WRITTEN.values(), ids=WRITTEN)
def test_written(made: Expr, text: str) -> None:
    assert str(made) == text


@pytest.mark.parametrize(
    ("made", "labels"),
    [
        (LEVEL, OPEN),
        (expr.tag(LEVEL, "a", "b"), OPEN),
        (ONE, frozenset()),
        (BY_CARD, {"node", "gpu"}),
        (BY_CARD * 2, {"node", "gpu"}),
        (expr.tag(BY_CARD, "reason", "heat"), {"node", "gpu", "reason"}),
        (expr.top(1, BY_CARD), {"node", "gpu"}),
        (BY_CARD.join("/", BY_CARD, on=("node",)), {"node"}),
        (BY_CARD.join("/", BY_NODE, on=("node",), group_left=()), {"node", "gpu"}),
        (BY_NODE.join("*", LEVEL, on=("node",), group_left=("model",)), {"node", "model"}),
        (LEVEL.join("*", BY_NODE, on=("node",), group_left=()), OPEN),
        (BY_CARD.join("and", BY_NODE, on=("node",)), {"node", "gpu"}),
        (BY_CARD.join("unless", BY_NODE, on=("node",)), {"node", "gpu"}),
        (BY_CARD.join("or", BY_NODE, on=("node",)), {"node"}),
        (BY_CARD.either(BY_NODE), {"node"}),
        (BY_NODE.either(ONE), frozenset()),
        (BY_NODE.either(LEVEL), OPEN),
        (expr.aggregate("count_values", BY_CARD, by=("node",), parameter="from"), {"node", "from"}),
        (expr.over_time("max", expr.over(BY_CARD, "1h")), {"node", "gpu"}),
    ],
)
def test_labels_that_are_left(made: Expr, labels: set[str]) -> None:
    assert made.labels == labels


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (COUNTER * 2, Kind.COUNTER),
        (expr.aggregate("max", COUNTER, by=("gpu",)), Kind.COUNTER),
        (expr.rate(expr.over(COUNTER, "5m")), Kind.GAUGE),
        (COUNTER.level("resets with the driver"), Kind.GAUGE),
        (expr.over_time("count", expr.over(COUNTER, "5m")), Kind.GAUGE),
        (expr.over_time("last", expr.over(COUNTER, "5m")), Kind.COUNTER),
        (expr.over_time("avg", expr.over(STATE, "5m")), Kind.GAUGE),
        (expr.over_time("max", expr.over(STATE, "5m")), Kind.STATE),
        (expr.aggregate("sum", STATE), Kind.GAUGE),
        (expr.aggregate("max", STATE), Kind.STATE),
        (expr.aggregate("max", CODE, by=("gpu",)), Kind.CODE),
        (expr.aggregate("count", CODE), Kind.GAUGE),
        (CODE.differs(0), Kind.CODE),
        (LEVEL.is_above(1), Kind.STATE),
        (STATE.join("*", LEVEL, on=("gpu",)), Kind.GAUGE),
        (STATE.join("and", LEVEL, on=("gpu",)), Kind.STATE),
    ],
)
def test_the_kind_that_results(made: Expr, kind: Kind) -> None:
    assert made.kind is kind


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_quoting(value: str) -> None:
    selector = parse_promql(expr.selector("up", [Match("a", "=", value)]).text)
    assert [m.value for m in selector.matchers.matchers] == [value]


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**18), 10**18))
def test_any_number_survives_writing(number: float) -> None:
    limit = parse_promql(LEVEL.above(number).text).rhs
    negative = type(limit).__name__ == "UnaryExpr"
    assert (-limit.expr.val if negative else limit.val) == float(number)

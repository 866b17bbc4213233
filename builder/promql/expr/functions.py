"""Selectors, windows, aggregations and functions: what makes one expression out of another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from builder.catalog.model import Kind, Match
from builder.errors import QueryError
from builder.promql.expr.checks import (
    check_parameter,
    level_of,
    need_labels,
    need_range,
    range_refused,
    refuse_code,
    refuse_range,
)
from builder.promql.expr.values import Expr, wrap
from builder.promql.expr.words import (
    ADD,
    ATOM,
    COMPARE,
    MUL,
    OPEN,
    duration,
    is_selector,
    label_name,
    matchers_text,
    metric_name,
    number,
    quote,
)

_AGGREGATIONS = ("sum", "avg", "max", "min", "count", "group", "stddev", "quantile", "count_values")
_OVER_TIME = ("avg", "max", "min", "sum", "count", "last", "stddev", "present", "quantile")
_MEANS = ("sum", "avg", "stddev", "quantile")
"""Aggregations whose result is a new number, not one of those that went in."""
_ORDERING = ("sort", "sort_desc", "timestamp", "absent")


def selector(metric: str, matchers: Iterable[Match] = (), kind: Kind = Kind.GAUGE) -> Expr:
    """Select the raw series of a metric."""
    shown = matchers_text(matchers)
    return Expr(f"{metric_name(metric)}{{{shown}}}" if shown else metric_name(metric), kind)


def selector_of(metrics: Iterable[str], matchers: Iterable[Match] = (), kind: Kind = Kind.GAUGE) -> Expr:
    """Select the raw series of several metrics at once; they keep their names apart."""
    names = Match("__name__", "=~", "|".join(metrics))
    return Expr(f"{{{matchers_text((names, *matchers))}}}", kind)


def over(series: Expr, window: str, step: str = "", *, offset: str = "", at_end: bool = False) -> Expr:
    """The range vector over a window, for the functions that take one.

    Of raw series it is their samples; of anything else the expression is evaluated again at every ``step``.
    ``offset`` ends the window so long before the moment of evaluation, ``at_end`` at the end of the range shown,
    so that every step has the same answer.
    """
    for text in filter(None, (window, step, offset)):
        duration(text)
    refuse_range(series, "a window")
    anchor = (f" offset {offset}" if offset else "") + (" @ end()" if at_end else "")
    if is_selector(series.text):
        return replace(series, text=f"{series.text}[{window}]{anchor}", window=window)
    # A counter may be evaluated again and again; what is made of the range is checked by rate() and its like.
    return replace(series, text=f"{wrap(series, ATOM)}[{window}:{step}]{anchor}", window=window, precedence=ATOM)


def rate(ranged: Expr) -> Expr:
    """Per-second increase of a counter."""
    return _counter_function("rate", ranged)


def increase(ranged: Expr) -> Expr:
    """Increase of a counter over the window."""
    return _counter_function("increase", ranged)


def over_time(function: str, ranged: Expr, *, parameter: float | None = None) -> Expr:
    """avg, max, min, sum, count, last, stddev, present or quantile of a gauge over the window."""
    if function not in _OVER_TIME:
        raise QueryError(f"unknown function {function}_over_time", fix=f"one of {', '.join(_OVER_TIME)}")
    need_range(f"{function}_over_time", ranged)
    check_parameter(f"{function}_over_time", parameter, number=function == "quantile")
    if ranged.kind is Kind.COUNTER and function not in ("count", "last", "present"):
        raise QueryError(
            f"{function}_over_time of a counter: {ranged.text}",
            fix="take rate() or increase() of the counter",
        )
    if function in _MEANS:
        refuse_code(ranged, f"{function}_over_time")
    argument = f"{number(parameter)}, {ranged.text}" if parameter is not None else ranged.text
    # The last, the highest and the lowest value are of the series' own kind; all else is a new number.
    kind = ranged.kind if function in ("last", "max", "min") else Kind.GAUGE
    return replace(ranged, text=f"{function}_over_time({argument})", kind=kind, window="", precedence=ATOM)


def _counter_function(name: str, ranged: Expr) -> Expr:
    need_range(name, ranged)
    if ranged.kind is not Kind.COUNTER:
        raise QueryError(
            f"{name}() of a {ranged.kind.value}: {ranged.text}",
            fix="rate() and increase() are for counters; a gauge is plotted as it is, or with over_time()",
        )
    return replace(ranged, text=f"{name}({ranged.text})", kind=Kind.GAUGE, window="", precedence=ATOM)


# aggregation ---------------------------------------------------------------------------------


def aggregate(operator: str, vector: Expr, *, by: Sequence[str] = (), parameter: float | str | None = None) -> Expr:
    """sum, avg, max, min, count, group, stddev, quantile or count_values, keeping the labels ``by``."""
    if operator not in _AGGREGATIONS:
        raise QueryError(f"unknown aggregation {operator}", fix=f"one of {', '.join(_AGGREGATIONS)}")
    check_parameter(operator, parameter, number=operator == "quantile", label=operator == "count_values")
    safe_on_counters = operator in ("count", "group", "max", "min")
    level = range_refused(vector, operator) if safe_on_counters else level_of(vector, operator)
    if operator in _MEANS:
        refuse_code(level, operator)
    need_labels(level, by, f"{operator} by ({', '.join(by)})")
    labels = frozenset(by)
    argument = level.text
    if parameter is not None:
        shown = quote(parameter) if isinstance(parameter, str) else number(parameter)
        argument = f"{shown}, {argument}"
        if isinstance(parameter, str):
            labels |= {label_name(parameter)}
    summed = level.kind is Kind.STATE and operator not in ("max", "min")
    kind = Kind.GAUGE if summed or operator in ("count", "group", "count_values") else level.kind
    grouping = f" by ({', '.join(by)}) " if by else ""
    return Expr(f"{operator}{grouping}({argument})", kind, labels)


def top(count: int, vector: Expr, *, by: Sequence[str] = (), bottom: bool = False) -> Expr:
    """The series with the highest (lowest) values, of each group ``by``; all labels kept.

    In a range query: at every step anew.
    """
    if count < 1:
        raise QueryError(f"top {count} of {vector.text}", fix="ask for at least one series")
    level = level_of(vector, "topk")
    need_labels(level, by, f"topk by ({', '.join(by)})")
    grouping = f" by ({', '.join(by)}) " if by else ""
    return replace(level, text=f"{'bottomk' if bottom else 'topk'}{grouping}({count}, {level.text})", precedence=ATOM)


# functions of an instant vector ---------------------------------------------------------------


def call(function: str, vector: Expr, *parameters: float, kind: Kind | None = None) -> Expr:
    """A function of one vector and numbers that keeps all labels (floor, clamp_max, sort_desc, ...)."""
    level = level_of(vector, function)
    if function not in _ORDERING:
        refuse_code(level, function)
    arguments = ", ".join([level.text, *map(number, parameters)])
    return replace(level, text=f"{function}({arguments})", kind=kind or level.kind, precedence=ATOM)


def relabel(vector: Expr, target: str, source: str, pattern: str = "(.+)", replacement: str = "$1") -> Expr:
    """Set a label from another one where the (anchored) pattern matches; else leave it as it is."""
    refuse_range(vector, "label_replace")
    label_name(target)
    if source:
        need_labels(vector, (source,), "label_replace")
    parts = ", ".join(quote(p) for p in (target, replacement, source, pattern))
    labels = vector.labels if vector.labels == OPEN else vector.labels | {target}
    return replace(vector, text=f"label_replace({vector.text}, {parts})", labels=labels, precedence=ATOM)


def tag(vector: Expr, label: str, value: str) -> Expr:
    """The same series with one more label of a fixed value."""
    return relabel(vector, label, "", "", value)


def union(vectors: Sequence[Expr]) -> Expr:
    """All series of several vectors, which must differ in a label (see tag)."""
    whole = vectors[0]
    for vector in vectors[1:]:
        whole = whole.either(vector)
    return whole


def ratio(part: Expr, whole: Expr) -> Expr:
    """One number divided by another; neither has labels."""
    if part.labels or whole.labels:
        raise QueryError(f"ratio of many series: {part.text} / {whole.text}", fix="use join() with on()")
    for side in (part, whole):
        level_of(side, "/")
        refuse_code(side, "/")
    return Expr(f"{wrap(part, MUL)} / {wrap(whole, MUL + 1)}", Kind.GAUGE, frozenset(), MUL)


def any_bit(mask: Expr, bits: Sequence[int]) -> Expr:
    """1 where one of the bits of a mask is set, else 0 (0 is the lowest). PromQL has no bit operators."""
    set_ = [call("floor", mask / 2**bit) % 2 for bit in bits]
    if len(set_) == 1:
        return replace(set_[0], kind=Kind.STATE)
    text = f"{' + '.join(one.text for one in set_)} > bool 0"
    return replace(set_[0], text=text, precedence=COMPARE, kind=Kind.STATE)


def with_zeros(counts: Expr, label: str, values: Sequence[str]) -> Expr:
    """Counts by a label, and 0 for those of its expected values that nothing has."""
    zeros = union([tag(constant(0), label, value) for value in values])
    return counts.join("or", zeros, on=(label,))


def divided(vector: Expr, single: Expr) -> Expr:
    """Every series divided by one number that has no labels."""
    if single.labels:
        raise QueryError(f"{vector.text} divided by many series: {single.text}", fix="use join() with on()")
    for side in (vector, single):
        refuse_code(level_of(side, "/"), "/")
    return replace(vector, text=f"{wrap(vector, MUL)} / scalar({single.text})", kind=Kind.GAUGE, precedence=MUL)


def since(stamps: Expr) -> Expr:
    """Seconds between Unix times and the moment of evaluation."""
    level = level_of(stamps, "time()")
    return replace(level, text=f"time() - {wrap(level, MUL)}", kind=Kind.GAUGE, precedence=ADD)


def constant(value: float) -> Expr:
    """A vector of one series without labels."""
    return Expr(f"vector({number(value)})", Kind.GAUGE, frozenset())

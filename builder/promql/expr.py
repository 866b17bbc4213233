"""PromQL expressions that know their true kind and their labels, and refuse what cannot be right.

A value of type ``Expr`` is text plus what is known of its result: the kind (gauge, counter, ...) and
the labels it carries. Combining two values checks what Prometheus does not: ``rate()`` only of a counter,
a counter's level only where somebody says why, no aggregation that drops a label that is needed later,
no join without ``on()``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from builder.catalog.model import Kind, Match
from builder.errors import QueryError

OPEN: frozenset[str] = frozenset({"*"})
"""The label set of raw series: nobody knows which labels they carry."""

RATE_INTERVAL = "$__rate_interval"
"""Grafana's window: four times the scrape interval or more."""

_ATOM, _MUL, _ADD, _COMPARE, _AND, _OR = 9, 5, 4, 3, 2, 1
_PRECEDENCE = {"*": _MUL, "/": _MUL, "%": _MUL, "+": _ADD, "-": _ADD, "and": _AND, "unless": _AND, "or": _OR}
_PRECEDENCE |= dict.fromkeys(("==", "!=", ">", "<", ">=", "<="), _COMPARE)
_SET_OPERATORS = ("and", "or", "unless")
_DURATION = re.compile(r"(\d+(ms|[smhdwy]))+|\$__rate_interval|\$__interval|\$__range|\$\w+")
_METRIC_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_SELECTOR = re.compile(r'[a-zA-Z_:][a-zA-Z0-9_:]*(\{([^"}]|"([^"\\]|\\.)*")*\})?')
_LABEL_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")


@dataclass(frozen=True)
class Expr:
    """A PromQL expression that yields an instant vector (a range vector where ``window`` is set)."""

    text: str
    kind: Kind = Kind.GAUGE
    labels: frozenset[str] = OPEN
    precedence: int = _ATOM
    window: str = ""

    def __str__(self) -> str:
        return self.text

    # arithmetic with a number ---------------------------------------------------------------

    def __mul__(self, number: float) -> Expr:
        return self if number == 1 else self._scalar("*", number)

    def __truediv__(self, number: float) -> Expr:
        return self if number == 1 else self._scalar("/", number)

    def __add__(self, number: float) -> Expr:
        return self._scalar("+", number)

    def __sub__(self, number: float) -> Expr:
        return self._scalar("-", number)

    def __mod__(self, number: float) -> Expr:
        return self._scalar("%", number)

    def _scalar(self, op: str, number: float) -> Expr:
        _refuse_range(self, op)
        if self.kind is Kind.CODE:
            raise QueryError(
                f"arithmetic on a code: {self.text}",
                fix="a code names something (an XID, a mode); compare it or map it, do not calculate with it",
            )
        prec = _PRECEDENCE[op]
        return replace(self, text=f"{_wrap(self, prec)} {op} {_number(number)}", precedence=prec)

    # comparison with a number: keeps the series where it is true -----------------------------

    def above(self, number: float) -> Expr:
        """Keep the series whose value is greater than the number."""
        return self._compare(">", number)

    def below(self, number: float) -> Expr:
        """Keep the series whose value is smaller than the number."""
        return self._compare("<", number)

    def equals(self, number: float) -> Expr:
        """Keep the series whose value is the number."""
        return self._compare("==", number)

    def differs(self, number: float) -> Expr:
        """Keep the series whose value is not the number."""
        return self._compare("!=", number)

    def is_above(self, number: float) -> Expr:
        """1 where the value is greater than the number, else 0."""
        level = _level(self, ">")
        text = f"{_wrap(level, _COMPARE)} > bool {_number(number)}"
        return replace(level, text=text, precedence=_COMPARE, kind=Kind.STATE)

    def _compare(self, op: str, number: float) -> Expr:
        level = _level(self, op)
        text = f"{_wrap(level, _COMPARE)} {op} {_number(number)}"
        return replace(level, text=text, precedence=_COMPARE)

    def level(self, reason: str) -> Expr:
        """A counter's level taken as a gauge; the reason says why its level means something."""
        if not reason.strip():
            raise QueryError(
                f"no reason given for reading the level of {self.text}",
                fix="say why its level means something",
            )
        return replace(self, kind=Kind.GAUGE)

    # joins -----------------------------------------------------------------------------------

    def join(
        self,
        op: str,
        other: Expr,
        *,
        on: Sequence[str],
        group_left: Sequence[str] | None = None,
    ) -> Expr:
        """Combine with another vector, matching on the named labels.

        ``group_left`` (possibly empty) says that this side has many series for one of the other side, and
        which labels to take over from there.
        """
        if op not in _PRECEDENCE:
            raise QueryError(f"unknown operator {op!r}", fix=f"one of {' '.join(sorted(_PRECEDENCE))}")
        if not on:
            raise QueryError(
                f"a join without on(): {self.text} {op} {other.text}",
                fix="name the labels that identify one series on both sides",
            )
        left, right = _level(self, op), _level(other, op)
        for side in (left, right):
            _need_labels(side, on, f"on({', '.join(on)})")
        if group_left is not None and op in _SET_OPERATORS:
            raise QueryError(f"{op} takes no group_left", fix="set operators match many to many by themselves")
        if group_left:
            _need_labels(right, group_left, f"group_left({', '.join(group_left)})")
        prec = _PRECEDENCE[op]
        matching = f"on ({', '.join(on)})"
        if group_left is not None:
            matching += f" group_left ({', '.join(group_left)})"
        text = f"{_wrap(left, prec)} {op} {matching} {_wrap(right, prec + 1)}"
        return Expr(text, _joined_kind(op, left), _joined_labels(op, left, right, on, group_left), prec)

    def either(self, other: Expr, *, on: Sequence[str] = ()) -> Expr:
        """This vector, and from the other what this one lacks (``or``).

        Without ``on`` all labels are compared: right only for selectors of one metric.
        """
        if on:
            return self.join("or", other, on=on)
        left, right = _level_or_range(self), _level_or_range(other)
        text = f"{_wrap(left, _OR)} or {_wrap(right, _OR + 1)}"
        return Expr(text, left.kind, left.labels & right.labels or OPEN, _OR)


# sources -------------------------------------------------------------------------------------


def selector(metric: str, matchers: Iterable[Match] = (), kind: Kind = Kind.GAUGE) -> Expr:
    """Select the raw series of a metric."""
    if not _METRIC_NAME.fullmatch(metric):
        raise QueryError(f"{metric!r} is not a metric name", fix="letters, digits, _ and : only")
    shown = ",".join(f"{_label(m.label)}{m.op}{quote(m.value)}" for m in matchers)
    return Expr(f"{metric}{{{shown}}}" if shown else metric, kind)


def selector_of(metrics: Iterable[str], matchers: Iterable[Match] = (), kind: Kind = Kind.GAUGE) -> Expr:
    """Select the raw series of several metrics at once; they keep their names apart."""
    names = Match("__name__", "=~", "|".join(metrics))
    shown = ",".join(f"{_label(m.label)}{m.op}{quote(m.value)}" for m in (names, *matchers))
    return Expr(f"{{{shown}}}", kind)


def quote(value: str) -> str:
    """A PromQL string literal."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


# functions of a range ------------------------------------------------------------------------


def over(series: Expr, window: str, step: str = "", *, at_end: bool = False) -> Expr:
    """The range vector over a window, for the functions that take one.

    Of raw series it is their samples; of anything else the expression is evaluated again at every ``step``.
    ``at_end`` ends the window at the end of the range shown, so that every step has the same answer.
    """
    for duration in filter(None, (window, step)):
        if not _DURATION.fullmatch(duration):
            raise QueryError(f"{duration!r} is not a duration", fix='write it like "5m", or use RATE_INTERVAL')
    _refuse_range(series, "a window")
    anchor = " @ end()" if at_end else ""
    if _SELECTOR.fullmatch(series.text):
        return replace(series, text=f"{series.text}[{window}]{anchor}", window=window)
    # A counter may be evaluated again and again; what is made of the range is checked by rate() and its like.
    return replace(series, text=f"{_wrap(series, _ATOM)}[{window}:{step}]{anchor}", window=window, precedence=_ATOM)


def rate(ranged: Expr) -> Expr:
    """Per-second increase of a counter."""
    return _counter_function("rate", ranged)


def increase(ranged: Expr) -> Expr:
    """Increase of a counter over the window."""
    return _counter_function("increase", ranged)


def over_time(function: str, ranged: Expr, *, parameter: float | None = None) -> Expr:
    """avg, max, min, sum, count, last, stddev, present or quantile of a gauge over the window."""
    if function not in ("avg", "max", "min", "sum", "count", "last", "stddev", "present", "quantile"):
        raise QueryError(f"unknown function {function}_over_time")
    _need_range(f"{function}_over_time", ranged)
    if ranged.kind is Kind.COUNTER and function not in ("count", "last", "present"):
        raise QueryError(
            f"{function}_over_time of a counter: {ranged.text}",
            fix="take rate() or increase() of the counter",
        )
    argument = f"{_number(parameter)}, {ranged.text}" if parameter is not None else ranged.text
    return replace(ranged, text=f"{function}_over_time({argument})", window="", precedence=_ATOM)


def _counter_function(name: str, ranged: Expr) -> Expr:
    _need_range(name, ranged)
    if ranged.kind is not Kind.COUNTER:
        raise QueryError(
            f"{name}() of a {ranged.kind.value}: {ranged.text}",
            fix="rate() and increase() are for counters; a gauge is plotted as it is, or with over_time()",
        )
    return replace(ranged, text=f"{name}({ranged.text})", kind=Kind.GAUGE, window="", precedence=_ATOM)


# aggregation ---------------------------------------------------------------------------------


def aggregate(operator: str, vector: Expr, *, by: Sequence[str] = (), parameter: float | str | None = None) -> Expr:
    """sum, avg, max, min, count, group, stddev, quantile or count_values, keeping the labels ``by``."""
    if operator not in ("sum", "avg", "max", "min", "count", "group", "stddev", "quantile", "count_values"):
        raise QueryError(f"unknown aggregation {operator}")
    safe_on_counters = operator in ("count", "group", "max", "min")
    level = _range_refused(vector, operator) if safe_on_counters else _level(vector, operator)
    if level.kind is Kind.CODE and operator in ("sum", "avg", "stddev", "quantile"):
        raise QueryError(f"{operator} of a code: {level.text}", fix="a code names something; count it instead")
    _need_labels(level, by, f"{operator} by ({', '.join(by)})")
    labels = frozenset(by)
    argument = level.text
    if parameter is not None:
        shown = quote(parameter) if isinstance(parameter, str) else _number(parameter)
        argument = f"{shown}, {argument}"
        if isinstance(parameter, str):
            labels |= {parameter}
    summed = level.kind is Kind.STATE and operator not in ("max", "min")
    kind = Kind.GAUGE if summed or operator in ("count", "group", "count_values") else level.kind
    grouping = f" by ({', '.join(by)}) " if by else ""
    return Expr(f"{operator}{grouping}({argument})", kind, labels)


def top(count: int, vector: Expr, *, bottom: bool = False) -> Expr:
    """The series with the highest (lowest) values, all labels kept. In a range query: at every step anew."""
    if count < 1:
        raise QueryError(f"top {count} of {vector.text}", fix="ask for at least one series")
    level = _level(vector, "topk")
    return replace(level, text=f"{'bottomk' if bottom else 'topk'}({count}, {level.text})", precedence=_ATOM)


# functions of an instant vector ---------------------------------------------------------------


def call(function: str, vector: Expr, *parameters: float, kind: Kind | None = None) -> Expr:
    """A function of one vector and numbers that keeps all labels (floor, clamp_max, sort_desc, ...)."""
    level = _level(vector, function)
    arguments = ", ".join([level.text, *map(_number, parameters)])
    return replace(level, text=f"{function}({arguments})", kind=kind or level.kind, precedence=_ATOM)


def relabel(vector: Expr, target: str, source: str, pattern: str = "(.+)", replacement: str = "$1") -> Expr:
    """Set a label from another one where the (anchored) pattern matches; else leave it as it is."""
    _refuse_range(vector, "label_replace")
    parts = ", ".join(quote(p) for p in (target, replacement, source, pattern))
    labels = vector.labels if vector.labels == OPEN else vector.labels | {target}
    return replace(vector, text=f"label_replace({vector.text}, {parts})", labels=labels, precedence=_ATOM)


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
    part, whole = _level(part, "/"), _level(whole, "/")
    return Expr(f"{_wrap(part, _MUL)} / {_wrap(whole, _MUL + 1)}", Kind.GAUGE, frozenset(), _MUL)


def constant(number: float) -> Expr:
    """A vector of one series without labels."""
    return Expr(f"vector({_number(number)})", Kind.GAUGE, frozenset())


# checks --------------------------------------------------------------------------------------


def require_labels(vector: Expr, needed: Iterable[str], use: str) -> None:
    """Refuse a use (a legend, a link) of labels that the expression does not carry."""
    _need_labels(vector, tuple(needed), use)


def require_level(vector: Expr, use: str) -> Expr:
    """The expression as a panel may show it: not a range, not a bare counter."""
    return _level(vector, use)


def _need_labels(vector: Expr, needed: Sequence[str], use: str) -> None:
    for name in needed:
        _label(name)
    if vector.labels == OPEN:
        return
    missing = [name for name in needed if name not in vector.labels]
    if missing:
        kept = ", ".join(sorted(vector.labels)) or "none"
        raise QueryError(
            f"{use} needs the label {', '.join(missing)}, which an earlier step dropped (kept: {kept})",
            where=vector.text,
            fix=f"keep {', '.join(missing)} in the aggregation before",
        )


def _need_range(function: str, ranged: Expr) -> None:
    if not ranged.window:
        raise QueryError(f"{function}() needs a range: {ranged.text}", fix='use over(series, "5m")')


def _refuse_range(vector: Expr, use: str) -> None:
    if vector.window:
        raise QueryError(f"{use} of a range: {vector.text}", fix="apply rate() or over_time() first")


def _range_refused(vector: Expr, use: str) -> Expr:
    _refuse_range(vector, use)
    return vector


def _level_or_range(vector: Expr) -> Expr:
    _refuse_range(vector, "or")
    return vector


def _level(vector: Expr, use: str) -> Expr:
    _refuse_range(vector, use)
    if vector.kind is Kind.COUNTER:
        raise QueryError(
            f"the level of a counter in {use}: {vector.text}",
            fix="take rate() or increase(), or say .level(reason) where the level itself means something",
        )
    return vector


def _joined_kind(op: str, left: Expr) -> Kind:
    return left.kind if op in _SET_OPERATORS or _PRECEDENCE[op] == _COMPARE else Kind.GAUGE


def _joined_labels(
    op: str, left: Expr, right: Expr, on: Sequence[str], group_left: Sequence[str] | None
) -> frozenset[str]:
    if op == "or":
        if left.labels == OPEN or right.labels == OPEN:
            return OPEN
        return left.labels & right.labels
    if op in ("and", "unless"):
        return left.labels
    if group_left is None:
        return frozenset(on)
    return OPEN if left.labels == OPEN else left.labels | set(group_left)


def _wrap(vector: Expr, precedence: int) -> str:
    return vector.text if vector.precedence >= precedence else f"({vector.text})"


def _label(name: str) -> str:
    if not _LABEL_NAME.fullmatch(name):
        raise QueryError(f"{name!r} is not a label name", fix="letters, digits and _ only")
    return name


def _number(value: float) -> str:
    whole = int(value) if value == int(value) and abs(value) < 1e15 else None
    return str(whole) if whole is not None else repr(value)

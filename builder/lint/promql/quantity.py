"""What an expression measures and in which unit its number is, as far as names and arithmetic tell.

``X * 1e6`` of a metric in MHz is a number in hertz; ``rate()`` of millijoules is milliwatts. Where an
expression leaves what can be followed, the answer is None: unknown, never a guess.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from builder.catalog.model import Kind, Unit
from builder.lint.facts import Fact
from builder.lint.promql.tree import Aggregate, Binary, Call, Node, Number, Selector, Subquery, Unary


@dataclass(frozen=True)
class Quantity:
    """``factor`` turns the expression's number into ``unit``. ``neutral``: it fits beside any quantity.

    ``zero`` is the number that stands for zero degrees Celsius, 32 on the Fahrenheit scale; None for a difference of
    temperatures, which is the same from whatever zero one counts. It is 0 for any other unit.
    """

    unit: Unit
    factor: float = 1.0
    neutral: bool = False
    zero: float | None = 0.0


_COUNT = Quantity(Unit.COUNT)
_NONE = Quantity(Unit.NONE)
_ANY = Quantity(Unit.NONE, neutral=True)

_PER_SECOND = {
    Unit.BYTES: Unit.BYTES_PER_SECOND,
    Unit.JOULES: Unit.WATTS,
    Unit.SECONDS: Unit.RATIO,
    Unit.COUNT: Unit.PER_SECOND,
}
_SAME = frozenset(
    [
        "abs",
        "ceil",
        "floor",
        "round",
        "clamp",
        "clamp_max",
        "clamp_min",
        "sort",
        "sort_desc",
        "sort_by_label",
        "label_replace",
        "label_join",
        "scalar",
        "vector",
        "increase",
        "delta",
        "idelta",
        "avg_over_time",
        "max_over_time",
        "min_over_time",
        "last_over_time",
        "quantile_over_time",
        "stddev_over_time",
        "predict_linear",
        "first_over_time",
        "mad_over_time",
    ]
)
_BY_TIME = frozenset(("rate", "irate", "deriv"))
_DIFFERENCES = frozenset(("increase", "delta", "idelta", "stddev_over_time", "mad_over_time"))
_COUNTS = frozenset(("count_over_time", "changes", "resets"))
_FLAGS = frozenset(("absent", "absent_over_time", "present_over_time"))


def measure(node: Node, facts: Mapping[str, Fact]) -> Quantity | None:
    """The quantity of an expression, or None where it cannot be told."""
    if isinstance(node, Selector):
        return _selected(node, facts)
    if isinstance(node, Subquery | Unary):
        return measure(node.inner, facts)
    if isinstance(node, Call):
        return _called(node, facts)
    if isinstance(node, Aggregate):
        return _aggregated(node, facts)
    if isinstance(node, Binary):
        return _combined(node, facts)
    return None


def _selected(node: Selector, facts: Mapping[str, Fact]) -> Quantity | None:
    found = [facts.get(name) for name in node.names]
    known = {_quantity(fact) if fact else None for fact in found}
    return known.pop() if len(known) == 1 else None


def _quantity(fact: Fact) -> Quantity | None:
    if fact.kind is Kind.INFO:
        return _ANY
    if fact.kind is Kind.GAUGE and fact.unit is Unit.NONE:
        return None  # a field that nobody described
    return Quantity(fact.unit, fact.factor)


def _called(node: Call, facts: Mapping[str, Fact]) -> Quantity | None:
    if node.function in _COUNTS:
        return _COUNT
    if node.function in _FLAGS:
        return _NONE
    if node.function in ("time", "timestamp"):
        return Quantity(Unit.SECONDS)
    inner = measure(node.vector, facts) if node.vector is not None else None
    if inner is not None and node.function in _DIFFERENCES:
        return _difference(inner)
    if inner is None or node.function in _SAME:
        return inner
    if node.function in _BY_TIME and inner.unit in _PER_SECOND:
        return replace(inner, unit=_PER_SECOND[inner.unit])
    return None


def _aggregated(node: Aggregate, facts: Mapping[str, Fact]) -> Quantity | None:
    if node.operator == "group":
        return _ANY  # always 1: it lends its labels to what it is multiplied with
    if node.operator in ("count", "count_values"):
        return _COUNT
    if node.operator == "stdvar":
        return None
    inner = measure(node.inner, facts)
    return _difference(inner) if inner is not None and node.operator == "stddev" else inner


def _combined(node: Binary, facts: Mapping[str, Fact]) -> Quantity | None:
    if node.compares and node.to_bool:
        return _NONE
    left, right = node.left, node.right
    if isinstance(right, Number):
        return _with_number(node.operator, measure(left, facts), right.value)
    if isinstance(left, Number):
        return _number_first(node.operator, left.value, measure(right, facts))
    one, other = measure(left, facts), measure(right, facts)
    if node.operator in ("and", "unless") or node.compares:
        return one
    combine = _OPERATORS.get(node.operator)
    return combine(one, other) if combine and one is not None and other is not None else None


def _with_number(operator: str, quantity: Quantity | None, number: float | None) -> Quantity | None:
    if quantity is None:
        return None
    if operator == "*":
        return _scaled(quantity, number)
    if operator == "/":
        return _scaled(quantity, 1 / number if number else None)
    if operator in ("+", "-"):
        return _moved(quantity, number if operator == "+" or number is None else -number)
    return quantity if operator in ("==", "!=", ">", "<", ">=", "<=") else None


def _number_first(operator: str, number: float | None, quantity: Quantity | None) -> Quantity | None:
    if quantity is None:
        return None
    if operator == "*":
        return _scaled(quantity, number)
    if operator in ("+", "-"):
        return _moved(quantity, number) if operator == "+" else _difference(quantity)
    return quantity if operator in ("==", "!=", ">", "<", ">=", "<=") else None


def _scaled(quantity: Quantity, by: float | None) -> Quantity | None:
    if by == 0:
        return _ANY  # ``X * 0`` gives a zero where there is no value
    if by is None or quantity.neutral:
        return None
    zero = quantity.zero if quantity.zero is None else quantity.zero * abs(by)
    return _with_factor(quantity.unit, quantity.factor / abs(by), zero)


def _moved(quantity: Quantity, by: float | None) -> Quantity:
    """The quantity with a number added to it."""
    if quantity.unit is not Unit.CELSIUS or quantity.zero is None:
        return quantity
    return _difference(quantity) if by is None else replace(quantity, zero=quantity.zero + by)


def _difference(quantity: Quantity) -> Quantity:
    return replace(quantity, zero=None) if quantity.unit is Unit.CELSIUS else quantity


def _with_factor(unit: Unit, factor: float, zero: float | None = 0.0) -> Quantity | None:
    """A quantity, if its factor is a number that something can be divided by."""
    return Quantity(unit, factor, zero=zero) if math.isfinite(factor) and factor > 0 else None


def _either(one: Quantity, other: Quantity) -> Quantity | None:
    if one.neutral or other.neutral:
        return other if one.neutral else one
    if not _alike(one, other):
        return None
    return one if one.zero == other.zero else _difference(one)


def _less(one: Quantity, other: Quantity) -> Quantity | None:
    found = _either(one, other)
    return None if found is None else _difference(found)


def _product(one: Quantity, other: Quantity) -> Quantity | None:
    if one.neutral or other.neutral:
        return other if one.neutral else one
    shares = (Unit.RATIO, Unit.COUNT)
    if (one.unit in shares) == (other.unit in shares):
        return None  # a ratio times a count may be meant as either
    share, whole = (one, other) if one.unit in shares else (other, one)
    return _with_factor(whole.unit, whole.factor * share.factor, whole.zero)


def _quotient(one: Quantity, other: Quantity) -> Quantity | None:
    if one.neutral or other.neutral:
        return None
    if one.unit is other.unit:
        return _with_factor(Unit.RATIO, one.factor / other.factor)
    if other.unit in (Unit.COUNT, Unit.RATIO):
        return _with_factor(one.unit, one.factor / other.factor, one.zero)
    return None


def _alike(one: Quantity, other: Quantity) -> bool:
    return one.unit is other.unit and abs(one.factor / other.factor - 1) < 1e-6


_OPERATORS: Mapping[str, Callable[[Quantity, Quantity], Quantity | None]] = {
    "+": _either,
    "-": _less,
    "or": _either,
    "*": _product,
    "/": _quotient,
}

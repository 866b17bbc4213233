"""Any expression that can be built is read by Prometheus' grammar as it was built: brackets, order, labels."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st
from promql_parser import parse as parse_promql

from builder.promql import expr
from builder.promql.expr import OPEN, Expr
from tests.promql.tree import Tree, labels_of, tree_of

LABELS = ("node", "gpu", "pod")


@dataclass(frozen=True)
class Built:
    """An expression and what it was built of."""

    expr: Expr
    tree: Tree


_NUMBERS = st.integers(-1000, 1000).map(float) | st.sampled_from([0.5, 1e-6, 1048576.0, 2.0**63])
_LABEL_LISTS = st.lists(st.sampled_from(LABELS), unique=True).map(tuple)
_SELECTORS = st.sampled_from(["up", "temp", "energy"]).map(lambda name: Built(expr.selector(name), name))
_ARITHMETIC = {"*": Expr.__mul__, "/": Expr.__truediv__, "+": Expr.__add__, "-": Expr.__sub__, "%": Expr.__mod__}
_COMPARISONS = {">": Expr.above, "<": Expr.below, "==": Expr.equals, "!=": Expr.differs}
_JOINS = ("*", "/", "%", "+", "-", ">", "<=", "and", "or", "unless")
_PLAIN = (False, None, "", None)


def _scalar(inner: Built, op: str, number: float) -> Built:
    made = _ARITHMETIC[op](inner.expr, number)
    left_out = op in "*/" and number == 1
    return Built(made, inner.tree if left_out else (op, *_PLAIN, inner.tree, number))


def _comparison(inner: Built, op: str, number: float) -> Built:
    return Built(_COMPARISONS[op](inner.expr, number), (op, *_PLAIN, inner.tree, number))


def _bool(inner: Built, number: float) -> Built:
    return Built(inner.expr.is_above(number), (">", True, None, "", None, inner.tree, number))


def _aggregate(inner: Built, operator: str, by: tuple[str, ...]) -> Built:
    kept = tuple(label for label in by if inner.expr.labels == OPEN or label in inner.expr.labels)
    return Built(expr.aggregate(operator, inner.expr, by=kept), (operator, kept, inner.tree))


def _top(inner: Built, count: int) -> Built:
    return Built(expr.top(count, inner.expr), ("topk", (), float(count), inner.tree))


def _clamp(inner: Built, limit: float) -> Built:
    return Built(expr.call("clamp_max", inner.expr, limit), ("clamp_max", inner.tree, limit))


def _tag(inner: Built, label: str) -> Built:
    return Built(expr.tag(inner.expr, label, "x"), ("label_replace", inner.tree, label, "x", "", ""))


def _over_time(inner: Built, function: str) -> Built:
    ranged = expr.over(inner.expr, "5m", "30s")
    step = "" if isinstance(inner.tree, str) else "0:00:30"  # a selector is not evaluated again: it has its samples
    return Built(expr.over_time(function, ranged), (f"{function}_over_time", ("range", inner.tree, "0:05:00", step)))


def _join(left: Built, right: Built, op: str, on: tuple[str, ...], group_left: bool) -> Built:
    shared = tuple(n for n in on if all(b.expr.labels == OPEN or n in b.expr.labels for b in (left, right)))
    if not shared:
        made = left.expr.either(right.expr)
        return Built(made, ("or", *_PLAIN, left.tree, right.tree))
    included = () if group_left and op not in ("and", "or", "unless") else None
    made = left.expr.join(op, right.expr, on=shared, group_left=included)
    many = "ManyToOne" if included is not None else ""
    return Built(made, (op, False, shared, many, included, left.tree, right.tree))


_LEAVES = _SELECTORS | st.builds(_aggregate, _SELECTORS, st.just("max"), _LABEL_LISTS)


def _larger(smaller: st.SearchStrategy[Built]) -> st.SearchStrategy[Built]:
    return st.one_of(
        st.builds(_scalar, smaller, st.sampled_from(list(_ARITHMETIC)), _NUMBERS),
        st.builds(_comparison, smaller, st.sampled_from(list(_COMPARISONS)), _NUMBERS),
        st.builds(_bool, smaller, _NUMBERS),
        st.builds(_aggregate, smaller, st.sampled_from(["sum", "max", "count", "group"]), _LABEL_LISTS),
        st.builds(_top, smaller, st.integers(1, 9)),
        st.builds(_clamp, smaller, _NUMBERS),
        st.builds(_tag, smaller, st.sampled_from(LABELS)),
        st.builds(_over_time, smaller, st.sampled_from(["avg", "max", "count"])),
        st.builds(_join, smaller, smaller, st.sampled_from(_JOINS), _LABEL_LISTS, st.booleans()),
    )


_EXPRESSIONS = st.recursive(_LEAVES, _larger, max_leaves=6)


@settings(max_examples=400)
@given(_EXPRESSIONS)
def test_prometheus_reads_what_was_built(built: Built) -> None:
    assert tree_of(parse_promql(built.expr.text)) == built.tree


@settings(max_examples=400)
@given(_EXPRESSIONS)
def test_the_labels_it_claims_are_the_labels_it_carries(built: Built) -> None:
    assert built.expr.labels == labels_of(parse_promql(built.expr.text))

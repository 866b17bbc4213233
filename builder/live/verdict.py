"""What a panel is told to be, from what its queries brought and from what the server has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from builder.errors import QueryError
from builder.lint.promql.presence import missing
from builder.lint.promql.reading import read
from builder.lint.promql.tree import Binary, Call, Node, selectors, walk
from builder.lint.shape import below, text
from builder.live.outcome import PanelOutcome, QueryOutcome, Verdict
from builder.opening.plan import PlannedPanel, PlannedQuery
from builder.opening.variables import VariableResult
from builder.promql.substitute import All, references

Present = Callable[[str], bool]
"""Whether the server has a metric of this name, or one that fits this pattern."""

_SHOWN = 4
_OVER_TIME = ("rate", "irate", "increase", "delta", "idelta", "deriv", "predict_linear")


@lru_cache(maxsize=4096)
def tree_of(expr: str) -> Node | None:
    """The expression as a tree; None where it is not PromQL that can be read here."""
    try:
        return read(expr)
    except QueryError:
        return None


def metrics_of(expr: str) -> frozenset[str]:
    """The names of the metrics that an expression reads."""
    tree = tree_of(expr)
    return frozenset(name for selector in selectors(tree) for name in selector.names) if tree else frozenset()


def patterns_of(expr: str) -> frozenset[str]:
    """The patterns by which an expression chooses metrics whose names it does not spell out."""
    tree = tree_of(expr)
    return frozenset(selector.pattern for selector in selectors(tree) if selector.pattern) if tree else frozenset()


def missing_from(expr: str, present: Present) -> tuple[str, ...]:
    """The metrics, or patterns of their names, whose absence empties the expression, sorted."""
    tree = tree_of(expr)
    gone = missing(tree, present) if tree else frozenset()
    return tuple(sorted(gone or {pattern for pattern in patterns_of(expr) if not present(pattern)}))


def may_be_empty(expr: str) -> bool:
    """True for an expression whose emptiness is an answer: it looks for what is above, absent, or elsewhere not."""
    tree = tree_of(expr)
    return tree is not None and any(_filters(node) for node in walk(tree))


def _filters(node: Node) -> bool:
    if isinstance(node, Binary):
        return node.operator in ("unless", "and") or (node.compares and not node.to_bool)
    return isinstance(node, Call) and node.function.startswith("absent")


def wrong(query: PlannedQuery) -> str:
    """Why a query cannot be sent, or would be sent with a hole in it; empty where all is well."""
    if query.error:
        return query.error
    if not query.expr.strip():
        return "the query is empty"
    names = [name for name in query.unresolved if not name.startswith("__")]
    return f"unknown variable {', '.join(f'${name}' for name in names)}" if names else ""


def judge(
    panel: PlannedPanel, queries: Sequence[QueryOutcome], variables: Mapping[str, VariableResult], *, slow: float
) -> PanelOutcome:
    """The panel with its verdict. ``queries`` are those that Grafana would send to Prometheus."""

    def outcome(verdict: Verdict, why: str = "", fix: str = "") -> PanelOutcome:
        shown = (panel.id, panel.heading, panel.type, panel.row, panel.scope)
        return PanelOutcome(*shown, verdict, why, fix, tuple(queries))

    if panel.error:
        return outcome(Verdict.ERROR, panel.error)
    if not queries:
        return outcome(Verdict.NOT_ASKED, _unasked(panel))
    if failed := next((query for query in queries if query.error), None):
        return outcome(Verdict.ERROR, f"query {failed.ref_id}: {failed.error}", failed.fix)
    gone = tuple(dict.fromkeys(name for query in queries if not query.series for name in query.missing))
    if not any(query.series for query in queries):
        if gone:
            return outcome(Verdict.MISSING, f"the server has no {some(gone)}")
        meaning = text(below(panel.data, "fieldConfig", "defaults", "noValue"))
        if meaning or any(may_be_empty(query.expr) for query in queries):
            return outcome(Verdict.QUIET, f'shows "{meaning}"' if meaning else "")
        return outcome(Verdict.EMPTY, *_emptied(queries, panel, variables))
    slowest = max(queries, key=lambda query: query.seconds)
    if slowest.seconds > slow:
        why = f"query {slowest.ref_id} took {slowest.seconds:.1f} s"
        return outcome(Verdict.SLOW, why, "narrow it with a variable or a shorter range, or record it with a rule")
    return outcome(Verdict.OK, f"without {some(gone)}" if gone else "")


def some(names: Sequence[str]) -> str:
    """The first of many names."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"


def _unasked(panel: PlannedPanel) -> str:
    others = dict.fromkeys(query.language for query in panel.queries if not query.hidden)
    if "prometheus" in others:
        return "the server was not asked any more"
    return f"asks {', '.join(others)}" if others else ""


def _emptied(
    queries: Sequence[QueryOutcome], panel: PlannedPanel, variables: Mapping[str, VariableResult]
) -> tuple[str, str]:
    read_here = sorted(set().union(*(metrics_of(query.expr) for query in queries)))
    there = f"no series, although {some(read_here)} is there" if read_here else "no series"
    written = str(panel.data.get("targets"))
    used = [f"${name}" for name, found in variables.items() if name in references(written) and _is_hollow(found)]
    if used:
        return f"{there}; {some(used)} has no value", "does the variable's query fit the labels of this server?"
    if any(isinstance(node, Call) and node.function in _OVER_TIME for q in queries for node in _nodes(q.expr)):
        return there, "has its window two samples? If so, do its labels, and the values of its variables, exist here?"
    return there, "do its labels, and the values of its variables, exist on this server?"


def _nodes(expr: str) -> Iterator[Node]:
    tree = tree_of(expr)
    return walk(tree) if tree else iter(())


def _is_hollow(variable: VariableResult) -> bool:
    """True for a variable that found nothing and has nothing to put in its place."""
    stands_for_all = isinstance(variable.inserted, All) and variable.inserted.all_value
    return variable.type == "query" and not (variable.value or variable.error or stands_for_all)

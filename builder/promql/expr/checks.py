"""What is refused, because Prometheus would answer it and the answer would be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from builder.catalog.model import Kind
from builder.errors import QueryError, cut
from builder.promql.expr.words import OPEN, label_name

if TYPE_CHECKING:
    from builder.promql.expr.values import Expr


def require_labels(vector: Expr, needed: Iterable[str], use: str) -> None:
    """Refuse a use (a legend, a link) of labels that the expression does not carry."""
    need_labels(vector, needed if isinstance(needed, str) else tuple(needed), use)


def require_level(vector: Expr, use: str) -> Expr:
    """The expression as a panel may show it: not a range, not a bare counter."""
    return level_of(vector, use)


def need_labels(vector: Expr, needed: Sequence[str], use: str) -> None:
    """Refuse labels that an earlier step dropped."""
    if isinstance(needed, str):
        raise QueryError(f"the labels {needed!r} are a text", fix=f'write [ ] around it: ["{needed}"]')
    for name in needed:
        label_name(name)
    if vector.labels == OPEN:
        return
    missing = [name for name in needed if name not in vector.labels]
    if missing:
        kept = ", ".join(sorted(vector.labels)) or "none"
        raise QueryError(
            f"{use} needs the label {', '.join(missing)}, which an earlier step dropped (kept: {kept})",
            where=cut(vector.text),
            fix=f"keep {', '.join(missing)} in the aggregation before",
        )


def need_range(function: str, ranged: Expr) -> None:
    """Refuse what is not a range vector."""
    if not ranged.window:
        raise QueryError(f"{function}() needs a range: {cut(ranged.text)}", fix='use over(series, "5m")')


def refuse_range(vector: Expr, use: str) -> None:
    """Refuse a range vector."""
    if vector.window:
        raise QueryError(f"{use} of a range: {cut(vector.text)}", fix="apply rate() or over_time() first")


def range_refused(vector: Expr, use: str) -> Expr:
    """The instant vector that was given."""
    refuse_range(vector, use)
    return vector


def refuse_code(vector: Expr, use: str) -> None:
    """Refuse to calculate with a code."""
    if vector.kind is Kind.CODE:
        raise QueryError(
            f"{use} of a code: {cut(vector.text)}",
            fix="a code names something (an XID, a mode); compare, count or map it, do not calculate with it",
        )


def check_parameter(function: str, parameter: float | str | None, *, number: bool = False, label: bool = False) -> None:
    """Refuse a parameter that the function does not take, or the lack of one."""
    if number and (parameter is None or isinstance(parameter, str) or not 0 <= parameter <= 1):
        raise QueryError(f"{function} without a quantile", fix="parameter=0.95, a number between 0 and 1")
    if label and not isinstance(parameter, str):
        raise QueryError(f"{function} without a label for the values", fix='parameter="value"')
    if not (number or label) and parameter is not None:
        raise QueryError(f"{function} takes no parameter", fix=f"leave {parameter!r} out")


def level_of(vector: Expr, use: str) -> Expr:
    """The instant vector that was given, and no bare counter."""
    refuse_range(vector, use)
    if vector.kind is Kind.COUNTER:
        raise QueryError(
            f"the level of a counter in {use}: {cut(vector.text)}",
            fix="take rate() or increase(), or say .level(reason) where the level itself means something",
        )
    return vector

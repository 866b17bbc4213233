"""The value itself: an expression, what is known of its result, and how two of them combine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from builder.catalog.model import Kind
from builder.errors import QueryError
from builder.promql.expr.checks import level_of, need_labels, range_refused, refuse_code, refuse_range
from builder.promql.expr.words import ATOM, COMPARE, OPEN, OR, PRECEDENCE, SET_OPERATORS, number


@dataclass(frozen=True)
class Expr:
    """A PromQL expression that yields an instant vector (a range vector where ``window`` is set)."""

    text: str
    kind: Kind = Kind.GAUGE
    labels: frozenset[str] = OPEN
    precedence: int = ATOM
    window: str = ""

    def __str__(self) -> str:
        return self.text

    # arithmetic with a number ---------------------------------------------------------------

    def __mul__(self, value: float) -> Expr:
        return self if value == 1 else self._scalar("*", value)

    def __truediv__(self, value: float) -> Expr:
        return self if value == 1 else self._scalar("/", value)

    def __add__(self, value: float) -> Expr:
        return self._scalar("+", value)

    def __sub__(self, value: float) -> Expr:
        return self._scalar("-", value)

    def __mod__(self, value: float) -> Expr:
        return self._scalar("%", value)

    def _scalar(self, op: str, value: float) -> Expr:
        refuse_range(self, op)
        refuse_code(self, op)
        if op not in ("*", "/"):  # a factor turns a counter's unit, anything else reads its level
            level_of(self, op)
        prec = PRECEDENCE[op]
        return replace(self, text=f"{wrap(self, prec)} {op} {number(value)}", precedence=prec)

    # comparison with a number: keeps the series where it is true -----------------------------

    def above(self, value: float) -> Expr:
        """Keep the series whose value is greater than the number."""
        return self._compare(">", value)

    def below(self, value: float) -> Expr:
        """Keep the series whose value is smaller than the number."""
        return self._compare("<", value)

    def equals(self, value: float) -> Expr:
        """Keep the series whose value is the number."""
        return self._compare("==", value)

    def differs(self, value: float) -> Expr:
        """Keep the series whose value is not the number."""
        return self._compare("!=", value)

    def at_least(self, value: float) -> Expr:
        """Keep the series whose value is the number or greater."""
        return self._compare(">=", value)

    def is_at_least(self, value: float) -> Expr:
        """1 where the value is the number or greater, else 0."""
        return self._as_state(">=", value)

    def is_above(self, value: float) -> Expr:
        """1 where the value is greater than the number, else 0."""
        return self._as_state(">", value)

    def _as_state(self, op: str, value: float) -> Expr:
        level = level_of(self, op)
        text = f"{wrap(level, COMPARE)} {op} bool {number(value)}"
        return replace(level, text=text, precedence=COMPARE, kind=Kind.STATE)

    def _compare(self, op: str, value: float) -> Expr:
        level = level_of(self, op)
        text = f"{wrap(level, COMPARE)} {op} {number(value)}"
        return replace(level, text=text, precedence=COMPARE)

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
        if op not in PRECEDENCE:
            raise QueryError(f"unknown operator {op!r}", fix=f"one of {' '.join(sorted(PRECEDENCE))}")
        if not on:
            raise QueryError(
                f"a join without on(): {self.text} {op} {other.text}",
                fix="name the labels that identify one series on both sides",
            )
        left, right = level_of(self, op), level_of(other, op)
        for side in (left, right):
            if op not in SET_OPERATORS and PRECEDENCE[op] != COMPARE:
                refuse_code(side, op)
            need_labels(side, on, f"on({', '.join(on)})")
        if group_left is not None and op in SET_OPERATORS:
            raise QueryError(f"{op} takes no group_left", fix="set operators match many to many by themselves")
        if group_left:
            need_labels(right, group_left, f"group_left({', '.join(group_left)})")
        prec = PRECEDENCE[op]
        matching = f"on ({', '.join(on)})"
        if group_left is not None:
            matching += f" group_left ({', '.join(group_left)})"
        text = f"{wrap(left, prec)} {op} {matching} {wrap(right, prec + 1)}"
        return Expr(text, _joined_kind(op, left), _joined_labels(op, left, right, on, group_left), prec)

    def either(self, other: Expr, *, on: Sequence[str] = ()) -> Expr:
        """This vector, and from the other what this one lacks (``or``).

        Without ``on`` all labels are compared: right only for selectors of one metric.
        """
        if on:
            return self.join("or", other, on=on)
        left, right = range_refused(self, "or"), range_refused(other, "or")
        text = f"{wrap(left, OR)} or {wrap(right, OR + 1)}"
        return Expr(text, left.kind, _joined_labels("or", left, right, (), None), OR)


def _joined_kind(op: str, left: Expr) -> Kind:
    return left.kind if op in SET_OPERATORS or PRECEDENCE[op] == COMPARE else Kind.GAUGE


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


def wrap(vector: Expr, precedence: int) -> str:
    """The text, in parentheses where it binds less tightly than its place asks for."""
    return vector.text if vector.precedence >= precedence else f"({vector.text})"

"""Expressions asked over a stretch of history, in slices that a server can bear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from builder.backtest import Piece
from builder.errors import ServerError
from builder.rules.backtest.incidents import runs
from builder.rules.backtest.period import Period
from builder.targets.backtest_state import State
from builder.targets.http.parallel import Progress, each
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.refusals import QueryRefused

MOST_POINTS = 11_000
"""Points of a series in one answer; Prometheus refuses more (web/api/v1/api.go)."""
_BATCH = 8  # slices for each job between two writes of the state


@dataclass(frozen=True)
class Slice:
    """An expression from one evaluation to another, by their numbers."""

    expr: str
    first: int
    last: int


@dataclass
class Asked:
    """How far the asking came: what the server says of expressions that it cannot evaluate, and what stopped it."""

    refused: dict[str, str] = field(default_factory=dict)
    trouble: ServerError | None = None


def ask(
    exprs: Sequence[str],
    slices: Sequence[tuple[int, int]],
    period: Period,
    client: Client,
    state: State,
    progress: Progress,
) -> Asked:
    """Ask what the state does not hold yet, and put it there. What was answered is kept, whatever happens then."""
    asked = Asked()
    todo = [Slice(expr, first, last) for expr in exprs for first, last in slices if not state.holds(expr, first)]
    batch = client.jobs * _BATCH
    for begin in range(0, len(todo), batch):
        part = [item for item in todo[begin : begin + batch] if item.expr not in asked.refused]

        def told(doing: str, done: int, _of: int, begin: int = begin) -> None:
            progress(doing, begin + done, len(todo))

        for item, result in each(lambda item: _read(item, period, client), part, client, told, "slices of history"):
            if isinstance(result, QueryRefused):
                asked.refused.setdefault(item.expr, result.what)
            elif isinstance(result, ServerError):
                asked.trouble = asked.trouble or result
            elif isinstance(result, Exception):
                raise result
            else:
                state.add(item.expr, item.first, result)
        if asked.trouble:
            break
        state.save_now_and_then()
    state.save()
    return asked


def covered(expr: str, period: Period, client: Client) -> tuple[float, float] | None:
    """From when to when, within the period, an expression has answers, to a hundredth of it; None: nowhere."""
    looks = Period(period.start, period.end, max(int(period.seconds / 100), period.step))
    every = Slice(expr, looks.number(period.start), looks.count - 1)
    times = [looks.at(n) for _, true in _pieces(every, looks, client) for run in true for n in run]
    if not times:
        return None
    begin, end = min(times), max(times)
    whole = looks.step  # nothing is known between two looks
    return (
        period.start if begin - whole < period.start else begin,
        period.end if end + whole > period.end else end,
    )


def _read(item: Slice, period: Period, client: Client) -> tuple[Piece, ...]:
    return tuple(_pieces(item, period, client))


def _pieces(item: Slice, period: Period, client: Client) -> Iterator[Piece]:
    """The series of a slice; in halves where it is more than the server wants to do at once."""
    try:
        answer = client.query_range(
            item.expr, period.at(item.first), period.at(item.last), period.step, doing="read the history"
        )
    except QueryRefused as refused:
        if item.first == item.last or not _too_much(refused):
            raise
        middle = (item.first + item.last) // 2
        yield from _pieces(Slice(item.expr, item.first, middle), period, client)
        yield from _pieces(Slice(item.expr, middle + 1, item.last), period, client)
        return
    for series in answer.series():
        labels = tuple(sorted((name, value) for name, value in series.labels.items() if name != "__name__"))
        yield labels, tuple(runs(period.number(at) for at, _ in series.points))


def _too_much(refused: QueryRefused) -> bool:
    """True where a shorter slice may have an answer: too many samples, too long, too large."""
    return refused.kind in ("timeout", "too large", "canceled") or "too many samples" in refused.what

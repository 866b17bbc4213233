"""Boards opened on a running Prometheus: every variable and every panel asked, a bounded number at a time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from builder.errors import GpuboardsError
from builder.lint import Subject
from builder.lint.facts import every_profile, facts
from builder.live.lacking import cards_are_counted_by, lacks, misfit
from builder.live.outcome import BoardOutcome, LiveReport, QueryOutcome, VariableOutcome
from builder.live.verdict import judge, metrics_of, missing_from, patterns_of, wrong
from builder.opening.plan import PlannedPanel, PlannedQuery
from builder.targets.http.failures import OutOfReach
from builder.targets.http.parallel import Progress, each
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.opened import Board, Options, open_boards, refuse_unknown
from builder.targets.prometheus.presence import present
from builder.targets.prometheus.refusals import QueryRefused

_SKEWED = 60


_Key = tuple[str, bool, float, float, float]


def check(subjects: Sequence[Subject], client: Client, options: Options, progress: Progress) -> LiveReport:
    """Ask everything that the boards would ask. Raises ServerError where there is no Prometheus to be asked.

    Trouble in the middle ends the asking, and is told in the report beside what was found out until then.
    """
    refuse_unknown(subjects, options.variables)
    begun = time.monotonic()
    now, version = client.clock(), client.version()
    at = options.at or now
    boards = list(open_boards(subjects, client, replace(options, at=at), progress))
    asked = {_key(query): query for board in boards for panel in board.panels for query in _sent(panel)}
    span = _span(asked.values(), at)
    known = facts(every_profile())
    names = {name for query in asked.values() for name in metrics_of(query.expr)}
    patterns = {pattern for query in asked.values() for pattern in patterns_of(query.expr)}
    there = present(client, names | known.keys(), patterns, start=span[0], end=span[1], progress=progress)
    there |= _unborn(there)
    outcomes: dict[_Key, QueryOutcome] = {}
    trouble = ""
    work = list(asked.values())
    for query, answer in each(lambda query: _ask(query, client), work, client, progress, "queries"):
        if isinstance(answer, QueryOutcome):
            gone = () if answer.series else missing_from(query.expr, there.__contains__)
            outcomes[_key(query)] = replace(answer, missing=gone)
        elif isinstance(answer, GpuboardsError):
            trouble = trouble or str(answer)
        else:
            raise answer
    judged = tuple(_judged(board, outcomes, options.slow) for board in boards)
    notes = (*_skew(now), *misfit(names, there), *_silence(client, there, at))
    took = time.monotonic() - begun
    return LiveReport(client.endpoint.url, version, at, judged, lacks(judged, known), notes, trouble, took)


def _unborn(there: Set[str]) -> Set[str]:
    """Metrics that are exported as soon as there is something to count: their absence is an answer, and no lack."""
    metrics = (metric for profile in every_profile() for each in profile.signals.values() for metric in each)
    return {metric.name for metric in metrics if metric.born_beside in there}


def _sent(panel: PlannedPanel) -> Iterator[PlannedQuery]:
    """The queries that go to Prometheus, apart from those that nobody need ask to know that they are wrong."""
    return (query for query in _shown(panel) if not wrong(query))


def _shown(panel: PlannedPanel) -> Iterator[PlannedQuery]:
    return (query for query in panel.queries if query.language == "prometheus" and not query.hidden)


def _key(query: PlannedQuery) -> _Key:
    """What makes two queries the same question."""
    return query.expr, query.instant, query.start, query.end, query.window.interval


def _ask(query: PlannedQuery, client: Client) -> QueryOutcome:
    sent = QueryOutcome(query.ref_id, query.expr, query.instant)
    try:
        if query.instant:
            answer = client.query(query.expr, query.end)
        else:
            answer = client.query_range(query.expr, query.start, query.end, query.window.interval)
    except QueryRefused as refused:
        return replace(sent, error=refused.what, fix=refused.fix)
    return replace(
        sent,
        series=answer.count,
        samples=answer.samples,
        size=answer.size,
        seconds=answer.seconds,
        warnings=answer.warnings,
    )


def _judged(board: Board, outcomes: Mapping[_Key, QueryOutcome], slow: float) -> BoardOutcome:
    panels = []
    for panel in board.panels:
        queries = [
            QueryOutcome(query.ref_id, query.expr, query.instant, error=error)
            if (error := wrong(query))
            else replace(outcomes[_key(query)], ref_id=query.ref_id)
            for query in _shown(panel)
            if wrong(query) or _key(query) in outcomes
        ]
        panels.append(judge(panel, queries, board.variables, slow=slow))
    variables = tuple(
        VariableOutcome(v.name, v.type, v.query, len(v.options), v.value[:20], v.error)
        for v in board.variables.values()
    )
    return BoardOutcome(board.name, board.title, variables, tuple(panels), board.error, board.left_out)


def _span(queries: Iterable[PlannedQuery], at: float) -> tuple[float, float]:
    """The time between the first and the last moment that anything is asked for."""
    moments = [moment for query in queries for moment in (query.window.start, query.window.end)]
    return min(moments, default=at - 3600), max(moments, default=at)


def _skew(now: float) -> Iterator[str]:
    ahead = now - time.time()
    if abs(ahead) > _SKEWED:
        yield f"the server's clock is {abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} this machine's"


def _silence(client: Client, there: frozenset[str], at: float) -> Iterator[str]:
    counted = cards_are_counted_by(there)
    if not counted or client.stop.is_set():
        return
    try:
        now = client.instant(f'count({{__name__=~"{"|".join(counted)}"}})', at)
    except (QueryRefused, OutOfReach):
        return  # what keeps it from answering is told where boards ask
    if not now:
        yield "no GPU exporter has reported for five minutes, although some did before: is Prometheus scraping them?"

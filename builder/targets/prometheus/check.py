"""Boards opened on a running Prometheus: every variable and every panel asked, a bounded number at a time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from builder.errors import GpuboardsError, UnknownName
from builder.lint import Subject
from builder.lint.facts import every_profile, facts
from builder.lint.reading import unwrapped
from builder.lint.shape import items, mapping, text
from builder.live.lacking import cards_are_counted_by, lacks, misfit
from builder.live.outcome import BoardOutcome, LiveReport, QueryOutcome, VariableOutcome
from builder.live.verdict import judge, metrics_of, missing_from, patterns_of, wrong
from builder.opening.plan import Opened, PlannedPanel, PlannedQuery
from builder.opening.timerange import range_of
from builder.opening.variables import VariableResult, resolve
from builder.opening.window import window
from builder.targets.http.failures import OutOfReach
from builder.targets.http.parallel import Progress, each
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.lookups import Lookups
from builder.targets.prometheus.presence import present
from builder.targets.prometheus.refusals import QueryRefused

_SKEWED = 60


@dataclass(frozen=True)
class Options:
    """How boards are opened. Times in seconds; ``at`` 0 is the server's now, ``range_seconds`` 0 the board's own.

    ``scrape_interval`` is that of the data source, ``copies`` how many of a repeated panel are asked.
    """

    at: float = 0.0
    range_seconds: float = 0.0
    scrape_interval: float = 15.0
    slow: float = 5.0
    variables: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    max_data_points: int = 1000
    copies: int = 10


@dataclass(frozen=True)
class _Board:
    """A board with all that is to be asked for it."""

    name: str
    title: str
    variables: Mapping[str, VariableResult] = field(default_factory=dict)
    panels: tuple[PlannedPanel, ...] = ()
    error: str = ""
    left_out: int = 0


_Key = tuple[str, bool, float, float, float]


def check(subjects: Sequence[Subject], client: Client, options: Options, progress: Progress) -> LiveReport:
    """Ask everything that the boards would ask. Raises ServerError where there is no Prometheus to be asked.

    Trouble in the middle ends the asking, and is told in the report beside what was found out until then.
    """
    _refuse_unknown(subjects, options.variables)
    begun = time.monotonic()
    now, version = client.clock(), client.version()
    at = options.at or now
    boards = list(_opened(subjects, client, replace(options, at=at), progress))
    asked = {_key(query): query for board in boards for panel in board.panels for query in _sent(panel)}
    span = _span(asked.values(), at)
    known = facts(every_profile())
    names = {name for query in asked.values() for name in metrics_of(query.expr)}
    patterns = {pattern for query in asked.values() for pattern in patterns_of(query.expr)}
    there = present(client, names | known.keys(), patterns, start=span[0], end=span[1], progress=progress)
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


def _opened(subjects: Sequence[Subject], client: Client, options: Options, progress: Progress) -> Iterator[_Board]:
    lookups = Lookups(client)
    with ThreadPoolExecutor(client.jobs, thread_name_prefix="variables") as pool:
        for number, subject in enumerate(subjects, 1):
            yield _open(subject, lookups, options, pool)
            if lookups.trouble:
                raise lookups.trouble
            progress("variables", number, len(subjects))


def _open(subject: Subject, lookups: Lookups, options: Options, pool: ThreadPoolExecutor) -> _Board:
    found = unwrapped(subject.data)
    board: Mapping[str, Any] = found[1] if found else {}
    # A file is called by its path: people keep copies of one board.
    name, title = "" if subject.source else text(board.get("uid")), text(board.get("title"))
    name = name or subject.file
    begin, end = (options.range_seconds, 0.0) if options.range_seconds else range_of(board)
    at = options.at - end
    whole = window(
        start=options.at - begin,
        end=at,
        max_data_points=options.max_data_points,
        scrape_interval=options.scrape_interval,
    )
    declared = _declared(board)
    chosen = {name: value for name, value in options.variables.items() if name in declared}
    try:
        variables = resolve(board, lookups, whole, chosen, pool.map)
    except OutOfReach:
        raise
    except GpuboardsError as problem:
        return _Board(name, title, error=str(problem))
    opened = Opened(board, at, whole.end - whole.start, options.scrape_interval, options.max_data_points, variables)
    panels, left_out = _some_copies(opened.panels(), options.copies)
    return _Board(name, title, variables, panels, left_out=left_out)


def _declared(board: Mapping[str, Any]) -> frozenset[str]:
    """The names of a board's variables."""
    listed = items(mapping(board.get("templating")).get("list"))
    return frozenset(text(mapping(model).get("name")) for model in listed)


def _refuse_unknown(subjects: Sequence[Subject], chosen: Iterable[str]) -> None:
    boards = [found[1] for subject in subjects if (found := unwrapped(subject.data))]
    declared = frozenset[str]().union(*map(_declared, boards))
    for name in chosen:
        if name not in declared:
            raise UnknownName("variable", name, declared, where="--var")


def _some_copies(panels: Iterator[PlannedPanel], most: int) -> tuple[tuple[PlannedPanel, ...], int]:
    """So many copies of each repeated panel, and how many there are more."""
    seen: Counter[int] = Counter()
    kept, left_out = [], 0
    for panel in panels:
        seen[id(panel.data)] += 1
        if seen[id(panel.data)] > most:
            left_out += 1
        else:
            kept.append(panel)
    return tuple(kept), left_out


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


def _judged(board: _Board, outcomes: Mapping[_Key, QueryOutcome], slow: float) -> BoardOutcome:
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

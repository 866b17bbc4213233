"""Boards with their variables resolved on a running Prometheus, so that it is known what their panels ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from builder.errors import GpuboardsError, UnknownName
from builder.lint import Subject
from builder.lint.reading import unwrapped
from builder.lint.shape import items, mapping, text
from builder.opening.plan import Opened, PlannedPanel
from builder.opening.timerange import range_of
from builder.opening.variables import VariableResult, resolve
from builder.opening.window import window
from builder.targets.http.parallel import Progress
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.lookups import Lookups


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
class Board:
    """A board with all that is to be asked for it."""

    name: str
    title: str
    variables: Mapping[str, VariableResult] = field(default_factory=dict)
    panels: tuple[PlannedPanel, ...] = ()
    error: str = ""
    left_out: int = 0


def open_boards(subjects: Sequence[Subject], client: Client, options: Options, progress: Progress) -> Iterator[Board]:
    """Each board, opened. Raises ServerError where the server does not answer, whatever it is asked.

    Variables that do not depend on each other are asked for together.
    """
    lookups = Lookups(client)
    with ThreadPoolExecutor(client.jobs, thread_name_prefix="variables") as pool:
        for number, subject in enumerate(subjects, 1):
            yield _open(subject, lookups, options, pool)
            if lookups.trouble:
                raise lookups.trouble
            progress("variables", number, len(subjects))


def _open(subject: Subject, lookups: Lookups, options: Options, pool: ThreadPoolExecutor) -> Board:
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
    except GpuboardsError as problem:
        return Board(name, title, error=str(problem))
    opened = Opened(
        dashboard=board,
        at=at,
        range_seconds=whole.end - whole.start,
        scrape_interval=options.scrape_interval,
        max_data_points=options.max_data_points,
        variables=variables,
        copies=options.copies,
    )
    return Board(name, title, variables, tuple(opened.panels()), left_out=opened.left_out())


def _declared(board: Mapping[str, Any]) -> frozenset[str]:
    """The names of a board's variables."""
    listed = items(mapping(board.get("templating")).get("list"))
    return frozenset(text(mapping(model).get("name")) for model in listed)


def refuse_unknown(subjects: Sequence[Subject], chosen: Iterable[str]) -> None:
    """Refuse a variable that no board has. Raises UnknownName."""
    boards = [found[1] for subject in subjects if (found := unwrapped(subject.data))]
    declared = frozenset[str]().union(*map(_declared, boards))
    for name in chosen:
        if name not in declared:
            raise UnknownName("variable", name, declared, where="--var")

"""hard-coded-datasource: a board that works on one Grafana only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from builder.lint.finding import Place, Severity
from builder.lint.model import Board
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import below, items, mapping
from builder.lint.sources import BUILT_IN, held_in, uid_of
from builder.lint.world import World

_FIX = 'declare a variable of type datasource and write {"type": ..., "uid": "${datasource}"}'


def _check(board: Board, _world: World) -> Hits:
    places: dict[str, list[Place]] = {}
    for place, source in _sources(board):
        uid = uid_of(source)
        held = held_in(uid)
        if uid and uid not in BUILT_IN and (not held or (held in board.inputs and held not in board.by_name)):
            places.setdefault(uid, []).append(place)
    for uid, found in places.items():
        times = f" ({len(found)} places)" if len(found) > 1 else ""
        if held_in(uid):
            yield Hit(
                f"the data source {uid} exists only after the import dialog{times}",
                found[0],
                fix=f"mounted or pushed, the board finds no data source; {_FIX}",
                severity=Severity.BUG,
            )
        else:
            yield Hit(f"the data source {uid!r} is fixed{times}", found[0])


def _sources(board: Board) -> Iterator[tuple[Place, Any]]:
    for panel in board.panels:
        yield (*panel.place, "datasource"), panel.data.get("datasource")
        for query in panel.queries:
            yield (*query.place, "datasource"), query.data.get("datasource")
    for variable in board.variables:
        yield (*variable.place, "datasource"), variable.data.get("datasource")
    for index, annotation in enumerate(items(below(board.data, "annotations", "list"))):
        yield (*board.wrapped, "annotations", "list", index, "datasource"), mapping(annotation).get("datasource")


RULE = Rule(
    "hard-coded-datasource",
    Severity.WARNING,
    why="Another Grafana has another uid, and a team with two Prometheus servers cannot choose between them.",
    fix=_FIX,
    on_board=_check,
)

"""undeclared-variable: a name that Grafana leaves as it is."""

from __future__ import annotations

from collections.abc import Iterator

from builder.errors import nearest
from builder.lint.finding import Place, Severity
from builder.lint.model import Board
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import items, text, texts
from builder.lint.variables import BUILT_IN
from builder.lint.world import World
from builder.promql.substitute import references

_FATAL = frozenset(("expr", "query", "definition", "uid", "datasource", "repeat", "url", "interval"))
_WORDS = frozenset(("title", "legendFormat", "displayName", "timeFrom", "timeShift"))


def _check(board: Board, _world: World) -> Hits:
    declared = board.by_name.keys() | board.inputs
    told: set[tuple[str, Place]] = set()
    for place, written in _read(board):
        names = [written.lstrip("$")] if place[-1] == "repeat" else references(written)
        for name in names:
            if not name or name in declared or BUILT_IN.fullmatch(name) or name.isdigit():
                continue
            panel = place[: _depth(place)]
            if (name, panel) in told:  # once a panel is enough
                continue
            told.add((name, panel))
            severity = Severity.BUG if place[-1] in _FATAL else Severity.WARNING
            yield Hit(f"${name} is used and not declared", place, nearest(name, declared), severity)


def _depth(place: Place) -> int:
    """How much of a place names the panel, variable or other part that it is in."""
    numbers = [index for index, step in enumerate(place) if isinstance(step, int)]
    return (numbers[1] if place[2:3] == ("panels",) and len(numbers) > 1 else numbers[0]) + 1 if numbers else 1


def _read(board: Board) -> Iterator[tuple[Place, str]]:
    """The texts in which Grafana replaces variables; prose and code samples may hold any dollar sign."""
    root = board.wrapped
    for variable in board.variables:
        for key in ("query", "definition", "datasource"):
            if variable.type in ("query", "datasource", "adhoc", "custom", "interval"):
                yield from texts(variable.data.get(key), (*variable.place, key))
    for row in board.rows:
        yield (*row.place, "title"), row.title
    for panel in board.panels:
        for place, written in texts({k: v for k, v in panel.data.items() if k != "panels"}, panel.place):
            if place[-1] in _FATAL or (place[-1] in _WORDS):
                yield place, written
    for index, link in enumerate(items(board.data.get("links"))):
        if isinstance(link, dict):
            yield (*root, "links", index, "url"), text(link.get("url"))
    yield (*root, "title"), board.title


RULE = Rule(
    "undeclared-variable",
    Severity.BUG,
    why="Grafana leaves a name that it does not know as it is, so the query asks for the text itself and finds "
    "nothing.",
    fix="declare the variable, or correct its name",
    on_board=_check,
)

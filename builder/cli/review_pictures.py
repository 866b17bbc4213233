"""Pictures for a review: the panels that changed, before and after, drawn from the same data."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import click

from builder.cli.check_live import options
from builder.cli.preview_data import Ask, Data, answered, fleet_of, of_prometheus, own_range, simulated
from builder.cli.preview_extra import require
from builder.cli.prometheus_options import NAMES
from builder.config import Config, resolve_profile
from builder.diff import BoardDiff, Kind, Part
from builder.diff.panels import panels_of
from builder.errors import GpuboardsError, UsageError
from builder.review.model import Draw, Picture, Review

MOST = 40
"""Panels that are drawn at the most, before and after: a page with more is slow to make and to open."""

Panel = Mapping[str, Any]
_OF_THE_PLACE = frozenset({Kind.MOVED, Kind.SHIFTED, Kind.ROW})


@dataclass(frozen=True)
class Wanted:
    """Of which data pictures are made: those of a Prometheus, or of a simulated fleet with ``faults``.

    ``demanded`` says that somebody asked for pictures, so that it is an error where there can be none. ``live`` has
    the options of a live check by name.
    """

    config: Config
    demanded: bool
    faults: Sequence[str]
    live: Mapping[str, Any]


@dataclass(frozen=True)
class Drawing:
    """How to draw, and what is to be said about it; ``draw`` is None where there is nothing to draw or no way to."""

    draw: Draw | None = None
    notes: tuple[str, ...] = ()


@dataclass
class _Side:
    """A board as it was or is, and the panels of it that are to be drawn."""

    board: Panel
    panels: list[Panel] = field(default_factory=list)


@contextmanager
def drawing(review: Review, wanted: Wanted) -> Iterator[Drawing]:
    """Pictures, for as long as the context lasts. Raises what stands in their way only where they are demanded."""
    sides, left_out = _sides(review)
    with ExitStack() as stack:
        if not sides:
            found = Drawing()
        else:
            try:
                require()
                data = stack.enter_context(_data(wanted, sides))
            except GpuboardsError as error:
                if wanted.demanded:
                    raise
                found = Drawing(notes=(f"no pictures: {error.what}{f' ({error.fix})' if error.fix else ''}",))
            else:
                source = data.words.removeprefix("Data: ")
                notes = [f"pictures are a preview and not Grafana, before and after with the same data: {source}"]
                if left_out:
                    notes.append(f"the first {MOST} panels that differ have pictures, {left_out} have none")
                found = Drawing(_Drawn(sides, data, _ask(wanted)), tuple(notes))
        yield found


def _data(wanted: Wanted, sides: Sequence[_Side]) -> Any:
    if url := wanted.live["prometheus"]:
        _refuse_secrets(wanted.live)
        return of_prometheus(url, wanted.live["scrape_interval"] or f"{resolve_profile(wanted.config).interval}s")
    click.echo("simulating a fleet for the pictures ...", err=True)
    return simulated(wanted.config, _fleet(wanted.faults), max(own_range(side.board) for side in sides))


def _fleet(faults: Sequence[str]) -> Mapping[str, Any]:
    return {"nodes": 2, "cards": 4, "faults": tuple(faults), "mig": ()}


def check_faults(config: Config, faults: Sequence[str]) -> None:
    """Raises UsageError for a fault that the simulated fleet cannot have."""
    fleet_of(config, _fleet(faults))


def _ask(wanted: Wanted) -> Ask:
    """What is shown of a Prometheus is what the live check asks it; both sides at one moment."""
    if not wanted.live["prometheus"]:
        return Ask({})
    said = options(wanted.live, resolve_profile(wanted.config).interval)
    variables = {name: (one,) if isinstance(one, str) else tuple(one) for name, one in said.variables.items()}
    return Ask(variables, said.range_seconds or None, said.at or float(int(time.time())))


def _refuse_secrets(live: Mapping[str, Any]) -> None:
    """What draws asks plainly: without tokens, headers and certificates of our own. Raises UsageError."""
    given = [name for name in NAMES if live[name] and name not in ("timeout", "jobs")]
    if given:
        raise UsageError(
            f"pictures are not drawn from a Prometheus that needs --{given[0].rstrip('s').replace('_', '-')}",
            fix="leave --prometheus out for those of a simulated fleet",
        )


def _sides(review: Review) -> tuple[list[_Side], int]:
    """The boards with the panels to draw, and how many panels would be too many."""
    found: list[_Side] = []
    room, left_out = MOST, 0
    for reviewed in review.boards:
        parts = [part for part in reviewed.diff.parts if _looks_different(part)]
        left_out += max(len(parts) - room, 0)
        parts = parts[:room]
        room -= len(parts)
        found += (side for side in _of_board(reviewed.diff, parts) if side.panels)
    return found, left_out


def _of_board(diff: BoardDiff, parts: Sequence[Part]) -> Iterator[_Side]:
    if diff.before is not None:
        yield _Side(diff.before, [part.before for part in parts if part.before is not None])
    if diff.after is not None:
        yield _Side(diff.after, [part.after for part in parts if part.after is not None])


def _looks_different(part: Part) -> bool:
    """True for a panel that may look different; one that is only elsewhere does not."""
    only_elsewhere = part.changes and all(change.kind in _OF_THE_PLACE for change in part.changes)
    return part.what == "panel" and not only_elsewhere


class _Drawn:
    """Draws the panels of each side; a side is asked for when its first panel is wanted."""

    def __init__(self, sides: Sequence[_Side], data: Data, ask: Ask) -> None:
        self._data, self._ask = data, ask
        self._side_of = {id(panel): side for side in sides for panel in side.panels}
        self._shown: dict[int, dict[int, Any]] = {}

    def __call__(self, board: Panel, panel: Panel) -> Picture | None:
        from builder.preview import THEMES
        from builder.preview.picture import panel_picture
        from builder.preview.summary import of_panel

        side = self._side_of.get(id(panel))
        if side is None:
            return None
        if id(side) not in self._shown:
            self._shown[id(side)] = self._opened(side)
        placed, shown, copies = self._shown[id(side)][id(panel)]
        words = of_panel(shown) + (f" (the first of {copies} copies)" if copies > 1 else "")
        return Picture("image/png", panel_picture(shown, placed.place, THEMES["dark"], "png"), words)

    def _opened(self, side: _Side) -> dict[int, Any]:
        """Each wanted panel as it is shown, alone on its board: only its own queries are asked."""
        from builder.preview import board_of
        from builder.preview.normal import normal

        alone = normal({**side.board, "panels": [_alone(side.board, n, panel) for n, panel in enumerate(side.panels)]})
        found = answered(alone, self._data, self._ask)
        board = board_of(alone, found.result, begin=found.begin, end=found.end)
        shown: dict[int, Any] = {}
        for number, panel in enumerate(side.panels):
            copies = [pair for pair in board.panels if pair[0].panel["id"] == number + 1]
            shown[id(panel)] = (*copies[0], len(copies))
        return shown


def _alone(board: Panel, number: int, panel: Panel) -> Panel:
    """The panel below all others; out of a repeated row it is repeated itself."""
    everything = panels_of(board)
    place = next((one for one in everything if one.data is panel), None)
    row = everything[place.row].data if place is not None and place.row is not None else {}
    grid = panel.get("gridPos")
    own = {"repeat": row["repeat"], "repeatDirection": "v"} if row.get("repeat") and not panel.get("repeat") else {}
    size = {**grid, "x": 0, "y": number * 1000} if isinstance(grid, dict) else {"x": 0, "y": number * 1000}
    return {**panel, **own, "id": number + 1, "gridPos": size}

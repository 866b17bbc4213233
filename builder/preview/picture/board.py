"""Pictures of a whole board, and of each of its panels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from matplotlib.figure import Figure

from builder.preview.colours import Theme
from builder.preview.contents import Shown
from builder.preview.drawing import figure as fig
from builder.preview.grid import Place, Placed
from builder.preview.opened import Board
from builder.preview.picture.panel import panel
from builder.preview.picture.pen import Area, Pen
from builder.preview.sizes import BOARD, left_of, size_of, top_of

_EDGE, _TOP, _FOOT = 16.0, 64.0, 8.0
SCALE = 1.5
"""Pixels of a PNG in a pixel of the board, so that small text can be read."""


def board_picture(board: Board, theme: Theme, kind: str) -> bytes:
    """The whole board as ``svg`` or ``png``."""
    height = _TOP + max([top_of(one.place) + size_of(one.place)[1] for one, _ in board.panels] or [0.0]) + _FOOT
    with fig.settings():
        figure = fig.figure(BOARD + 2 * _EDGE, height, theme.page)
        pen = Pen(figure, height, theme)
        pen.text(board.title, _EDGE, 22, size=20)
        when = " to ".join(datetime.fromtimestamp(t, UTC).strftime("%Y-%m-%d %H:%M") for t in (board.begin, board.end))
        words = " | ".join(
            ["Preview, not Grafana", f"{when} UTC", *(f"{name}: {value}" for name, value in board.chosen)]
        )
        pen.text(words, _EDGE, 46, size=12, colour=theme.muted, width=BOARD)
        for placed, shown in board.panels:
            _placed(pen, placed, shown)
        return _written(figure, kind, board.uid)


def panel_picture(shown: Shown, place: Place, theme: Theme, kind: str) -> bytes:
    """One panel as ``svg`` or ``png``, as large as on the board."""
    width, height = size_of(place)
    with fig.settings():
        figure = fig.figure(width, height, theme.page)
        panel(Pen(figure, height, theme), shown, Area(0.5, 0.5, width - 1, height - 1))
        return _written(figure, kind, shown.key[:12])


def panel_pictures(board: Board, theme: Theme, kind: str) -> Iterator[tuple[str, bytes]]:
    """A picture of each panel, by a name that holds its id and, for a copy of a repeated one, its values."""
    taken: set[str] = set()
    for placed, shown in board.panels:
        if not placed.is_row:
            parts = [str(placed.panel.get("id", 0)), *placed.scope.values()]
            name = re.sub(r"[^\w.-]+", "_", "-".join(parts))[:100]
            while name in taken:  # values that differ in what no file name may hold
                name += "_"
            taken.add(name)
            yield name, panel_picture(shown, placed.place, theme, kind)


def _placed(pen: Pen, placed: Placed, shown: Shown) -> None:
    place = placed.place
    x, y = _EDGE + left_of(place), _TOP + top_of(place)
    width, height = size_of(place)
    if placed.is_row:
        pen.text(shown.title, x, y + height / 2, size=15, width=width)
    else:
        panel(pen, shown, Area(x, y, width, height))


def _written(figure: Figure, kind: str, name: str) -> bytes:
    if kind == "png":
        return fig.png(figure, SCALE)
    head = '<?xml version="1.0" encoding="utf-8"?>\n'
    return (head + fig.svg(figure, name)).encode()

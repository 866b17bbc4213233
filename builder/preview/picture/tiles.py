"""Stats and bar gauges in a picture."""

from __future__ import annotations

from builder.preview.colours import ink_on
from builder.preview.contents import Bars, Tile, Tiles
from builder.preview.drawing.measure import width_of
from builder.preview.picture.pen import Area, Pen

_LARGEST = 44.0


def tiles(pen: Pen, content: Tiles, area: Area) -> None:
    """The numbers of a stat panel, side by side or one above the other."""
    count = len(content.tiles)
    for n, tile in enumerate(content.tiles):
        if content.across:
            width = area.w / count
            part = Area(area.x + n * width, area.y, width - 4, area.h)
        else:
            height = area.h / count
            part = Area(area.x, area.y + n * height, area.w, height - 4)
        _tile(pen, tile, part)


def _tile(pen: Pen, tile: Tile, area: Area) -> None:
    colour = tile.colour
    if tile.filled:
        pen.box(area, tile.colour)
        colour = ink_on(tile.colour)
    if len(tile.spark) > 1:
        _spark(pen, tile, area, colour)
        area = area.inside(0, 0, 0, area.h * 0.25)
    name = min(18.0, area.h * 0.24) if tile.name else 0.0
    size = min((area.h - name) * 0.62, _LARGEST, (area.w - 8) / max(width_of(tile.text, 1.0), 0.1))
    middle = area.x + area.w / 2
    top = area.y + (area.h - name - size) / 2
    if tile.name:
        pen.text(tile.name, middle, top + name / 2 - 2, size=name, align="center", width=area.w)
    pen.text(tile.text, middle, top + name + size / 2, size=size, colour=colour, align="center")


def _spark(pen: Pen, tile: Tile, area: Area, colour: str) -> None:
    values = [v for _, v in tile.spark]
    low, up = min(values), (max(values) - min(values)) or 1.0
    across = (tile.spark[-1][0] - tile.spark[0][0]) or 1.0
    places = [
        (area.x + (t - tile.spark[0][0]) / across * area.w, area.y + area.h - (v - low) / up * area.h * 0.3 - 2)
        for t, v in tile.spark
    ]
    pen.line(places, colour)


def bars(pen: Pen, content: Bars, area: Area) -> None:
    """The bars of a bar gauge, lying or standing."""
    (_upright if content.upright else _lying)(pen, content, area)


def _lying(pen: Pen, content: Bars, area: Area) -> None:
    height = min(area.h / len(content.bars), 46.0)
    names = min(max(width_of(bar.name, 12) for bar in content.bars) + 8, area.w * 0.35)
    values = max(width_of(bar.text, 13) for bar in content.bars) + 8
    for n, bar in enumerate(content.bars):
        y = area.y + n * height
        track = Area(area.x + names, y + 2, max(area.w - names - values, 4), max(height - 4, 2))
        pen.text(bar.name, track.x - 8, y + height / 2, align="right", width=names - 8)
        pen.box(track, pen.theme.grid)
        pen.box(Area(track.x, track.y, track.w * bar.share, track.h), bar.colour, alpha=0.85)
        pen.text(bar.text, area.x + area.w, y + height / 2, size=13, colour=bar.colour, align="right")


def _upright(pen: Pen, content: Bars, area: Area) -> None:
    width = area.w / len(content.bars)
    for n, bar in enumerate(content.bars):
        middle = area.x + (n + 0.5) * width
        track = Area(area.x + n * width + 3, area.y + 22, max(width - 6, 2), max(area.h - 44, 2))
        pen.text(bar.text, middle, area.y + 10, size=13, colour=bar.colour, align="center", width=width)
        pen.box(track, pen.theme.grid)
        filled = track.h * bar.share
        pen.box(Area(track.x, track.y + track.h - filled, track.w, filled), bar.colour, alpha=0.85)
        pen.text(bar.name, middle, area.y + area.h - 9, size=11, align="center", width=width)

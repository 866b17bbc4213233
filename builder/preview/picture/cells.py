"""Tables in a picture."""

from __future__ import annotations

from builder.preview.colours import ink_on
from builder.preview.contents import Cell, Table
from builder.preview.drawing.measure import width_of
from builder.preview.picture.pen import Area, Pen

_ROW, _PAD, _SIZE = 31.0, 8.0, 13.0
_GAUGE, _MOST = 90.0, 320.0


def table(pen: Pen, content: Table, area: Area) -> None:
    """As many rows as there is room for, and then how many more there are."""
    widths = _widths(content, area.w)
    room = max(int(area.h / _ROW) - 1, 1)
    fits = len(content.rows) <= room and not content.more
    shown = content.rows if fits else content.rows[: room - 1]
    numbers = [any(row[n].number for row in content.rows) for n in range(len(widths))]
    x = area.x
    for heading, width, number in zip(content.headings, widths, numbers, strict=True):
        _write(pen, heading, Area(x, area.y, width, _ROW), colour="#3D71D9", right=number)
        x += width
    for n, row in enumerate(shown):
        y = area.y + (n + 1) * _ROW
        pen.box(Area(area.x, y - 1, area.w, 1), pen.theme.border)
        x = area.x
        for cell, width in zip(row, widths, strict=True):
            _cell(pen, cell, Area(x, y, width, _ROW - 1))
            x += width
    if left := len(content.rows) - len(shown) + content.more:
        y = area.y + (len(shown) + 1) * _ROW + _ROW / 2
        pen.text(f"{left} more rows", area.x + _PAD, y, colour=pen.theme.muted)


def _cell(pen: Pen, cell: Cell, area: Area) -> None:
    colour = cell.colour or "text"
    if cell.filled:
        pen.box(area, cell.colour)
        colour = ink_on(cell.colour)
    if cell.share is not None:
        value = width_of(cell.text, _SIZE) + 2 * _PAD
        track = Area(area.x + _PAD, area.y + area.h / 2 - 8, max(area.w - value - _PAD, 4), 16)
        pen.box(track, pen.theme.grid)
        pen.box(Area(track.x, track.y, track.w * cell.share, track.h), cell.colour, alpha=0.85)
    _write(pen, cell.text, area, colour=colour, right=cell.number)


def _write(pen: Pen, text: str, area: Area, *, colour: str, right: bool) -> None:
    x = area.x + area.w - _PAD if right else area.x + _PAD
    y = area.y + area.h / 2
    pen.text(text, x, y, size=_SIZE, colour=colour, align="right" if right else "left", width=area.w - 2 * _PAD)


def _widths(content: Table, room: float) -> list[float]:
    """What each column needs, and its part of what is left over or lacking."""
    needed = []
    for n, heading in enumerate(content.headings):
        texts = [
            width_of(row[n].text, _SIZE) + (_GAUGE if row[n].share is not None else 0) for row in content.rows[:50]
        ]
        fixed = content.widths[n] if n < len(content.widths) else 0.0
        needed.append(fixed or min(max([width_of(heading, _SIZE), *texts]), _MOST) + 2 * _PAD)
    return [width * room / sum(needed) for width in needed] if needed else []

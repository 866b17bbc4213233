"""One panel in a picture: its frame and title, and what is in it."""

from __future__ import annotations

from builder.preview.contents import Bars, Chart, Legend, Note, Prose, Shown, Table, Tiles
from builder.preview.drawing.draw import draw
from builder.preview.drawing.measure import width_of, wrapped
from builder.preview.picture import cells, tiles
from builder.preview.picture.pen import Area, Pen
from builder.preview.prose import as_words
from builder.preview.sizes import HEADER, LEGEND_HEAD, LEGEND_LINE, PADDING, legend_beside

_LINE = 18.0


def panel(pen: Pen, shown: Shown, area: Area) -> None:
    """The whole panel, in an area of a figure."""
    pen.box(area, pen.theme.panel, edge=pen.theme.border)
    if shown.title:
        pen.text(shown.title, area.x + PADDING, area.y + HEADER / 2, size=14, width=area.w - 2 * PADDING)
    inner = area.inside(PADDING, HEADER if shown.title else PADDING, PADDING, PADDING)
    match shown.content:
        case Chart() as chart:
            _chart(pen, chart, inner)
        case Tiles() as content:
            tiles.tiles(pen, content, inner)
        case Bars() as content:
            tiles.bars(pen, content, inner)
        case Table() as content:
            cells.table(pen, content, inner)
        case Prose() as content:
            words = as_words(content.text) if content.markdown else content.text
            _lines(pen, wrapped(words, 13, inner.w), inner, size=13)
        case Note() as content:
            _note(pen, content, inner)


def _chart(pen: Pen, chart: Chart, area: Area) -> None:
    beside, below = legend_beside(chart, area.w, area.h)
    draw(pen.figure, chart.drawn, pen.theme, pen.edges(Area(area.x, area.y, area.w - beside, area.h - below)))
    if chart.legend and beside:
        _legend_table(pen, chart.legend, Area(area.x + area.w - beside + 8, area.y, beside - 8, area.h))
    elif chart.legend and below:
        legend_area = Area(area.x, area.y + area.h - below + 4, area.w, below - 4)
        (_legend_table if chart.legend.headings else _legend_list)(pen, chart.legend, legend_area)


def _legend_list(pen: Pen, legend: Legend, area: Area) -> None:
    x, y = area.x, area.y + LEGEND_LINE / 2
    for entry in legend.entries:
        name = f"{entry.name} (right axis)" if entry.right else entry.name
        width = width_of(name, 12) + 34
        if x > area.x and x + width > area.x + area.w:
            x, y = area.x, y + LEGEND_LINE
        if y > area.y + area.h:
            return
        pen.box(Area(x, y - 2, 14, 4), entry.colour)
        pen.text(name, x + 20, y, width=area.x + area.w - x - 20)
        x += width


def _legend_table(pen: Pen, legend: Legend, area: Area) -> None:
    """As many lines as there is room for, and then how many more there are."""
    columns = [
        max(width_of(text, 12) for text in (heading, *(entry.values[n] for entry in legend.entries))) + 12
        for n, heading in enumerate(legend.headings)
    ]
    rights = [area.x + area.w - sum(columns[n + 1 :]) for n in range(len(columns))]
    y = area.y + LEGEND_HEAD / 2
    for heading, right in zip(legend.headings, rights, strict=True):
        pen.text(heading, right, y, size=11, colour="#3D71D9", align="right")
    room = max(int((area.h - LEGEND_HEAD) / LEGEND_LINE), 1)
    shown = legend.entries if len(legend.entries) <= room else legend.entries[: room - 1]
    y = area.y + (LEGEND_HEAD if legend.headings else 0) + LEGEND_LINE / 2
    for entry in shown:
        pen.box(Area(area.x, y - 2, 14, 4), entry.colour)
        pen.text(entry.name, area.x + 20, y, width=area.w - 20 - sum(columns))
        for text, right in zip(entry.values, rights, strict=True):
            pen.text(text, right, y, align="right")
        y += LEGEND_LINE
    if len(shown) < len(legend.entries):
        pen.text(f"{len(legend.entries) - len(shown)} more", area.x + 20, y, colour=pen.theme.muted)


def _note(pen: Pen, note: Note, area: Area) -> None:
    lines = wrapped(note.text, 13, area.w - 8)
    details = [line for detail in note.details for line in wrapped(detail, 11, area.w - 8)]
    fits = max(int(area.h / _LINE) - len(lines), 0)
    y = area.y + max(area.h - _LINE * (len(lines) + min(len(details), fits)), 0) / 2 + _LINE / 2
    colour = "#E02F44" if note.kind == "error" else pen.theme.muted
    for line in lines:
        pen.text(line, area.x + area.w / 2, y, size=13, colour=colour, align="center", width=area.w)
        y += _LINE
    for line in details[:fits]:
        pen.text(line, area.x + area.w / 2, y, size=11, colour=pen.theme.muted, align="center", width=area.w)
        y += _LINE


def _lines(pen: Pen, lines: list[str], area: Area, *, size: float) -> None:
    for n, line in enumerate(lines[: int(area.h / _LINE)]):
        pen.text(line, area.x, area.y + _LINE * (n + 0.5), size=size)

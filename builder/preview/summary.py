"""What a picture shows, in words: for those who cannot see it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from builder.preview import calcs
from builder.preview.contents import Bars, Chart, Note, Points, Prose, Shown, Table, Tiles
from builder.preview.fields import Field

MOST = 12
"""How many series are described one by one."""


def of_lines(kind: str, lines: Sequence[tuple[Field, Points]]) -> str:
    """The last, lowest and highest value of each series."""
    words = [f"{kind} of {counted(len(lines), 'series', 'series')}"]
    for field, points in lines[:MOST]:
        last, low, high = (field.text(calcs.reduce(points, calc)) for calc in ("lastNotNull", "min", "max"))
        words.append(f"{field.name or 'value'}: last {last}, from {low} to {high}")
    return "; ".join(words) + more(len(lines))


def more(count: int) -> str:
    """How many there are beyond those described."""
    return f"; and {count - MOST} more" if count > MOST else ""


def counted(count: int, one: str, many: str) -> str:
    """``1 band``, ``2 bands``."""
    return f"{count} {one if count == 1 else many}"


def clock(t: float) -> str:
    """A time of day, UTC."""
    return datetime.fromtimestamp(t, UTC).strftime("%H:%M")


def of_panel(shown: Shown) -> str:
    """A whole panel in a line: its title, and what is in it."""
    match shown.content:
        case Chart() as chart:
            told = chart.summary
        case Tiles(tiles):
            told = _listed([f"{one.name} {one.text}".strip() for one in tiles])
        case Bars(bars):
            told = _listed([f"{one.name}: {one.text}" for one in bars])
        case Table() as table:
            rows = counted(len(table.rows) + table.more, "row", "rows")
            told = f"table of {rows}: {', '.join(table.headings)}"
        case Note() as note:
            told = " ".join(" ".join((note.text, *note.details)).split())[:200]
        case Prose() as prose:
            told = " ".join(prose.text.split())[:200]
    return f"{shown.title}: {told}" if shown.title else told


def _listed(words: Sequence[str]) -> str:
    return "; ".join(words[:MOST]) + more(len(words))

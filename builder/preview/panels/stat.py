"""Stat panels: one number a series, in large letters."""

from __future__ import annotations

from builder.preview import calcs
from builder.preview.asked import Asked
from builder.preview.contents import Tile, Tiles


def content(asked: Asked) -> Tiles:
    """A tile a series; where there is no data, one that says so as Grafana does."""
    calc = (asked.option("reduceOptions.calcs", ()) or ("lastNotNull",))[0]
    filled = str(asked.option("colorMode", "value")).startswith("background")
    plain = asked.option("colorMode", "value") == "none"
    named = asked.named()
    mode = asked.option("textMode", "auto")
    with_name = mode in ("value_and_name", "name") or (mode == "auto" and len(named) > 1)
    tiles = []
    for n in named:
        value = calcs.reduce(n.series.points, calc)
        text = n.field.name if mode == "name" else "" if mode == "none" else n.field.text(value)
        spark = n.series.points if asked.option("graphMode") == "area" and not n.answer.instant else ()
        colour = "text" if plain else n.field.paint(value, n.number)
        tiles.append(Tile(n.field.name if with_name and mode != "name" else "", text, colour, filled, tuple(spark)))
    empty = not tiles
    if empty:
        field = asked.defaults
        tiles.append(Tile("", field.text(None) or asked.nothing, "text" if plain else field.paint(None), filled))
    return Tiles(tuple(tiles), across=asked.option("orientation", "auto") != "horizontal", empty=empty)

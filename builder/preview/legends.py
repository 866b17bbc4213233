"""The legend of a graph: which series, which calculated values, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from builder.preview import calcs
from builder.preview.asked import Asked, Named
from builder.preview.contents import Entry, Legend


def legend_of(asked: Asked, named: Sequence[Named], colours: Mapping[int, str], right: frozenset[int]) -> Legend | None:
    """The legend that a panel's options ask for; None where it is hidden. ``right``: numbers on the right axis."""
    shown = asked.option("legend.showLegend", True) and asked.option("legend.displayMode", "list") != "hidden"
    if not shown:
        return None
    wanted = [calc for calc in asked.option("legend.calcs", ()) if calc in calcs.NAMES]
    visible = [n for n in named if not (n.field.custom.get("hideFrom") or {}).get("legend")]
    visible = _sorted(visible, wanted, asked)
    entries = tuple(
        Entry(
            n.field.name,
            colours[n.number],
            tuple(n.field.text(calcs.reduce(n.series.points, calc)) for calc in wanted),
            n.number in right,
        )
        for n in visible
    )
    side = "right" if asked.option("legend.placement") == "right" else "bottom"
    return Legend(entries, tuple(calcs.NAMES[calc] for calc in wanted), side)


def _sorted(named: Sequence[Named], wanted: Sequence[str], asked: Asked) -> list[Named]:
    by = {calcs.NAMES[calc]: calc for calc in wanted}.get(str(asked.option("legend.sortBy", "")))
    if by is None:
        return list(named)
    present = [n for n in named if calcs.reduce(n.series.points, by) is not None]
    present.sort(key=lambda n: calcs.reduce(n.series.points, by) or 0.0, reverse=bool(asked.option("legend.sortDesc")))
    return present + [n for n in named if n not in present]

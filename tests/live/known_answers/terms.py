"""What the tables are made of: the exporters' units in base units, and the types."""

from collections.abc import Mapping

MIB = 1024**2
GIB = 1024**3
MHZ = 1e6
MB = 1e6

Panel = Mapping[str, float] | None
Board = Mapping[str, Panel]
Fleets = Mapping[str, Mapping[str, Board]]

TENTHS, DEGREES = range(0, 100, 10), range(20, 100, 5)
"""The lower edges of the bands that distributions show, also where no card is in them."""


def bands(edges: range, counts: Mapping[int, int], unit: str = "") -> Panel:
    """A distribution: so many cards in these bands and none in the others."""
    assert counts.keys() <= set(edges)
    return {f"{edge}{unit}": counts.get(edge, 0) for edge in edges}

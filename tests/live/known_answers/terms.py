"""What the tables are made of: the exporters' units in base units, and the types."""

from collections.abc import Mapping

MIB = 1024**2
GIB = 1024**3
MHZ = 1e6
MB = 1e6
HOUR = 3600

Panel = Mapping[str, float] | None
Board = Mapping[str, Panel]
Fleets = Mapping[str, Mapping[str, Board]]

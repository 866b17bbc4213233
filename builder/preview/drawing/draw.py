"""Everything that is drawn, by what it is."""

from __future__ import annotations

from matplotlib.figure import Figure

from builder.preview.colours import Theme
from builder.preview.contents import Bands, Counts, Dials, Drawn, Graph, Heat
from builder.preview.drawing import bands, counts, dials, graph, heat

Box = tuple[float, float, float, float]
"""Left, bottom, right and top edge, in pixels from the lower left corner."""


def draw(figure: Figure, drawn: Drawn, theme: Theme, box: Box) -> None:
    """Draw into a part of a figure."""
    match drawn:
        case Graph():
            graph.draw(figure, drawn, theme, box)
        case Bands():
            bands.draw(figure, drawn, theme, box)
        case Heat():
            heat.draw(figure, drawn, theme, box)
        case Counts():
            counts.draw(figure, drawn, theme, box)
        case Dials():
            dials.draw(figure, drawn, theme, box)

"""Text and boxes in a figure, in pixels from its upper left corner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from builder.preview.colours import Theme
from builder.preview.drawing import figure as fig
from builder.preview.drawing.draw import Box
from builder.preview.drawing.measure import fitted


@dataclass(frozen=True)
class Area:
    """A part of a figure: left and upper edge, width and height in pixels."""

    x: float
    y: float
    w: float
    h: float

    def inside(self, left: float, top: float, right: float, bottom: float) -> Area:
        """The area without so many pixels at its edges."""
        return Area(self.x + left, self.y + top, max(self.w - left - right, 1.0), max(self.h - top - bottom, 1.0))


@dataclass(frozen=True)
class Pen:
    """What draws into a figure of some height, in the colours of a theme."""

    figure: Figure
    height: float
    theme: Theme

    def text(
        self,
        written: str,
        x: float,
        y: float,
        *,
        size: float = fig.NORMAL,
        colour: str = "text",
        align: str = "left",
        width: float | None = None,
        bold: bool = False,
    ) -> None:
        """A line of text whose middle is at the height ``y``, cut to a width where one is given."""
        self.figure.text(
            x,
            self.height - y,
            fitted(written, size, width, bold=bold) if width is not None else written,
            fontsize=size,
            color=fig.ink(colour, self.theme),
            ha=align,
            va="center",
            fontweight="bold" if bold else "normal",
            transform=fig.pixels(self.figure),
        )

    def box(self, area: Area, colour: str, *, edge: str = "none", alpha: float = 1.0) -> None:
        """A filled rectangle."""
        self.figure.add_artist(
            Rectangle(
                (area.x, self.height - area.y - area.h),
                area.w,
                area.h,
                facecolor=fig.ink(colour, self.theme),
                edgecolor=edge,
                linewidth=1 if edge != "none" else 0,
                alpha=alpha,
                transform=fig.pixels(self.figure),
                zorder=-1,  # behind all axes
            )
        )

    def line(self, places: Sequence[tuple[float, float]], colour: str) -> None:
        """A thin line through places, each counted from the upper left corner."""
        xs, ys = zip(*places, strict=True)
        drawn = Line2D(
            xs,
            [self.height - y for y in ys],
            color=fig.ink(colour, self.theme),
            linewidth=1,
            alpha=0.6,
            transform=fig.pixels(self.figure),
        )
        self.figure.add_artist(drawn)

    def edges(self, area: Area) -> Box:
        """The area as left, bottom, right and top edge, counted from the lower left corner."""
        return area.x, self.height - area.y - area.h, area.x + area.w, self.height - area.y

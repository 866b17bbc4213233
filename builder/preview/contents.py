"""What is in a panel, free of how it is put on a page or in a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Points = Sequence[tuple[float, float]]
Format = Callable[[float], str]


@dataclass(frozen=True)
class Entry:
    """A line of a legend: name, colour, and the text of each calculated value."""

    name: str
    colour: str
    values: tuple[str, ...] = ()
    right: bool = False


@dataclass(frozen=True)
class Legend:
    """A legend; ``headings`` are those of the values. ``side`` is ``bottom`` or ``right``."""

    entries: tuple[Entry, ...]
    headings: tuple[str, ...] = ()
    side: str = "bottom"


@dataclass(frozen=True)
class Line:
    """One series of a graph. ``axis`` is 0 for the left, 1 for the right; ``fill_to`` names the line below a gap."""

    name: str
    points: Points
    colour: str
    axis: int = 0
    width: float = 1.0
    fill: float = 0.0
    dash: tuple[float, ...] = ()
    shape: str = "line"
    stepped: bool = False
    stack: str = ""
    fill_to: str = ""


@dataclass(frozen=True)
class Axis:
    """A value axis: how its ticks are written, and how far it reaches where that is set."""

    format: Format
    low: float | None = None
    high: float | None = None
    soft_low: float | None = None
    soft_high: float | None = None
    base: float = 1000.0
    log: bool = False
    label: str = ""
    scale: float = 1.0


@dataclass(frozen=True)
class Threshold:
    """A limit drawn into a graph: from ``value`` upwards everything is of this colour."""

    value: float
    colour: str
    line: str
    area: bool = False


@dataclass(frozen=True)
class Graph:
    """Lines over time. A series that has a gap longer than ``gap`` seconds is not joined across it."""

    begin: float
    end: float
    lines: tuple[Line, ...]
    axes: tuple[Axis, Axis | None]
    thresholds: tuple[Threshold, ...] = ()
    gap: float = 0.0


@dataclass(frozen=True)
class Span:
    """A state from one time to another."""

    begin: float
    end: float
    colour: str
    text: str


@dataclass(frozen=True)
class Bands:
    """States over time, one band a series; ``height`` is a band's share of its line."""

    begin: float
    end: float
    rows: tuple[tuple[str, tuple[Span, ...]], ...]
    height: float = 0.9
    opacity: float = 0.7
    texts: bool = False


@dataclass(frozen=True)
class Heat:
    """A heatmap: for each bucket from the lowest up, the values at times a ``step`` apart."""

    begin: float
    end: float
    step: float
    labels: tuple[str, ...]
    cells: tuple[Points, ...]
    scheme: str
    low: float
    high: float
    exponent: float
    format: Format
    edges: bool = False


@dataclass(frozen=True)
class Counts:
    """A histogram: how many values of each series lie between two edges."""

    edges: tuple[float, ...]
    series: tuple[tuple[str, str, tuple[int, ...]], ...]
    format: Format


@dataclass(frozen=True)
class Dial:
    """A gauge: a value, where it lies (0 to 1), and the coloured ring of thresholds around it."""

    name: str
    text: str
    share: float
    colour: str
    ring: tuple[tuple[float, float, str], ...] = ()


@dataclass(frozen=True)
class Dials:
    """Gauges side by side."""

    dials: tuple[Dial, ...]


Drawn = Graph | Bands | Heat | Counts | Dials
"""What a plotting library draws."""


@dataclass(frozen=True)
class Chart:
    """Something drawn, the legend beside it, and in words what there is to see."""

    drawn: Drawn
    summary: str
    legend: Legend | None = None


@dataclass(frozen=True)
class Tile:
    """A number in large letters. With ``filled`` the colour is behind it; ``spark`` runs along its foot."""

    name: str
    text: str
    colour: str
    filled: bool = False
    spark: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Tiles:
    """The numbers of a stat panel; ``empty`` where there are none, and its one tile says so."""

    tiles: tuple[Tile, ...]
    across: bool = True
    empty: bool = False


@dataclass(frozen=True)
class Bar:
    """A bar of a bar gauge: how much of it is filled, from 0 to 1."""

    name: str
    text: str
    share: float
    colour: str


@dataclass(frozen=True)
class Bars:
    """The bars of a bar gauge; ``upright`` bars stand."""

    bars: tuple[Bar, ...]
    upright: bool = False


@dataclass(frozen=True)
class Cell:
    """A cell of a table. ``share`` is how far its gauge is filled; a linked one leads somewhere in Grafana."""

    text: str
    colour: str = ""
    filled: bool = False
    share: float | None = None
    number: bool = False
    linked: bool = False


@dataclass(frozen=True)
class Table:
    """Columns, each with its heading and width in pixels (0: as it comes), and rows; ``more`` were left out."""

    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    widths: tuple[float, ...] = ()
    more: int = 0


@dataclass(frozen=True)
class Prose:
    """Text; ``markdown`` tells whether it is to be read as such."""

    text: str
    markdown: bool = True


@dataclass(frozen=True)
class Note:
    """Words instead of a picture: no data, a query's error, a kind of panel that is not drawn here."""

    text: str
    kind: str = "empty"
    details: tuple[str, ...] = ()


Content = Chart | Tiles | Bars | Table | Prose | Note


def is_empty(content: Content) -> bool:
    """True where no query brought anything, whatever the panel says instead."""
    return content.empty if isinstance(content, Tiles) else isinstance(content, Note) and content.kind == "empty"


@dataclass(frozen=True)
class Shown:
    """A panel as it is shown: its title and description with the variables put in, and what is in it.

    ``remarks`` say what Grafana would show and this preview does not. Two of one ``key`` look the same.
    """

    title: str
    content: Content
    description: str = ""
    remarks: tuple[str, ...] = ()
    key: str = ""

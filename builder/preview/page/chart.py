"""Charts on the page: SVG that takes its colours from the page's theme, in a wide and a narrow cut."""

from __future__ import annotations

from collections.abc import Iterator

from builder.preview.colours import DARK, LIGHT, Theme
from builder.preview.contents import Chart, Dials, Heat, Legend
from builder.preview.drawing import figure as fig
from builder.preview.drawing.draw import draw
from builder.preview.page.markup import tag, text
from builder.preview.sizes import NARROW, NARROW_HEIGHT, legend_beside

_PAGE = Theme("page", "#010203", "#010204", "#010205", "#010206", "#010207", "#010208")
"""Colours that stand for the page's own until the drawing is done."""
_VARIABLES = {getattr(_PAGE, part): f"var(--{part})" for part in ("text", "muted", "grid", "panel", "page", "border")}


def chart(content: Chart, width: float, height: float, name: str) -> str:
    """The drawing and its legend; ``name`` is the page's own for this panel."""
    beside, below = legend_beside(content, width, height)
    wide = _drawn(content, width - beside, height - below, f"{name}-wide")
    narrow_height = NARROW_HEIGHT if not isinstance(content.drawn, Dials) else 150.0
    narrow = _drawn(content, NARROW, narrow_height, f"{name}-narrow")
    picture = tag(
        "div",
        tag("div", *wide, class_="wide", aria_hidden="true"),
        tag("div", *narrow, class_="narrow", aria_hidden="true"),
        class_="drawing",
        role="img",
        aria_label=content.summary,
    )
    if not content.legend or not content.legend.entries:
        return tag("div", picture, class_="chart")
    size = f"flex-basis: {beside:.0f}px" if beside else f"flex-basis: {below:.0f}px"
    return tag("div", picture, _legend(content.legend, size), class_=f"chart legend-{content.legend.side}")


def _drawn(content: Chart, width: float, height: float, name: str) -> Iterator[str]:
    """One drawing for both themes, or one for each where the colours of data depend on the theme."""
    if isinstance(content.drawn, Heat):
        for theme in (DARK, LIGHT):
            yield tag("div", _svg(content, width, height, theme, f"{name}-{theme.name}"), class_=f"only-{theme.name}")
    else:
        yield _svg(content, width, height, _PAGE, name)


def _svg(content: Chart, width: float, height: float, theme: Theme, name: str) -> str:
    figure = fig.figure(width, height)
    draw(figure, content.drawn, theme, (0, 0, width, height))
    return fig.in_tags(fig.svg(figure, name), _themed)


def _themed(tag: str) -> str:
    for colour, variable in _VARIABLES.items():
        tag = tag.replace(colour, variable)
    return tag


def _legend(legend: Legend, size: str) -> str:
    if not legend.headings:
        items = [tag("li", _mark(entry.colour), text(entry.name), _side(entry.right)) for entry in legend.entries]
        return tag("ul", *items, class_="legend", style=size, tabindex=0, aria_label="Legend")
    heads = tag("tr", tag("th", "Name", scope="col"), *(tag("th", text(h), scope="col") for h in legend.headings))
    rows = [
        tag(
            "tr",
            tag("th", _mark(entry.colour), text(entry.name), _side(entry.right), scope="row"),
            *(tag("td", text(value)) for value in entry.values),
        )
        for entry in legend.entries
    ]
    table = tag("table", tag("thead", heads), tag("tbody", *rows))
    return tag("div", table, class_="legend", style=size, tabindex=0, role="region", aria_label="Legend")


def _mark(colour: str) -> str:
    return tag("i", class_="mark", style=f"background: {css(colour)}", aria_hidden="true")


def _side(right: bool) -> str:
    return tag("span", " (right axis)", class_="side") if right else ""


def css(colour: str) -> str:
    """A colour in a style sheet: the theme's own where it is the text's."""
    return "var(--text)" if colour == "text" else colour

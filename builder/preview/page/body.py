"""What is in a panel, as HTML."""

from __future__ import annotations

from builder.preview.colours import ink_on
from builder.preview.contents import Bars, Cell, Chart, Content, Note, Prose, Table, Tile, Tiles
from builder.preview.page.chart import chart, css
from builder.preview.page.markup import tag, text
from builder.preview.prose import as_html


def body(content: Content, width: float, height: float, name: str) -> str:
    """The markup of a panel's inside, made for so many pixels; ``name`` is the page's own for the panel."""
    match content:
        case Chart():
            return chart(content, width, height, name)
        case Tiles():
            return tag("div", *map(_tile, content.tiles), class_=f"tiles {'across' if content.across else 'down'}")
        case Bars():
            return _bars(content)
        case Table():
            return _table(content)
        case Prose():
            inside = as_html(content.text) if content.markdown else tag("pre", text(content.text))
            return tag("div", inside, class_="prose", tabindex=0)
        case Note():
            details = [tag("li", tag("code", text(line))) for line in content.details]
            listed = tag("ul", *details) if details else ""
            return tag(
                "div",
                tag("p", text(content.text)),
                listed,
                class_=f"note {content.kind}",
                tabindex=0 if details else None,
            )


def _tile(tile: Tile) -> str:
    style = f"--length: {max(len(tile.text), 3)}; color: {css(tile.colour)}"
    if tile.filled:
        style = f"--length: {max(len(tile.text), 3)}; background: {css(tile.colour)}; color: {css(ink_on(tile.colour))}"
    name = tag("span", text(tile.name), class_="name") if tile.name else ""
    spark = _spark(tile) if len(tile.spark) > 1 else ""
    return tag(
        "div",
        name,
        tag("span", text(tile.text), class_="value"),
        spark,
        class_="tile filled" if tile.filled else "tile",
        style=style,
    )


def _spark(tile: Tile) -> str:
    times, values = zip(*tile.spark, strict=True)
    low, high = min(values), max(values)
    across, up = (times[-1] - times[0]) or 1, (high - low) or 1
    points = " ".join(f"{(t - times[0]) / across * 100:.1f},{30 - (v - low) / up * 28:.1f}" for t, v in tile.spark)
    line = tag("polyline", points=points, fill="none", stroke="currentColor", vector_effect="non-scaling-stroke")
    return tag("svg", line, class_="spark", viewBox="0 0 100 30", preserveAspectRatio="none", aria_hidden="true")


def _bars(bars: Bars) -> str:
    rows = [
        tag(
            "li",
            tag("span", text(bar.name), class_="name"),
            tag(
                "span",
                tag("span", class_="fill", style=f"--share: {bar.share * 100:.1f}%; background: {css(bar.colour)}"),
                class_="track",
            ),
            tag("span", text(bar.text), class_="value", style=f"color: {css(bar.colour)}"),
        )
        for bar in bars.bars
    ]
    return tag("ul", *rows, class_=f"bars {'upright' if bars.upright else 'lying'}", tabindex=0, aria_label="Bars")


def _table(table: Table) -> str:
    widths = table.widths or (0.0,) * len(table.headings)
    numbers = [any(row[n].number for row in table.rows) for n in range(len(table.headings))]
    heads = [
        tag("th", text(h), scope="col", class_="number" if number else None, style=f"width: {w:.0f}px" if w else None)
        for h, w, number in zip(table.headings, widths, numbers, strict=True)
    ]
    rows = [tag("tr", *map(_cell, row)) for row in table.rows]
    inside = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows))
    more = tag("p", f"{table.more} more rows") if table.more else ""
    label = f"Table of {len(rows)} rows"
    return tag("div", inside, more, class_="table", tabindex=0, role="region", aria_label=label)


def _cell(cell: Cell) -> str:
    classes = " ".join(name for name, is_so in (("number", cell.number), ("linked", cell.linked)) if is_so) or None
    inside = tag("span", text(cell.text), class_="cell")
    if cell.share is not None:
        fill = tag("span", class_="fill", style=f"--share: {cell.share * 100:.1f}%; background: {css(cell.colour)}")
        gauge = tag("span", fill, class_="track")
        value = tag("span", text(cell.text), class_="cell", style=f"color: {css(cell.colour)}")
        return tag("td", tag("span", gauge, value, class_="gauge"), class_=classes)
    if cell.filled:
        return tag(
            "td", inside, class_=classes, style=f"background: {css(cell.colour)}; color: {css(ink_on(cell.colour))}"
        )
    return tag("td", inside, class_=classes, style=f"color: {css(cell.colour)}" if cell.colour else None)

"""Tables: answers side by side, transformed, with coloured cells."""

from __future__ import annotations

import math
from collections.abc import Mapping

from builder.preview.asked import Asked
from builder.preview.contents import Cell, Note, Table
from builder.preview.fields import Field, field_of
from builder.preview.frames import Column, Frame, Value, frame_of, sorted_by, transformed

MOST_ROWS = 200


def content(asked: Asked) -> Table | Note:
    """The first table that the transformations leave, sorted as the panel says."""
    answers = list(asked.shown)
    frames = [frame_of(answer, len(answers) == 1) for answer in answers if answer.series]
    frames, _ = transformed(frames, asked.panel.get("transformations") or ())
    if not frames or not frames[0].rows:
        return Note(asked.nothing)
    frame = frames[0]
    for order in reversed(asked.option("sortBy", ())):
        frame = sorted_by(frame, str(order.get("displayName", "")), bool(order.get("desc")))
    fields = {c.name: field_of(asked.panel, c.name, ref_id=c.ref_id, kind=c.kind) for c in frame.columns}
    columns = [c for c in frame.columns if not fields[c.name].custom.get("hidden")]
    ranges = {c.name: _range(frame, c.name) for c in columns}
    rows = tuple(
        tuple(_cell(row.get(c.name), fields[c.name], c, ranges[c.name]) for c in columns)
        for row in frame.rows[:MOST_ROWS]
    )
    return Table(
        tuple(fields[c.name].name for c in columns),
        rows,
        tuple(float(fields[c.name].custom.get("width") or 0) for c in columns),
        max(len(frame.rows) - MOST_ROWS, 0),
    )


def unknown_steps(asked: Asked) -> tuple[str, ...]:
    """The transformations of a panel that are not carried out here."""
    return transformed([], asked.panel.get("transformations") or ())[1]


def _range(frame: Frame, name: str) -> tuple[float, float]:
    numbers = [v for row in frame.rows if isinstance(v := row.get(name), float) and math.isfinite(v)]
    return (min(numbers), max(numbers)) if numbers else (0.0, 100.0)


def _cell(value: Value, field: Field, column: Column, limits: tuple[float, float]) -> Cell:
    low, high = limits
    options = field.custom.get("cellOptions") or _older(field.custom)
    kind = str(options.get("type") or "auto")
    number = column.kind == "number"
    if column.kind == "time" and isinstance(value, float) and not field.unit:
        text = Field(unit="dateTimeAsIso").text(value * 1000)
    else:
        text = field.text(value)
    linked = bool(field.links) and value is not None
    if kind == "gauge" and isinstance(value, float):
        return Cell(
            text,
            field.paint(value, low=low, high=high),
            share=field.share(value, low, high),
            number=number,
            linked=linked,
        )
    if kind in ("color-text", "color-background") and value is not None:
        return Cell(
            text, field.paint(value, low=low, high=high), kind == "color-background", number=number, linked=linked
        )
    return Cell(text, number=number, linked=linked)


def _older(custom: Mapping[str, object]) -> Mapping[str, object]:
    """``displayMode``, as it was called before Grafana 9.5."""
    mode = str(custom.get("displayMode") or "auto")
    return {"type": "gauge" if mode.endswith("gauge") else mode.removesuffix("-solid")}
